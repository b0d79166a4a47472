//! The main text of pages made to hurt, alone in its process: time and memory grow with the length of the page only.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test that cannot go on must stop")]

use std::fmt::Write;
use std::time::Duration;

use helios_page::content;
use helios_page::html::Tree;

const SENTENCE: &str =
    "The river rose by two metres during the night, and the lower part of the town stood under water.";

/// CPU time of this thread, which other programs do not change.
fn cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(stat.split(' ').next().and_then(|nanos| nanos.parse().ok()).unwrap_or_default())
}

/// The most memory that this process has held so far, in bytes.
fn most_memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().unwrap_or(0) * 1024
}

/// Fifty megabytes of paragraphs, divided.
fn long(part: usize) -> String {
    let paragraph = format!("<p class='text wide'>{SENTENCE} <b>{SENTENCE}</b></p>\n");
    format!("<title>River</title><main>{}</main>", paragraph.repeat(50_000_000 / paragraph.len() / part))
}

fn deep(part: usize) -> String {
    let count = 100_000 / part;
    format!("{}{SENTENCE}{}", "<div class=a>".repeat(count), "</div>".repeat(count))
}

/// The same with text and unclosed inline elements at every level.
fn deep_text(part: usize) -> String {
    "<section><p>some words here, <i>and <a href=x>more".repeat(100_000 / part)
}

fn links(part: usize) -> String {
    let mut page = String::from("<ul>");
    for number in 0..1_000_000 / part {
        write!(page, "<li><a href=/{number}>page {number}</a>").unwrap();
    }
    page
}

fn links_in_a_line(part: usize) -> String {
    format!("<p>{}", "<a href=/x>page</a> ".repeat(1_000_000 / part))
}

/// Text in lines that two breaks part, in divisions of which each holds the next, and lists and tables in each other.
fn divided(part: usize) -> String {
    "<div class=text>some words, and more<br><br>of them <ul><li><table><tr><td>".repeat(50_000 / part)
}

fn breaks(part: usize) -> String {
    format!("<div>{}", "<br> <!-- --> word<br>\n<br> ".repeat(500_000 / part))
}

type Way = for<'t> fn(&'t Tree<'t>, Option<&str>) -> content::Content<'t>;

/// Reads the main text; gives the time and how much of it there is.
fn read(page: &str, way: Way) -> (Duration, usize) {
    let start = cpu_time();
    let tree = Tree::parse(page);
    let main = way(&tree, Some("https://a.example/river"));
    let found = main.text().len() + main.markdown().len();
    (cpu_time().saturating_sub(start), found)
}

#[test]
fn fifty_megabytes_a_hundred_thousand_levels_and_a_million_links_are_read_in_bounded_time_and_memory() {
    let pages = [
        // From short to long, so that the memory of one does not hide that of the next.
        ("deep", deep as fn(usize) -> String),
        ("deep text", deep_text),
        ("divided", divided),
        ("breaks", breaks),
        ("links in a line", links_in_a_line),
        ("links", links),
        ("long", long),
    ];
    let ways = [("main text", content::read as Way), ("reader view", content::read_as_reader)];
    for ((name, page), (way, read_as)) in pages.into_iter().flat_map(|page| ways.map(|way| (page, way))) {
        let name = format!("{way} of {name}");
        let (tenth, _) = read(&page(10), read_as);
        let whole = page(1);
        let before = most_memory();
        let (time, found) = read(&whole, read_as);
        let memory = most_memory() - before;
        assert!(found <= 40 * whole.len(), "{name}: {found} bytes of text");
        // Ten times the page: ten times the work, give or take; no square of it.
        assert!(time < 30 * tenth + Duration::from_millis(500), "{name}: {tenth:?}, then {time:?}");
        assert!(time < Duration::from_secs(60), "{name}: {time:?}");
        assert!(memory < 40 * whole.len() + 64_000_000, "{name}: {memory} bytes for {} of page", whole.len());
    }
}
