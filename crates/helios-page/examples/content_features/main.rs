//! Reads pages and their truth, and writes what the model of `content` learns from (`tools/content_model`).
//!
//! `content_features FOLDER` reads `FOLDER/pages.jsonl` and writes: `rows` (the numbers of each block), `blocks` (page, element,
//! group of the same path, of the same look), `labels` (the share of the block that the truth holds; below zero: not known),
//! `elements` (parent, depth, end of its names), `names` (hashes), all as little-endian 32-bit numbers; `texts.jsonl`,
//! `features.json`. With `looks` after the folder it writes what the shipped model thinks instead: `looks.jsonl`.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a tool that people run by hand: a panic is its error message"
)]

mod label;

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use helios_page::content::study::{looks, study};
use helios_page::html::Tree;
use serde_json::Value;

struct Files(PathBuf);

impl Files {
    fn create(&self, name: &str) -> BufWriter<std::fs::File> {
        BufWriter::new(std::fs::File::create(self.0.join(name)).unwrap())
    }

    fn numbers(&self, name: &str, numbers: &[u32]) {
        let mut file = self.create(name);
        for number in numbers {
            file.write_all(&number.to_le_bytes()).unwrap();
        }
    }
}

#[derive(Default)]
struct Learned {
    rows: Vec<u32>,
    blocks: Vec<u32>,
    labels: Vec<u32>,
    elements: Vec<u32>,
    names: Vec<u32>,
    features: Vec<&'static str>,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap_or_else(|| ".".to_owned()));
    let files = Files(folder.clone());
    let pages = std::fs::read_to_string(folder.join("pages.jsonl")).unwrap();
    let pages = pages.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    if arguments.next().is_some() {
        return thoughts(&folder, pages, &files);
    }
    let mut learned = Learned::default();
    let mut texts = files.create("texts.jsonl");
    for (number, page) in (0..).zip(pages) {
        let blocks = learn(&folder, number, &page, &mut learned);
        writeln!(texts, "{}", serde_json::to_string(&blocks).unwrap()).unwrap();
    }
    files.numbers("rows", &learned.rows);
    files.numbers("blocks", &learned.blocks);
    files.numbers("labels", &learned.labels);
    files.numbers("elements", &learned.elements);
    files.numbers("names", &learned.names);
    write!(files.create("features.json"), "{}", serde_json::to_string(&learned.features).unwrap()).unwrap();
}

fn html(folder: &Path, page: &Value) -> String {
    std::fs::read_to_string(folder.join(page["path"].as_str().unwrap())).unwrap()
}

fn address(page: &Value) -> Option<&str> {
    page["url"].as_str().filter(|url| !url.is_empty())
}

fn thoughts(folder: &Path, pages: impl Iterator<Item = Value>, files: &Files) {
    let mut out = files.create("looks.jsonl");
    for page in pages {
        let html = html(folder, &page);
        let thought = looks(&Tree::parse(&html), address(&page));
        writeln!(out, "{}", serde_json::to_string(&thought).unwrap()).unwrap();
    }
}

fn learn(folder: &Path, number: u32, page: &Value, learned: &mut Learned) -> Vec<String> {
    let html = html(folder, page);
    let seen = study(&Tree::parse(&html), address(page));
    if learned.features.is_empty() {
        learned.features = seen.names;
    }
    learned.rows.extend(seen.rows.iter().map(|value| value.to_bits()));
    let (elements, names) = ((learned.elements.len() / 3) as u32, learned.names.len() as u32);
    for block in &seen.blocks {
        learned.blocks.extend([number, elements + block[0], block[1], block[2]]);
    }
    for element in &seen.elements {
        learned.elements.extend([elements + element[0], element[1], names + element[2]]);
    }
    learned.names.extend(&seen.words);
    let list = |key: &str| {
        page[key].as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
    };
    let labels = if page["set"] == "trafilatura" {
        label::by_segments(&seen.texts, list("with"), list("without"))
    } else {
        label::by_truth(&seen.texts, page["truth"].as_str().unwrap())
    };
    learned.labels.extend(labels.iter().map(|value| value.to_bits()));
    seen.texts
}
