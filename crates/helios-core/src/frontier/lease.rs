//! Lease: due sites → visits. What is leased stays ours: it comes back through settle or is leased again.

use std::collections::HashMap;
use std::time::Duration;

use super::Frontier;
use super::site::{Pending, Site};
use crate::clock::Millis;
use crate::fetch::{Purpose, Task, Visit, VisitId};
use crate::robots::Permit;
use crate::url::{Fingerprint, Origin, SiteKey};

/// Denied URLs looked at in one call: matching is the dear part of a lease.
const MOST_DENIED: u64 = 1_000;

/// A visit that is out.
#[derive(Debug)]
pub(super) struct Lease {
    /// What was handed out and is not settled yet.
    pub(super) pending: HashMap<Fingerprint, Pending>,
    /// The origin whose robots.txt this visit asks for.
    pub(super) robots_of: Option<Origin>,
}

impl Frontier {
    /// Up to `max_visits` visits that may begin now.
    pub fn lease(&mut self, now: Millis, max_visits: usize) -> Vec<Visit> {
        let mut visits = Vec::new();
        let denied_before = self.counters.denied;
        while visits.len() < max_visits && !self.closed(now) {
            let Some((due, key)) = self.due.first().cloned() else { break };
            if due > now {
                break;
            }
            if let Some(visit) = self.visit(&key, now) {
                visits.push(visit);
            }
            self.reschedule(&key);
            if self.counters.denied - denied_before > MOST_DENIED {
                break; // The rest another time: a site that denies thousands must not hold up the others.
            }
        }
        visits
    }

    /// The next visit of a site that is due; `None` if all it had was denied or given up.
    fn visit(&mut self, key: &SiteKey, now: Millis) -> Option<Visit> {
        let budget = self.page_budget();
        let tables = self.tables.clone();
        let site = self.sites.get_mut(key)?;
        site.wake(now);
        let origin = site.queue.front()?.url.origin();
        let state = site.robots.entry(origin.clone()).or_default();
        let (tasks, lease) = if state.rules(now).is_some() {
            let most = tables.frontier.visit_urls.min(usize::try_from(budget).unwrap_or(usize::MAX)).min(
                usize::try_from(site.page_budget(tables.frontier.max_pages_per_site)).unwrap_or(usize::MAX),
            );
            let (tasks, pending, denied) = take_permitted(site, now, most);
            self.counters.denied += denied;
            self.reserved += tasks.len() as u64;
            site.reserved += tasks.len() as u64;
            (tasks, Lease { pending, robots_of: None })
        } else if state.given_up(&tables.robots) {
            // RFC 9309 §2.3.1.4: while it cannot be read, nothing of its origin may be asked.
            let reason = format!("its robots.txt could not be read: {}", state.why());
            for pending in take_origin(site, &origin) {
                self.bury(now, pending, reason.clone());
            }
            return None;
        } else {
            // An origin that cannot be written as a URL cannot be asked anything; its URLs must not stay due for ever.
            let Some(permit) = state.ask(&origin) else {
                for pending in take_origin(site, &origin) {
                    self.bury(now, pending, "its robots.txt has no address".to_owned());
                }
                return None;
            };
            let task = Task { permit, purpose: Purpose::RobotsTxt, depth: 0 };
            (vec![task], Lease { pending: HashMap::new(), robots_of: Some(origin) })
        };
        if tasks.is_empty() {
            return None;
        }
        site.leased = true;
        let delay = Duration::from_millis(site.delay_ms(&tables.frontier));
        let id = self.register(lease);
        Some(Visit { id, site: key.clone(), tasks, delay })
    }

    fn register(&mut self, lease: Lease) -> VisitId {
        self.last_visit += 1;
        self.leases.insert(self.last_visit, lease);
        self.last_visit
    }
}

type Taken = (Vec<Task>, HashMap<Fingerprint, Pending>, u64);

/// Up to `most` URLs that robots permits, in order; those it denies are counted and gone; those of origins whose robots
/// is unknown stay.
fn take_permitted(site: &mut Site, now: Millis, most: usize) -> Taken {
    let (mut tasks, mut leased, mut denied) = (Vec::new(), HashMap::new(), 0);
    let mut kept = std::collections::VecDeque::new();
    while tasks.len() < most && denied <= MOST_DENIED {
        let Some(pending) = site.queue.pop_front() else { break };
        let Some(rules) = site.robots.get(&pending.url.origin()).and_then(|state| state.rules(now)) else {
            kept.push_back(pending);
            continue;
        };
        match Permit::under(rules, &pending.url) {
            Ok(permit) => {
                tasks.push(Task { permit, purpose: Purpose::Page, depth: pending.depth });
                leased.insert(pending.url.fingerprint(), pending);
            }
            Err(_rule) => denied += 1,
        }
    }
    kept.append(&mut site.queue);
    site.queue = kept;
    (tasks, leased, denied)
}

fn take_origin(site: &mut Site, origin: &Origin) -> Vec<Pending> {
    let (gone, kept): (Vec<_>, Vec<_>) =
        site.queue.drain(..).partition(|pending| pending.url.origin() == *origin);
    site.queue = kept.into();
    gone
}
