//! The entries that are in no run yet. Filled by `sift`, emptied by a seal.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use super::entry::Entry;

/// Takes the top 64 bits of an entry as its hash: they are one.
#[derive(Default)]
pub(super) struct AlreadyHashed(u64);

impl Hasher for AlreadyHashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// 19 to 39 bytes of memory per entry.
#[derive(Default)]
pub(super) struct Memtable(HashSet<Entry, BuildHasherDefault<AlreadyHashed>>);

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
