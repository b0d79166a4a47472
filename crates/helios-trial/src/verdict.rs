//! What came of a trial.

use std::fmt;

/// A law that was broken, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offence {
    /// P, R, E, L, O, V of the design; "limit", "stats", "why", "error", "open", "panic" for the rest.
    pub law: &'static str,
    pub sentence: String,
}

impl Offence {
    pub(crate) fn new(law: &'static str, sentence: String) -> Self {
        Self { law, sentence }
    }
}

impl fmt::Display for Offence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "law {}: {}", self.law, self.sentence)
    }
}

/// What a trial went through.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Events of the simulation.
    pub steps: u64,
    pub requests: u64,
    /// Pages fetched and settled.
    pub pages: u64,
    pub crashes: u64,
    /// Times that the frontier was opened.
    pub opened: u64,
    /// The most turns in a row in which nothing was leased or received.
    pub most_idle: u64,
    /// Visits that the frontier gave up, results that it would not have.
    pub lost_visits: u64,
    pub late_results: u64,
    pub dead: u64,
    pub replayed: u64,
    /// Trials whose law L was judged by the web's own list.
    pub complete: u64,
    /// Virtual time at the end.
    pub seconds: u64,
}

impl Tally {
    pub fn add(&mut self, other: &Self) {
        self.steps += other.steps;
        self.requests += other.requests;
        self.pages += other.pages;
        self.crashes += other.crashes;
        self.opened += other.opened;
        self.most_idle = self.most_idle.max(other.most_idle);
        self.lost_visits += other.lost_visits;
        self.late_results += other.late_results;
        self.dead += other.dead;
        self.replayed += other.replayed;
        self.complete += other.complete;
        self.seconds += other.seconds;
    }
}

/// One seed's outcome.
#[derive(Debug, Clone)]
pub struct Verdict {
    pub seed: u64,
    pub tally: Tally,
    /// None: no law was broken.
    pub offences: Vec<Offence>,
    /// A hash of the server's log: equal for equal seeds.
    pub digest: u64,
}
