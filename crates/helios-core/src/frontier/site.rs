//! One site: where its queue stands, its politeness, what was learned of it.

use std::collections::VecDeque;
use std::net::IpAddr;

use super::FrontierSettings;
use super::chunk::Bits;
use super::key::ChunkId;
use super::politeness::{Acquaintance, Place};
use super::score::InLinks;
use super::tier::Tier;
use super::trap::{Duplicates, Shapes};
use crate::clock::Millis;
use crate::codec::{Reader, Writer, damaged};
use crate::error::Result;
use crate::robots::Permit;
use crate::url::{Origin, SiteKey};

#[derive(Debug)]
pub(super) struct Site {
    pub(super) name: SiteKey,
    /// One queue per tier.
    pub(super) lanes: [Lane; 3],
    /// Chunks of which some entries are out or done; the rest of the queue is untouched.
    pub(super) begun: Vec<Begun>,
    pub(super) next_allowed: Millis,
    pub(super) crawl_delay_ms: u64,
    /// Whose robots.txt said so (an origin's number).
    pub(super) crawl_delay_of: u64,
    pub(super) last_fetch_ms: u64,
    /// Failures in a row: what back-off grows with.
    pub(super) failures: u32,
    pub(super) fetched: u64,
    pub(super) in_links: InLinks,
    pub(super) shapes: Shapes,
    pub(super) duplicates: Duplicates,
    pub(super) address: Option<IpAddr>,
    // What follows lives in memory only: after a crash nothing is out.
    /// robots.txt files of other sites that have moved here; few sites have any. Filled by `take`, emptied by `lease`.
    pub(super) errands: Option<Box<Errands>>,
    /// Pages leased: used up until they are settled, so that limits hold exactly.
    pub(super) reserved: u64,
    /// Visits out.
    pub(super) out: u32,
    /// Those of them that ask for a robots.txt: nothing else is asked meanwhile, nor the same file twice.
    pub(super) robots_out: u32,
    pub(super) place: Place,
    pub(super) acquaintance: Acquaintance,
    /// What it adds to the frontier's count of parked URLs.
    pub(super) parked: u64,
}

/// The queue of one tier of one site.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Lane {
    /// No chunk before this one is left.
    pub(super) cursor: ChunkId,
    /// Chunks on disk.
    pub(super) chunks: u64,
    /// Entries that are neither out nor done.
    pub(super) waiting: u64,
    pub(super) out: u64,
    /// How its first entry compares with those of other sites (`score::order`).
    pub(super) order: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Begun {
    pub(super) tier: Tier,
    pub(super) chunk: ChunkId,
    /// Entries of the chunk.
    pub(super) count: usize,
    pub(super) done: Bits,
    pub(super) out: Bits,
}

#[derive(Debug, Default)]
pub(super) struct Errands {
    pub(super) waiting: VecDeque<Errand>,
    pub(super) out: Option<Origin>,
}

/// The robots.txt of `origin` has moved to this site, which alone may be asked for it.
#[derive(Debug, Clone)]
pub(super) struct Errand {
    pub(super) permit: Permit,
    pub(super) origin: Origin,
    /// Of the URL that made it be asked for.
    pub(super) depth: u32,
}

impl Site {
    pub(super) fn new(name: SiteKey) -> Self {
        Self {
            name,
            lanes: [Lane { cursor: ChunkId::FIRST, chunks: 0, waiting: 0, out: 0, order: 0.0 }; 3],
            begun: Vec::new(),
            next_allowed: 0,
            crawl_delay_ms: 0,
            crawl_delay_of: 0,
            last_fetch_ms: 0,
            failures: 0,
            fetched: 0,
            in_links: InLinks::default(),
            shapes: Shapes::default(),
            duplicates: Duplicates::default(),
            address: None,
            errands: None,
            reserved: 0,
            out: 0,
            robots_out: 0,
            place: Place::Idle,
            acquaintance: Acquaintance::New,
            parked: 0,
        }
    }

    /// From the end of one request to the start of the next, whatever the last one was like.
    pub(super) fn delay_ms(&self, settings: &FrontierSettings) -> u64 {
        let asked_for = self.crawl_delay_ms.min(settings.crawl_delay_ceiling_ms);
        let usual = settings.delay_ms.max(asked_for);
        usual.saturating_mul(u64::from(self.duplicates.slow_down()))
    }

    /// After a request that took this long.
    pub(super) fn pause_ms(&self, took: u64, settings: &FrontierSettings) -> u64 {
        let slow = took.saturating_mul(settings.fetch_time_factor).min(settings.crawl_delay_ceiling_ms);
        self.delay_ms(settings).max(slow)
    }

    pub(super) fn waiting(&self) -> u64 {
        self.lanes.iter().map(|lane| lane.waiting).sum()
    }

    pub(super) fn page_budget(&self, most: Option<u64>) -> u64 {
        most.map_or(u64::MAX, |limit| limit.saturating_sub(self.fetched).saturating_sub(self.reserved))
    }

    pub(super) fn has_errand(&self) -> bool {
        self.errands.as_ref().is_some_and(|errands| !errands.waiting.is_empty())
    }

    /// The next errand; it is out from now on.
    pub(super) fn next_errand(&mut self) -> Option<Errand> {
        let errands = self.errands.as_mut()?;
        let errand = errands.waiting.pop_front()?;
        errands.out = Some(errand.origin.clone());
        Some(errand)
    }

    /// Whether it may have another visit now, given how many may be out at once.
    pub(super) fn has_room(&self, connections: u32) -> bool {
        self.robots_out == 0 && self.out < connections
    }

    pub(super) fn cursor(&self, tier: Tier) -> ChunkId {
        let [one, two, three] = &self.lanes;
        match tier {
            Tier::One => one.cursor,
            Tier::Two => two.cursor,
            Tier::Three => three.cursor,
        }
    }

    pub(super) fn lane(&mut self, tier: Tier) -> &mut Lane {
        let [one, two, three] = &mut self.lanes;
        match tier {
            Tier::One => one,
            Tier::Two => two,
            Tier::Three => three,
        }
    }

    /// Leaves the site alone until then, at least.
    pub(super) fn rest_until(&mut self, at: Millis) {
        self.next_allowed = self.next_allowed.max(at);
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut to = Writer::new();
        to.text(self.name.as_str());
        for lane in &self.lanes {
            to.number(lane.cursor.write).number(u64::from(lane.cursor.part));
            to.number(lane.chunks).number(lane.waiting + lane.out).fixed(&lane.order.to_be_bytes());
        }
        let partly: Vec<_> = self.begun.iter().filter(|begun| begun.done.0 != 0).collect();
        to.number(partly.len() as u64);
        for begun in partly {
            to.byte(begun.tier.number()).number(begun.chunk.write).number(u64::from(begun.chunk.part));
            to.number(begun.count as u64).number(u64::from(begun.done.0));
        }
        to.number(self.next_allowed).number(self.crawl_delay_ms).fixed(&self.crawl_delay_of.to_be_bytes());
        to.number(self.last_fetch_ms).number(u64::from(self.failures)).number(self.fetched);
        to.fixed(&self.in_links.to_bytes()).block(&self.shapes.encode()).fixed(&self.duplicates.encode());
        to.text(&self.address.map(|address| address.to_string()).unwrap_or_default());
        to.done()
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Self> {
        let mut from = Reader::new(bytes);
        let mut site = Self::new(SiteKey::host(from.text()?));
        for lane in &mut site.lanes {
            lane.cursor = ChunkId { write: from.number()?, part: from.small()? };
            lane.chunks = from.number()?;
            lane.waiting = from.number()?;
            lane.order = f64::from_be_bytes(from.fixed()?);
        }
        for _ in 0..from.number()? {
            let tier = Tier::from_number(from.byte()?).ok_or_else(damaged)?;
            let chunk = ChunkId { write: from.number()?, part: from.small()? };
            let (count, done) = (from.number()? as usize, Bits(from.small()?));
            site.begun.push(Begun { tier, chunk, count, done, out: Bits::default() });
        }
        site.next_allowed = from.number()?;
        site.crawl_delay_ms = from.number()?;
        site.crawl_delay_of = u64::from_be_bytes(from.fixed()?);
        site.last_fetch_ms = from.number()?;
        site.failures = from.small()?;
        site.fetched = from.number()?;
        site.in_links = InLinks::from_bytes(from.fixed()?);
        site.shapes = Shapes::decode(from.block()?)?;
        site.duplicates = Duplicates::decode(from.fixed()?);
        let address = from.text()?;
        site.address = if address.is_empty() { None } else { Some(address.parse().map_err(|_| damaged())?) };
        site.acquaintance = if site.next_allowed > 0 { Acquaintance::Old } else { Acquaintance::New };
        Ok(site)
    }
}
