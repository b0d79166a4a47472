//! A frontier and a fetcher together, until nothing is left to ask: where redirects really lead.

use std::sync::Arc;
use std::time::Duration;

use helios_core::clock;
use helios_core::fetch::Finished;
use helios_core::frontier::{Found, Frontier, FrontierTables, ScopeKind};
use helios_core::kv::{MemoryDisk, MemoryKv};
use helios_core::sieve::MemoryShelf;
use serde_json::Value;

use crate::asking::{fetcher, serves_others};

/// Crawls from a seed, following redirects alone. Pauses are short; each URL is tried once.
pub(crate) fn crawl(seed: &str, settings: &Value) -> Vec<Finished> {
    let begun = clock::now();
    let mut frontier = frontier(begun);
    assert!(frontier.seed(begun, [seed].into_iter()).unwrap().is_empty());
    let fetcher = fetcher(settings);
    let mut all = Vec::new();
    loop {
        let visits = frontier.lease(clock::now(), 10).unwrap();
        if visits.is_empty() && fetcher.in_flight() == 0 && frontier.next_due(clock::now()).is_none() {
            break;
        }
        fetcher.submit(visits);
        let done = fetcher.completed(Duration::from_millis(5), Duration::ZERO, 100).unwrap();
        if !done.is_empty() {
            let found = done.iter().map(|_| Found::default()).collect();
            frontier.settle(clock::now(), &done, found, None).unwrap();
        }
        all.extend(done);
        assert!(all.len() < 100 && clock::now() < begun + 10_000, "it never ends: {all:?}");
    }
    serves_others(&fetcher);
    fetcher.close();
    all
}

fn frontier(now: u64) -> Frontier {
    let mut tables = FrontierTables::default();
    tables.crawl.scope = ScopeKind::Any;
    tables.frontier.delay_ms = 1;
    tables.frontier.backoff_ms = 1;
    tables.frontier.attempts = 1;
    tables.frontier.max_redirects = 5;
    tables.robots.attempts = 1;
    let kv = Arc::new(MemoryKv::open(&MemoryDisk::new()).unwrap());
    Frontier::open(kv, Box::new(MemoryShelf::default()), tables, now).unwrap()
}

/// The URLs that were asked for, robots.txt aside.
pub(crate) fn asked(all: &[Finished]) -> Vec<String> {
    let urls = all.iter().map(|finished| finished.task.permit.url().to_string());
    urls.filter(|url| !url.ends_with("/robots.txt")).collect()
}
