//! What the frontier promises, as plainly as possible: every URL has a state, every site its times.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::rc::Rc;

use helios_core::frontier::{FrontierTables, ScopeKind};

use crate::robots::Robots;
use crate::web::{WEB, host_name};

/// A time that chance has a part in: known within its bounds, until the real frontier tells it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) from: u64,
    pub(crate) to: u64,
}

impl Span {
    pub(crate) fn at(time: u64) -> Self {
        Self { from: time, to: time }
    }

    pub(crate) fn max(self, other: Self) -> Self {
        Self { from: self.from.max(other.from), to: self.to.max(other.to) }
    }

    pub(crate) fn plus(self, ms: u64) -> Self {
        Self { from: self.from + ms, to: self.to + ms }
    }

    /// The real one's choice must lie within; from now on it is the model's, too.
    pub(crate) fn adopt(&mut self, real: u64, what: &str) {
        assert!((self.from..=self.to).contains(&real), "{what}: {real} is not within {self:?}");
        *self = Self::at(real);
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum State {
    Queued,
    Out,
    Later(Span),
    /// The name of its last outcome.
    Done(&'static str),
    Denied,
    Dead,
}

#[derive(Debug, Clone)]
pub(crate) struct Page {
    pub(crate) state: State,
    pub(crate) depth: u32,
    pub(crate) hops: u32,
    pub(crate) attempts: u32,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Site {
    pub(crate) next_allowed: Span,
    /// What of that was settled, and so survives a crash.
    pub(crate) settled_rest: u64,
    /// What of that may have been written, before it was cut at an opening.
    highest: u64,
    pub(crate) crawl_delay: u64,
    pub(crate) crawl_delay_of: Option<usize>,
    pub(crate) last_fetch: u64,
    pub(crate) failures: u32,
    pub(crate) fetched: u64,
    pub(crate) address: Option<IpAddr>,
}

/// A visit that is out.
#[derive(Debug, Clone)]
pub(crate) struct Out {
    pub(crate) site: usize,
    pub(crate) pages: BTreeSet<usize>,
    /// The host whose robots.txt is asked for.
    pub(crate) robots: Option<usize>,
    /// Bytes reserved for each page.
    pub(crate) each: u64,
    pub(crate) address: Option<IpAddr>,
    pub(crate) lost_at: u64,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Counts {
    pub(crate) bytes: u64,
    pub(crate) fetched: u64,
    pub(crate) retried: u64,
    pub(crate) out_of_scope: u64,
    pub(crate) too_deep: u64,
    pub(crate) too_many_redirects: u64,
    pub(crate) not_modified: u64,
    pub(crate) links: u64,
}

#[derive(Debug, Clone)]
pub(crate) struct Model {
    pub(crate) tables: Rc<FrontierTables>,
    /// What is known, by its number in the web.
    pub(crate) pages: BTreeMap<usize, Page>,
    pub(crate) sites: BTreeMap<usize, Site>,
    /// By host.
    pub(crate) robots: BTreeMap<usize, Robots>,
    scope: BTreeSet<String>,
    pub(crate) counts: Counts,
    // What follows is gone after a crash.
    pub(crate) visits: BTreeMap<u64, Out>,
    /// How long each address rests.
    pub(crate) addresses: BTreeMap<IpAddr, u64>,
    pub(crate) next_slot: f64,
    pub(crate) bytes_used_up: bool,
    /// Anything, ever.
    pub(crate) written: bool,
    pub(crate) began: u64,
}

impl Model {
    pub(crate) fn new(tables: FrontierTables) -> Self {
        Self {
            tables: Rc::new(tables),
            pages: BTreeMap::new(),
            sites: BTreeMap::new(),
            robots: BTreeMap::new(),
            scope: BTreeSet::new(),
            counts: Counts::default(),
            visits: BTreeMap::new(),
            addresses: BTreeMap::new(),
            next_slot: 0.0,
            bytes_used_up: false,
            written: false,
            began: 0,
        }
    }

    pub(crate) fn in_scope(&self, number: usize) -> bool {
        let place = &WEB[number];
        match self.tables.crawl.scope {
            ScopeKind::Host => self.scope.contains(host_name(place.host)),
            ScopeKind::Site => self.scope.contains(crate::web::SITES[place.site]),
            ScopeKind::List => false,
            ScopeKind::Any => true,
        }
    }

    pub(crate) fn seed(&mut self, numbers: &[usize]) {
        for &number in numbers {
            let place = &WEB[number];
            self.scope.insert(match self.tables.crawl.scope {
                ScopeKind::Host => host_name(place.host).to_owned(),
                ScopeKind::Site | ScopeKind::List | ScopeKind::Any => {
                    crate::web::SITES[place.site].to_owned()
                }
            });
        }
        for &number in numbers {
            self.offer(number, 0, 0);
        }
    }

    /// A URL is taken in once, if it belongs to the crawl.
    pub(crate) fn offer(&mut self, number: usize, depth: u32, hops: u32) {
        self.counts.links += 1;
        if !self.in_scope(number) {
            self.counts.out_of_scope += 1;
        } else if self.tables.crawl.max_depth.is_some_and(|limit| depth > limit) {
            self.counts.too_deep += 1;
        } else {
            let page = Page { state: State::Queued, depth, hops, attempts: 0 };
            self.pages.entry(number).or_insert(page);
            self.sites.entry(WEB[number].site).or_default();
        }
    }

    /// Dead letters that `wanted` covers live again. Returns how many.
    pub(crate) fn replay(&mut self, wanted: impl Fn(usize) -> bool) -> u64 {
        let mut count = 0;
        for (&number, page) in &mut self.pages {
            if page.state == State::Dead && wanted(number) {
                (page.state, page.attempts, page.hops) = (State::Queued, 0, page.hops.min(1));
                self.robots.entry(WEB[number].host).or_default().forgive();
                count += 1;
            }
        }
        count
    }

    /// What time alone brings about.
    pub(crate) fn tick(&mut self, now: u64) {
        let lost: Vec<u64> =
            self.visits.iter().filter(|(_, out)| out.lost_at <= now).map(|(&id, _)| id).collect();
        for id in lost {
            let site = self.visits[&id].site;
            let rest = Span::at(now + self.pause(site));
            let site = self.sites.get_mut(&site).unwrap();
            site.next_allowed = site.next_allowed.max(rest);
            self.end_visit(id, now);
        }
        for page in self.pages.values_mut() {
            if matches!(page.state, State::Later(until) if until.from <= now) {
                page.state = State::Queued;
            }
        }
    }

    pub(crate) fn end_visit(&mut self, id: u64, asked_until: u64) {
        let out = self.visits.remove(&id).unwrap();
        for number in out.pages {
            self.pages.get_mut(&number).unwrap().state = State::Queued;
        }
        let delay = self.tables.frontier.address_delay_ms;
        if let Some(address) = out.address.filter(|_| delay > 0) {
            let rests = self.addresses.entry(address).or_default();
            *rests = (*rests).max(asked_until + delay);
        }
    }

    /// This state, found on a disk: nothing is out, and everybody may have been asked until now.
    pub(crate) fn reopened(mut self, now: u64) -> Self {
        for page in self.pages.values_mut().filter(|page| page.state == State::Out) {
            page.state = State::Queued;
        }
        self.visits.clear();
        self.addresses.clear();
        let settings = &self.tables.frontier;
        // Nobody knows when the last request was, of all or to an address; unless nothing was ever written.
        let rate = settings.max_requests_per_second.filter(|_| self.written);
        let next_slot = rate.map_or(0.0, |rate| now as f64 + 1_000.0 / rate);
        (self.next_slot, self.bytes_used_up, self.began) = (next_slot, false, now);
        if settings.address_delay_ms > 0 {
            for address in self.sites.values().filter_map(|site| site.address) {
                self.addresses.insert(address, now + settings.address_delay_ms);
            }
        }
        let furthest = now + settings.retry_after_ceiling_ms.max(settings.backoff_ceiling_ms);
        for number in self.sites.keys().copied().collect::<Vec<_>>() {
            let pause = now + self.pause(number);
            let site = self.sites.get_mut(&number).unwrap();
            let least = site.settled_rest.min(furthest).max(pause);
            site.highest = site.highest.max(site.next_allowed.to);
            site.next_allowed = Span { from: least, to: site.highest.min(furthest).max(least) };
        }
        self
    }

    /// From the end of one request to the site to the start of the next.
    pub(crate) fn delay(&self, site: usize) -> u64 {
        let settings = &self.tables.frontier;
        settings.delay_ms.max(self.sites[&site].crawl_delay.min(settings.crawl_delay_ceiling_ms))
    }

    /// The same, after a request that took as long as the last one.
    pub(crate) fn pause(&self, site: usize) -> u64 {
        let settings = &self.tables.frontier;
        let slow = self.sites[&site].last_fetch * settings.fetch_time_factor;
        self.delay(site).max(slow.min(settings.crawl_delay_ceiling_ms))
    }
}
