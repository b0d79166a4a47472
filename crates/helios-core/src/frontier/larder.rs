//! [`Larder`]: what a visit left of a chunk, decoded, for the next visit of its site. Bounded; may forget.

use std::collections::{HashMap, VecDeque};

use super::SiteId;
use super::chunk::Bits;
use super::entry::Entry;
use super::key::ChunkId;
use super::tier::Tier;

/// Entries in memory, at most: about 300 bytes each.
const MOST: usize = 131_072;

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

/// For some lanes, all that waits in their first chunks.
#[derive(Debug, Default)]
pub(super) struct Larder {
    lanes: HashMap<LaneKey, VecDeque<Loaded>>,
    /// In the order in which they came in: the first goes first.
    order: VecDeque<LaneKey>,
    entries: usize,
}

impl Larder {
    /// The first chunk of the lane, if it is here.
    pub(super) fn take(&mut self, lane: LaneKey) -> Option<Loaded> {
        let chunks = self.lanes.get_mut(&lane)?;
        let first = chunks.pop_front();
        if chunks.is_empty() {
            self.lanes.remove(&lane);
        }
        self.entries -= first.as_ref().map_or(0, Loaded::left);
        first
    }

    /// Chunks that follow one another, before those that are here.
    pub(super) fn put(&mut self, lane: LaneKey, chunks: impl DoubleEndedIterator<Item = Loaded>) {
        for loaded in chunks.rev() {
            let left = loaded.left();
            if left == 0 {
                continue;
            }
            self.entries += left;
            let order = &mut self.order;
            let here = self.lanes.entry(lane).or_insert_with(|| {
                order.push_back(lane);
                VecDeque::new()
            });
            here.push_front(loaded);
        }
        while self.entries > MOST
            && let Some(oldest) = self.order.pop_front()
        {
            self.forget(oldest);
        }
    }

    /// What is here of the lane is not all that waits first any more.
    pub(super) fn forget(&mut self, lane: LaneKey) {
        if let Some(chunks) = self.lanes.remove(&lane) {
            self.entries -= chunks.iter().map(Loaded::left).sum::<usize>();
        }
    }
}
