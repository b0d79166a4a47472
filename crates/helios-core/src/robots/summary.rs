//! [`RobotsSummary`]: what is known of an origin's robots.txt, for people.

use super::state::{RobotsBasis, RobotsState};
use crate::clock::Millis;
use crate::url::CanonicalUrl;

/// The facts behind a state, for "why?".
#[derive(Debug, Clone, PartialEq)]
pub struct RobotsSummary {
    /// Of the rules that are known; none: there never were any.
    pub basis: Option<RobotsBasis>,
    pub bytes: usize,
    pub crawl_delay_ms: Option<u64>,
    pub fetched: Option<Millis>,
    /// Later than this they are used only while robots.txt cannot be reached.
    pub expires: Option<Millis>,
    pub unreachable_since: Option<Millis>,
    pub failures: u32,
    /// When it is asked again after a failure.
    pub ask_again: Option<Millis>,
    /// What happened the last time that it failed; empty if it did not.
    pub why: String,
    pub moved_to: Option<CanonicalUrl>,
}

impl RobotsState {
    pub fn summary(&self) -> RobotsSummary {
        let (known, trouble) = (self.known.as_ref(), self.trouble.as_ref());
        RobotsSummary {
            basis: known.map(|known| known.basis),
            bytes: known.map_or(0, |known| known.text.len()),
            crawl_delay_ms: known.and_then(|known| known.rules.crawl_delay_ms),
            fetched: known.map(|known| known.fetched),
            expires: known.map(|known| known.expires),
            unreachable_since: trouble.map(|trouble| trouble.since),
            failures: trouble.map_or(0, |trouble| trouble.failures),
            ask_again: trouble.map(|trouble| trouble.ask_again),
            why: trouble.map_or_else(String::new, |trouble| trouble.why.clone()),
            moved_to: self.moved.as_ref().map(|moved| moved.to.clone()),
        }
    }
}
