//! Pages made to hurt: no panic, time and memory that grow with the length of the page only.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a test that cannot go on must stop"
)]

use std::fmt::Write;
use std::time::Duration;

use helios_page::html::{NodeId, Tree};
use helios_page::links::{LinkSettings, Links};

/// CPU time of this thread, which other tests and other programs do not change.
fn cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(stat.split(' ').next().and_then(|nanos| nanos.parse().ok()).unwrap_or_default())
}

fn repeated(prefix: &str, part: &str, bytes: usize) -> String {
    format!("{prefix}{}", part.repeat((bytes / part.len()).max(1)))
}

/// The part with `{}` replaced by ever new numbers.
fn numbered(prefix: &str, part: &str, bytes: usize) -> String {
    let mut text = prefix.to_owned();
    let mut number = 0;
    while text.len() < bytes {
        write!(text, "{}", part.replace("{}", &number.to_string())).unwrap();
        number += 1;
    }
    text
}

/// What a page begins with, and what it then repeats.
#[rustfmt::skip]
const REPEATED: &[(&str, &str)] = &[
    ("", "<div>"), ("", "<b>"), ("", "<a>x"), ("", "<p><b>x"), ("", "<p>"), ("", "</p>"), ("", "<table><tr><td>"),
    ("", "<table>"), ("<table>", "a<tr x=&amp;>"), ("<table>", "a<b x=&amp;></b>"), ("", "a</x y=&amp;>"), ("", "a</>"),
    ("", "a<x y=&amp;>"), ("", "<b><div></b>"), ("", "<a><div>"), ("", "<i><b><u><p></i>"), ("", "<nobr>"), ("", "<li>"),
    ("", "<ul><li>"), ("", "<dd><dt>"), ("", "<option>"), ("", "<select>"), ("", "<select><option>"), ("", "<h1>"),
    ("", "<button>"), ("", "<form>"), ("", "<svg>"), ("", "<math><mi>"), ("<svg>", "<![CDATA["), ("<svg>", "<p><svg>"),
    ("", "<math><annotation-xml encoding=text/html>"), ("", "<svg><foreignObject>"), ("", "<template>"),
    ("", "<template><td>"), ("<frameset>", "<frameset>x"), ("", "&"), ("", "&amp"), ("", "&notit;"), ("", "&#"),
    ("", "&#x1F600;"), ("<a href='", "&lt"), ("", "<a href='"), ("<a ", "b "), ("<a ", "b=c/"), ("<a ", "=="), ("", "<"),
    ("", "</"), ("", "<!"), ("", "<!--"), ("<!--", "-"), ("<!--", "--!"), ("", "<!doctype"), ("", "<?"), ("", "\0"),
    ("<svg>", "\0"), ("<table>", "\0a"), ("<title>", "\0</titl"), ("", "\r\n"), ("", "\r"), ("<script>", "<!--<script>"),
    ("<script><!--", "</scrip"), ("<title>", "</titl"), ("", "<textarea>"), ("", "<plaintext>"), ("", "<body><html>"),
    ("", "<object><a href=x>"), ("", "<applet><b>"), ("", "<ruby><rt><rtc>"), ("", "<p><table><p>"),
    ("", "\u{FEFF}\u{10FFFF}<\u{E9}>"), ("<b><i><u><s>", "<p>x</p>"), ("", "<noscript><p>"), ("", "<a href=x>x</a>"),
    ("", "<x"), ("", "<x ="), ("", "</x y="), ("", "< <b>"), ("<p ", "/="), ("<p a=", "b/ "), ("", "<x y='"),
];
/// The same with ever new numbers.
#[rustfmt::skip]
const NUMBERED: &[(&str, &str)] = &[
    ("<a ", "a{} "), ("<a ", "a{}=b "), ("", "<body a{}=b>"), ("", "<html a{}>"), ("", "<x{}>"), ("", "<x{}></x{}>"),
    ("", "<font a={}>"), ("", "<font a={}><p>x"), ("", "<a href={}>x</a>"), ("", "<b a{}><div></b>x"),
    ("", "<b a b c d e f g h i={}>"), ("", "<X{} Y{}=Z>"),
];
/// What is repeated inside five hundred elements.
const DEEP: [&str; 9] =
    ["</p>", "</foo>", "<li>", "</span>x", "<p>", "<a>", "</a>", "<table>a</table>", "</li>"];

/// Every hostile page, of about that length.
fn pages(bytes: usize) -> Vec<(String, String)> {
    let deep = format!("<p><button>{}", "<span>".repeat(500));
    let fonts = numbered("", "<font a={}>", 2_500);
    let repeat = |(prefix, part): (&str, &str)| (part.to_owned(), repeated(prefix, part, bytes));
    let mut pages: Vec<(String, String)> = REPEATED.iter().copied().map(repeat).collect();
    pages.extend(NUMBERED.iter().map(|(prefix, part)| ((*part).to_owned(), numbered(prefix, part, bytes))));
    pages.extend(DEEP.iter().map(|part| repeat((&deep, part))));
    pages.push(repeat((&fonts, "<p>x")));
    let candidates = repeated("<img srcset='", "a, ", bytes / 2);
    pages.push(("srcset".to_owned(), numbered(&format!("{candidates}' "), "a{} ", bytes)));
    pages
}

/// Reads a page with all that walks it; gives the time and the memory.
fn read(text: &str) -> (Duration, usize) {
    let start = cpu_time();
    let settings = LinkSettings { resources: true, ..LinkSettings::default() };
    let memory = [Tree::parse(text), Tree::skim(text)].map(|tree| {
        let links = Links::read(&tree, &settings);
        assert!(links.links.len() <= settings.most);
        assert!(tree.descendants(tree.root()).count() < tree.len());
        tree.heap_bytes()
    });
    let cost = cpu_time().saturating_sub(start);
    (cost, memory.into_iter().max().unwrap())
}

#[test]
fn house_time_and_memory_grow_with_the_length_of_the_page() {
    const SMALL: usize = 50_000;
    const TIMES: usize = 8;
    for ((name, small), (_, large)) in pages(SMALL).into_iter().zip(pages(SMALL * TIMES)) {
        let (_, memory) = read(&large);
        assert!(memory < 64 * large.len(), "{name}: {memory} bytes for {}", large.len());
        // The best of some runs: a quadratic algorithm takes 64 times as long, a linear one 8 times.
        let best = |text: &str| (0..2).map(|_| read(text).0).min().unwrap();
        let (short, long) = (best(&small).max(Duration::from_millis(4)), best(&large));
        assert!(long < short * 3 * TIMES as u32, "{name}: {short:?} became {long:?}");
        assert!(long < Duration::from_millis(1_500), "{name}: {long:?}");
    }
}

#[test]
fn house_any_cut_of_a_hostile_page_is_a_page() {
    for (name, text) in pages(600) {
        for (at, _) in text.char_indices() {
            let tree = Tree::parse(&text[..at]);
            assert!(tree.parent(tree.html()) == Some(tree.root()), "{name} cut at {at}");
        }
    }
}

/// Every node of the tree is where its neighbours say.
fn assert_sound(tree: &Tree<'_>) {
    for id in tree.descendants(tree.root()) {
        let parent = tree.parent(id).unwrap();
        match tree.prev_sibling(id) {
            Some(before) => assert_eq!(tree.next_sibling(before), Some(id)),
            None => assert_eq!(tree.first_child(parent), Some(id)),
        }
        match tree.next_sibling(id) {
            Some(after) => assert_eq!(tree.prev_sibling(after), Some(id)),
            None => assert_eq!(tree.last_child(parent), Some(id)),
        }
    }
}

#[test]
fn house_trees_of_hostile_pages_are_sound_and_not_deep() {
    for (name, text) in pages(20_000) {
        let tree = Tree::parse(&text);
        assert_sound(&tree);
        let depth = |id: NodeId| tree.ancestors(id).count();
        let deepest = tree.descendants(tree.root()).map(depth).max().unwrap();
        assert!(deepest <= 1_100, "{name}: {deepest}");
    }
}

#[test]
fn house_a_hundred_thousand_nested_tags_are_closed_in_order() {
    let text = format!("{}<p id=in>x{}<p id=out>y", "<div>".repeat(100_000), "</div>".repeat(100_000));
    let tree = Tree::parse(&text);
    let parent = |name: &str| {
        let found = tree.descendants(tree.root()).find(|&id| tree.attr(id, "id") == Some(name)).unwrap();
        tree.parent(found).unwrap()
    };
    assert_eq!(parent("out"), tree.body().unwrap());
    assert_ne!(parent("in"), tree.body().unwrap());
}

#[test]
fn house_a_page_of_fifty_megabytes_with_a_million_links_is_read() {
    let text = numbered(
        "<!doctype html><title>x</title>",
        "<p>Some words <a href=/page/{}>here</a> &amp; there",
        50_000_000,
    );
    let tree = Tree::parse(&text);
    let links = Links::read(&tree, &LinkSettings { most: 2_000_000, ..LinkSettings::default() });
    assert!(links.links.len() > 800_000, "{}", links.links.len());
    assert!(tree.heap_bytes() < 10 * text.len());
}

#[test]
fn house_a_million_attributes_are_told_apart() {
    let text = numbered("<p ", "a{}=b a{}=c ", 25_000_000) + ">";
    let tree = Tree::parse(&text);
    let body = tree.body().unwrap();
    let paragraph = tree.first_child(body).unwrap();
    assert!(tree.attrs(paragraph).count() > 1_000_000);
    assert!(tree.attrs(paragraph).all(|(_, value)| value == "b"));
}
