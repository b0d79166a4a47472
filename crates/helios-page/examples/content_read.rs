//! Reads pages and writes their main text: `content_read FOLDER ROUNDS [reader]`.
//!
//! With `reader` it is what a reader view shows, written to `reader.jsonl`. With no rounds: for each line of `FOLDER/pages.jsonl` a line of `FOLDER/read.jsonl` with `text`, `markdown` and `kind`. With rounds: all
//! pages are read ROUNDS - 1 times (parse and main text, nothing kept), for `benches/extraction.py` to measure the processor time.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a tool that people run by hand: a panic is its error message"
)]

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use helios_page::{content, html::Tree};
use serde_json::{Value, json};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap_or_else(|| ".".to_owned()));
    let rounds: usize = arguments.next().map_or(0, |rounds| rounds.parse().unwrap());
    let reader = arguments.next().is_some_and(|way| way == "reader");
    let way = if reader { content::read_as_reader } else { content::read };
    let pages: Vec<(String, Value)> = std::fs::read_to_string(folder.join("pages.jsonl"))
        .unwrap()
        .lines()
        .map(|line| {
            let page: Value = serde_json::from_str(line).unwrap();
            (std::fs::read_to_string(folder.join(page["path"].as_str().unwrap())).unwrap(), page)
        })
        .collect();
    let address = |page: &Value| page["url"].as_str().filter(|url| !url.is_empty()).map(str::to_owned);
    if rounds == 0 {
        let mut out = BufWriter::new(
            std::fs::File::create(folder.join(if reader { "reader.jsonl" } else { "read.jsonl" })).unwrap(),
        );
        for (html, page) in &pages {
            let tree = Tree::parse(html);
            let main = way(&tree, address(page).as_deref());
            let line = json!({"text": main.text(), "markdown": main.markdown(), "kind": main.kind().name()});
            writeln!(out, "{line}").unwrap();
        }
    }
    let mut bytes = 0;
    for (html, page) in (1..rounds).flat_map(|_| &pages) {
        bytes += way(&Tree::parse(html), address(page).as_deref()).text().len();
    }
    assert!(rounds < 2 || bytes > 0);
}
