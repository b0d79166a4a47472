//! What near-duplicate detection costs, and what it finds.
//!
//! `near_cost pairs < documents`: every pair found among documents, each given as its length in bytes, a line feed, its
//! bytes. `near_cost speed <rounds> < documents`: text fingerprinted per second. `near_cost index <pages> [memory]`: memory, insertions and
//! look-ups per second with that many pages, of which each hundredth is a near copy of an earlier one. All times are CPU times.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench prints, and stops at what it does not expect"
)]

use std::fmt::Write as _;
use std::io::{BufRead, Read, stdin};

use helios_near::{Fingerprint, NearIndex, NearSettings};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const BATCH: u64 = 1000;

fn mix(n: u64) -> u64 {
    let z = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// CPU seconds of this process so far (Linux), so that other work on the machine does not count.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    stat.split(' ').next().and_then(|nanos| nanos.parse().ok()).map_or(0.0, |nanos: f64| nanos / 1e9)
}

/// Memory of this process in bytes: `VmRSS` now, `VmHWM` at most.
fn resident(kind: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(kind)).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<u64>().ok()).unwrap_or(0) * 1024
}

fn documents() -> Vec<String> {
    let (mut documents, mut input, mut line) = (Vec::new(), stdin().lock(), String::new());
    while input.read_line(&mut line).unwrap() > 0 {
        let mut text = vec![0; line.trim().parse().unwrap()];
        input.read_exact(&mut text).unwrap();
        documents.push(String::from_utf8(text).unwrap());
        line.clear();
    }
    documents
}

fn pairs() {
    let mut index = NearIndex::in_memory(NearSettings::default());
    for (page, text) in documents().iter().enumerate() {
        let print = Fingerprint::of(text);
        for other in index.alike(&print).unwrap() {
            println!("{} {page} {:.4} {}", other.page, other.similarity, other.distance);
        }
        index.insert(page as u128, &print).unwrap();
    }
}

fn speed(rounds: u64) {
    let documents = documents();
    let bytes: usize = documents.iter().map(String::len).sum();
    let (before, mut all) = (cpu_seconds(), 0);
    for _ in 0..rounds {
        all ^= documents.iter().map(|text| Fingerprint::of(text).simhash).fold(0, std::ops::BitXor::bitxor);
    }
    let seconds = cpu_seconds() - before;
    let (rounds, count) = (rounds as f64, documents.len() as f64);
    println!(
        "mb_per_s={:.0} us_per_page={:.2} check={all:x}",
        bytes as f64 * rounds / seconds / 1e6,
        seconds * 1e6 / rounds / count
    );
}

/// Sixty words that no other page has in this order; a near copy has one word more than an earlier page.
fn text(page: u64, text: &mut String) {
    text.clear();
    let (of, copy) = if page % 100 == 99 { (mix(page) % page / 2 * 2, true) } else { (page, false) };
    for word in 0..60 {
        write!(text, "{:x} ", mix(of.wrapping_mul(64) + word) % 50_000).unwrap();
    }
    if copy {
        text.push_str("copied");
    }
}

fn index(pages: u64, in_memory: bool) {
    let folder = std::env::temp_dir().join(format!("near-cost-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (path, settings) = (folder.join("near"), NearSettings::default());
    let open = |mark| NearIndex::open(&path, settings, mark).unwrap();
    let mut index = if in_memory { NearIndex::in_memory(settings) } else { open(None) };
    let (mut page_text, mut making, mut inserting) = (String::new(), 0.0, 0.0);
    let before = resident("VmRSS");
    for batch in 0..pages / BATCH {
        let begin = cpu_seconds();
        let print = |page| {
            text(page, &mut page_text);
            Fingerprint::of(&page_text)
        };
        let prints: Vec<Fingerprint> = (batch * BATCH..(batch + 1) * BATCH).map(print).collect();
        let made = cpu_seconds();
        for (at, print) in prints.iter().enumerate() {
            index.insert(u128::from(batch * BATCH) + at as u128, print).unwrap();
        }
        making += made - begin;
        inserting += cpu_seconds() - made;
    }
    let mark = index.sync().unwrap();
    let resident_each = (resident("VmRSS") - before) as f64 / pages as f64;
    println!(
        "fill: pages={pages} ns_per_insert={:.0} bytes_per_page={:.1} resident_per_page={resident_each:.1} peak_per_page={:.1} us_per_fingerprint={:.2}",
        inserting * 1e9 / pages as f64,
        index.memory() as f64 / pages as f64,
        (resident("VmHWM") - before) as f64 / pages as f64,
        making * 1e6 / pages as f64,
    );
    ask(&index, pages, "new", |n| pages + n / 99 * 100 + n % 99);
    ask(&index, pages, "copy", |n| mix(n) % (pages / 100) * 100 + 99);
    drop(index);
    if !in_memory {
        let begin = cpu_seconds();
        let index = open(Some(mark));
        println!(
            "reopen: pages={} cpu_s={:.2} bytes_on_disk={}",
            index.len(),
            cpu_seconds() - begin,
            std::fs::metadata(&path).unwrap().len()
        );
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Looks up pages that have no duplicate, or copies of those in the index.
fn ask(index: &NearIndex, pages: u64, what: &str, page: impl Fn(u64) -> u64) {
    let (asked, mut page_text) = (200_000.min(pages), String::new());
    let print = |n| {
        text(page(n), &mut page_text);
        Fingerprint::of(&page_text)
    };
    let prints: Vec<Fingerprint> = (0..asked).map(print).collect();
    let (begin, mut found) = (cpu_seconds(), 0);
    for print in &prints {
        found += u64::from(index.nearest(u128::MAX, print).unwrap().is_some());
    }
    let seconds = cpu_seconds() - begin;
    println!(
        "{what}: asked={asked} found={found} ns_per_lookup={:.0} lookups_per_s={:.0}",
        seconds * 1e9 / asked as f64,
        asked as f64 / seconds
    );
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |or: u64| args.get(1).and_then(|text| text.parse().ok()).unwrap_or(or);
    match args.first().map(String::as_str) {
        Some("pairs") => pairs(),
        Some("speed") => speed(number(20)),
        Some("index") => index(number(1_000_000), args.get(2).is_some()),
        _ => println!("near_cost pairs | speed <rounds> | index <pages> [memory]"),
    }
}
