//! Links of real pages (`shared/data/links`), resolved as browsers do, against what two other parsers found.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test that cannot go on must stop"
)]

mod common;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use common::{data, files, unpacked};
use encoding_rs::Encoding;
use helios_page::html::Tree;
use helios_page::links::{LinkKind, LinkSettings, Links};
use serde_json::Value;
use url::Url;

/// The share that must be right.
const ENOUGH: f64 = 0.998;

#[derive(Default)]
struct Score {
    right: usize,
    ours: usize,
    theirs: usize,
}

impl Score {
    fn add(&mut self, ours: &BTreeSet<String>, theirs: &BTreeSet<String>) {
        self.right += ours.intersection(theirs).count();
        self.ours += ours.len();
        self.theirs += theirs.len();
    }

    fn is_enough(&self, name: &str) -> bool {
        let precision = self.right as f64 / self.ours.max(1) as f64;
        let recall = self.right as f64 / self.theirs.max(1) as f64;
        eprintln!("{name}: precision {precision:.4}, recall {recall:.4} of {}", self.theirs);
        precision >= ENOUGH && recall >= ENOUGH
    }
}

struct Page<'t> {
    links: Links<'t>,
    base: Url,
    encoding: &'static Encoding,
}

impl Page<'_> {
    fn resolved(&self, reference: &str) -> Option<String> {
        let encoding = self.encoding;
        let encode: &dyn Fn(&str) -> Cow<'_, [u8]> = &|text| encoding.encode(text).0;
        let mut url = Url::options()
            .base_url(Some(&self.base))
            .encoding_override(Some(encode))
            .parse(reference)
            .ok()?;
        url.set_fragment(None);
        matches!(url.scheme(), "http" | "https").then(|| url.into())
    }

    fn urls(&self, kind: LinkKind) -> BTreeSet<String> {
        self.links.of(kind).filter_map(|link| self.resolved(&link.reference)).collect()
    }
}

fn strings(value: &Value) -> BTreeSet<String> {
    match value {
        Value::Array(list) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Value::String(text) => BTreeSet::from([text.clone()]),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => BTreeSet::new(),
    }
}

fn without_fragment(url: String) -> String {
    url.split_once('#').map(|(url, _)| url.to_owned()).unwrap_or(url)
}

fn read<'t>(tree: &'t Tree<'_>, row: &Value, encoding: &'static Encoding) -> Page<'t> {
    let links = Links::read(tree, &LinkSettings::default());
    let url = Url::parse(row["page_url"].as_str().unwrap()).unwrap();
    let base = links.base.as_deref().and_then(|base| url.join(base).ok()).unwrap_or(url);
    Page { links, base, encoding }
}

#[test]
fn links_of_real_pages_are_those_that_two_parsers_agree_on() {
    let Some(folder) = data("links") else { return };
    let Some(rows) = unpacked(&folder.join("links.jsonl.xz")) else { return };
    let mut archives = Vec::new();
    for set in ["content-wcxb", "content-trafilatura"] {
        let Some(folder) = data(set) else { return };
        let Some(archive) = unpacked(&folder.join("pages.tar.xz")) else { return };
        archives.push((set, archive));
    }
    let pages: HashMap<(&str, String), &[u8]> = archives
        .iter()
        .flat_map(|(set, archive)| files(archive).into_iter().map(|(name, page)| ((*set, name), page)))
        .collect();
    // Read from the tree, and skimmed without one.
    judge(&rows, &pages, |text| Tree::parse(text));
    judge(&rows, &pages, |text| Tree::skim(text));
}

fn judge(rows: &[u8], pages: &HashMap<(&str, String), &[u8]>, read_tree: for<'t> fn(&'t str) -> Tree<'t>) {
    let mut scores: [(&str, Score); 6] =
        ["links", "nofollow", "canonical", "feeds", "next", "frames"].map(|name| (name, Score::default()));
    let (mut bases, mut pages_read) = (0, 0);
    for line in rows.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        let row: Value = serde_json::from_slice(line).unwrap();
        let name = format!("{}.html", row["id"].as_str().unwrap());
        let bytes = pages.get(&(row["set"].as_str().unwrap(), name.clone()));
        let bytes = bytes.unwrap_or_else(|| panic!("no page {name}"));
        let encoding = Encoding::for_label(row["encoding"].as_str().unwrap().as_bytes()).unwrap();
        let (text, ..) = encoding.decode(bytes);
        let tree = read_tree(&text);
        let page = read(&tree, &row, encoding);
        let nofollow = page.links.of(LinkKind::Anchor).filter(|link| link.rel.nofollow);
        let nofollow: BTreeSet<String> = nofollow.filter_map(|link| page.resolved(&link.reference)).collect();
        let followed = page.links.of(LinkKind::Anchor).filter(|link| !link.rel.nofollow);
        let followed: BTreeSet<String> = followed.filter_map(|link| page.resolved(&link.reference)).collect();
        let ours = [
            page.urls(LinkKind::Anchor),
            nofollow.difference(&followed).cloned().collect(),
            page.urls(LinkKind::Canonical),
            page.urls(LinkKind::Feed),
            page.urls(LinkKind::Next),
            page.urls(LinkKind::Frame),
        ];
        let fields = ["links", "nofollow", "canonical", "feeds", "next", "iframes"];
        for ((ours, field), (_, score)) in ours.iter().zip(fields).zip(&mut scores) {
            let theirs: BTreeSet<String> = strings(&row[field]).into_iter().map(without_fragment).collect();
            score.add(ours, &theirs);
        }
        bases += usize::from(page.base.as_str() == row["base_url"].as_str().unwrap());
        let theirs: Vec<&str> =
            row["meta_robots"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert_eq!(page.links.robots, theirs, "robots of {name}");
        let refreshes =
            strings(&row["meta_refresh"]).iter().filter(|content| content.contains("url=")).count();
        assert_eq!(page.links.of(LinkKind::Refresh).count(), refreshes, "refreshes of {name}");
        pages_read += 1;
    }
    eprintln!("bases as expected {bases} of {pages_read}");
    // Feeds in RDF count here and not there; four addresses of pages are not URLs as they stand.
    for (name, score) in &scores {
        assert!(score.is_enough(name) || *name == "feeds", "too few {name} are right");
    }
    assert!(pages_read - bases <= 4, "the base is the first base element");
}
