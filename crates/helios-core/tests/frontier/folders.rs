//! Folders whose records mean something else than ours would.

use std::sync::Arc;

use helios_core::frontier::{Frontier, FrontierTables};
use helios_core::kv::{Batch, Kv, MemoryDisk, MemoryKv};
use helios_core::sieve::MemoryShelf;

use crate::world::World;

/// A folder with one record more than a crawl of `/1` left there.
fn refused(change: impl FnOnce(&mut FrontierTables, &mut Batch)) -> String {
    let mut world = World::with(|tables| tables.frontier.split_sites = vec!["Big.test".into()]);
    world.seed(&["http://a.test/1"]);
    let (mut tables, mut batch) = (world.tables.clone(), Batch::new());
    change(&mut tables, &mut batch);
    world.crash_into(|disk, shelf| {
        let kv = Arc::new(MemoryKv::open(disk).unwrap());
        kv.write(batch).unwrap();
        Frontier::open(kv, Box::new(shelf.clone()), tables, 0)
            .map_or_else(|error| error.to_string(), |_| String::new())
    })
}

#[test]
fn the_same_domains_may_be_split_in_another_order() {
    let same = refused(|tables, _| tables.frontier.split_sites = vec!["big.TEST".into(), "big.test".into()]);
    assert_eq!(same, "");
}

#[test]
fn other_domains_may_not_be_split_once_urls_wait_by_site() {
    let words = refused(|tables, _| tables.frontier.split_sites.clear());
    assert!(words.contains("split_sites was [big.test] when this crawl began and is [] now"), "{words}");
}

#[test]
fn the_same_parameters_may_be_listed_in_another_order() {
    let same = refused(|tables, _| {
        tables.urls.tracking.reverse();
        tables.urls.sessions.push("PHPSESSID".into());
    });
    assert_eq!(same, "");
}

#[test]
fn urls_may_not_be_spelled_in_another_way_once_some_are_known() {
    let words = refused(|tables, _| {
        tables.urls.sort_query = true;
        tables.urls.tracking.push("from".into());
    });
    assert!(words.contains("[urls] sort_query, tracking changed since this crawl began"), "{words}");
}

#[test]
fn a_crawl_of_another_version_is_not_called_damaged() {
    let newer = refused(|_, batch| batch.put(*b"mformat", [99, 0]));
    assert!(newer.contains("a newer version"), "{newer}");
    let older = refused(|_, batch| batch.delete(*b"mformat"));
    assert!(older.contains("an older version"), "{older}");
}

#[test]
fn a_queue_that_the_database_lost_is_told_as_such() {
    let disk = MemoryDisk::new();
    let open = || Arc::new(MemoryKv::open(&disk).unwrap());
    let frontier =
        |kv| Frontier::open(kv, Box::new(MemoryShelf::default()), FrontierTables::default(), 0).unwrap();
    frontier(open()).seed(0, ["http://a.test/1"]).unwrap();
    let kv = open();
    let chunks = kv.scan(b"q", b"r", 9).unwrap();
    assert_eq!(chunks.len(), 1);
    let mut batch = Batch::new();
    batch.delete(chunks[0].0.to_vec());
    kv.write(batch).unwrap();
    let error = frontier(kv).lease(9_000, 1).unwrap_err().to_string();
    assert!(error.contains("lost some of the queue of a.test: 1 URLs wait"), "{error}");
}
