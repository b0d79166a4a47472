//! A blocked Bloom filter: one cache line of 64 bytes per entry, one bit in each of its eight words.
//!
//! The line follows from the top bits of an entry and rises with it. So a filter is written front to back while entries
//! come in order, and a line is also a bucket of the sorted entries (`run`'s directory).
//!
//! False positives, measured as computed (lines fill unevenly, as Poisson says): 12 bits per entry 0.42 %, 24 bits 0.009 %.

use super::entry::Entry;

pub(super) const LINE_BYTES: usize = 64;
const WORD_BYTES: usize = 8;
pub(super) type Line = [u8; LINE_BYTES];

/// Exact mode: a false positive costs one search in the entries.
pub(super) const EXACT_BITS: u64 = 12;
/// Lossy mode: a false positive loses a URL; eight generations at 9.1 × 10⁻⁵ stay below 0.001 together.
pub(super) const LOSSY_BITS: u64 = 24;

pub(super) fn lines_for(entries: u64, bits_per_entry: u64) -> u64 {
    entries.saturating_mul(bits_per_entry).div_ceil(8 * LINE_BYTES as u64).max(1)
}

/// Where an entry belongs: its line, and how far into it (as a fraction of 2⁶⁴) among evenly spread entries.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) fraction: u64,
}

impl Place {
    #[inline]
    pub(super) fn of(entry: Entry, lines: usize) -> Self {
        let product = u128::from(entry.high) * lines as u128;
        Self { line: (product >> 64) as usize, fraction: product as u64 }
    }
}

/// The bit of an entry in each word: six bits of its lower half each. The upper half chose the line.
#[inline]
fn bit(entry: Entry, word: usize) -> u64 {
    let lower = (entry.high << 32) | u64::from(entry.low);
    1 << ((lower >> (6 * word)) & 63)
}

/// Without a branch, so that the cache misses of many entries overlap.
#[inline]
pub(super) fn may_hold(line: &Line, entry: Entry) -> bool {
    let words = line.as_chunks::<WORD_BYTES>().0.iter().enumerate();
    words.fold(true, |all, (word, bytes)| all & (u64::from_le_bytes(*bytes) & bit(entry, word) != 0))
}

pub(super) fn add(line: &mut Line, entry: Entry) {
    for (word, bytes) in line.as_chunks_mut::<WORD_BYTES>().0.iter_mut().enumerate() {
        *bytes = (u64::from_le_bytes(*bytes) | bit(entry, word)).to_le_bytes();
    }
}

/// The chance that an entry which is not there is said to be.
pub(super) fn false_positive_rate(line: &Line) -> f64 {
    let fill = |bytes: &[u8; WORD_BYTES]| f64::from(u64::from_le_bytes(*bytes).count_ones()) / 64.0;
    line.as_chunks::<WORD_BYTES>().0.iter().map(fill).product()
}
