//! What is read from files, as JSON lines: `page_facts feed|sitemap|facts|cost9 < list`, where each line of the list is a file, a
//! charset and a URL, with tabs between. For `benches/metadata.py`, which sets other programs beside it.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program of its own, which stops when it cannot go on"
)]

use std::io::{BufRead, Write, stdin, stdout};
use std::ops::ControlFlow;

use helios_page::date::Moment;
use helios_page::html::Tree;
use helios_page::{facts, feed, sitemap};
use serde_json::{Value, json};

/// Makes the tree of every page once, and its facts so many times: who runs this twice and measures it knows the cost of both.
fn cost(times: usize) {
    let read = |line: &str| String::from_utf8_lossy(&std::fs::read(line).unwrap()).into_owned();
    let pages: Vec<String> =
        stdin().lock().lines().map(|line| read(line.unwrap().split('\t').next().unwrap())).collect();
    let mut found = 0;
    for page in &pages {
        let tree = Tree::parse(page);
        for _ in 0..times {
            found += usize::from(facts::read(&tree, "http://a.test/", &|_| None).title.is_some());
        }
    }
    let bytes = pages.iter().map(String::len).sum::<usize>() / pages.len().max(1);
    println!("pages={} mean_bytes={bytes} titles={found}", pages.len());
}

fn main() {
    let what = std::env::args().nth(1).unwrap_or_default();
    if let Some(times) = what.strip_prefix("cost") {
        return cost(times.parse().unwrap());
    }
    let mut out = stdout().lock();
    for line in stdin().lock().lines() {
        let line = line.unwrap();
        let mut parts = line.split('\t');
        let bytes = std::fs::read(parts.next().unwrap_or_default()).unwrap();
        let charset = parts.next().filter(|charset| !charset.is_empty());
        let url = parts.next().unwrap_or_default();
        let found = match what.as_str() {
            "feed" => feed_of(&bytes, charset),
            "sitemap" => sitemap_of(&bytes, charset),
            _ => facts_of(&bytes, charset, url),
        };
        writeln!(out, "{found}").unwrap();
    }
}

fn seconds(moment: Option<Moment>) -> Value {
    moment.map_or(Value::Null, |moment| json!(moment.millis.div_euclid(1000)))
}

fn text(of: Option<&feed::Text>) -> Value {
    of.map_or(Value::Null, |text| json!(text.value))
}

fn link(of: Option<&feed::Link>) -> Value {
    of.map_or(Value::Null, |link| json!({ "href": link.href, "bases": &*link.bases }))
}

fn feed_of(bytes: &[u8], charset: Option<&str>) -> Value {
    let Some(feed) = feed::read(bytes, charset) else { return json!(null) };
    let entries: Vec<Value> = feed
        .entries
        .iter()
        .map(|entry| {
            json!({
                "link": link(entry.link.as_ref()),
                "title": text(entry.title.as_ref()),
                "summary": text(entry.summary.as_ref().or(entry.content.as_ref())),
                "id": entry.id,
                "published": seconds(entry.published),
                "updated": seconds(entry.updated),
            })
        })
        .collect();
    json!({
        "version": format!("{:?}", feed.format),
        "sniffed": feed::sniff(bytes),
        "title": text(feed.title.as_ref()),
        "link": link(feed.link.as_ref()),
        "language": feed.language,
        "entries": entries,
    })
}

fn sitemap_of(bytes: &[u8], charset: Option<&str>) -> Value {
    let mut urls = Vec::new();
    let summary = sitemap::read(bytes, charset, |entry| {
        urls.push(json!({ "loc": entry.loc, "lastmod_ms": entry.lastmod.map(|moment| moment.millis) }));
        ControlFlow::Continue(())
    });
    json!({ "kind": format!("{:?}", summary.kind), "cut_short": summary.cut_short, "urls": urls })
}

fn day(moment: Option<Moment>) -> Value {
    moment.map_or(Value::Null, |moment| json!(moment.day_text()))
}

fn structured(text: Option<String>) -> Value {
    text.map_or(Value::Null, |text| serde_json::from_str(&text).unwrap())
}

fn facts_of(bytes: &[u8], charset: Option<&str>, url: &str) -> Value {
    let encoding = charset.and_then(|name| encoding_rs::Encoding::for_label(name.as_bytes()));
    let (text, _, _) = encoding.unwrap_or(encoding_rs::UTF_8).decode(bytes);
    let tree = Tree::parse(&text);
    let base = url::Url::parse(url).ok();
    let base_element = tree.head().and_then(|head| {
        let mut inside = tree.children(head);
        inside.find_map(|node| (tree.name(node) == "base").then(|| tree.attr(node, "href")).flatten())
    });
    let base = match (base, base_element) {
        (Some(url), Some(href)) => Some(url.join(href).unwrap_or(url)),
        (url, _) => url,
    };
    let found = facts::read(&tree, url, &|href| base.as_ref()?.join(href).ok().map(String::from));
    json!({
        "title": found.title,
        "description": found.description,
        "language": found.language,
        "authors": found.authors,
        "published": day(found.published),
        "published_s": seconds(found.published),
        "modified": day(found.modified),
        "site_name": found.site_name,
        "categories": found.categories,
        "tags": found.tags,
        "license": found.license,
        "image": found.image,
        "canonical": found.canonical,
        "favicon": found.favicon,
        "open_graph": found.open_graph,
        "json_ld": structured(found.structured.json_ld),
        "microdata": structured(found.structured.microdata),
        "rdfa": structured(found.structured.rdfa),
        "microformats": structured(found.structured.microformats),
    })
}
