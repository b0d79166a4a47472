//! What is leased ([`Visit`]) and what comes back ([`Finished`]).

use std::net::IpAddr;
use std::time::Duration;

use bytes::Bytes;

use super::{Held, Kept, Outcome, Timings, Validators};
use crate::clock::Millis;
use crate::robots::Permit;
use crate::url::{CanonicalUrl, SiteKey};

/// Unique within one run of a frontier.
pub type VisitId = u64;

/// One site, a few of its URLs, and the time to leave between them.
#[derive(Debug, Clone)]
pub struct Visit {
    pub id: VisitId,
    pub site: SiteKey,
    pub tasks: Vec<Task>,
    /// From the end of one request to the start of the next, at least.
    pub delay: Duration,
    /// And at least this many times as long as the request before took, up to `slow_ceiling`.
    pub fetch_time_factor: u32,
    pub slow_ceiling: Duration,
    /// No request begins later than this.
    pub deadline: Millis,
    /// Bytes that one body may have, where less is allowed than usual.
    pub max_body_bytes: Option<u64>,
}

impl Visit {
    /// How long to leave the site alone after a request that took this long.
    pub fn pause_after(&self, took: Duration) -> Duration {
        let slow = took.saturating_mul(self.fetch_time_factor).min(self.slow_ceiling);
        self.delay.max(slow)
    }
}

/// One URL of a visit.
#[derive(Debug, Clone)]
pub struct Task {
    pub permit: Permit,
    pub purpose: Purpose,
    /// Links from a seed to here.
    pub depth: u32,
    /// How often this URL was fetched before: with the URL, what a stored row is identified by.
    pub fetch_number: u32,
    /// What the last fetch brought; all empty: ask for the whole page.
    pub validators: Validators,
    pub known: Known,
}

/// What the frontier knows of a URL beside how to ask for it: for the table and the archive.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Known {
    /// The page that it was found on first, or that redirected here; none: a seed.
    pub via: Option<CanonicalUrl>,
    /// Redirects on the way here.
    pub hops: u32,
    /// 1 to 3; 0: none, as for a robots.txt.
    pub tier: u8,
    /// Between 0 and 1: what the tier was chosen by, as it is now.
    pub score: f32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Page,
    RobotsTxt,
}

/// One task, done: the unit that `completed` hands back.
#[derive(Debug)]
pub struct Finished {
    pub visit: VisitId,
    pub site: SiteKey,
    pub task: Task,
    pub outcome: Outcome,
    pub started: Millis,
    /// Rounded up, so that a delay counted from here is never short.
    pub finished: Millis,
    /// Bytes of body that came over the wire, whatever became of them.
    pub wire_bytes: u64,
    pub address: Option<IpAddr>,
    pub timings: Timings,
    /// Its share of the fetcher's memory: given back when this is dropped.
    pub held: Held,
    /// The exchange to the byte, if that was asked for and an answer came.
    pub kept: Option<Box<Kept>>,
    /// The visit is over.
    pub last: bool,
}

impl Finished {
    /// The page was read: its body and the memory for it are free for others. What an archive needs stays.
    pub fn let_go_of_body(&mut self) {
        if let (Outcome::Fetched(response), Purpose::Page) = (&mut self.outcome, self.task.purpose) {
            response.body = Bytes::new();
            self.held.shrink(self.kept.as_ref().map_or(0, |kept| kept.size()));
        }
    }
}
