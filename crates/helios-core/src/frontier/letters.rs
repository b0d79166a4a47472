//! Dead letters: URLs that used up their attempts, with everything needed to ask for them again.

use super::draft::Draft;
use super::entry::Entry;
use super::history::Record;
use super::scope::origin_id;
use super::tier::Tier;
use super::{Frontier, SiteId, chunk, key};
use std::collections::BTreeMap;

use bytes::Bytes;

use crate::clock::Millis;
use crate::codec::{Reader, Writer, damaged};
use crate::error::Result;
use crate::fetch::OutcomeKind;
use crate::url::CanonicalUrl;

/// A URL that was given up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadLetter {
    pub url: CanonicalUrl,
    pub via: Option<CanonicalUrl>,
    pub depth: u32,
    pub reason: String,
    pub attempts: u32,
    /// When, what and why of each attempt, oldest first.
    pub history: Vec<(Millis, &'static str, String)>,
    /// When it was given up.
    pub at: Millis,
}

/// Which dead letters go back to their queues: those that all of this is true of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Replay {
    /// Of this site.
    pub site: Option<String>,
    /// The reason contains this.
    pub reason: Option<String>,
    pub url: Option<CanonicalUrl>,
}

/// Letters that go back in one write.
const MOST: usize = 1_024;

impl Frontier {
    pub(super) fn bury(&mut self, draft: &mut Draft, id: SiteId, entry: &Entry, reason: &str, now: Millis) {
        let kind = entry.failures.last().map_or(OutcomeKind::Unreachable, |failure| failure.kind);
        self.bury_as(draft, id, entry, (kind, reason), now);
    }

    pub(super) fn bury_as(
        &mut self,
        draft: &mut Draft,
        id: SiteId,
        entry: &Entry,
        (kind, reason): (OutcomeKind, &str),
        now: Millis,
    ) {
        self.counters.dead += 1;
        draft.record(id, Record::of(entry, kind, format!("given up: {reason}"), now));
        let mut to = Writer::new();
        to.number(now).text(reason).block(&chunk::write(std::slice::from_ref(entry)));
        draft.batch.put(key::letter(id, &entry.url.fingerprint().to_be_bytes()), to.done());
    }

    /// Up to `limit` dead letters, site by site.
    pub fn dead_letters(&self, limit: usize) -> Result<Vec<DeadLetter>> {
        self.letters_from(&key::all(b'd').0, limit)
    }

    /// Those that follow the letter of `url`, whether that is still there or not.
    pub fn dead_letters_after(&mut self, url: &str, limit: usize) -> Result<Vec<DeadLetter>> {
        let url = self.urls.parse(url)?;
        let key = key::letter(self.scope.site_id(url.host()), &url.fingerprint().to_be_bytes());
        self.letters_from(&[&key[..], &[0]].concat(), limit)
    }

    fn letters_from(&self, from: &[u8], limit: usize) -> Result<Vec<DeadLetter>> {
        let found = self.kv.scan(from, &key::all(b'd').1, limit)?;
        found.iter().map(|(_, value)| read(value).map(|(letter, _)| letter)).collect()
    }

    /// Gives dead letters another life: their attempts are forgotten. Durable when it returns. Returns how many.
    pub fn replay(&mut self, now: Millis, which: &Replay) -> Result<u64> {
        let (mut from, to) = (key::all(b'd').0.to_vec(), key::all(b'd').1);
        let mut count = 0;
        loop {
            let page = self.kv.scan(&from, &to, MOST)?;
            let Some((last, _)) = page.last() else { return Ok(count) };
            from = [last, &[0][..]].concat();
            count += self.whole(|frontier| frontier.replay_page(now, which, &page))?;
        }
    }

    fn replay_page(&mut self, now: Millis, which: &Replay, page: &[(Bytes, Bytes)]) -> Result<u64> {
        let mut draft = Draft::default();
        let mut queues: BTreeMap<(SiteId, Tier), Vec<Entry>> = BTreeMap::new();
        let mut count = 0;
        for (key, value) in page {
            let (letter, entry) = read(value)?;
            if which.covers(&letter, self.scope.site_of(letter.url.host()).as_str()) {
                count += 1;
                draft.batch.delete(key.to_vec());
                let id = self.scope.site_id(entry.url.host());
                self.book.forgive(&mut draft, id, origin_id(&entry.url))?;
                // One that redirected too often is followed further.
                let entry = Entry { failures: Vec::new(), queued: now, hops: entry.hops.min(1), ..entry };
                queues.entry((id, self.tier_of(&entry, id))).or_default().push(entry);
            }
        }
        if count == 0 {
            return Ok(0);
        }
        self.counters.dead = self.counters.dead.saturating_sub(count);
        for ((id, tier), entries) in queues {
            self.append(&mut draft, id, tier, entries);
        }
        let ticket = self.commit(draft)?;
        self.kv.durable(ticket)?;
        Ok(count)
    }
}

impl Replay {
    fn covers(&self, letter: &DeadLetter, site: &str) -> bool {
        self.site.as_ref().is_none_or(|name| name == site)
            && self.reason.as_ref().is_none_or(|part| letter.reason.contains(part.as_str()))
            && self.url.as_ref().is_none_or(|url| *url == letter.url)
    }
}

pub(super) fn read(value: &[u8]) -> Result<(DeadLetter, Entry)> {
    let mut from = Reader::new(value);
    let (at, reason) = (from.number()?, from.text()?.to_owned());
    let entry = chunk::read(from.block()?)?.pop().ok_or_else(damaged)?;
    let told = |failure: &super::entry::Failure| (failure.at, failure.kind.name(), failure.why.clone());
    let letter = DeadLetter {
        url: entry.url.clone(),
        via: entry.via.clone(),
        depth: entry.depth,
        reason,
        attempts: entry.attempts(),
        history: entry.failures.iter().map(told).collect(),
        at,
    };
    Ok((letter, entry))
}
