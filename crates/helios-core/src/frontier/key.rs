//! The keys of one partition's database: the kind first, then what it is about, big-endian, so that order means something.
//!
//! | kind | key | value |
//! |---|---|---|
//! | `m` | name | format, counters, sieve manifest |
//! | `p` | host | (none): of a seed, which brings it into scope |
//! | `s` | site | [`super::site::Site`] |
//! | `q` | site, tier, chunk | up to 32 URLs that wait ([`super::chunk`]) |
//! | `r` | time, site, URL | a URL that waits for its time: retry, recrawl, robots unknown |
//! | `b` | site, origin | what its robots.txt said |
//! | `u` | site, write | what became of URLs ([`super::history`]) |
//! | `d` | site, URL | dead letter |
//! | `g` | write | files staged and not yet published |
//! | `v` | write | fingerprints that no sealed run of the sieve holds yet |
//! | `n` | partition | the last links taken from there |

use super::SiteId;
use super::tier::Tier;
use crate::clock::Millis;

pub(super) const COUNTERS: &[u8] = b"mcounters";
pub(super) const FORMAT: &[u8] = b"mformat";
pub(super) const SIEVE: &[u8] = b"msieve";

/// Which chunk of a site's queue: ordered by the write that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ChunkId {
    pub(super) write: u64,
    pub(super) part: u32,
}

impl ChunkId {
    pub(super) const FIRST: Self = Self { write: 0, part: 0 };

    /// The least that is greater.
    pub(super) fn after(self) -> Self {
        match self.part.checked_add(1) {
            Some(part) => Self { part, ..self },
            None => Self { write: self.write + 1, part: 0 },
        }
    }

    pub(super) fn of_key(key: &[u8]) -> Option<Self> {
        let write = key.get(10..18)?.try_into().ok()?;
        let part = key.get(18..22)?.try_into().ok()?;
        Some(Self { write: u64::from_be_bytes(write), part: u32::from_be_bytes(part) })
    }
}

fn key(kind: u8, parts: &[&[u8]]) -> Vec<u8> {
    let mut key = Vec::with_capacity(1 + parts.iter().map(|part| part.len()).sum::<usize>());
    key.push(kind);
    for part in parts {
        key.extend_from_slice(part);
    }
    key
}

pub(super) fn site(site: SiteId) -> Vec<u8> {
    key(b's', &[&site.to_be_bytes()])
}

pub(super) fn chunk(site: SiteId, tier: Tier, chunk: ChunkId) -> Vec<u8> {
    let parts =
        [&site.to_be_bytes()[..], &[tier.number()], &chunk.write.to_be_bytes(), &chunk.part.to_be_bytes()];
    key(b'q', &parts)
}

/// Where the chunks of this tier of the site end.
pub(super) fn chunks_end(site: SiteId, tier: Tier) -> Vec<u8> {
    key(b'q', &[&site.to_be_bytes(), &[tier.number() + 1]])
}

pub(super) fn later(at: Millis, site: SiteId, salt: u64) -> Vec<u8> {
    key(b'r', &[&at.to_be_bytes(), &site.to_be_bytes(), &salt.to_be_bytes()])
}

/// Everything that waits for a time before this.
pub(super) fn later_before(at: Millis) -> Vec<u8> {
    key(b'r', &[&at.to_be_bytes()])
}

pub(super) fn time_of_later(key: &[u8]) -> Option<Millis> {
    Some(Millis::from_be_bytes(key.get(1..9)?.try_into().ok()?))
}

pub(super) fn site_of_later(key: &[u8]) -> Option<SiteId> {
    Some(SiteId::from_be_bytes(key.get(9..17)?.try_into().ok()?))
}

pub(super) fn robots(site: SiteId, origin: u64) -> Vec<u8> {
    key(b'b', &[&site.to_be_bytes(), &origin.to_be_bytes()])
}

pub(super) fn history(site: SiteId, write: u64) -> Vec<u8> {
    key(b'u', &[&site.to_be_bytes(), &write.to_be_bytes()])
}

pub(super) fn letter(site: SiteId, url: &[u8; 16]) -> Vec<u8> {
    key(b'd', &[&site.to_be_bytes(), url])
}

pub(super) fn staged(write: u64) -> Vec<u8> {
    key(b'g', &[&write.to_be_bytes()])
}

pub(super) fn journal(write: u64) -> Vec<u8> {
    key(b'v', &[&write.to_be_bytes()])
}

/// The number at the end of a `g` or `v` key.
pub(super) fn write_of(key: &[u8]) -> Option<u64> {
    Some(u64::from_be_bytes(key.get(1..9)?.try_into().ok()?))
}

pub(super) fn scope(name: &str) -> Vec<u8> {
    key(b'p', &[name.as_bytes()])
}

pub(super) fn inbound(partition: u64) -> Vec<u8> {
    key(b'n', &[&partition.to_be_bytes()])
}

/// From the first key of this kind to the first of the next.
pub(super) fn all(kind: u8) -> ([u8; 1], [u8; 1]) {
    ([kind], [kind + 1])
}

/// All keys of this kind that are about this site.
pub(super) fn all_of_site(kind: u8, site: SiteId) -> (Vec<u8>, Vec<u8>) {
    let from = key(kind, &[&site.to_be_bytes()]);
    match site.checked_add(1) {
        Some(next) => (from, key(kind, &[&next.to_be_bytes()])),
        None => (from, vec![kind + 1]),
    }
}
