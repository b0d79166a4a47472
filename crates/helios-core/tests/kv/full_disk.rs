//! A disk that is full, and one that is read-only: small file systems in memory, which only root may mount.

use std::path::Path;
use std::process::Command;

use helios_core::kv::{Batch, Kv};

use super::place::{Folder, open, refused};

struct Mounted(Folder);

impl Mounted {
    fn new(options: &str) -> Option<Self> {
        let folder = Folder::new();
        let mount =
            Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(folder.path()).output();
        match mount {
            Ok(done) if done.status.success() => Some(Self(folder)),
            failed => {
                println!("skipped: no file system could be mounted ({failed:?})");
                None
            }
        }
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let unmounted = Command::new("umount").arg(self.path()).status();
        assert!(unmounted.is_ok_and(|status| status.success()));
    }
}

fn chunk(number: u64) -> Batch {
    let mut batch = Batch::new();
    let value: Vec<u8> = (0..2_500).map(|at: u64| ((at * at * (number + 7)) >> 3) as u8).collect();
    batch.put([b"q", &number.to_be_bytes()[..]].concat(), value);
    batch
}

/// Writes until it fails; returns the last number that was durable, and why it failed.
fn fill(kv: &impl Kv) -> (u64, String) {
    let mut durable = 0;
    for number in 0.. {
        let ticket = match kv.write(chunk(number)) {
            Ok(ticket) => ticket,
            Err(error) => return (durable, error.to_string()),
        };
        if number % 100 == 0 {
            match kv.durable(ticket) {
                Ok(()) => durable = number,
                Err(error) => return (durable, error.to_string()),
            }
        }
    }
    unreachable!()
}

#[test]
fn a_full_disk_is_said_refuses_later_writes_and_loses_nothing() {
    for megabytes in [10, 24, 40, 90, 100] {
        let Some(disk) = Mounted::new(&format!("size={megabytes}m")) else { return };
        let folder = disk.path().join("frontier");
        let kv = open(&folder).unwrap();
        let (durable, why) = fill(&kv);
        let expected = format!(
            "the disk is full (writing the frontier in {}): free some space and resume; what was settled is safe",
            folder.display()
        );
        assert_eq!(why, expected, "{megabytes} MB");
        let again = kv.write(chunk(0)).unwrap_err().to_string();
        assert_eq!(again, format!("{expected} (until it is opened again)"));
        assert!(kv.durable(u64::MAX).is_err());
        drop(kv);
        let grown =
            Command::new("mount").args(["-o", "remount,size=400m"]).arg(disk.path()).status().unwrap();
        assert!(grown.success());
        let kv = open(&folder).unwrap();
        let rows = kv.scan(b"q", b"r", usize::MAX).unwrap();
        assert!(rows.len() as u64 > durable, "{megabytes} MB: {} rows, {durable} durable", rows.len());
        for (number, (key, _)) in (0_u64..).zip(&rows) {
            assert_eq!(key[1..], number.to_be_bytes());
        }
        kv.durable(kv.write(chunk(0)).unwrap()).unwrap();
    }
}

#[test]
fn a_disk_that_is_full_or_read_only_from_the_start_is_refused() {
    let Some(disk) = Mounted::new("size=400k") else { return };
    std::fs::write(disk.path().join("ballast"), vec![1; 500_000]).unwrap_err();
    let why = refused(&disk.path().join("frontier"));
    assert!(why.contains("disk is full"), "{why}");
    let Some(disk) = Mounted::new("ro") else { return };
    let why = refused(disk.path());
    assert!(why.contains("Read-only file system"), "{why}");
}
