//! What is leased ([`Visit`]) and what comes back ([`Finished`]).

use std::net::IpAddr;
use std::time::Duration;

use super::Outcome;
use crate::clock::Millis;
use crate::robots::Permit;
use crate::url::SiteKey;

/// Unique within one run of a frontier.
pub type VisitId = u64;

/// One site, a few of its URLs, and the time to leave between them.
#[derive(Debug, Clone)]
pub struct Visit {
    pub id: VisitId,
    pub site: SiteKey,
    pub tasks: Vec<Task>,
    /// From the end of one request to the start of the next.
    pub delay: Duration,
}

/// One URL of a visit.
#[derive(Debug, Clone)]
pub struct Task {
    pub permit: Permit,
    pub purpose: Purpose,
    /// Links from a seed to here.
    pub depth: u32,
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
    /// Bytes of body on the wire.
    pub wire_bytes: u64,
    pub address: Option<IpAddr>,
    /// The visit is over.
    pub last: bool,
}
