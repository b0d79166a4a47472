//! What the resolver counts.

use std::time::Duration;

/// Since the resolver was made, but for `entries` and `in_flight`, which are of now.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DnsStats {
    /// Answered from memory: addresses, and that there are none.
    pub hits: u64,
    pub negative_hits: u64,
    /// Look-ups begun for somebody who waits.
    pub misses: u64,
    /// Askers who joined a look-up under way.
    pub merged: u64,
    /// Look-ups begun because a hot name was about to end.
    pub prefetches: u64,
    /// Look-ups that ended without an answer: servers failed or were silent.
    pub failures: u64,
    /// Questions sent first, sent again, and asked on TCP.
    pub queries: u64,
    pub repeats: u64,
    pub tcp: u64,
    pub entries: u64,
    pub in_flight: u64,
    /// Of the look-ups that are over.
    pub looked_up: u64,
    pub look_up_us: u64,
    pub longest_look_up_us: u64,
}

impl DnsStats {
    pub(super) fn add_look_up(&mut self, took: Duration) {
        let us = took.as_micros() as u64;
        self.looked_up += 1;
        self.look_up_us += us;
        self.longest_look_up_us = self.longest_look_up_us.max(us);
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.hits += other.hits;
        self.negative_hits += other.negative_hits;
        self.misses += other.misses;
        self.merged += other.merged;
        self.prefetches += other.prefetches;
        self.failures += other.failures;
        self.looked_up += other.looked_up;
        self.look_up_us += other.look_up_us;
        self.longest_look_up_us = self.longest_look_up_us.max(other.longest_look_up_us);
    }

    /// By name, for metrics.
    pub fn named(&self) -> [(&'static str, u64); 14] {
        [
            ("hits", self.hits),
            ("negative_hits", self.negative_hits),
            ("misses", self.misses),
            ("merged", self.merged),
            ("prefetches", self.prefetches),
            ("failures", self.failures),
            ("queries", self.queries),
            ("repeats", self.repeats),
            ("tcp", self.tcp),
            ("entries", self.entries),
            ("in_flight", self.in_flight),
            ("looked_up", self.looked_up),
            ("look_up_us", self.look_up_us),
            ("longest_look_up_us", self.longest_look_up_us),
        ]
    }
}
