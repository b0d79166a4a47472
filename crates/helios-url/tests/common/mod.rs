//! Where the data sets are, and how they are read.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The data lies beside the project; without it there is nothing to ask.
pub(crate) fn data(name: &str) -> Option<PathBuf> {
    let place = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .map(|folder| folder.join("shared/data").join(name))
        .find(|folder| folder.is_dir());
    if place.is_none() {
        eprintln!("skipped: there is no shared/data/{name} above this project");
    }
    place
}

/// One JSON value a line, packed with xz; none where the data is missing.
#[allow(dead_code, reason = "not every test reads lines")]
pub(crate) fn lines(set: &str, file: &str) -> Vec<Value> {
    let Some(folder) = data(set) else { return Vec::new() };
    let unpacked = Command::new("xz").arg("-dc").arg(folder.join(file)).output().unwrap();
    let text = String::from_utf8(unpacked.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The cases of one file; none where the data is missing.
#[allow(dead_code, reason = "not every test reads whole files")]
pub(crate) fn cases(set: &str, file: &str) -> Vec<Value> {
    let Some(folder) = data(set) else { return Vec::new() };
    let text = std::fs::read_to_string(folder.join(file)).unwrap();
    serde_json::from_str(&without_lone_surrogates(&text)).unwrap()
}

/// Browsers read a lone surrogate as U+FFFD; the JSON reader would refuse the whole file.
fn without_lone_surrogates(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let unit = |text: &str| u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok();
        let length = match (unit(rest), rest.get(6..).and_then(unit)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                out.push_str("\\uFFFD");
                rest = &rest[6..];
                continue;
            }
            (Some(_), _) => 6,
            (None, _) => 2,
        };
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    out + rest
}
