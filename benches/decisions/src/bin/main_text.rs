//! The main text by dom_smoothie, for `benches/extraction.py`: `main_text FOLDER [ROUNDS]`, as Helios' `content_read`.
//!
//! With no rounds: for each line of `FOLDER/pages.jsonl` a line of `FOLDER/dom_smoothie.jsonl`. With rounds: all pages are read ROUNDS - 1 times.

use std::error::Error;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use dom_smoothie::{Config, Readability, TextMode};
use serde_json::{Value, json};

/// A page that cannot be read gives nothing, and so does one on which it panics.
fn read(html: &str, address: Option<&str>) -> String {
    let text = || {
        let config = Config { text_mode: TextMode::Formatted, ..Config::default() };
        let article = Readability::new(html, address, Some(config)).ok()?.parse().ok()?;
        Some(article.text_content.to_string())
    };
    std::panic::catch_unwind(text).ok().flatten().unwrap_or_default()
}

fn main() -> Result<(), Box<dyn Error>> {
    std::panic::set_hook(Box::new(|_| ()));
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("a folder")?);
    let rounds: usize = arguments.next().map_or(Ok(0), |rounds| rounds.parse())?;
    let mut pages = Vec::new();
    for line in std::fs::read_to_string(folder.join("pages.jsonl"))?.lines() {
        let page: Value = serde_json::from_str(line)?;
        let html = std::fs::read_to_string(folder.join(page["path"].as_str().ok_or("a path")?))?;
        pages.push((html, page["url"].as_str().filter(|url| !url.is_empty()).map(str::to_owned)));
    }
    if rounds == 0 {
        let mut out = BufWriter::new(std::fs::File::create(folder.join("dom_smoothie.jsonl"))?);
        for (html, address) in &pages {
            writeln!(out, "{}", json!({"text": read(html, address.as_deref())}))?;
        }
    }
    let again = (1..rounds).flat_map(|_| &pages);
    let bytes: usize = again.map(|(html, address)| read(html, address.as_deref()).len()).sum();
    assert!(rounds < 2 || bytes > 0);
    Ok(())
}
