//! Never one over: bytes, rate, depth, with visits out. (Pages: `visits`.)

use helios_core::fetch::{Finished, Outcome};

use crate::world::{World, finished, found, page};

fn sites(count: usize) -> Vec<String> {
    (0..count).map(|n| format!("http://s{n}.test/")).collect()
}

fn opened(world: &mut World, count: usize) {
    let seeds = sites(count);
    world.seed(&seeds.iter().map(String::as_str).collect::<Vec<_>>());
    for visit in world.lease(0) {
        world.settle(&visit, 0, |_| (page(""), vec![]));
    }
}

#[test]
fn bytes_are_reserved_for_what_is_out_and_the_last_page_may_have_what_is_left() {
    let mut world = World::with(|tables| {
        tables.crawl.max_bytes = Some(2_500);
        tables.frontier.max_body_bytes = 1_000;
    });
    opened(&mut world, 5);
    let visits = world.lease(1_000);
    assert_eq!(visits.len(), 2, "each may bring 1,000");
    for visit in &visits {
        let done = Finished { wire_bytes: 900, ..finished(visit, &visit.tasks[0], page(""), 1_000, true) };
        world.frontier.settle(1_000, &[done], vec![found(&[])], None).unwrap();
    }
    let visit = world.only(2_000);
    assert_eq!(visit.max_body_bytes, Some(700));
    let outcome = Outcome::TooLarge { limit: 700 };
    let done = Finished { wire_bytes: 0, ..finished(&visit, &visit.tasks[0], outcome, 2_000, true) };
    world.frontier.settle(2_000, &[done], vec![found(&[])], None).unwrap();
    assert!(world.frontier.finished(3_000), "the next page does not fit: the crawl is over");
    assert_eq!(world.stat("pending"), 3, "and the page that did not fit waits for another crawl");
}

#[test]
fn the_global_rate_spaces_requests_of_all_sites() {
    let mut world = World::with(|tables| tables.frontier.max_requests_per_second = Some(4.0));
    let seeds = sites(8);
    world.seed(&seeds.iter().map(String::as_str).collect::<Vec<_>>());
    let mut starts = Vec::new();
    let mut now = 0;
    while starts.len() < 8 {
        for visit in world.lease(now) {
            assert_eq!(visit.tasks.len(), 1);
            starts.push(now);
        }
        now = world.frontier.next_due(now).unwrap_or(now + 1).max(now + 1);
    }
    assert_eq!(starts, [0, 250, 500, 750, 1_000, 1_250, 1_500, 1_750]);
}

#[test]
fn links_deeper_than_the_limit_are_counted_and_not_remembered() {
    let mut world = World::with(|tables| tables.crawl.max_depth = Some(1));
    world.seed(&["http://a.test/"]);
    world.open_site(0, "");
    let visit = world.only(1_000);
    world.settle(&visit, 1_000, |_| (page(""), vec!["http://a.test/1"]));
    let visit = world.only(2_000);
    world.settle(&visit, 2_000, |_| (page(""), vec!["http://a.test/2"]));
    assert!(world.frontier.finished(3_000));
    assert_eq!((world.stat("too_deep"), world.stat("known")), (1, 2));
}

#[test]
fn time_ends_a_crawl() {
    let mut world = World::with(|tables| tables.crawl.max_seconds = Some(2));
    world.seed(&["http://a.test/"]);
    world.open_site(0, "");
    assert!(world.lease(2_000).is_empty());
    assert!(world.frontier.finished(2_000));
}

#[test]
fn settings_that_contradict_each_other_are_refused() {
    let mut tables = helios_core::frontier::FrontierTables::default();
    tables.frontier.address_delay_ms = 100;
    let disk = helios_core::kv::MemoryDisk::new();
    let kv = std::sync::Arc::new(helios_core::kv::MemoryKv::open(&disk).unwrap());
    let shelf = Box::new(helios_core::sieve::MemoryShelf::default());
    let error = helios_core::frontier::Frontier::open(kv, shelf, tables, 0).err().unwrap();
    assert!(error.to_string().contains("address_connections = 1"), "{error}");
}
