//! What a run keeps of a fingerprint: its top 96 bits.
//!
//! Two URLs out of n share an entry with a chance of about n² / 2⁹⁷: at 10 billion URLs 6 × 10⁻¹⁰ that a single page is
//! ever lost that way, for a quarter less disk. Memtable and cache hold the same 96 bits, so that the answer does not
//! depend on where an entry is kept.

use std::hash::{Hash, Hasher};

use crate::url::Fingerprint;

/// Bytes of an entry on disk, big-endian: their order is the order of the entries.
pub(super) const ENTRY_BYTES: usize = 12;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) high: u64,
    pub(super) low: u32,
}

impl Entry {
    pub(super) fn of(fingerprint: Fingerprint) -> Self {
        let bits = u128::from_be_bytes(fingerprint.to_be_bytes());
        Self { high: (bits >> 64) as u64, low: (bits >> 32) as u32 }
    }

    pub(super) fn from_disk(bytes: &[u8; ENTRY_BYTES]) -> Self {
        let [upper, middle, low] = bytes.as_chunks::<4>().0 else { return Self { high: 0, low: 0 } };
        let high = u64::from(u32::from_be_bytes(*upper)) << 32 | u64::from(u32::from_be_bytes(*middle));
        Self { high, low: u32::from_be_bytes(*low) }
    }

    pub(super) fn to_disk(self) -> [u8; ENTRY_BYTES] {
        let wide = (u128::from(self.high) << 64 | u128::from(self.low) << 32).to_be_bytes();
        wide.first_chunk().copied().unwrap_or_default()
    }
}

/// The entry is a hash already: for [`crate::hashed`].
impl Hash for Entry {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.high);
    }
}
