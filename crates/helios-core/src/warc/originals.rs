//! Payloads that the archive has: those of this run, the last so many. In two generations: when the young one is full, the old one is forgotten.

use std::collections::HashMap;

use helios_warc::{Digest, Original};

pub(super) struct Originals {
    /// Of both generations together: about 250 bytes each.
    most: usize,
    young: HashMap<Digest, Original>,
    old: HashMap<Digest, Original>,
}

impl Originals {
    pub(super) fn new(most: usize) -> Self {
        Self { most, young: HashMap::new(), old: HashMap::new() }
    }

    pub(super) fn find(&self, digest: &Digest) -> Option<&Original> {
        self.young.get(digest).or_else(|| self.old.get(digest))
    }

    pub(super) fn add(&mut self, original: Original) {
        if self.young.len() >= self.most.div_ceil(2) {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(original.digest.clone(), original);
    }
}
