//! Robots: the bytes of a robots.txt in, a [`Permit`] for a URL or the rule that denies it out (RFC 9309).
//!
//! Always: `fetch` takes nothing but a permit, and permits are made only here. robots.txt itself needs no permission.
//! The crate helios-robots reads the file and matches paths. `state` says what is to be done in order to know the rules of an
//! origin and what an answer to GET /robots.txt means, `record` keeps that on disk, `summary` tells it. docs/robots.md: what is
//! done where implementations differ.

mod permit;
mod record;
mod state;
mod summary;

pub use helios_robots::{RobotsDirectives, RobotsRules};
pub use permit::Permit;
pub use state::{RobotsAnswer, RobotsBasis, RobotsState, RobotsStep};
pub use summary::RobotsSummary;

use serde::{Deserialize, Serialize};

/// The `[robots]` table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RobotsSettings {
    /// The product token that groups are looked up by.
    pub token: String,
    /// How long an answer is believed, in seconds (RFC 9309 §2.4: at most 24 hours).
    pub ttl_s: u64,
    /// How much of a robots.txt is read, in bytes (RFC 9309 §2.5: at least 500 KiB).
    pub max_bytes: usize,
    /// How often a robots.txt that fails is asked before its origin is given up.
    pub attempts: u32,
    /// The pause after a first failure, in milliseconds; doubles with each, up to `ttl_s`.
    pub retry_ms: u64,
}

impl Default for RobotsSettings {
    fn default() -> Self {
        Self { token: "helios".to_owned(), ttl_s: 86_400, max_bytes: 512_000, attempts: 4, retry_ms: 2_000 }
    }
}
