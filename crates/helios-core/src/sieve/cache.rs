//! Entries that were asked for lately and are known: most links of the web repeat soon, and 1 MB fits the second-level
//! cache of a core. Only ever says "known" of what is, so it needs no care at seals, merges and drops.

use super::entry::Entry;

const SETS: usize = 1 << 15;

pub(super) struct Recent {
    /// Two entries a set, the younger first.
    sets: Vec<[Entry; 2]>,
}

impl Recent {
    pub(super) fn new() -> Self {
        let mut sets = vec![[Entry { high: 0, low: 0 }; 2]; SETS];
        // An empty place holds an entry that belongs elsewhere, so that nobody finds it.
        if let Some(first) = sets.first_mut() {
            *first = [Entry { high: u64::MAX, low: 0 }; 2];
        }
        Self { sets }
    }

    fn set_of(entry: Entry) -> usize {
        entry.high as usize % SETS
    }

    pub(super) fn contains(&self, entry: Entry) -> bool {
        self.sets.get(Self::set_of(entry)).is_some_and(|[young, old]| *young == entry || *old == entry)
    }

    pub(super) fn insert(&mut self, entry: Entry) {
        if let Some([young, old]) = self.sets.get_mut(Self::set_of(entry)) {
            *old = *young;
            *young = entry;
        }
    }
}
