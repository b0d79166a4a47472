//! What the frontier costs: `frontier_cost ingest FOLDER MILLIONS`, `crawl FOLDER MILLIONS VISITS`, `reopen FOLDER`,
//! `scale SITES_IN_MILLIONS SECONDS`. Prints one JSON object; `benches/frontier.py` runs them and compares.
//!
//! URLs are 60 to 70 bytes, 1,000 URLs a site unless said otherwise. CPU time is that of the whole process, threads of the
//! database included; "per core" is URLs divided by it.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    reason = "a measurement: it reads the clock, prints, and stops when it cannot go on"
)]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use helios_core::fetch::{Finished, Held, Outcome, Purpose, Response, Timings, Validators, Visit};
use helios_core::frontier::{Found, Frontier, FrontierTables, Link, ScopeKind};
use helios_core::kv::{Kv, LocalKv, LocalSettings, MemoryDisk, MemoryKv};
use helios_core::sieve::{LocalShelf, MemoryShelf};
use helios_core::url::CanonicalUrl;

/// The allocator of the Python package.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

const URLS_PER_SITE: u64 = 1_000;
const BATCH: u64 = 4_000;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| words[at].parse::<u64>().unwrap();
    match words[0].as_str() {
        // No destructor runs: as a kill.
        "ingest" => drop(ingest(Path::new(&words[1]), number(2) * 1_000_000)),
        "ingest-and-die" => {
            std::mem::forget(ingest(Path::new(&words[1]), number(2) * 1_000_000));
            std::process::abort();
        }
        "crawl" => work(ingest(Path::new(&words[1]), number(2) * 1_000_000), number(3)),
        "work" => work(open(Path::new(&words[1]), 0), number(2)),
        "reopen" => reopen(Path::new(&words[1])),
        "scale" => scale(number(1) * 1_000_000, number(2)),
        other => panic!("no such measurement: {other}"),
    }
}

fn tables() -> FrontierTables {
    let mut tables = FrontierTables::default();
    tables.crawl.scope = ScopeKind::Any;
    tables
}

fn open(folder: &Path, now: u64) -> Frontier {
    let kv = Arc::new(LocalKv::open(&folder.join("db"), &LocalSettings::default()).unwrap());
    let shelf = Box::new(LocalShelf::new(folder.join("seen")).unwrap());
    Frontier::open(kv, shelf, tables(), now).unwrap()
}

/// URL `number` of site `site`.
fn url(site: u64, number: u64) -> CanonicalUrl {
    let mixed = (site << 32 | number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    CanonicalUrl::parse(&format!(
        "https://www.site-{site}.test/section-{}/page-{mixed:016x}.html",
        number % 17
    ))
    .unwrap()
}

fn link(site: u64, number: u64) -> Link {
    Link::new(url(site, number), None, 1)
}

/// New URLs, a durable write each second. Links of a batch belong to a handful of sites, as those of a batch of pages do.
fn ingest(folder: &Path, count: u64) -> Frontier {
    let mut frontier = open(folder, 0);
    let before = rss();
    let (mut prepared, mut spent, mut cpu, mut longest) = (0, Duration::ZERO, 0.0, Duration::ZERO);
    let (mut last_sync, mut ticket) = (Instant::now(), 0);
    for batch in 0..count / BATCH {
        let links = links_of(batch);
        prepared += links.len() as u64;
        let (began, cpu_began) = (Instant::now(), cpu_seconds());
        ticket = frontier.ingest(0, 1, batch + 1, links).unwrap().unwrap();
        if last_sync.elapsed() > Duration::from_secs(1) {
            frontier.kv().durable(ticket).unwrap();
            last_sync = Instant::now();
        }
        longest = longest.max(began.elapsed());
        spent += began.elapsed();
        cpu += cpu_seconds() - cpu_began;
    }
    frontier.kv().durable(ticket).unwrap();
    let known = stat(&frontier, "known");
    println!(
        "{{\"urls\": {prepared}, \"known\": {known}, \"per_second\": {:.0}, \"per_core\": {:.0}, \"longest_ms\": {}, \
         \"rss_before_mb\": {before:.0}, \"rss_mb\": {:.0}}}",
        prepared as f64 / spent.as_secs_f64(),
        prepared as f64 / cpu,
        longest.as_millis(),
        rss(),
    );
    frontier
}

fn links_of(batch: u64) -> Vec<Link> {
    // 20 URLs of each of 200 sites, which 50 batches fill up.
    let group = batch / (URLS_PER_SITE / 20);
    let first = batch % (URLS_PER_SITE / 20) * 20;
    (0..BATCH).map(|n| link(group * 200 + n / 20, first + n % 20)).collect()
}

/// Lease and settle, in batches of 64 visits, each batch durable.
fn work(mut frontier: Frontier, visits: u64) {
    let (mut urls, mut settled, mut now) = (0, 0, 10_000);
    let (mut spent, mut cpu, mut longest) = (Duration::ZERO, 0.0, Duration::ZERO);
    let (mut lease_s, mut settle_s) = (0.0, 0.0);
    open_sites(&mut frontier, &mut now);
    while settled < visits {
        now += 100_000;
        loop {
            let (began, cpu_began) = (Instant::now(), cpu_seconds());
            let leased = frontier.lease(now, 64).unwrap();
            cpu += cpu_seconds() - cpu_began;
            lease_s += began.elapsed().as_secs_f64();
            spent += began.elapsed();
            if leased.is_empty() || settled >= visits {
                break;
            }
            settled += leased.len() as u64;
            urls += leased.iter().map(|visit| visit.tasks.len() as u64).sum::<u64>();
            let done: Vec<Finished> = leased.iter().flat_map(|visit| finished(visit, now)).collect();
            let found = vec![Found::default(); done.len()];
            let (began, cpu_began) = (Instant::now(), cpu_seconds());
            let ticket = frontier.settle(now, &done, found, None).unwrap();
            settle_s += began.elapsed().as_secs_f64();
            frontier.kv().durable(ticket).unwrap();
            cpu += cpu_seconds() - cpu_began;
            spent += began.elapsed();
            longest = longest.max(began.elapsed());
        }
    }
    println!(
        "{{\"urls\": {urls}, \"visits\": {settled}, \"per_second\": {:.0}, \"per_core\": {:.0}, \"longest_ms\": {}, \
         \"rss_mb\": {:.0}, \"lease_us\": {:.2}, \"settle_us\": {:.2}}}",
        urls as f64 / spent.as_secs_f64(),
        urls as f64 / cpu,
        longest.as_millis(),
        rss(),
        lease_s * 1e6 / urls as f64,
        settle_s * 1e6 / urls as f64,
    );
}

/// Answers the robots visits that come first.
fn open_sites(frontier: &mut Frontier, now: &mut u64) {
    loop {
        *now += 100_000;
        let visits = frontier.lease(*now, 10_000).unwrap();
        let robots: Vec<&Visit> =
            visits.iter().filter(|visit| visit.tasks[0].purpose == Purpose::RobotsTxt).collect();
        let pages: Vec<&Visit> =
            visits.iter().filter(|visit| visit.tasks[0].purpose == Purpose::Page).collect();
        let mut done: Vec<Finished> = robots.iter().flat_map(|visit| finished(visit, *now)).collect();
        let abandoned = pages.iter().flat_map(|visit| finished(visit, *now));
        done.extend(abandoned.map(|one| Finished { outcome: Outcome::Abandoned, ..one }));
        let found = vec![Found::default(); done.len()];
        frontier.settle(*now, &done, found, None).unwrap();
        if robots.is_empty() {
            return;
        }
    }
}

fn finished(visit: &Visit, now: u64) -> Vec<Finished> {
    let last = visit.tasks.len() - 1;
    let one = |(index, task): (usize, &helios_core::fetch::Task)| Finished {
        visit: visit.id,
        site: visit.site.clone(),
        task: task.clone(),
        outcome: if task.purpose == Purpose::RobotsTxt { Outcome::Missing { status: 404 } } else { page() },
        started: now,
        finished: now + 1,
        wire_bytes: 0,
        address: None,
        timings: Timings::default(),
        held: Held::default(),
        kept: None,
        last: index == last,
    };
    visit.tasks.iter().enumerate().map(one).collect()
}

fn page() -> Outcome {
    Outcome::Fetched(Response {
        status: 200,
        content_type: String::new(),
        robots_tags: Vec::new(),
        validators: Validators::default(),
        body: bytes::Bytes::new(),
        ..Response::default()
    })
}

fn reopen(folder: &Path) {
    let (began, cpu_began) = (Instant::now(), cpu_seconds());
    let frontier = open(folder, 0);
    println!(
        "{{\"seconds\": {:.2}, \"cpu_seconds\": {:.2}, \"pending\": {}, \"sites\": {}, \"rss_mb\": {:.0}, \
         \"disk_mb\": {:.0}}}",
        began.elapsed().as_secs_f64(),
        cpu_seconds() - cpu_began,
        stat(&frontier, "pending"),
        stat(&frontier, "sites"),
        rss(),
        disk_bytes(folder) as f64 / 1e6,
    );
}

/// Virtual time, everything in memory: `sites` sites with two pages each, 100,000 pages a second for `seconds`.
fn scale(sites: u64, seconds: u64) {
    let disk = MemoryDisk::new();
    let kv: Arc<dyn Kv> = Arc::new(MemoryKv::open(&disk).unwrap());
    let mut frontier = Frontier::open(kv, Box::new(MemoryShelf::default()), tables(), 0).unwrap();
    let began = Instant::now();
    for batch in 0..sites / BATCH {
        let links = (0..BATCH).flat_map(|n| (0..2).map(move |page| (batch * BATCH + n, page)));
        let links = links.map(|(site, page)| link(site, page)).collect();
        let ticket = frontier.ingest(0, 1, batch + 1, links).unwrap().unwrap();
        frontier.kv().durable(ticket).unwrap();
    }
    let (ingested, ingest_cpu) = (began.elapsed(), cpu_seconds());
    let (mut pages, mut now) = (0, 0);
    let mut busiest = 0;
    while now < seconds * 1_000 {
        now += 100;
        let mut this_step = 0;
        // A tenth of a second: 10,000 pages, and the robots visits on the way.
        while this_step < 10_000 {
            let visits = frontier.lease(now, 2_000).unwrap();
            if visits.is_empty() {
                break;
            }
            let done: Vec<Finished> = visits.iter().flat_map(|visit| finished(visit, now)).collect();
            this_step += done.iter().filter(|one| one.task.purpose == Purpose::Page).count();
            let found = vec![Found::default(); done.len()];
            let ticket = frontier.settle(now, &done, found, None).unwrap();
            frontier.kv().durable(ticket).unwrap();
        }
        pages += this_step as u64;
        busiest = busiest.max(this_step);
    }
    println!(
        "{{\"sites\": {}, \"pages\": {pages}, \"virtual_seconds\": {seconds}, \"pages_per_virtual_second\": {:.0}, \
         \"ingest_seconds\": {:.0}, \"crawl_seconds\": {:.0}, \"cpu_us_per_page\": {:.1}, \"peak_rss_mb\": {:.0}}}",
        stat(&frontier, "sites"),
        pages as f64 / seconds as f64,
        ingested.as_secs_f64(),
        began.elapsed().saturating_sub(ingested).as_secs_f64(),
        (cpu_seconds() - ingest_cpu) * 1e6 / pages.max(1) as f64,
        peak_rss(),
    );
}

fn stat(frontier: &Frontier, name: &str) -> u64 {
    frontier.stats().into_iter().find(|(known, _)| *known == name).unwrap().1
}

/// Of all threads, to the nanosecond (Linux).
fn cpu_seconds() -> f64 {
    let threads = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let nanos = threads.filter_map(|thread| {
        let stat = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        stat.split(' ').next()?.parse::<f64>().ok()
    });
    nanos.sum::<f64>() / 1e9
}

fn status(name: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap() / 1_000.0
}

fn rss() -> f64 {
    status("VmRSS")
}

fn peak_rss() -> f64 {
    status("VmHWM")
}

fn disk_bytes(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    entries
        .map(|entry| {
            if entry.path().is_dir() {
                disk_bytes(&entry.path())
            } else {
                entry.metadata().map_or(0, |m| m.len())
            }
        })
        .sum()
}
