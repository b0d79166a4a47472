//! Maps and sets whose keys are hashes, or numbers that are as good: nothing is hashed again.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

pub(crate) type HashedMap<K, V> = HashMap<K, V, BuildHasherDefault<AsIs>>;
pub(crate) type HashedSet<K> = HashSet<K, BuildHasherDefault<AsIs>>;

/// Takes 64 bits of a key as its hash.
#[derive(Default)]
pub(crate) struct AsIs(u64);

impl Hasher for AsIs {
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

    fn write_u128(&mut self, hash: u128) {
        self.0 = hash as u64;
    }
}
