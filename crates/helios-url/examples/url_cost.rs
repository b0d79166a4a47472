//! What a URL costs: the links of real pages (`shared/data/links`), absolute and as the shortest reference from their page.
//!
//!     xz -dc shared/data/links/links.jsonl.xz | cargo run --release -p helios-url --example url_cost
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a measurement may stop, speak and look at the clock"
)]

use std::hint::black_box;
use std::io::Read;
use std::time::{Duration, Instant};

use helios_url::{CanonicalUrl, Url};
use serde_json::Value;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let pages: Vec<(String, Vec<String>, Vec<String>)> = text.lines().map(page).collect();
    let count: usize = pages.iter().map(|(_, links, _)| links.len()).sum();
    println!("{count} links of {} pages", pages.len());

    let report = |name: &str, work: &mut dyn FnMut()| {
        // The best of several: others share the machine.
        let best = (0..9)
            .map(|_| {
                let start = Instant::now();
                work();
                start.elapsed()
            })
            .min()
            .unwrap_or(Duration::MAX);
        println!(
            "{name:44} {:7.0} ns, {:5.2} M/s",
            best.as_nanos() as f64 / count as f64,
            count as f64 / best.as_secs_f64() / 1e6
        );
    };
    report("absolute, url crate", &mut || {
        each(&pages, true, |_| (), |(), link| drop(black_box(url::Url::parse(link))));
    });
    report("absolute, ours", &mut || {
        each(&pages, true, |_| (), |(), link| drop(black_box(Url::parse(link))));
    });
    report("absolute, canonical", &mut || {
        each(&pages, true, |_| (), |(), link| drop(black_box(CanonicalUrl::parse(link))));
    });
    report("absolute, canonical and fingerprint", &mut || {
        each(
            &pages,
            true,
            |_| (),
            |(), link| drop(black_box(CanonicalUrl::parse(link).map(|url| url.fingerprint()))),
        );
    });
    report("relative, url crate", &mut || {
        each(
            &pages,
            false,
            |base| url::Url::parse(base).unwrap(),
            |base, link| drop(black_box(base.join(link))),
        );
    });
    report("relative, ours", &mut || {
        each(&pages, false, |base| Url::parse(base).unwrap(), |base, link| drop(black_box(base.join(link))));
    });
    report("relative, canonical", &mut || {
        each(
            &pages,
            false,
            |base| Url::parse(base).unwrap(),
            |base, link| drop(black_box(CanonicalUrl::join(base, link))),
        );
    });
}

fn page(line: &str) -> (String, Vec<String>, Vec<String>) {
    let page: Value = serde_json::from_str(line).unwrap();
    let base = page["base_url"].as_str().unwrap().to_owned();
    let links: Vec<String> =
        page["links"].as_array().unwrap().iter().map(|link| link.as_str().unwrap().to_owned()).collect();
    let origin_end = base.match_indices('/').nth(2).map_or(base.len(), |(at, _)| at);
    let relative =
        links.iter().map(|link| link.strip_prefix(&base[..origin_end]).unwrap_or(link).to_owned()).collect();
    (base, links, relative)
}

fn each<B>(
    pages: &[(String, Vec<String>, Vec<String>)],
    absolute: bool,
    base: impl Fn(&str) -> B,
    work: impl Fn(&B, &str),
) {
    for (url, links, relative) in pages {
        let base = base(url);
        for link in if absolute { links } else { relative } {
            work(&base, link);
        }
    }
}
