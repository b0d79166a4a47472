//! Settle: what happened to visits, with the links they found. One call, one write: the commit.

use super::draft::Draft;
use super::hint::Hint;
use super::lease::Lease;
use super::offer::{Link, MANY, Queues};
use super::retry::{backoff_ms, burdens_site};
use super::site::Site;
use super::{Frontier, SiteId, key};
use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::fetch::{Finished, Outcome, Purpose};
use crate::kv::Ticket;
use crate::url::{CanonicalUrl, Fingerprint};

/// What extract found on a page.
#[derive(Debug, Clone, Default)]
pub struct Found {
    pub links: Vec<CanonicalUrl>,
    /// It is no page, but a list of links: it gives no row and counts against no limit of pages.
    pub listing: Option<Listing>,
    /// A hash of what matters of the page: the same again means unchanged.
    pub content: Option<u64>,
    /// It is like another page of its site.
    pub duplicate: bool,
    /// Why it gave no row.
    pub unkept: Option<&'static str>,
}

/// A sitemap or a feed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listing {
    /// Its links are sitemaps.
    pub index: bool,
    /// What it says of each link, in their order; may be shorter.
    pub hints: Vec<Hint>,
}

impl Frontier {
    /// Drops the results of visits that were given up meanwhile, and those that came before, before anything is stored of
    /// them. What is left must be settled.
    pub fn receive(&mut self, done: &mut Vec<Finished>) {
        let before = done.len();
        done.retain(|finished| {
            let Some(lease) = self.leases.get_mut(&finished.visit) else { return false };
            let print = fingerprint(finished);
            let is_out = match finished.task.purpose {
                Purpose::RobotsTxt => lease.robots_of.is_some(),
                Purpose::Page => lease.has(print),
            };
            is_out && lease.receive(print)
        });
        self.counters.late_results += (before - done.len()) as u64;
    }

    /// Takes in everything that finished. `found` is what each brought, in the order of `done`; `staged` names the files
    /// that hold the pages. It is committed when the ticket is durable.
    pub fn settle(
        &mut self,
        now: Millis,
        done: &[Finished],
        found: Vec<Found>,
        staged: Option<String>,
    ) -> Result<Ticket> {
        self.alive()?;
        if found.len() != done.len() {
            let message = format!("{} lists of links for {} finished fetches", found.len(), done.len());
            return Err(Error::Frontier(message));
        }
        self.whole(|frontier| frontier.try_settle(now, done, found, staged))
    }

    /// Takes in the robots.txt answers alone, because whole sites wait for them; `settle` passes over them then.
    pub fn settle_robots(&mut self, now: Millis, done: &[Finished]) -> Result<Ticket> {
        self.whole(|frontier| {
            let (mut draft, mut links) = (Draft::default(), Vec::new());
            for finished in done.iter().filter(|one| one.task.purpose == Purpose::RobotsTxt) {
                frontier.settle_one(&mut draft, now, finished, Found::default(), &mut links)?;
            }
            frontier.offer(&mut draft, now, links)?;
            frontier.commit(draft)
        })
    }

    fn try_settle(
        &mut self,
        now: Millis,
        done: &[Finished],
        found: Vec<Found>,
        staged: Option<String>,
    ) -> Result<Ticket> {
        let mut draft = Draft::default();
        let (mut links, mut queues) = (Vec::new(), Queues::default());
        for (finished, found) in done.iter().zip(found) {
            self.settle_one(&mut draft, now, finished, found, &mut links)?;
            if links.len() >= MANY {
                self.sort_out(&mut draft, now, &mut links, &mut queues)?;
            }
        }
        self.sort_out(&mut draft, now, &mut links, &mut queues)?;
        self.append_all(&mut draft, queues);
        let Some(name) = staged else { return self.commit(draft) };
        let write = self.next_write();
        draft.batch.put(key::staged(write), name.as_bytes());
        let ticket = self.commit(draft)?;
        self.staged.push_back((write, name));
        Ok(ticket)
    }

    fn settle_one(
        &mut self,
        draft: &mut Draft,
        now: Millis,
        finished: &Finished,
        found: Found,
        links: &mut Vec<Link>,
    ) -> Result<()> {
        let Some(mut lease) = self.leases.remove(&finished.visit) else {
            self.counters.late_results += u64::from(finished.task.purpose == Purpose::Page);
            return Ok(());
        };
        let (id, print) = (lease.site, fingerprint(finished));
        lease.received.retain(|task| *task != print);
        // Before the site rests: a Crawl-delay holds from the request on that taught it.
        if finished.task.purpose == Purpose::RobotsTxt
            && let Some(of) = &lease.robots_of
        {
            self.learn_robots(draft, finished, of, links)?;
        }
        let Some(mut site) = self.sites.remove(&id) else {
            return Err(Error::Frontier(format!("a visit to {}, which is not known", finished.site)));
        };
        self.rest(id, &mut site, finished);
        draft.touch(id);
        let page = match finished.task.purpose {
            Purpose::Page => lease.take(print),
            Purpose::RobotsTxt => None,
        };
        if let Some((entry, spot)) = page {
            self.unreserve(&mut site, 1, lease.each);
            self.settle_page(draft, (id, &mut site), (now, finished), (entry, spot, found), links);
        }
        self.place(id, &mut site);
        self.sites.insert(id, site);
        self.end_or_keep(finished, lease);
        Ok(())
    }

    fn end_or_keep(&mut self, finished: &Finished, lease: Lease) {
        if finished.last {
            self.end_visit(finished.visit, lease, finished.finished);
        } else {
            self.leases.insert(finished.visit, lease);
        }
    }

    pub(super) fn retry_after(&self, outcome: &Outcome) -> Option<u64> {
        let Outcome::Busy { retry_after_ms: Some(ms), .. } = outcome else { return None };
        Some((*ms).min(self.tables.frontier.retry_after_ceiling_ms))
    }

    /// The site's own politeness: its delay after every request, longer when it is in trouble. Abandoned tasks asked
    /// nothing and change nothing.
    fn rest(&mut self, id: SiteId, site: &mut Site, finished: &Finished) {
        site.address = finished.address.or(site.address);
        if matches!(finished.outcome, Outcome::Abandoned) {
            return;
        }
        let retry_after = self.retry_after(&finished.outcome);
        let settings = &self.tables.frontier;
        site.last_fetch_ms = finished.finished.saturating_sub(finished.started);
        let mut wait = site.pause_ms(site.last_fetch_ms, settings);
        if burdens_site(finished.outcome.kind()) {
            site.failures += 1;
            let salt = id.rotate_left(site.failures % 64) ^ finished.finished;
            wait = wait.max(retry_after.unwrap_or_else(|| backoff_ms(site.failures, salt, settings)));
        } else {
            site.failures = 0;
        }
        site.rest_until(finished.finished + wait);
    }
}

fn fingerprint(finished: &Finished) -> Fingerprint {
    finished.task.permit.url().fingerprint()
}
