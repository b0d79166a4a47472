//! The entries that are in no run yet. Filled by `sift`, emptied by a seal.

use super::entry::Entry;
use crate::hashed::HashedSet;

/// 19 to 39 bytes of memory per entry.
#[derive(Default)]
pub(super) struct Memtable(HashedSet<Entry>);

impl Memtable {
    /// True: it was not there.
    pub(super) fn insert(&mut self, entry: Entry) -> bool {
        self.0.insert(entry)
    }

    pub(super) fn contains(&self, entry: Entry) -> bool {
        self.0.contains(&entry)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn sorted(&self) -> Vec<Entry> {
        let mut entries: Vec<Entry> = self.0.iter().copied().collect();
        entries.sort_unstable();
        entries
    }

    /// Keeps its room: the next entries need it.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}
