//! What a sieve counts.

/// Counted while sifting, since the sieve was opened.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tally {
    pub(super) checks: u64,
    pub(super) cache_hits: u64,
    pub(super) filter_negative: u64,
    pub(super) filter_positive: u64,
    pub(super) false_positives: u64,
    /// Of the whole life of the sieve.
    pub(super) dropped_estimate: f64,
}

/// Counts of fingerprints, unless it says otherwise. All but the first five begin at 0 when the sieve is opened.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SieveStats {
    pub known: u64,
    /// Of those known, the ones in memory.
    pub memtable: u64,
    /// Run files.
    pub runs: u64,
    pub disk_bytes: u64,
    /// Lossy mode: how many new ones the filters took for known, as their fill lets expect.
    pub dropped_estimate: f64,
    /// Fingerprints asked for.
    pub checks: u64,
    /// Answered "known" by the cache of recent ones.
    pub cache_hits: u64,
    /// Filters asked that said "certainly not here", over all runs.
    pub filter_negative: u64,
    pub filter_positive: u64,
    /// The filter said "maybe", the entries said no.
    pub false_positives: u64,
}

impl SieveStats {
    /// Measured in exact mode: how often a filter says "maybe" of what is not in its run.
    pub fn false_positive_rate(&self) -> f64 {
        let absent = self.false_positives + self.filter_negative;
        if absent == 0 { 0.0 } else { self.false_positives as f64 / absent as f64 }
    }
}
