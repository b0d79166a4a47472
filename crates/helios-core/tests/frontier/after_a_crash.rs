//! What is left when the power fails, and what is not.

use helios_core::fetch::{Outcome, Purpose};
use helios_core::frontier::Replay;

use crate::world::{World, busy, finished, found, page, urls};

#[test]
fn what_was_settled_and_durable_is_there_and_what_was_out_is_leased_again() {
    let mut world = World::seeded(&["http://a.test/1", "http://a.test/2"]);
    world.open_site(0, "");
    let visit = world.only(1_000);
    let first = finished(&visit, &visit.tasks[0], page(""), 1_000, false);
    let ticket =
        world.frontier.settle(1_000, &[first], vec![found(&["http://a.test/3"])], Some("7".into())).unwrap();
    world.frontier.kv().durable(ticket).unwrap();
    world.crash(0, 2_000);
    assert_eq!((world.stat("fetched"), world.stat("known")), (1, 3));
    assert_eq!(world.frontier.staged().unwrap(), ["7"]);
    let (visit, due) = world.next(2_000);
    assert_eq!(due, 3_000, "the site may have been asked until the crash: a whole delay from then on");
    assert_eq!(urls(&visit), ["http://a.test/2", "http://a.test/3"], "robots.txt is known still");
}

#[test]
fn a_settle_that_was_not_durable_never_happened() {
    let mut world = World::seeded(&["http://a.test/1"]);
    world.open_site(0, "");
    let visit = world.only(1_000);
    world.settle(&visit, 1_000, |_| (page(""), vec!["http://a.test/2"]));
    world.crash(0, 2_000);
    assert_eq!((world.stat("fetched"), world.stat("known")), (0, 1));
    let (visit, due) = world.next(2_000);
    assert_eq!(visit.tasks[0].purpose, Purpose::RobotsTxt, "even that was forgotten");
    world.settle(&visit, due, |_| (page(""), vec![]));
    assert_eq!(urls(&world.next(due).0), ["http://a.test/1"]);
}

#[test]
fn retry_after_holds_through_a_crash() {
    let mut world = World::seeded(&["http://a.test/1"]);
    world.open_site(0, "");
    let visit = world.only(1_000);
    world.settle(&visit, 1_000, |_| (busy(40), vec![]));
    world.crash(99, 2_000);
    let (visit, due) = world.next(2_000);
    assert_eq!(due, 41_000);
    assert_eq!(visit.tasks.len(), 1);
}

#[test]
fn a_clock_that_was_set_back_closes_no_site_for_longer_than_a_site_may_ask() {
    let mut world = World::seeded(&["http://a.test/1", "http://a.test/2"]);
    world.open_site(0, "");
    let later = 9_000_000_000;
    let visit = world.only(later);
    world.settle(&visit, later, |task| {
        (if task.permit.url().target() == "/1" { page("") } else { Outcome::Abandoned }, vec![])
    });
    world.crash(99, 1_000);
    assert_eq!(world.next(1_000).1, 61_000);
}

#[test]
fn a_visit_that_is_never_heard_of_is_leased_again_after_a_whole_delay() {
    let mut world = World::seeded(&["http://a.test/1"]);
    world.open_site(0, "");
    let lost = world.only(1_000);
    let given_up = world.frontier.next_due(1_000).unwrap();
    assert_eq!(given_up, 1_000 + 600_000 + 300_000);
    assert!(world.lease(given_up).is_empty(), "nobody knows when it was last asked");
    let visit = world.only(given_up + 1_000);
    assert_eq!(urls(&visit), ["http://a.test/1"]);
    let mut late = vec![finished(&lost, &lost.tasks[0], page(""), given_up, true)];
    world.frontier.receive(&mut late);
    assert!(late.is_empty(), "it was given up: its page is not stored");
}

#[test]
fn dead_letters_keep_their_history_and_can_be_replayed() {
    let mut world = World::seeded(&["http://a.test/1"]);
    world.open_site(0, "");
    let mut now = 0;
    for _ in 0..3 {
        let (visit, due) = world.next(now);
        now = world.settle(&visit, due, |_| (Outcome::Broken("reset".into()), vec![]));
    }
    world.crash(99, now);
    let letters = world.frontier.dead_letters(9).unwrap();
    assert_eq!(letters.len(), 1);
    assert_eq!((letters[0].attempts, letters[0].history.len()), (3, 3));
    assert!(letters[0].reason.contains("reset"));
    assert!(world.frontier.finished(now));
    assert_eq!(
        world.frontier.replay(now, &Replay { site: Some("b.test".into()), ..Replay::default() }).unwrap(),
        0
    );
    assert_eq!(world.frontier.replay(now, &Replay::default()).unwrap(), 1);
    assert_eq!(world.stat("dead"), 0);
    let (visit, due) = world.next(now);
    world.settle(&visit, due, |_| (page(""), vec![]));
    assert!(world.frontier.finished(due));
    assert_eq!(world.stat("fetched"), 1);
}

#[test]
fn dead_letters_are_read_a_page_at_a_time_and_chosen_by_site_and_reason_at_once() {
    let seeds =
        ["http://a.test/1", "http://a.test/2", "http://a.test/3", "http://b.test/1", "http://b.test/2"];
    let mut world = World::seeded(&seeds);
    for visit in world.lease(0) {
        let refused = visit.site.as_str() == "b.test";
        let why = if refused { "refused by itself" } else { "at ::1" };
        world.settle(&visit, 0, |_| (Outcome::ForbiddenAddress(why.into()), vec![]));
    }
    assert!(world.lease(99_999).is_empty());
    let all: Vec<String> =
        world.frontier.dead_letters(9).unwrap().iter().map(|letter| letter.url.to_string()).collect();
    assert_eq!(all.len(), 5);
    for (at, url) in all.iter().enumerate() {
        let next = world.frontier.dead_letters_after(url, 2).unwrap();
        let expected: Vec<&String> = all.iter().skip(at + 1).take(2).collect();
        assert_eq!(
            next.iter().map(|letter| letter.url.to_string()).collect::<Vec<_>>().iter().collect::<Vec<_>>(),
            expected
        );
    }
    let both = |site: &str, reason: &str| Replay {
        site: Some(site.into()),
        reason: Some(reason.into()),
        ..Replay::default()
    };
    assert_eq!(world.frontier.replay(99_999, &both("a.test", "refused")).unwrap(), 0);
    assert_eq!(world.frontier.replay(99_999, &both("b.test", "refused")).unwrap(), 2);
    let gone = all.iter().find(|url| url.contains("b.test")).unwrap();
    let rest = world.frontier.dead_letters_after(gone, 9).unwrap();
    assert!(
        rest.iter().all(|letter| letter.url.host() == "a.test"),
        "a letter that went away still marks its place"
    );
}

#[test]
fn a_robots_txt_that_was_given_up_is_asked_again_on_replay() {
    let mut world = World::seeded(&["http://a.test/1"]);
    let mut now = 0;
    for _ in 0..2 {
        let (visit, due) = world.next(now);
        now = world.settle(&visit, due, |_| (Outcome::Unreachable("refused".into()), vec![]));
    }
    let due = world.frontier.next_due(now).unwrap();
    assert!(world.lease(due).is_empty());
    assert_eq!(world.stat("dead"), 1);
    world.frontier.replay(due, &Replay { reason: Some("robots".into()), ..Replay::default() }).unwrap();
    let (visit, _) = world.next(due);
    assert_eq!(visit.tasks[0].purpose, Purpose::RobotsTxt);
}

#[test]
fn links_of_another_partition_are_taken_once() {
    let mut world = World::new();
    let link = |url: &str| {
        helios_core::frontier::Link::new(helios_core::url::CanonicalUrl::parse(url).unwrap(), None, 1)
    };
    assert!(world.frontier.ingest(0, 5, 1, vec![link("http://a.test/")]).unwrap().is_some());
    assert!(world.frontier.ingest(0, 5, 1, vec![link("http://b.test/")]).unwrap().is_none(), "a repeat");
    world.crash(99, 0);
    assert!(world.frontier.ingest(0, 5, 1, vec![link("http://b.test/")]).unwrap().is_none());
    assert!(world.frontier.ingest(0, 5, 2, vec![link("http://b.test/")]).unwrap().is_some());
    assert_eq!(world.stat("known"), 2);
}

#[test]
fn thousands_of_urls_are_remembered_through_seals_and_crashes() {
    let mut world = World::with(|tables| tables.seen.memtable = 64);
    let seeds: Vec<String> = (0..2_000).map(|n| format!("http://a.test/{n}")).collect();
    for some in seeds.chunks(50) {
        world.seed(&some.iter().map(String::as_str).collect::<Vec<_>>());
    }
    world.crash(0, 0);
    assert_eq!(world.stat("known"), 2_000);
    world.seed(&seeds.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!((world.stat("known"), world.stat("pending")), (2_000, 2_000), "each is known already");
}
