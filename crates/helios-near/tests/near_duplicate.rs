//! What is found among real documents whose similarity is known (`shared/data/near-duplicate`).
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test that cannot go on must stop"
)]

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use helios_near::{Fingerprint, NearIndex, NearSettings};
use serde_json::Value;

/// The data lies beside the project; without it there is nothing to ask.
fn data(name: &str) -> Option<PathBuf> {
    let place = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .map(|folder| folder.join("shared/data").join(name))
        .find(|folder| folder.is_dir());
    if place.is_none() {
        eprintln!("skipped: there is no shared/data/{name} above this project");
    }
    place
}

#[test]
fn duplicates_are_found_with_recall_and_precision_of_at_least_0_95() {
    let Some(folder) = data("near-duplicate") else { return };
    let lines = Command::new("xz").arg("-dc").arg(folder.join("docs.jsonl.xz")).output().unwrap().stdout;
    let mut index = NearIndex::in_memory(NearSettings::default());
    let (mut numbers, mut found) = (HashMap::new(), HashSet::new());
    for (page, line) in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).enumerate() {
        let document: Value = serde_json::from_slice(line).unwrap();
        let print = Fingerprint::of(document["text"].as_str().unwrap());
        found.extend(index.alike(&print).unwrap().iter().map(|other| (other.page as usize, page)));
        index.insert(page as u128, &print).unwrap();
        numbers.insert(document["id"].as_str().unwrap().to_owned(), page);
    }
    let pairs: Value = serde_json::from_slice(&std::fs::read(folder.join("pairs.json")).unwrap()).unwrap();
    let number = |pair: &Value, side: &str| numbers[pair[side].as_str().unwrap()];
    let truth: HashSet<(usize, usize)> = pairs
        .as_array()
        .unwrap()
        .iter()
        .filter(|pair| pair["jaccard"].as_f64().unwrap() >= 0.8)
        .map(|pair| (number(pair, "a"), number(pair, "b")))
        .map(|(a, b)| (a.min(b), a.max(b)))
        .collect();
    let right = found.intersection(&truth).count() as f64;
    let (recall, precision) = (right / truth.len() as f64, right / found.len() as f64);
    eprintln!("recall {recall:.3}, precision {precision:.3} of {} pairs", truth.len());
    assert!(recall >= 0.95 && precision >= 0.95, "recall {recall:.3}, precision {precision:.3}");
}
