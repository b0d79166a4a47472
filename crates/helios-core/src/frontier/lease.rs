//! Lease: due sites → visits. Leases are in memory only: after a crash what was out simply waits again.

use std::net::IpAddr;
use std::time::Duration;

use super::draft::Draft;
use super::entry::Entry;
use super::politeness::{Acquaintance, Place};
use super::queue::Spot;
use super::site::Site;
use super::take::{Haul, RobotsOf};
use super::tier::Tier;
use super::{Frontier, SiteId};
use crate::clock::Millis;
use crate::error::Result;
use crate::fetch::{Known, Purpose, Task, Validators, Visit, VisitId};
use crate::hashed::HashedMap;
use crate::robots::Permit;
use crate::url::Fingerprint;

/// Sites that are asked for the first time, at once: what they will bring shows only seconds later, and by then a crawl would have met all
/// sites that there are.
const NEW_OUT: usize = 1_000;
/// And so many more for each second in which the crawl has kept up: where most of them are dead, they must not hold up the others.
const MORE_NEW_OUT: usize = 50;
/// A crawl that is behind visits so many sites that it knows before it asks a new one: none waits for ever.
const OLD_FOR_A_NEW: u32 = 7;

/// URLs looked at in one call: what is given up or denied is in memory until it is written, and there may be millions.
const MOST_IN_A_CALL: usize = 20_000;

/// A visit that is out.
#[derive(Debug)]
pub(super) struct Lease {
    pub(super) site: SiteId,
    /// What was handed out and is not settled yet.
    pub(super) pages: Vec<(Fingerprint, Entry, Spot)>,
    /// What was received and will be settled: until then the visit is not lost. Filled by `receive`, emptied by `settle`.
    pub(super) received: Vec<Fingerprint>,
    /// Whose robots.txt this visit asks for.
    pub(super) robots_of: Option<RobotsOf>,
    /// Bytes reserved for each page.
    pub(super) each: u64,
    pub(super) acquaintance: Acquaintance,
    /// The address whose place it holds.
    pub(super) address: Option<IpAddr>,
    /// When it is given up.
    pub(super) lost_at: Millis,
}

pub(super) type Leases = HashedMap<VisitId, Lease>;

impl Lease {
    pub(super) fn has(&self, page: Fingerprint) -> bool {
        self.pages.iter().any(|(print, ..)| *print == page)
    }

    /// False: it was received before.
    pub(super) fn receive(&mut self, task: Fingerprint) -> bool {
        let new = !self.received.contains(&task);
        if new {
            self.received.push(task);
        }
        new
    }

    /// The page is settled.
    pub(super) fn take(&mut self, page: Fingerprint) -> Option<(Entry, Spot)> {
        let at = self.pages.iter().position(|(print, ..)| *print == page)?;
        let (_, entry, spot) = self.pages.swap_remove(at);
        Some((entry, spot))
    }
}

impl Frontier {
    /// Up to `max_visits` visits that may begin now.
    pub fn lease(&mut self, now: Millis, max_visits: usize) -> Result<Vec<Visit>> {
        self.whole(|frontier| frontier.try_lease(now, max_visits, false))
    }

    /// The same while more comes in than can be read: the crawl stays with the sites that it knows, and few new ones are asked.
    pub fn lease_behind(&mut self, now: Millis, max_visits: usize) -> Result<Vec<Visit>> {
        self.whole(|frontier| frontier.try_lease(now, max_visits, true))
    }

    fn try_lease(&mut self, now: Millis, max_visits: usize, behind: bool) -> Result<Vec<Visit>> {
        self.tick(now)?;
        self.promote(now);
        self.behind_at = if behind { Some(now) } else { self.behind_at };
        let mut draft = Draft::default();
        let mut visits = Vec::new();
        self.looked_at = 0;
        while visits.len() < max_visits && self.may_look_on(now) {
            let meeting = self.may_meet(now) && (!behind || self.since_new >= OLD_FOR_A_NEW);
            let Some(tier) = self.quota.pick(self.politeness.has_ready(meeting)) else { break };
            let Some(id) = self.politeness.best(tier, meeting) else { break };
            let Some(mut site) = self.sites.remove(&id) else { break };
            let visit = self.visit(&mut draft, id, &mut site, tier, now);
            self.place(id, &mut site);
            self.sites.insert(id, site);
            visits.extend(visit?);
        }
        self.commit_any(draft)?;
        Ok(visits)
    }

    fn may_look_on(&self, now: Millis) -> bool {
        self.looked_at < MOST_IN_A_CALL && !self.closed(now) && self.has_slot(now)
    }

    /// The next visit of a site that is ready; none if all that was looked at was denied, put off or given up.
    fn visit(
        &mut self,
        draft: &mut Draft,
        id: SiteId,
        site: &mut Site,
        tier: Tier,
        now: Millis,
    ) -> Result<Option<Visit>> {
        let address = match std::mem::replace(&mut site.place, Place::Idle) {
            Place::Ready(orders, address, acquaintance) => {
                self.politeness.unready(id, orders, acquaintance);
                address
            }
            Place::Idle | Place::Waiting(_) | Place::Blocked(..) => None,
        };
        let haul = match site.next_errand() {
            Some(errand) => {
                let site = self.scope.site_id(&errand.origin.host);
                Haul::robots(errand.permit, RobotsOf { site, origin: errand.origin, depth: errand.depth })
            }
            None => self.take(draft, id, site, tier, now)?,
        };
        if haul.is_empty() {
            self.politeness.release(address, 0);
            return Ok(None);
        }
        Ok(Some(self.hand_out(id, site, haul, address, now)))
    }

    /// May sites be asked for the first time?
    pub(super) fn may_meet(&self, now: Millis) -> bool {
        let seconds = now.saturating_sub(self.behind_at.unwrap_or(self.began)) / 1_000;
        self.new_out < MORE_NEW_OUT.saturating_mul(seconds as usize).saturating_add(NEW_OUT)
    }

    fn hand_out(
        &mut self,
        id: SiteId,
        site: &mut Site,
        haul: Haul,
        address: Option<IpAddr>,
        now: Millis,
    ) -> Visit {
        let settings = &self.tables.frontier;
        let deadline = now + settings.visit_ms;
        let lost_at = deadline + settings.lost_after_ms;
        let delay = site.delay_ms(settings).max(settings.address_delay_ms);
        let visit = Visit {
            id: self.last_visit + 1,
            site: site.name.clone(),
            tasks: haul.tasks(&|entry| self.score_of(site, entry)),
            delay: Duration::from_millis(delay),
            fetch_time_factor: settings.fetch_time_factor as u32,
            slow_ceiling: Duration::from_millis(settings.crawl_delay_ceiling_ms),
            deadline,
            max_body_bytes: self.tables.crawl.max_bytes.map(|_| haul.each),
        };
        let acquaintance = std::mem::replace(&mut site.acquaintance, Acquaintance::Old);
        match acquaintance {
            Acquaintance::Old => self.since_new = self.since_new.saturating_add(1),
            Acquaintance::New => (self.since_new, self.new_out) = (0, self.new_out + 1),
        }
        site.out += 1;
        site.robots_out += u32::from(haul.robots.is_some());
        // With several visits at once they begin a delay apart, too.
        site.rest_until(now + delay);
        self.reserve(site, haul.pages.len() as u64, haul.each);
        self.use_slots(now, visit.tasks.len());
        self.last_visit += 1;
        self.lost.insert((lost_at, visit.id));
        let pages = haul.pages.into_iter().map(|(_, entry, spot)| (entry.url.fingerprint(), entry, spot));
        let lease = Lease {
            site: id,
            pages: pages.collect(),
            received: Vec::new(),
            robots_of: haul.robots.map(|(_, of)| of),
            each: haul.each,
            acquaintance,
            address,
            lost_at,
        };
        self.leases.insert(visit.id, lease);
        visit
    }

    /// The visit is over: whatever it did not bring back waits again.
    pub(super) fn end_visit(&mut self, visit: VisitId, lease: Lease, asked_until: Millis) {
        self.lost.remove(&(lease.lost_at, visit));
        self.release_address(lease.address, asked_until);
        self.new_out -= usize::from(lease.acquaintance == Acquaintance::New);
        let Some(mut site) = self.sites.remove(&lease.site) else { return };
        self.unreserve(&mut site, lease.pages.len() as u64, lease.each);
        for (_, _, spot) in lease.pages {
            self.give_back(lease.site, &mut site, spot);
        }
        site.out = site.out.saturating_sub(1);
        if lease.robots_of.is_some() {
            site.robots_out = site.robots_out.saturating_sub(1);
            site.errands.take_if(|errands| errands.waiting.is_empty());
            if let Some(errands) = &mut site.errands {
                errands.out = None;
            }
        }
        self.place(lease.site, &mut site);
        self.sites.insert(lease.site, site);
    }
}

impl Haul {
    fn tasks(&self, score: &dyn Fn(&Entry) -> f32) -> Vec<Task> {
        let robots = self.robots.iter().map(|(permit, ..)| Task {
            permit: permit.clone(),
            purpose: Purpose::RobotsTxt,
            depth: 0,
            fetch_number: 0,
            validators: Validators::default(),
            known: Known::default(),
        });
        let pages = self.pages.iter().map(|(permit, entry, spot): &(Permit, Entry, Spot)| Task {
            permit: permit.clone(),
            purpose: Purpose::Page,
            depth: entry.depth,
            fetch_number: entry.fetch_number(),
            validators: entry.past.as_ref().map(|past| past.validators.clone()).unwrap_or_default(),
            known: Known {
                via: entry.via.clone(),
                hops: entry.hops,
                tier: spot.tier.number(),
                score: score(entry),
            },
        });
        robots.chain(pages).collect()
    }
}
