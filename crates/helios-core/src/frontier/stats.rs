//! Numbers for progress and metrics, by name; each at once, however large the crawl.

use super::Frontier;

impl Frontier {
    pub fn stats(&self) -> Vec<(&'static str, u64)> {
        let sieve = self.sieve.stats();
        let [waiting, blocked, ready] = self.politeness.counts();
        let mut stats = self.counters.named();
        stats.extend([
            ("known", sieve.known),
            ("pending", (self.counters.queued + self.counters.later).saturating_sub(self.parked)),
            ("parked", self.parked),
            ("sites", self.sites.len() as u64),
            ("sites_waiting", waiting as u64),
            ("sites_blocked", blocked as u64),
            ("sites_ready", ready as u64),
            ("visits_out", self.leases.len() as u64),
            ("pages_out", self.reserved),
            ("staged", self.staged.len() as u64),
            ("seen_checks", sieve.checks),
            ("seen_runs", sieve.runs),
            ("seen_disk_bytes", sieve.disk_bytes),
            ("bloom_false_positives", sieve.false_positives),
            ("seen_may_have_dropped", sieve.dropped_estimate as u64),
        ]);
        stats
    }

    /// How often the filter said "perhaps" of a URL that was new.
    pub fn false_positive_rate(&self) -> f64 {
        self.sieve.stats().false_positive_rate()
    }
}
