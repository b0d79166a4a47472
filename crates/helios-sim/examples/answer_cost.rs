//! How much one answer costs: microseconds per `Web::answer`, by coding, for pages of about the median size and for all;
//! the sizes and links of the pages; and how fast the list of expected URLs is made.
//!
//! Run with `cargo run --release -p helios-sim --example answer_cost`.
#![allow(clippy::print_stdout, clippy::indexing_slicing, reason = "a bench prints, and may stop at a bug")]

use std::time::Duration;

use helios_sim::reply::{Ask, Encodings};
use helios_sim::settings::{Promises, WebSettings};
use helios_sim::web::{Coding, Spot, Web};

const ALL: Encodings = Encodings { gzip: true, brotli: true, zstd: true };
const NONE: Encodings = Encodings { gzip: false, brotli: false, zstd: false };

fn ask(host: u32, target: &str, accept: Encodings) -> Ask<'_> {
    Ask {
        host,
        target,
        now: Duration::ZERO,
        attempt: 0,
        accept,
        if_none_match: None,
        if_modified_since: None,
    }
}

/// Time this process spent on a core, so that other work on the machine does not count (Linux).
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanos: f64 = stat.split(' ').next().and_then(|first| first.parse().ok()).unwrap_or(0.0);
    nanos / 1e9
}

fn median(values: &mut [usize]) -> usize {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or(0)
}

fn main() {
    for (name, shares) in [
        ("none", (0.0, 0.0, 0.0)),
        ("gzip", (0.0, 1.0, 0.0)),
        ("br", (1.0, 0.0, 0.0)),
        ("zstd", (0.0, 0.0, 1.0)),
    ] {
        let settings =
            WebSettings { brotli: shares.0, gzip: shares.1, zstd: shares.2, ..WebSettings::fast() };
        let web = Web::new(settings).expect("the settings are valid");
        measure(name, &web);
    }
    sizes();
}

fn pages(web: &Web, near_median: bool) -> Vec<(u32, String)> {
    let every = (0..web.host_count())
        .flat_map(|host| (0..web.page_count(host).min(40)).map(move |page| (host, page)));
    let mut pages = Vec::new();
    for (host, page) in every {
        let target = web.target(host, Spot::Page(page));
        let size = web.answer(&ask(host, &target, NONE)).body_len();
        if !near_median || (125_000..155_000).contains(&size) {
            pages.push((host, target));
        }
        if pages.len() == 4_000 {
            break;
        }
    }
    pages
}

fn measure(name: &str, web: &Web) {
    for near_median in [true, false] {
        let pages = pages(web, near_median);
        for (host, target) in &pages {
            std::hint::black_box(web.answer(&ask(*host, target, ALL)));
        }
        let (mut best, mut pieces, mut bytes) = (f64::MAX, 0, 0);
        for _ in 0..7 {
            (pieces, bytes) = (0, 0);
            let begin = cpu_seconds();
            for (host, target) in &pages {
                let reply = web.answer(&ask(*host, target, ALL));
                pieces += reply.body.len();
                bytes += reply.body_len();
            }
            best = best.min((cpu_seconds() - begin) * 1e6 / pages.len() as f64);
        }
        println!(
            "{name:5} {:11} {best:6.2} us/answer  {:5.1} pieces  {:7} bytes sent",
            if near_median { "median page" } else { "all pages" },
            pieces as f64 / pages.len() as f64,
            bytes / pages.len()
        );
    }
}

fn sizes() {
    let web = Web::new(WebSettings::fast()).expect("the settings are valid");
    let (mut raw, mut coded, mut links) = (Vec::new(), [Vec::new(), Vec::new(), Vec::new()], Vec::new());
    let mut ratio = [(0, 0); 3];
    for (host, target) in pages(&web, false) {
        let size = web.answer(&ask(host, &target, NONE)).body_len();
        raw.push(size);
        let slot = match web.coding(host) {
            Coding::Gzip => 0,
            Coding::Brotli => 1,
            Coding::Zstd => 2,
            Coding::Identity => continue,
        };
        let small = web.answer(&ask(host, &target, ALL)).body_len();
        coded[slot].push(small);
        ratio[slot] = (ratio[slot].0 + size, ratio[slot].1 + small);
        let body = web.answer(&ask(host, &target, NONE)).body_bytes();
        links.push(body.windows(3).filter(|window| window == b"<a ").count());
    }
    let mean = raw.iter().sum::<usize>() / raw.len();
    println!("raw size: median {} mean {mean}; anchors: median {}", median(&mut raw), median(&mut links));
    for (name, slot) in [("gzip", 0), ("br", 1), ("zstd", 2)] {
        let overall = ratio[slot].0 as f64 / ratio[slot].1 as f64;
        println!("{name}: {overall:.2}:1 by bytes, median coded {}", median(&mut coded[slot]));
    }
    let begin = cpu_seconds();
    let expected = web.expect(&Promises::default());
    let seconds = cpu_seconds() - begin;
    let links: usize = (0..web.host_count())
        .flat_map(|host| (0..web.page_count(host)).map(move |page| (host, page)))
        .map(|(host, page)| web.links(host, page).len())
        .sum();
    println!("expect: {} URLs, {:.2} M links/s", expected.len(), links as f64 / seconds / 1e6);
}
