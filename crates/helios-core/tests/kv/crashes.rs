//! Crashes on purpose: what a [`MemoryDisk`] loses, keeps and refuses.

use bytes::Bytes;
use helios_core::error::Result;
use helios_core::kv::{Batch, Failing, Kv, MemoryDisk, MemoryKv, Ticket};

fn put(kv: &MemoryKv, key: &str, value: &str) -> Result<Ticket> {
    let mut batch = Batch::new();
    batch.put(key.as_bytes(), value.as_bytes());
    kv.write(batch)
}

fn keys(disk: &MemoryDisk) -> Vec<Bytes> {
    let all = MemoryKv::open(disk).unwrap().scan(b"\x01", b"\xff", usize::MAX).unwrap();
    all.into_iter().map(|(key, _)| key).collect()
}

#[test]
fn a_crash_takes_the_newest_batches_that_were_not_durable() {
    for (keep, expected) in [(0, "ab"), (1, "abc"), (2, "bcd"), (9, "bcd")] {
        let disk = MemoryDisk::new();
        let kv = MemoryKv::open(&disk).unwrap();
        put(&kv, "a", "1").unwrap();
        let ticket = put(&kv, "b", "1").unwrap();
        put(&kv, "c", "1").unwrap();
        let mut batch = Batch::new();
        batch.put(*b"a", *b"2");
        batch.delete(*b"a");
        batch.put(*b"d", *b"1");
        kv.write(batch).unwrap();
        kv.durable(ticket).unwrap();
        assert_eq!(disk.pending(), 2);
        disk.crash(keep);
        assert!(kv.get(b"a").unwrap_err().to_string().contains("crashed (epoch 1)"));
        assert!(kv.scan(b"a", b"z", 1).is_err() && put(&kv, "e", "1").is_err() && kv.durable(9).is_err());
        assert_eq!(keys(&disk).concat(), expected.as_bytes(), "keep {keep}");
    }
}

#[test]
fn a_failing_write_ends_the_opening_and_is_lost_or_applied() {
    for (failing, expected) in [(Failing::Lost, "a"), (Failing::Applied, "ab")] {
        let disk = MemoryDisk::new();
        let kv = MemoryKv::open(&disk).unwrap();
        disk.fail_after(2, failing);
        put(&kv, "a", "1").unwrap();
        assert!(put(&kv, "b", "1").is_err());
        assert!(kv.get(b"a").is_err() && put(&kv, "c", "1").is_err());
        assert_eq!(keys(&disk).concat(), expected.as_bytes(), "{failing:?}");
    }
}

#[test]
fn a_crash_after_a_failing_write_still_takes_batches() {
    let disk = MemoryDisk::new();
    let kv = MemoryKv::open(&disk).unwrap();
    put(&kv, "a", "1").unwrap();
    disk.fail_after(1, Failing::Applied);
    assert!(put(&kv, "b", "1").is_err());
    disk.crash(1);
    assert_eq!(keys(&disk).concat(), b"a");
}

#[test]
fn a_later_opening_fences_the_earlier_one() {
    let disk = MemoryDisk::new();
    let old = MemoryKv::open(&disk).unwrap();
    let ticket = put(&old, "a", "1").unwrap();
    let new = MemoryKv::open(&disk).unwrap();
    assert_eq!((old.epoch(), new.epoch()), (1, 2));
    let fenced = put(&old, "b", "1").unwrap_err().to_string();
    assert!(fenced.contains("was opened by someone else (epoch 2, ours is 1)"), "{fenced}");
    assert!(old.durable(ticket).is_err());
    put(&new, "b", "1").unwrap();
}

#[test]
fn a_late_durable_forgets_only_what_came_before() {
    let disk = MemoryDisk::new();
    let kv = MemoryKv::open(&disk).unwrap();
    let tickets = ["a", "b", "c", "d", "e"].map(|key| put(&kv, key, "1").unwrap());
    kv.durable(tickets[2]).unwrap();
    assert_eq!(disk.pending(), 2);
    kv.durable(tickets[0]).unwrap();
    assert_eq!(disk.pending(), 2);
    disk.crash(1);
    assert_eq!(keys(&disk).concat(), b"abcd");
}
