//! The outcome of a trial as values. The field names are those of the JSON, and stable.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::settings::Promises;

/// Laws that other judges see to.
pub const NOT_JUDGED_HERE: [(&str, &str); 3] = [
    ("O", "stored once: the dataset judges"),
    ("B", "memory and disk: the operating system judges"),
    ("V", "the crawl finishes: the clock judges"),
];

/// The outcome of a trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// No judged law was broken.
    pub innocent: bool,
    pub laws: Laws,
    pub facts: Facts,
    pub promises: Promises,
}

/// One verdict a law.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Laws {
    #[serde(rename = "P")]
    pub politeness: Law,
    #[serde(rename = "R")]
    pub robots: Law,
    #[serde(rename = "E")]
    pub repeats: Law,
    #[serde(rename = "L")]
    pub loss: Law,
}

impl Laws {
    pub fn all(&self) -> [(&'static str, &Law); 4] {
        [("P", &self.politeness), ("R", &self.robots), ("E", &self.repeats), ("L", &self.loss)]
    }
}

/// The offences against one law.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Law {
    /// False: the promises leave it out (a recrawl is not judged for E, an unfinished crawl not for L).
    pub judged: bool,
    pub violations: u64,
    pub by_rule: BTreeMap<String, u64>,
    /// The worst first, at most 20.
    pub worst: Vec<Offender>,
}

/// One offence.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Offender {
    pub rule: String,
    /// The site, host or address that suffered it.
    pub whom: String,
    pub urls: Vec<String>,
    /// Since this web began.
    pub at_ms: f64,
    /// Milliseconds for gaps, requests for overlaps and repeats, connections for those in turns.
    pub measured: f64,
    pub promised: f64,
    pub sentence: String,
}

/// Counts that break no law.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    pub requests: u64,
    pub page_requests: u64,
    pub robots_requests: u64,
    pub sitemap_requests: u64,
    pub head_requests: u64,
    pub alias_requests: u64,
    pub trap_requests: u64,
    /// Asked, but no followed link leads there (without `complete`: only what is no page at all).
    pub strays: u64,
    pub distinct_targets: u64,
    pub hosts_asked: u64,
    pub sites_asked: u64,
    pub addresses_asked: u64,
    /// URLs that a complete crawl must have asked (0 without `complete`).
    pub expected: u64,
    pub connections: u64,
    pub requests_per_connection: f64,
    pub bytes: u64,
    pub duration_ms: f64,
    pub requests_per_second: f64,
    /// By status, or by how it ended.
    pub outcomes: BTreeMap<String, u64>,
    /// Gaps between consecutive requests of a site; None: no site was asked twice.
    pub gap_p50_ms: Option<f64>,
    pub gap_p95_ms: Option<f64>,
    pub tightest_gap_ms: Option<f64>,
    pub most_at_once: u64,
    /// Connections to one site that stood open at the same time, as the server saw it (it notices late that a client has left).
    #[serde(default)]
    pub most_connections: u64,
    /// Connections to hosts that refuse them; each is one of `requests`.
    #[serde(default)]
    pub refused_connections: u64,
    pub busiest_sites: Vec<Busy>,
    /// The addresses with the most at once, then with the tightest gap.
    pub pressed_addresses: Vec<Busy>,
}

/// How hard one site or address was pressed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Busy {
    pub name: String,
    pub requests: u64,
    pub tightest_gap_ms: Option<f64>,
    pub most_at_once: u64,
    /// Connections that stood open at the same time; 0 for addresses.
    #[serde(default)]
    pub most_connections: u64,
}

impl Report {
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// A table that fits 100 columns.
    pub fn text(&self) -> String {
        super::text::table(self)
    }
}
