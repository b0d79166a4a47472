//! One site: its queue, its politeness, what its robots say.

use std::collections::{BTreeMap, HashMap, VecDeque};

use super::FrontierSettings;
use crate::clock::Millis;
use crate::robots::RobotsState;
use crate::url::{CanonicalUrl, Origin};

/// A URL that waits to be asked.
#[derive(Debug, Clone)]
pub(super) struct Pending {
    pub(super) url: CanonicalUrl,
    pub(super) depth: u32,
    /// Redirects on the way here.
    pub(super) hops: u32,
    /// How often it was asked and failed.
    pub(super) attempts: u32,
}

impl Pending {
    pub(super) fn new(url: CanonicalUrl, depth: u32) -> Self {
        Self { url, depth, hops: 0, attempts: 0 }
    }
}

#[derive(Debug, Default)]
pub(super) struct Site {
    /// Filled by `offer` and by abandoned tasks, emptied by `lease`.
    pub(super) queue: VecDeque<Pending>,
    /// Failed URLs by the time they may be asked again; the second key keeps them apart.
    pub(super) waiting: BTreeMap<(Millis, u64), Pending>,
    pub(super) robots: HashMap<Origin, RobotsState>,
    pub(super) crawl_delay_ms: u64,
    pub(super) next_allowed: Millis,
    /// Failures in a row: what back-off grows with.
    pub(super) failures: u32,
    pub(super) leased: bool,
    pub(super) fetched: u64,
    pub(super) reserved: u64,
    /// Its place in the politeness heap, if it has one.
    pub(super) scheduled: Option<Millis>,
}

impl Site {
    /// From the end of one request to the start of the next.
    pub(super) fn delay_ms(&self, settings: &FrontierSettings) -> u64 {
        settings.delay_ms.max(self.crawl_delay_ms.min(settings.crawl_delay_ceiling_ms))
    }

    /// When it may be asked next; `None` while it is leased, has nothing to ask, or is over its budget.
    pub(super) fn due(&self, max_pages: Option<u64>) -> Option<Millis> {
        if self.leased || self.page_budget(max_pages) == 0 {
            return None;
        }
        if !self.queue.is_empty() {
            return Some(self.next_allowed);
        }
        self.waiting.keys().next().map(|(at, _)| self.next_allowed.max(*at))
    }

    pub(super) fn page_budget(&self, max_pages: Option<u64>) -> u64 {
        max_pages.map_or(u64::MAX, |limit| limit.saturating_sub(self.fetched).saturating_sub(self.reserved))
    }

    /// URLs that will not be asked because the site has used up its budget.
    pub(super) fn parked(&self, max_pages: Option<u64>) -> usize {
        let used_up = max_pages.is_some_and(|limit| self.fetched >= limit);
        if used_up { self.queue.len() + self.waiting.len() } else { 0 }
    }

    /// Failed URLs whose time has come join the queue.
    pub(super) fn wake(&mut self, now: Millis) {
        while let Some(entry) = self.waiting.first_entry() {
            if entry.key().0 > now {
                break;
            }
            let pending = entry.remove();
            self.queue.push_back(pending);
        }
    }

    /// Leaves the site alone until then, at least.
    pub(super) fn rest_until(&mut self, at: Millis) {
        self.next_allowed = self.next_allowed.max(at);
    }
}
