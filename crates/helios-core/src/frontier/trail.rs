//! [`Trails`]: which chunks follow the first one of a lane, as far as is known. Looking up a chunk by its name costs a fifth
//! of searching for it. In memory, bounded, may know nothing.

use std::collections::{HashMap, VecDeque};

use super::SiteId;
use super::key::ChunkId;
use super::tier::Tier;

/// Chunks known of one lane, at most.
pub(super) const LONGEST: usize = 8;
type LaneKey = (SiteId, Tier);

#[derive(Debug)]
struct Trail {
    /// Without gaps.
    chunks: VecDeque<ChunkId>,
    /// More follow that are not known.
    cut: bool,
}

#[derive(Debug)]
pub(super) struct Trails {
    /// Lanes, at most: about 250 bytes each.
    most: usize,
    lanes: HashMap<LaneKey, Trail>,
}

impl Trails {
    pub(super) fn new(most: usize) -> Self {
        Self { most, lanes: HashMap::new() }
    }

    /// A chunk was appended to a lane that had `before` chunks.
    pub(super) fn appended(&mut self, lane: LaneKey, chunk: ChunkId, before: u64) {
        if let Some(trail) = self.lanes.get_mut(&lane) {
            if trail.chunks.len() < LONGEST && !trail.cut {
                trail.chunks.push_back(chunk);
            } else {
                trail.cut = true;
            }
        } else if before == 1 {
            self.found(lane, [chunk].into_iter(), false);
        }
    }

    /// A search found these after the first one.
    pub(super) fn found(&mut self, lane: LaneKey, chunks: impl Iterator<Item = ChunkId>, cut: bool) {
        if self.lanes.len() < self.most || self.lanes.contains_key(&lane) {
            self.lanes.insert(lane, Trail { chunks: chunks.collect(), cut });
        }
    }

    pub(super) fn first(&self, lane: LaneKey) -> Option<ChunkId> {
        self.lanes.get(&lane)?.chunks.front().copied()
    }

    /// The chunk is being read: what follows it is what follows now.
    pub(super) fn pass(&mut self, lane: LaneKey, chunk: ChunkId) {
        let Some(trail) = self.lanes.get_mut(&lane) else { return };
        while trail.chunks.front().is_some_and(|first| *first <= chunk) {
            trail.chunks.pop_front();
        }
        if trail.chunks.is_empty() {
            self.lanes.remove(&lane);
        }
    }

    /// The lane is read from its start again.
    pub(super) fn forget(&mut self, lane: LaneKey) {
        self.lanes.remove(&lane);
    }
}
