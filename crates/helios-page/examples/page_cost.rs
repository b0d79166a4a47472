//! What reading costs: CPU time per page for tokens, trees, links, facts and main text over a folder of pages.
//! Run: cargo run --release -p helios-page --example page_cost -- FOLDER [ROUNDS [STAGE]]
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a program for the terminal that measures time"
)]

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use helios_page::html::{Tree, cut};
use helios_page::language::language_of;
use helios_page::links::{LinkSettings, Links};
use helios_page::{content, facts};

const ADDRESS: &str = "https://www.example.org/a/b";

/// CPU time of this process so far, user and system, as Linux tells it.
fn cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanos = stat.split(' ').next().and_then(|nanos| nanos.parse().ok());
    Duration::from_nanos(nanos.unwrap_or_default())
}

fn pages(folder: &Path) -> Vec<String> {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let bytes = files.iter().filter(|file| file.is_file()).map(|file| std::fs::read(file).unwrap());
    bytes
        .map(|bytes| {
            String::from_utf8(bytes)
                .unwrap_or_else(|bad| encoding_rs::WINDOWS_1252.decode(bad.as_bytes()).0.into_owned())
        })
        .collect()
}

fn measure(name: &str, pages: &[String], rounds: usize, work: impl Fn(&str) -> usize) {
    if std::env::args().nth(3).is_some_and(|asked| asked != name) {
        return;
    }
    let bytes: usize = pages.iter().map(String::len).sum();
    let mut best = Duration::MAX;
    let mut found = 0;
    for _ in 0..rounds {
        let start = cpu_time();
        found = pages.iter().map(|page| black_box(work(black_box(page)))).sum();
        best = best.min(cpu_time().saturating_sub(start));
    }
    let seconds = best.as_secs_f64();
    println!(
        "{name:<10} {:>8.1} us/page {:>8.1} MB/s {:>8.0} pages/s   {found} found",
        seconds * 1e6 / pages.len() as f64,
        bytes as f64 / seconds / 1e6,
        pages.len() as f64 / seconds,
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let folder = arguments.get(1).expect("a folder of pages");
    let rounds = arguments.get(2).and_then(|rounds| rounds.parse().ok()).unwrap_or(3);
    let pages = pages(Path::new(folder));
    let bytes: usize = pages.iter().map(String::len).sum();
    println!("{} pages, {:.0} bytes on average", pages.len(), bytes as f64 / pages.len() as f64);
    measure("tokens", &pages, rounds, cut);
    measure("tree", &pages, rounds, |page| Tree::parse(page).len());
    measure("skimmed", &pages, rounds, |page| {
        Links::read(&Tree::skim(page), &LinkSettings { text_bytes: 0, ..LinkSettings::default() }).links.len()
    });
    measure("links", &pages, rounds, |page| {
        Links::read(&Tree::parse(page), &LinkSettings::default()).links.len()
    });
    measure("facts", &pages, rounds, |page| {
        let resolve = |reference: &str| Some(reference.to_owned());
        facts::read(&Tree::parse(page), ADDRESS, &resolve).tags.len()
    });
    measure("main text", &pages, rounds, |page| {
        content::read(&Tree::parse(page), Some(ADDRESS)).text().len()
    });
    measure("markdown", &pages, rounds, |page| {
        content::read(&Tree::parse(page), Some(ADDRESS)).markdown().len()
    });
    measure("language", &pages, rounds, |page| {
        language_of(&content::read(&Tree::parse(page), Some(ADDRESS)).text()).map_or(0, |_| 1)
    });
}
