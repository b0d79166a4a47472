//! [`Larder`]: what a visit left of a chunk, decoded, for the next visit of its site. Bounded; may forget.

use std::collections::{HashMap, HashSet, VecDeque};

use super::SiteId;
use super::chunk::Bits;
use super::entry::Entry;
use super::key::ChunkId;
use super::tier::Tier;

type LaneKey = (SiteId, Tier);

/// A chunk in memory; entries that were taken are gone.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) chunk: ChunkId,
    pub(super) entries: Vec<Option<Entry>>,
}

impl Loaded {
    pub(super) fn new(chunk: ChunkId, entries: Vec<Entry>, taken: Bits) -> Self {
        let waiting = |(index, entry)| (!taken.has(index)).then_some(entry);
        Self { chunk, entries: entries.into_iter().enumerate().map(waiting).collect() }
    }

    fn left(&self) -> usize {
        self.entries.iter().flatten().count()
    }
}

/// For some lanes, what is left of their first chunk that has anything left.
#[derive(Debug)]
pub(super) struct Larder {
    /// Entries in memory, at most: about 300 bytes each.
    most: usize,
    lanes: HashMap<LaneKey, Loaded>,
    /// In the order in which they came in: the first goes first.
    order: VecDeque<LaneKey>,
    entries: usize,
}

impl Larder {
    pub(super) fn new(most: usize) -> Self {
        Self { most, lanes: HashMap::new(), order: VecDeque::new(), entries: 0 }
    }

    pub(super) fn first(&self, lane: LaneKey) -> Option<ChunkId> {
        self.lanes.get(&lane).map(|loaded| loaded.chunk)
    }

    pub(super) fn take(&mut self, lane: LaneKey) -> Option<Loaded> {
        let loaded = self.lanes.remove(&lane)?;
        self.entries -= loaded.left();
        Some(loaded)
    }

    /// Keeps what is left of a chunk. Returns the lanes that had to be forgotten for it.
    pub(super) fn put(&mut self, lane: LaneKey, loaded: Loaded) -> Vec<LaneKey> {
        let left = loaded.left();
        if left > 0 {
            self.entries += left;
            self.order.push_back(lane);
            self.lanes.insert(lane, loaded);
            self.tidy();
        }
        let mut forgotten = Vec::new();
        while self.entries > self.most
            && let Some(oldest) = self.order.pop_front()
        {
            self.forget(oldest);
            forgotten.push(oldest);
        }
        forgotten
    }

    /// Lanes come and go: their old places in the order must not pile up.
    fn tidy(&mut self) {
        if self.order.len() > 2 * self.lanes.len() + 1_024 {
            let (lanes, mut seen) = (&self.lanes, HashSet::new());
            self.order.retain(|lane| lanes.contains_key(lane) && seen.insert(*lane));
        }
    }

    /// What is here of the lane is not what waits first any more.
    pub(super) fn forget(&mut self, lane: LaneKey) {
        drop(self.take(lane));
    }
}
