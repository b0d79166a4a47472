//! A million sites in virtual time, in memory. `make sim` runs it; `benches/frontier.py` does ten million.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]

use std::collections::HashMap;
use std::sync::Arc;

use helios_core::fetch::{Finished, Held, Outcome, Purpose, Response, Task, Timings, Validators, Visit};
use helios_core::frontier::{Found, Frontier, FrontierTables, Link, ScopeKind};
use helios_core::kv::{MemoryDisk, MemoryKv};
use helios_core::sieve::MemoryShelf;
use helios_core::url::CanonicalUrl;

const SITES: u64 = 1_000_000;
const BATCH: u64 = 5_000;
const DELAY_MS: u64 = 1_000;

fn frontier() -> Frontier {
    let mut tables = FrontierTables::default();
    tables.crawl.scope = ScopeKind::Any;
    tables.frontier.delay_ms = DELAY_MS;
    let kv = Arc::new(MemoryKv::open(&MemoryDisk::new()).unwrap());
    Frontier::open(kv, Box::new(MemoryShelf::default()), tables, 0).unwrap()
}

fn link(site: u64, page: u64) -> Link {
    let url = CanonicalUrl::parse(&format!("http://site-{site}.test/{page}")).unwrap();
    Link::new(url, None, 1)
}

fn finished(visit: &Visit, (index, task): (usize, &Task), at: u64) -> Finished {
    let outcome = match task.purpose {
        Purpose::RobotsTxt => Outcome::Missing { status: 404 },
        Purpose::Page => Outcome::Fetched(Response {
            status: 200,
            content_type: String::new(),
            robots_tags: Vec::new(),
            validators: Validators::default(),
            body: bytes::Bytes::new(),
            ..Response::default()
        }),
    };
    let (visit, site, last) = (visit.id, visit.site.clone(), index + 1 == visit.tasks.len());
    Finished {
        visit,
        site,
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

#[test]
#[ignore = "a minute or two: make sim"]
fn a_million_sites_are_each_asked_politely_and_every_page_once() {
    let mut frontier = frontier();
    for batch in 0..SITES / BATCH {
        let sites = (0..BATCH).map(|n| batch * BATCH + n);
        let links = sites.flat_map(|site| [link(site, 0), link(site, 1)]).collect();
        frontier.ingest(0, 1, batch + 1, links).unwrap().unwrap();
    }
    let mut rested: HashMap<String, u64> = HashMap::new();
    let (mut pages, mut now) = (0, 0);
    while !frontier.finished(now) {
        let visits = frontier.lease(now, 4_096).unwrap();
        if visits.is_empty() {
            now = frontier.next_due(now).unwrap().max(now + 1);
            continue;
        }
        let mut done = Vec::new();
        for visit in &visits {
            let from = rested.get(visit.site.as_str()).copied().unwrap_or(0);
            assert!(from <= now, "{} is asked at {now}, before {from}", visit.site);
            let pause = visit.delay.as_millis() as u64;
            let tasks = visit.tasks.iter().enumerate();
            done.extend(
                tasks.map(|(index, task)| finished(visit, (index, task), now + index as u64 * pause)),
            );
            let end = now + (visit.tasks.len() as u64 - 1) * pause;
            rested.insert(visit.site.to_string(), end + DELAY_MS);
        }
        pages += done.iter().filter(|one| one.task.purpose == Purpose::Page).count() as u64;
        let found = vec![Found::default(); done.len()];
        frontier.settle(now, &done, found, None).unwrap();
    }
    assert_eq!(pages, 2 * SITES, "each page once");
    assert_eq!(rested.len() as u64, SITES);
}
