//! WARC files of other tools (`shared/data/warc`): the same records as warcio and FastWARC find, and no loss before damage.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test that cannot go on must stop"
)]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use helios_warc::{Limits, Reader, Record};
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

/// Plain tar: a header of 512 bytes, then the file, filled up to 512.
fn files(tar: &[u8]) -> HashMap<String, Vec<u8>> {
    let (mut found, mut at) = (HashMap::new(), 0);
    while at + 512 <= tar.len() && tar[at] != 0 {
        let text = |from: usize, to: usize| {
            let field = &tar[at + from..at + to];
            String::from_utf8(field.split(|&byte| byte == 0).next().unwrap().to_vec()).unwrap()
        };
        let size = usize::from_str_radix(text(124, 136).trim(), 8).unwrap();
        found.insert(text(0, 100), tar[at + 512..at + 512 + size].to_vec());
        at += 512 + size.div_ceil(512) * 512;
    }
    found
}

fn read(bytes: &[u8]) -> (Vec<Record>, Option<String>) {
    let (mut records, mut error) = (Vec::new(), None);
    for record in Reader::new(bytes, Limits::default()) {
        match record {
            Ok(record) => records.push(record),
            Err(why) => error = Some(why.to_string()),
        }
    }
    (records, error)
}

#[test]
fn every_sample_gives_the_records_that_both_other_readers_find() {
    let Some(folder) = data("warc") else { return };
    let tar = files(&std::fs::read(folder.join("files.tar")).unwrap());
    let index = Command::new("xz").arg("-dc").arg(folder.join("index.jsonl.xz")).output().unwrap().stdout;
    let (mut agreed, mut others) = (0, 0);
    for line in index.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let sample: Value = serde_json::from_slice(line).unwrap();
        let name = sample["name"].as_str().unwrap();
        let (records, error) = read(&tar[name]);
        let expected = sample["index"].as_array().unwrap();
        let is_arc = name.contains(".arc");
        if sample["warcio_error"].is_null() && sample["fastwarc_error"].is_null() && !name.ends_with("lz4") {
            let found: Vec<_> =
                records.iter().map(|record| (record.offset, record.kind().to_owned())).collect();
            let wanted: Vec<_> = expected
                .iter()
                .map(|one| (one["offset"].as_u64().unwrap(), one["type"].as_str().unwrap().to_owned()))
                .collect();
            assert_eq!((found, &error), (wanted, &None), "{name}");
            for (record, one) in records.iter().zip(expected) {
                assert_eq!(record.field("WARC-Record-ID"), one["id"].as_str(), "{name}");
                assert_eq!(record.block.len() as u64, record.length, "{name}");
            }
            agreed += 1;
        } else if !is_arc && !name.ends_with("lz4") {
            // Damaged, or all records in one member: what FastWARC reads, we read.
            let least = sample["fastwarc_records"].as_u64().unwrap() as usize;
            assert!(records.len() >= least, "{name}: {} of {least}, {error:?}", records.len());
            others += 1;
        } else {
            assert!(error.unwrap().contains("no WARC record"), "{name}");
        }
    }
    assert!(agreed >= 10 && others > 0, "{agreed} {others}");
}

#[test]
fn a_file_cut_anywhere_gives_all_records_before_the_cut() {
    let Some(folder) = data("warc") else { return };
    let tar = files(&std::fs::read(folder.join("files.tar")).unwrap());
    for name in ["warcio__example.warc.gz", "warcio__example.warc"] {
        let (whole, _) = read(&tar[name]);
        for cut in 0..tar[name].len() {
            let (records, _) = read(&tar[name][..cut]);
            let ends = whole.iter().skip(1).filter(|record| record.offset <= cut as u64).count();
            assert!(records.len() >= ends, "{name} cut at {cut}: {} of {ends}", records.len());
            assert_eq!(records[..], whole[..records.len()]);
        }
    }
}
