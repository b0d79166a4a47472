//! A writer that is killed with `kill -9`: what it was told is durable is there, whole.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use helios_core::kv::{Batch, Kv};

use super::place::{Folder, open};

/// Rows of one batch: enough that a torn one would show.
const ROWS: u64 = 50;

fn key(batch: u64, row: u64) -> Vec<u8> {
    [b"q".as_slice(), &batch.to_be_bytes(), &row.to_be_bytes()].concat()
}

#[test]
#[ignore = "the writer that a test kills"]
fn child_that_writes_until_it_is_killed() {
    let kv = open(Path::new(&std::env::var("HELIOS_KV_FOLDER").unwrap())).unwrap();
    let last = kv.scan(b"q", b"r", usize::MAX).unwrap().last().map_or(0, |(key, _)| number(key));
    for number in last + 1.. {
        let mut batch = Batch::new();
        for row in 0..ROWS {
            batch.put(key(number, row), vec![row as u8; 400]);
            batch.delete(key(number.saturating_sub(100), row));
        }
        let ticket = kv.write(batch).unwrap();
        if number % 3 == 0 {
            kv.durable(ticket).unwrap();
            println!("durable {number}");
        }
    }
}

fn number(key: &[u8]) -> u64 {
    u64::from_be_bytes(key[1..9].try_into().unwrap())
}

/// Runs the writer for a while and returns the last batch that it was told is durable.
fn run_and_kill(folder: &Path, lines: u64) -> u64 {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "killed::child_that_writes_until_it_is_killed", "--ignored", "--nocapture"])
        .env("HELIOS_KV_FOLDER", folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let durable = |line: String| line.strip_prefix("durable ").map(|number| number.parse::<u64>().unwrap());
    let seen = output.by_ref().filter_map(durable).take(lines as usize).last();
    child.kill().unwrap();
    child.wait().unwrap();
    output.filter_map(durable).last().or(seen).unwrap()
}

#[test]
fn a_killed_writer_loses_nothing_that_was_durable_and_tears_no_batch() {
    let folder = Folder::new();
    for kill in 1..=10_u64 {
        let durable = run_and_kill(folder.path(), 8 * kill);
        let kv = open(folder.path()).unwrap();
        assert_eq!(kv.epoch(), 2 * kill, "the writer opened it, and so did this test");
        let rows = kv.scan(b"q", b"r", usize::MAX).unwrap();
        let last = number(&rows.last().unwrap().0);
        assert!(last >= durable, "batch {durable} was durable, {last} is the last");
        let first = last.saturating_sub(99).max(1);
        let expected = (first..=last).flat_map(|batch| (0..ROWS).map(move |row| key(batch, row)));
        assert!(rows.iter().map(|(key, _)| key.to_vec()).eq(expected), "kill {kill}: a batch is torn");
        assert!(rows.iter().all(|(key, value)| value.len() == 400 && value[0] == key[16]));
    }
}

/// Writes are made durable by a handle of our own on the engine's journal: it must be the file that the engine writes to.
#[test]
fn the_newest_journal_file_is_the_one_that_is_written_to() {
    let folder = Folder::new();
    for opening in 1..=2_u8 {
        let kv = open(folder.path()).unwrap();
        let mut batch = Batch::new();
        batch.put(*b"q", [opening; 99]);
        kv.durable(kv.write(batch).unwrap()).unwrap();
        let journals = folder.path().join("database").read_dir().unwrap().map(|entry| entry.unwrap().path());
        let number = |path: &Path| path.file_name()?.to_str()?.strip_suffix(".jnl")?.parse::<u64>().ok();
        let newest = journals.filter(|path| number(path).is_some()).max_by_key(|path| number(path)).unwrap();
        assert!(std::fs::read(newest).unwrap().windows(99).any(|bytes| bytes == [opening; 99]));
    }
}
