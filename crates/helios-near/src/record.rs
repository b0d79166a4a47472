//! One page in the log: 208 bytes, of which the last 8 are the checksum of the others and of the record's number.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::fingerprint::{Fingerprint, KEYS};
use crate::sketch::Sketch;

pub(crate) const RECORD: usize = 208;
const CHECKED: usize = RECORD - 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) page: u128,
    pub(crate) fingerprint: Fingerprint,
    /// Under which keys the record stands in the table, one bit for each.
    pub(crate) placed: u8,
}

/// Reads a slice from its beginning.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (head, rest) = self.0.split_first_chunk().unwrap_or((&[0; N], &[]));
        self.0 = rest;
        *head
    }
}

impl Record {
    /// `seed` is that of the file.
    pub(crate) fn encoded(&self, seed: u64, number: u64) -> [u8; RECORD] {
        let print = self.fingerprint;
        let mut bytes = Vec::with_capacity(RECORD);
        bytes.extend(self.page.to_le_bytes());
        bytes.extend(print.content.to_le_bytes());
        bytes.extend(print.simhash.to_le_bytes());
        bytes.extend(print.filter.to_le_bytes());
        bytes.extend(print.sketch.bits.iter().flat_map(|bits| bits.to_le_bytes()));
        bytes.extend(print.keys.iter().flat_map(|key| key.to_le_bytes()));
        bytes.extend(print.words.to_le_bytes());
        bytes.extend(print.sketch.filled.to_le_bytes());
        bytes.extend([self.placed]);
        bytes.resize(CHECKED, 0);
        bytes.extend(xxh3_64_with_seed(&bytes, seed.wrapping_add(number)).to_le_bytes());
        bytes.first_chunk().copied().unwrap_or([0; RECORD])
    }

    /// None if the bytes are not what was written as this number.
    pub(crate) fn decoded(bytes: &[u8; RECORD], seed: u64, number: u64) -> Option<Self> {
        let (checked, sum) = bytes.split_last_chunk::<8>()?;
        if xxh3_64_with_seed(checked, seed.wrapping_add(number)) != u64::from_le_bytes(*sum) {
            return None;
        }
        let mut reader = Reader(checked);
        let page = u128::from_le_bytes(reader.take());
        let [content, simhash, filter] = std::array::from_fn(|_| u64::from_le_bytes(reader.take()));
        let bits = std::array::from_fn(|_| u64::from_le_bytes(reader.take()));
        let keys: [u32; KEYS] = std::array::from_fn(|_| u32::from_le_bytes(reader.take()));
        let words = u32::from_le_bytes(reader.take());
        let sketch = Sketch { bits, filled: u16::from_le_bytes(reader.take()) };
        let [placed] = reader.take();
        Some(Self {
            page,
            fingerprint: Fingerprint { content, simhash, words, keys, filter, sketch },
            placed,
        })
    }
}
