//! A frontier on a disk in memory, and a web whose answers the test gives.

use std::sync::Arc;

use helios_core::fetch::{Finished, Held, Outcome, Purpose, Response, Task, Timings, Validators, Visit};
use helios_core::frontier::{Found, Frontier, FrontierTables};
use helios_core::kv::{MemoryDisk, MemoryKv};
use helios_core::sieve::MemoryShelf;
use helios_core::url::CanonicalUrl;

pub(crate) struct World {
    pub(crate) frontier: Frontier,
    pub(crate) tables: FrontierTables,
    disk: MemoryDisk,
    shelf: MemoryShelf,
}

/// What a test gives for a task: the outcome and the links of the page.
pub(crate) type Answer = (Outcome, Vec<&'static str>);

impl World {
    /// Small numbers that a reader can follow; changed by `change`.
    pub(crate) fn with(change: impl FnOnce(&mut FrontierTables)) -> Self {
        let mut tables = FrontierTables::default();
        tables.crawl.scope = helios_core::frontier::ScopeKind::Any;
        tables.frontier.visit_urls = 3;
        tables.frontier.attempts = 3;
        tables.frontier.backoff_ceiling_ms = 60_000;
        tables.frontier.retry_after_ceiling_ms = 60_000;
        tables.frontier.max_redirects = 2;
        tables.robots.attempts = 2;
        change(&mut tables);
        let (disk, shelf) = (MemoryDisk::new(), MemoryShelf::default());
        let frontier = open(&disk, &shelf, &tables, 0);
        Self { frontier, tables, disk, shelf }
    }

    pub(crate) fn new() -> Self {
        Self::with(|_| {})
    }

    pub(crate) fn seeded(seeds: &[&str]) -> Self {
        let mut world = Self::new();
        world.seed(seeds);
        world
    }

    pub(crate) fn seed(&mut self, seeds: &[&str]) {
        assert!(self.frontier.seed(0, seeds.iter().copied()).unwrap().is_empty());
    }

    /// The power fails; `keep` of the writes that were not durable survive.
    pub(crate) fn crash(&mut self, keep: usize, now: u64) {
        self.disk.crash(keep);
        self.frontier = open(&self.disk, &self.shelf, &self.tables, now);
    }

    /// Somebody goes on with it, with other settings.
    pub(crate) fn reopen_with(&mut self, now: u64, change: impl FnOnce(&mut FrontierTables)) {
        change(&mut self.tables);
        self.crash(usize::MAX, now);
    }

    /// The power fails after everything was written; somebody else opens what is left.
    pub(crate) fn crash_into<T>(self, open: impl FnOnce(&MemoryDisk, &MemoryShelf) -> T) -> T {
        self.disk.crash(usize::MAX);
        open(&self.disk, &self.shelf)
    }

    pub(crate) fn lease(&mut self, now: u64) -> Vec<Visit> {
        self.frontier.lease(now, 99).unwrap()
    }

    /// The one visit that may begin now.
    pub(crate) fn only(&mut self, now: u64) -> Visit {
        let mut visits = self.lease(now);
        assert_eq!(visits.len(), 1, "one visit only: {visits:?}");
        visits.pop().unwrap()
    }

    /// The one visit that is next, and when.
    pub(crate) fn next(&mut self, after: u64) -> (Visit, u64) {
        let mut due = after;
        loop {
            due = self.frontier.next_due(due).expect("something is due").max(due);
            if let Some(visit) = self.lease(due).pop() {
                return (visit, due);
            }
        }
    }

    /// Settles a visit: every task answered by `answer`, one delay apart. Returns when the last one ended.
    pub(crate) fn settle(
        &mut self,
        visit: &Visit,
        start: u64,
        mut answer: impl FnMut(&Task) -> Answer,
    ) -> u64 {
        let mut at = start;
        let count = visit.tasks.len();
        for (index, task) in visit.tasks.iter().enumerate() {
            at = if index == 0 { start } else { at + visit.delay.as_millis() as u64 };
            let (outcome, links) = answer(task);
            let done = finished(visit, task, outcome, at, index + 1 == count);
            self.frontier.settle(at, &[done], vec![found(&links)], None).unwrap();
        }
        at
    }

    /// Leases and settles the robots visit that comes first.
    pub(crate) fn open_site(&mut self, at: u64, robots: &'static str) {
        let visit = self.only(at);
        assert_eq!(visit.tasks[0].purpose, Purpose::RobotsTxt);
        self.settle(&visit, at, |_| (page(robots), vec![]));
    }

    pub(crate) fn stat(&self, name: &str) -> u64 {
        self.frontier.stats().iter().find(|(known, _)| *known == name).expect(name).1
    }

    pub(crate) fn why(&mut self, url: &str) -> helios_core::frontier::Why {
        self.frontier.why(0, &CanonicalUrl::parse(url).unwrap()).unwrap()
    }
}

fn open(disk: &MemoryDisk, shelf: &MemoryShelf, tables: &FrontierTables, now: u64) -> Frontier {
    let kv = Arc::new(MemoryKv::open(disk).unwrap());
    Frontier::open(kv, Box::new(shelf.clone()), tables.clone(), now).unwrap()
}

pub(crate) fn page(text: &str) -> Outcome {
    Outcome::Fetched(Response {
        status: 200,
        content_type: "text/html".into(),
        robots_tags: Vec::new(),
        validators: Validators::default(),
        body: bytes::Bytes::from(text.to_owned()),
        ..Response::default()
    })
}

pub(crate) fn busy(seconds: u64) -> Outcome {
    Outcome::Busy { status: 429, retry_after_ms: Some(seconds * 1_000) }
}

pub(crate) fn found(links: &[&str]) -> Found {
    let links = links.iter().map(|link| CanonicalUrl::parse(link).unwrap()).collect();
    Found { links, ..Found::default() }
}

pub(crate) fn finished(visit: &Visit, task: &Task, outcome: Outcome, at: u64, last: bool) -> Finished {
    Finished {
        visit: visit.id,
        site: visit.site.clone(),
        task: task.clone(),
        outcome,
        started: at,
        finished: at,
        wire_bytes: 0,
        address: None,
        timings: Timings::default(),
        held: Held::default(),
        kept: None,
        last,
    }
}

pub(crate) fn urls(visit: &Visit) -> Vec<&str> {
    visit.tasks.iter().map(|task| task.permit.url().as_str()).collect()
}
