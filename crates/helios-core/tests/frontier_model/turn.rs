//! Whom the model would ask now, and when it would ask next.

use crate::model::{Model, Out, State};
use crate::robots::Step;
use crate::web::WEB;

impl Model {
    pub(crate) fn step(&self, host: usize, now: u64) -> Step {
        self.robots.get(&host).cloned().unwrap_or_default().step(&self.tables.robots, now)
    }

    pub(crate) fn count(&self, of: impl Fn(&State) -> bool) -> u64 {
        self.pages.values().filter(|page| of(&page.state)).count() as u64
    }

    /// What waits in the queue of a site.
    pub(crate) fn queued(&self, site: usize) -> Vec<usize> {
        let of_site = self.pages.iter().filter(|(number, _)| WEB[**number].site == site);
        of_site.filter(|(_, page)| page.state == State::Queued).map(|(number, _)| *number).collect()
    }

    pub(crate) fn is_out(&self, site: usize) -> bool {
        self.visits.values().any(|out| out.site == site)
    }

    pub(crate) fn pages_out(&self) -> u64 {
        self.visits.values().map(|out| out.pages.len() as u64).sum()
    }

    fn reserved_bytes(&self) -> u64 {
        self.visits.values().map(|out| out.pages.len() as u64 * out.each).sum()
    }

    pub(crate) fn page_budget(&self) -> u64 {
        let limit = self.tables.crawl.max_pages.unwrap_or(u64::MAX);
        limit.checked_sub(self.counts.fetched + self.pages_out()).expect("never one page over")
    }

    fn byte_budget(&self) -> u64 {
        let limit = self.tables.crawl.max_bytes.unwrap_or(u64::MAX);
        limit.checked_sub(self.counts.bytes + self.reserved_bytes()).expect("never one byte over")
    }

    pub(crate) fn site_budget(&self, site: usize) -> u64 {
        let limit = self.tables.frontier.max_pages_per_site.unwrap_or(u64::MAX);
        let out: usize = self.visits.values().filter(|out| out.site == site).map(|out| out.pages.len()).sum();
        limit.checked_sub(self.sites[&site].fetched + out as u64).expect("never one page of a site over")
    }

    pub(crate) fn parked(&self, site: usize) -> bool {
        self.tables.frontier.max_pages_per_site.is_some_and(|limit| self.sites[&site].fetched >= limit)
    }

    pub(crate) fn deadline(&self) -> u64 {
        self.tables.crawl.max_seconds.map_or(u64::MAX, |seconds| self.began + seconds * 1_000)
    }

    /// A limit is reached: nothing is leased, whoever may be asked.
    pub(crate) fn closed(&self, now: u64) -> bool {
        let no_bytes = self.bytes_used_up || self.byte_budget() == 0 || self.byte_allowance().0 == 0;
        no_bytes || self.page_budget() == 0 || now >= self.deadline()
    }

    /// Pages of the next visit and bytes of each, as far as bytes go.
    pub(crate) fn byte_allowance(&self) -> (u64, u64) {
        let (budget, each) = (self.byte_budget(), self.tables.frontier.max_body_bytes);
        match budget / each {
            0 if self.reserved_bytes() == 0 => (1, budget),
            pages => (pages, each),
        }
    }

    /// From when on the site's address has a place; none: when a visit ends.
    pub(crate) fn address_free(&self, site: usize) -> Option<u64> {
        let places = self.tables.frontier.address_connections as usize;
        let Some(address) = self.sites[&site].address.filter(|_| places > 0) else { return Some(0) };
        let taken = self.visits.values().filter(|out| out.address == Some(address)).count();
        (taken < places).then(|| self.addresses.get(&address).copied().unwrap_or(0))
    }

    /// From when on the site may be asked; none: not before something else happens.
    pub(crate) fn may_ask(&self, site: usize) -> Option<u64> {
        if self.is_out(site) || self.parked(site) {
            return None;
        }
        Some(self.address_free(site)?.max(self.sites[&site].next_allowed.from))
    }

    /// When something happens next without being told.
    pub(crate) fn next_due(&self, now: u64) -> Option<u64> {
        let lost = self.visits.values().map(|out| out.lost_at).min();
        if self.closed(now) {
            return lost;
        }
        let busy = self.sites.keys().filter(|site| !self.queued(**site).is_empty());
        let slot = self.next_slot.ceil() as u64;
        let visit = busy.filter_map(|site| self.may_ask(*site)).map(|at| at.max(now).max(slot)).min();
        let later = self.pages.values().filter_map(|page| match page.state {
            State::Later(until) => Some(until.from),
            _ => None,
        });
        let next = later.chain(visit).min().map(|at| at.min(self.deadline()));
        [lost, next].into_iter().flatten().min()
    }

    /// Nothing is out, and nothing more will be leased.
    pub(crate) fn finished(&self, now: u64) -> bool {
        let waits = self.sites.keys().any(|site| !self.parked(*site) && !self.queued(*site).is_empty());
        let left = waits || self.count(|state| matches!(state, State::Later(_))) > 0;
        self.visits.is_empty() && (!left || self.closed(now))
    }

    /// A visit is handed out: it holds its site, its pages and a place at its address.
    pub(crate) fn hand_out(&mut self, id: u64, out: Out, now: u64) {
        for number in &out.pages {
            self.pages.get_mut(number).unwrap().state = State::Out;
        }
        let delay = self.delay(out.site).max(self.tables.frontier.address_delay_ms);
        let rest = crate::model::Span::at(now + delay);
        let site = self.sites.get_mut(&out.site).unwrap();
        site.next_allowed = site.next_allowed.max(rest);
        if let Some(rate) = self.tables.frontier.max_requests_per_second {
            let requests = out.pages.len() + usize::from(out.robots.is_some());
            self.next_slot = self.next_slot.max(now as f64) + requests as f64 * 1_000.0 / rate;
        }
        self.visits.insert(id, out);
    }
}
