//! Settle: what happened to visits, with the links they found. One call, one commit.

use super::Frontier;
use super::lease::Lease;
use super::retry::{Verdict, backoff_ms, burdens_site, verdict};
use super::site::Pending;
use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::fetch::{Finished, Outcome, Purpose};
use crate::robots::RobotsAnswer;
use crate::url::CanonicalUrl;

impl Frontier {
    /// Takes in everything that finished. `links` are those of each page, in the order of `done`; `staged` names the
    /// files that hold the pages.
    pub fn settle(
        &mut self,
        now: Millis,
        done: &[Finished],
        links: Vec<Vec<CanonicalUrl>>,
        staged: Option<String>,
    ) -> Result<()> {
        if links.len() != done.len() {
            let message = format!("{} lists of links for {} finished fetches", links.len(), done.len());
            return Err(Error::Frontier(message));
        }
        self.staged.extend(staged);
        for (finished, links) in done.iter().zip(links) {
            self.settle_one(now, finished, links)?;
        }
        Ok(())
    }

    fn settle_one(&mut self, now: Millis, finished: &Finished, links: Vec<CanonicalUrl>) -> Result<()> {
        let unknown = || Error::Frontier(format!("visit {} is not out", finished.visit));
        let lease = self.leases.get_mut(&finished.visit).ok_or_else(unknown)?;
        match finished.task.purpose {
            Purpose::RobotsTxt => {
                let origin = lease.robots_of.clone().ok_or_else(unknown)?;
                self.learn_robots(finished, &origin);
            }
            Purpose::Page => {
                let fingerprint = finished.task.permit.url().fingerprint();
                let pending = lease.pending.remove(&fingerprint).ok_or_else(unknown)?;
                self.reserved = self.reserved.saturating_sub(1);
                self.settle_page(now, finished, pending, links);
            }
        }
        self.rest(finished);
        if finished.last
            && let Some(Lease { pending, .. }) = self.leases.remove(&finished.visit)
        {
            self.release(finished, pending.into_values().collect());
        }
        Ok(())
    }

    fn settle_page(&mut self, now: Millis, finished: &Finished, pending: Pending, links: Vec<CanonicalUrl>) {
        if let Some(site) = self.sites.get_mut(&finished.site) {
            site.reserved = site.reserved.saturating_sub(1);
        }
        match verdict(finished.outcome.kind()) {
            Verdict::Done => self.done(finished, &pending, links),
            Verdict::Again => self.again(now, finished, pending),
            Verdict::Return => {
                if let Some(site) = self.sites.get_mut(&finished.site) {
                    site.queue.push_back(pending);
                }
            }
            Verdict::Dead => self.bury(now, pending, finished.outcome.describe()),
        }
    }

    fn done(&mut self, finished: &Finished, pending: &Pending, links: Vec<CanonicalUrl>) {
        match &finished.outcome {
            Outcome::Fetched(_) => {
                self.counters.fetched += 1;
                if let Some(site) = self.sites.get_mut(&finished.site) {
                    site.fetched += 1;
                }
                for url in links {
                    self.offer(Pending::new(url, pending.depth + 1));
                }
            }
            // A redirect is a link: its target goes the way of any other, with a hop count.
            Outcome::Redirected { target, .. } => {
                if pending.hops >= self.tables.frontier.max_redirects {
                    self.counters.too_many_redirects += 1;
                } else if let Ok(url) = CanonicalUrl::join(&pending.url.to_url(), target) {
                    self.offer(Pending { hops: pending.hops + 1, ..Pending::new(url, pending.depth) });
                }
            }
            Outcome::NotModified
            | Outcome::Missing { .. }
            | Outcome::Busy { .. }
            | Outcome::Unresolved(_)
            | Outcome::ForbiddenAddress(_)
            | Outcome::Unreachable(_)
            | Outcome::TimedOut(_)
            | Outcome::Broken(_)
            | Outcome::TooLarge { .. }
            | Outcome::UnwantedType(_)
            | Outcome::Abandoned => {}
        }
    }

    fn again(&mut self, now: Millis, finished: &Finished, mut pending: Pending) {
        pending.attempts += 1;
        if pending.attempts >= self.tables.frontier.attempts {
            return self.bury(now, pending, finished.outcome.describe());
        }
        self.counters.retried += 1;
        let salt = salt_of(&pending.url, pending.attempts);
        let wait = self.retry_after(&finished.outcome).unwrap_or(0);
        let at = finished.finished + wait.max(backoff_ms(pending.attempts, salt, &self.tables.frontier));
        if let Some(site) = self.sites.get_mut(&finished.site) {
            site.waiting.insert((at, salt), pending);
        }
    }

    fn retry_after(&self, outcome: &Outcome) -> Option<u64> {
        let Outcome::Busy { retry_after_ms: Some(ms), .. } = outcome else { return None };
        Some((*ms).min(self.tables.frontier.retry_after_ceiling_ms))
    }

    /// The site's own politeness: its delay after every request, longer when it is in trouble. Abandoned tasks asked
    /// nothing and change nothing.
    fn rest(&mut self, finished: &Finished) {
        let kind = finished.outcome.kind();
        if matches!(finished.outcome, Outcome::Abandoned) {
            return;
        }
        let retry_after = self.retry_after(&finished.outcome);
        let settings = &self.tables.frontier;
        let Some(site) = self.sites.get_mut(&finished.site) else { return };
        let mut wait = site.delay_ms(settings);
        if burdens_site(kind) {
            site.failures += 1;
            let salt = salt_of(finished.task.permit.url(), site.failures);
            wait = wait.max(retry_after.unwrap_or_else(|| backoff_ms(site.failures, salt, settings)));
        } else {
            site.failures = 0;
        }
        site.rest_until(finished.finished + wait);
    }

    fn release(&mut self, finished: &Finished, unsettled: Vec<Pending>) {
        let unasked = unsettled.len() as u64;
        self.reserved = self.reserved.saturating_sub(unasked);
        if let Some(site) = self.sites.get_mut(&finished.site) {
            site.reserved = site.reserved.saturating_sub(unasked);
            site.queue.extend(unsettled);
            site.leased = false;
        }
        self.reschedule(&finished.site);
    }

    fn learn_robots(&mut self, finished: &Finished, origin: &crate::url::Origin) {
        let answer = robots_answer(finished);
        let now: Millis = finished.finished;
        let tables = &self.tables;
        let Some(site) = self.sites.get_mut(&finished.site) else { return };
        let state = site.robots.entry(origin.clone()).or_default();
        state.answered(&answer, origin, &tables.robots, now);
        if let Some(rules) = state.rules(now) {
            self.counters.robots_answers += 1;
            site.crawl_delay_ms = site.crawl_delay_ms.max(rules.crawl_delay_ms.unwrap_or(0));
        }
    }
}

/// RFC 9309 §2.3.1: 2xx rules, 3xx elsewhere, 4xx none (but 429 is "come back"), all else unavailable.
fn robots_answer(finished: &Finished) -> RobotsAnswer {
    match &finished.outcome {
        Outcome::Fetched(response) => RobotsAnswer::Text(response.body.clone()),
        Outcome::Redirected { target, .. } => {
            RobotsAnswer::Moved(CanonicalUrl::join(&finished.task.permit.url().to_url(), target).ok())
        }
        Outcome::Missing { .. } => RobotsAnswer::Absent,
        Outcome::NotModified
        | Outcome::Busy { .. }
        | Outcome::Unresolved(_)
        | Outcome::ForbiddenAddress(_)
        | Outcome::Unreachable(_)
        | Outcome::TimedOut(_)
        | Outcome::Broken(_)
        | Outcome::TooLarge { .. }
        | Outcome::UnwantedType(_)
        | Outcome::Abandoned => RobotsAnswer::Unavailable {
            why: finished.outcome.describe(),
            hopeless: verdict(finished.outcome.kind()) == Verdict::Dead,
        },
    }
}

/// Chance without a generator: the same URL and attempt always wait the same.
fn salt_of(url: &CanonicalUrl, attempt: u32) -> u64 {
    let bytes = url.fingerprint().to_be_bytes();
    let (_, low) = bytes.split_at(8);
    low.iter().fold(u64::from(attempt), |salt, &byte| {
        salt.rotate_left(7) ^ u64::from(byte).wrapping_mul(0x9E37_79B9)
    })
}
