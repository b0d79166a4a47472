//! The frontier: what to fetch next and when, and what became of it. `(event, now) → actions`; no I/O, no clock.
//!
//! In: seeds, settled visits with their links. Out: visits. Always: a site has at most one visit out; its next visit
//! begins no sooner than its delay after the end of the last request; a URL is offered once, and again only if the retry
//! table says so; limits are exact because what is leased counts as used.
//!
//! `settings` are the tables it reads, `site` one site's queue and politeness, `retry` the outcome table, `scope` what
//! belongs to the crawl, `lease` and `settle` the two halves of a visit's life. Memory only for now: nothing survives.

mod lease;
mod retry;
mod scope;
mod settings;
mod settle;
mod site;

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::fetch::VisitId;
use crate::url::{CanonicalUrl, Fingerprint, SiteKey};

use lease::Lease;
use scope::Scope;
pub use settings::{CrawlSettings, FrontierSettings, FrontierTables, ScopeKind};
use site::{Pending, Site};

/// A URL that used up its attempts.
#[derive(Debug, Clone)]
pub struct DeadLetter {
    pub url: CanonicalUrl,
    pub reason: String,
    pub attempts: u32,
    /// When it was given up.
    pub at: Millis,
}

/// What happened so far, for progress and summaries.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counters {
    /// Pages fetched (2xx): what `max_pages` limits.
    pub fetched: u64,
    pub denied: u64,
    pub retried: u64,
    pub out_of_scope: u64,
    pub too_deep: u64,
    pub too_long: u64,
    /// Redirects beyond `max_redirects`.
    pub too_many_redirects: u64,
    /// Links offered, known ones included.
    pub links: u64,
    pub robots_answers: u64,
}

pub struct Frontier {
    tables: FrontierTables,
    scope: Scope,
    /// Exact: every URL ever accepted.
    seen: HashSet<Fingerprint>,
    sites: HashMap<SiteKey, Site>,
    /// The politeness heap: sites with work and no visit out, by the time they may be asked. Each at most once.
    due: BTreeSet<(Millis, SiteKey)>,
    leases: HashMap<VisitId, Lease>,
    last_visit: VisitId,
    /// Page tasks that are leased: used up until they are settled, so that limits hold exactly.
    reserved: u64,
    pub counters: Counters,
    dead: Vec<DeadLetter>,
    /// Committed by settle, emptied by `published`.
    staged: VecDeque<String>,
    began: Option<Millis>,
    stopping: bool,
}

impl Frontier {
    pub fn new(tables: FrontierTables) -> Self {
        Self {
            scope: Scope::new(tables.crawl.scope),
            tables,
            seen: HashSet::new(),
            sites: HashMap::new(),
            due: BTreeSet::new(),
            leases: HashMap::new(),
            last_visit: 0,
            reserved: 0,
            counters: Counters::default(),
            dead: Vec::new(),
            staged: VecDeque::new(),
            began: None,
            stopping: false,
        }
    }

    /// Offers URLs as seeds: they widen the scope and start at depth 0. Returns those refused, with the reason.
    pub fn seed<'a>(&mut self, now: Millis, urls: impl IntoIterator<Item = &'a str>) -> Vec<(String, Error)> {
        self.began.get_or_insert(now);
        let mut refused = Vec::new();
        for text in urls {
            match CanonicalUrl::parse(text) {
                Ok(url) => {
                    self.scope.admit(&url);
                    self.offer(Pending::new(url, 0));
                }
                Err(error) => refused.push((text.to_owned(), error)),
            }
        }
        refused
    }

    /// Takes a URL in, unless it was seen, is out of scope or breaks a limit.
    fn offer(&mut self, pending: Pending) {
        self.counters.links += 1;
        if !self.scope.contains(&pending.url) {
            self.counters.out_of_scope += 1;
        } else if self.tables.crawl.max_depth.is_some_and(|limit| pending.depth > limit) {
            self.counters.too_deep += 1;
        } else if pending.url.as_str().len() > self.tables.frontier.max_url_length {
            self.counters.too_long += 1;
        } else if self.seen.insert(pending.url.fingerprint()) {
            let key = pending.url.site();
            self.sites.entry(key.clone()).or_default().queue.push_back(pending);
            self.reschedule(&key);
        }
    }

    /// Puts a site where it belongs in the heap, or out of it.
    fn reschedule(&mut self, key: &SiteKey) {
        let Some(site) = self.sites.get_mut(key) else { return };
        let due = site.due(self.tables.frontier.max_pages_per_site);
        if site.scheduled == due {
            return;
        }
        if let Some(old) = site.scheduled.take() {
            self.due.remove(&(old, key.clone()));
        }
        if let Some(new) = due {
            self.due.insert((new, key.clone()));
            site.scheduled = Some(new);
        }
    }

    fn bury(&mut self, now: Millis, pending: Pending, reason: String) {
        self.dead.push(DeadLetter { url: pending.url, reason, attempts: pending.attempts, at: now });
    }

    /// Nothing is out and nothing more will be leased.
    pub fn finished(&self, now: Millis) -> bool {
        self.leases.is_empty() && (self.closed(now) || self.due.is_empty())
    }

    /// Nothing more is leased: told to stop, out of pages, or out of time.
    fn closed(&self, now: Millis) -> bool {
        self.stopping || self.page_budget() == 0 || self.deadline().is_some_and(|deadline| now >= deadline)
    }

    fn page_budget(&self) -> u64 {
        self.tables.crawl.max_pages.map_or(u64::MAX, |limit| {
            limit.saturating_sub(self.counters.fetched).saturating_sub(self.reserved)
        })
    }

    fn deadline(&self) -> Option<Millis> {
        let limit = self.tables.crawl.max_seconds?;
        Some(self.began?.saturating_add(limit.saturating_mul(1000)))
    }

    /// When the next visit may begin, if one waits.
    pub fn next_due(&self, now: Millis) -> Option<Millis> {
        if self.closed(now) {
            return None;
        }
        self.due.first().map(|(due, _)| (*due).min(self.deadline().unwrap_or(Millis::MAX)))
    }

    pub fn stop(&mut self) {
        self.stopping = true;
    }

    pub fn staged(&self) -> Vec<String> {
        self.staged.iter().cloned().collect()
    }

    /// Staged files that are visible now.
    pub fn published(&mut self, names: &[String]) -> Result<()> {
        for name in names {
            match self.staged.front() {
                Some(oldest) if oldest == name => drop(self.staged.pop_front()),
                _ => {
                    return Err(Error::Frontier(format!(
                        "{name:?} was published but is not the oldest staged"
                    )));
                }
            }
        }
        Ok(())
    }

    pub fn dead_letters(&self) -> &[DeadLetter] {
        &self.dead
    }

    /// Numbers for progress and metrics, by name.
    pub fn stats(&self) -> Vec<(&'static str, u64)> {
        let pending: usize = self.sites.values().map(|site| site.queue.len() + site.waiting.len()).sum();
        let parked: usize =
            self.sites.values().map(|site| site.parked(self.tables.frontier.max_pages_per_site)).sum();
        vec![
            ("known", self.seen.len() as u64),
            ("pending", (pending - parked) as u64),
            ("parked", parked as u64),
            ("sites", self.sites.len() as u64),
            ("sites_waiting", self.due.len() as u64),
            ("visits_out", self.leases.len() as u64),
            ("fetched", self.counters.fetched),
            ("denied", self.counters.denied),
            ("retried", self.counters.retried),
            ("dead", self.dead.len() as u64),
            ("out_of_scope", self.counters.out_of_scope),
            ("too_deep", self.counters.too_deep),
            ("too_long", self.counters.too_long),
            ("too_many_redirects", self.counters.too_many_redirects),
            ("links", self.counters.links),
            ("robots_answers", self.counters.robots_answers),
        ]
    }
}
