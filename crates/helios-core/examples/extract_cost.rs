//! What extracting costs: `extract_cost FOLDER` reads every file of a folder as a page and prints, for each stage, pages and
//! megabytes per second of CPU. One thread; the files are read before. `benches/extract.py` runs it beside other libraries.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a measurement: it reads the clock, prints, and stops when it cannot go on"
)]

use std::hint::black_box;

use bytes::Bytes;
use helios_core::extract::{ExtractSettings, Extractor};
use helios_core::fetch::{Finished, Held, Known, Outcome, Purpose, Response, Task, Timings, Validators};
use helios_core::robots::{Permit, RobotsRules};
use helios_core::url::{CanonicalUrl, Normalise, Url};
use helios_page::charset::decode;
use helios_page::facts;
use helios_page::html::Tree;
use helios_page::links::{LinkSettings, Links};

/// The allocator of the Python package.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let folder = std::env::args().nth(1).unwrap();
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().flatten().map(|file| file.path()).collect();
    files.sort();
    let pages: Vec<Vec<u8>> = files.iter().map(|file| std::fs::read(file).unwrap()).collect();
    let bytes: usize = pages.iter().map(Vec::len).sum();
    println!("{} pages, mean {} KB", pages.len(), bytes / pages.len().max(1) / 1_000);
    let report = |stage: &str, seconds: f64| {
        let (count, megabytes) = (pages.len() as f64, bytes as f64 / 1e6);
        println!("{stage:34}{:9.0} pages/s{:9.0} MB/s", count / seconds, megabytes / seconds);
    };
    report("links and facts", best(|| pages.iter().for_each(|page| links_and_facts(page))));
    let mut done: Vec<Finished> = pages.iter().enumerate().map(|(n, page)| fetched(n, page)).collect();
    report("all, as a crawl does", best(|| extract(&mut done, ExtractSettings::default())));
    let lean = || ExtractSettings { markdown: false, facts: false, ..ExtractSettings::default() };
    report("the same, no markdown, no facts", best(|| extract(&mut done, lean())));
}

/// CPU seconds of the best of three runs.
fn best(mut run: impl FnMut()) -> f64 {
    let mut timed = || {
        let before = cpu_seconds();
        run();
        cpu_seconds() - before
    };
    (0..3).map(|_| timed()).fold(f64::INFINITY, f64::min)
}

fn links_and_facts(page: &[u8]) {
    let decoded = decode(page, "text/html", None);
    let tree = Tree::parse(&decoded.text);
    let base = Url::parse("https://www.example.org/a/b").unwrap();
    let links = Links::read(&tree, &LinkSettings { text_bytes: 0, ..LinkSettings::default() });
    let urls = links.links.iter().filter_map(|link| CanonicalUrl::join(&base, &link.reference).ok()).count();
    let resolve = |reference: &str| base.join(reference).ok().map(|url| url.as_str().to_owned());
    black_box((urls, facts::read(&tree, base.as_str(), &resolve)));
}

/// In batches, as a crawl does.
fn extract(done: &mut [Finished], settings: ExtractSettings) {
    let extractor = Extractor::open(settings, "helios", Normalise::default(), None).unwrap();
    for batch in done.chunks_mut(100) {
        black_box(extractor.extract(batch, 1).unwrap());
    }
}

fn fetched(number: usize, page: &[u8]) -> Finished {
    let url = CanonicalUrl::parse(&format!("https://www.example.org/{number}")).unwrap();
    let response = Response {
        status: 200,
        content_type: "text/html".into(),
        body: Bytes::copy_from_slice(page),
        ..Response::default()
    };
    Finished {
        visit: 1,
        site: url.site(),
        task: Task {
            permit: Permit::under(&RobotsRules::allow_all(), &url).unwrap(),
            purpose: Purpose::Page,
            depth: 0,
            fetch_number: 0,
            validators: Validators::default(),
            known: Known::default(),
        },
        outcome: Outcome::Fetched(response),
        started: 0,
        finished: 1,
        wire_bytes: page.len() as u64,
        address: None,
        timings: Timings::default(),
        held: Held::default(),
        kept: None,
        last: true,
    }
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
