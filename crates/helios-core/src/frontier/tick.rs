//! What time alone brings about: lost visits, URLs that come back.

use super::Frontier;
use super::draft::Draft;
use crate::clock::Millis;
use crate::error::Result;

impl Frontier {
    /// Call it now and then; `lease` does. What it writes need not be durable: after a crash it happens again.
    pub fn tick(&mut self, now: Millis) -> Result<()> {
        self.whole(|frontier| {
            let mut draft = Draft::default();
            frontier.give_up_lost(now);
            frontier.wake(&mut draft, now)?;
            frontier.commit_any(draft)
        })
    }

    /// Visits that were not heard of in time. Their URLs wait again, and their sites, which may have been asked until just
    /// now, rest for a whole delay. While results are on their way from `receive` to `settle` a visit is not lost.
    fn give_up_lost(&mut self, now: Millis) {
        while let Some(&(at, visit)) = self.lost.first() {
            if at > now {
                break;
            }
            self.lost.pop_first();
            if let Some(lease) = self.leases.get_mut(&visit).filter(|lease| !lease.received.is_empty()) {
                lease.lost_at = now + self.tables.frontier.lost_after_ms.max(1);
                self.lost.insert((lease.lost_at, visit));
            } else if let Some(lease) = self.leases.remove(&visit) {
                self.counters.lost_visits += 1;
                if let Some(site) = self.sites.get_mut(&lease.site) {
                    site.rest_until(now + site.pause_ms(site.last_fetch_ms, &self.tables.frontier));
                }
                self.end_visit(visit, lease, now);
            }
        }
    }

    /// When something will happen without being told: a visit may begin, a URL comes back, a visit is lost.
    pub fn next_due(&self, now: Millis) -> Option<Millis> {
        let lost = self.lost.first().map(|(at, _)| *at);
        let begins = if self.closed(now) { None } else { self.next_visit(now) };
        [lost, begins].into_iter().flatten().min()
    }

    fn next_visit(&self, now: Millis) -> Option<Millis> {
        let visit = self
            .politeness
            .next_time(self.may_meet(now))
            .map(|at| at.max(now).max(self.next_slot.ceil() as Millis));
        let next = [visit, self.next_later()].into_iter().flatten().min()?;
        Some(next.min(self.deadline().unwrap_or(Millis::MAX)))
    }

    /// Nothing is out, and nothing more will be leased.
    pub fn finished(&self, now: Millis) -> bool {
        let nothing_left = self.politeness.is_empty() && self.counters.later == 0;
        self.leases.is_empty() && (nothing_left || self.closed(now))
    }
}
