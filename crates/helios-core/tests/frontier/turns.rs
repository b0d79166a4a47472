//! Whose turn it is: tiers and their shares, scores, addresses, split domains, errands, recrawl.

use std::net::IpAddr;

use helios_core::fetch::{Finished, Outcome, Purpose, Response, Validators, Visit};
use helios_core::frontier::{Fetched, Found, TierRule};

use crate::world::{World, finished, found, page, urls};

fn rule(pattern: &str, tier: u8) -> TierRule {
    TierRule { pattern: pattern.to_owned(), tier }
}

#[test]
fn tiers_are_served_by_their_quotas() {
    let mut world = World::with(|tables| {
        tables.frontier.tiers = vec![rule("*/one/*", 1), rule("*/two/*", 2), rule("*/three/*", 3)];
        tables.frontier.visit_urls = 1;
    });
    let mut seeds = Vec::new();
    for site in 0..300 {
        seeds.extend(["one", "two", "three"].map(|tier| format!("http://s{site}.test/{tier}/")));
    }
    world.seed(&seeds.iter().map(String::as_str).collect::<Vec<_>>());
    for visit in world.frontier.lease(0, 300).unwrap() {
        world.settle(&visit, 0, |_| (page(""), vec![]));
    }
    let mut served = [0, 0, 0];
    for visit in world.frontier.lease(1_000, 100).unwrap() {
        let target = visit.tasks[0].permit.url().target().to_owned();
        served[["/one/", "/two/", "/three/"].iter().position(|tier| *tier == target).unwrap()] += 1;
    }
    assert_eq!(served, [40, 40, 20]);
}

#[test]
fn a_site_that_many_others_link_to_rises() {
    let mut world = World::with(|tables| tables.frontier.tier_scores = [0.3, 0.2]);
    let seeds: Vec<String> = (0..9).map(|n| format!("http://s{n}.test/")).collect();
    world.seed(&seeds.iter().map(String::as_str).collect::<Vec<_>>());
    for visit in world.lease(0) {
        world.settle(&visit, 0, |_| (page(""), vec![]));
    }
    for visit in world.lease(1_000) {
        world.settle(&visit, 1_000, |_| (page(""), vec!["http://known.test/", "http://a.test/"]));
    }
    world.seed(&["http://lonely.test/", "http://known.test/2"]);
    let why = world.why("http://known.test/2");
    assert!(why.site.unwrap().in_links >= 8);
    assert_eq!(why.tier, Some(1), "its score lifts it into the first tier");
    assert_eq!(world.why("http://lonely.test/").tier, Some(2));
}

#[test]
fn sites_of_one_address_are_asked_one_after_the_other() {
    let mut world = World::with(|tables| {
        tables.frontier.address_connections = 1;
        tables.frontier.address_delay_ms = 5_000;
    });
    world.seed(&["http://a.test/", "http://b.test/"]);
    let address: IpAddr = "10.0.0.1".parse().unwrap();
    for visit in world.lease(0) {
        let done =
            Finished { address: Some(address), ..finished(&visit, &visit.tasks[0], page(""), 0, true) };
        world.frontier.settle(0, &[done], vec![found(&[])], None).unwrap();
    }
    let first = world.only(5_000);
    assert!(world.lease(60_000).is_empty(), "the address is taken");
    let done =
        Finished { address: Some(address), ..finished(&first, &first.tasks[0], page(""), 60_000, true) };
    world.frontier.settle(60_000, &[done], vec![found(&[])], None).unwrap();
    assert_eq!(world.frontier.next_due(60_000), Some(65_000));
    assert_ne!(world.only(65_000).site, first.site);
}

#[test]
fn the_hosts_of_a_split_domain_are_sites_of_their_own() {
    let mut world = World::with(|tables| tables.frontier.split_sites = vec!["big.test".into()]);
    world.seed(&["http://a.big.test/", "http://b.big.test/", "http://a.small.test/", "http://b.small.test/"]);
    let sites: Vec<String> = world.lease(0).iter().map(|visit| visit.site.to_string()).collect();
    assert_eq!(sites.len(), 3, "{sites:?}");
}

#[test]
fn rfc9309_a_robots_txt_that_moved_to_another_site_is_asked_for_there_politely() {
    let mut world = World::seeded(&["http://a.test/1"]);
    let visit = world.only(0);
    let moved = || Outcome::Redirected { status: 301, target: "http://b.test/a-robots.txt".into() };
    world.settle(&visit, 0, |_| (moved(), vec![]));
    assert!(world.lease(1_000).is_empty(), "the site itself waits for the errand");
    let errand = world.only(1_001);
    assert_eq!((errand.site.as_str(), errand.tasks[0].purpose), ("b.test", Purpose::RobotsTxt));
    assert_eq!(urls(&errand), ["http://b.test/a-robots.txt"]);
    world.settle(&errand, 1_001, |_| (page("user-agent: *\ndisallow: /2"), vec![]));
    let (visit, due) = world.next(1_001);
    assert_eq!(urls(&visit), ["http://a.test/1"]);
    assert!(due <= 11_001, "held up until {due}");
    world.settle(&visit, due, |_| (page(""), vec!["http://a.test/2"]));
    assert!(world.lease(due + 5_000).is_empty());
    assert_eq!(world.stat("denied"), 1);
}

#[test]
fn pages_come_back_in_their_own_rhythm_with_their_validators() {
    let mut world = World::with(|tables| {
        tables.recrawl.enabled = true;
        tables.robots.ttl_s = 1_000_000_000;
    });
    world.seed(&["http://a.test/"]);
    world.open_site(0, "");
    let etag = || Validators { etag: Some("\"1\"".into()), last_modified: None };
    let (mut now, mut pauses) = (1_000, Vec::new());
    for content in [1, 1, 1, 2, 3, 4] {
        let (visit, due) = world.next(now);
        let outcome = Outcome::Fetched(Response {
            status: 200,
            content_type: String::new(),
            robots_tags: vec![],
            validators: etag(),
            body: bytes::Bytes::new(),
            ..Response::default()
        });
        assert_eq!(visit.tasks[0].fetch_number as usize, pauses.len());
        assert_eq!(visit.tasks[0].validators, if pauses.is_empty() { Validators::default() } else { etag() });
        let done = finished(&visit, &visit.tasks[0], outcome, due, true);
        let found = Found { content: Some(content), ..Found::default() };
        world.frontier.settle(due, &[done], vec![found], None).unwrap();
        now = due;
        pauses.push(world.frontier.next_due(now).unwrap() - now);
    }
    assert!(pauses[1] > pauses[0], "unchanged: later; {pauses:?}");
    assert!(pauses.last() < pauses.iter().max(), "changed: sooner; {pauses:?}");
    assert!(!world.frontier.finished(now));
    assert_eq!((world.stat("recrawled"), world.stat("changed")), (5, 3));
}

#[test]
fn a_page_that_was_fetched_without_recrawl_comes_back_once_it_is_on_however_often_that_is_told() {
    let mut world = World::with(|tables| {
        tables.recrawl.enabled = true;
        tables.robots.ttl_s = 1_000_000_000;
    });
    world.seed(&["http://a.test/"]);
    world.open_site(0, "");
    let (visit, due) = world.next(1_001);
    world.settle(&visit, due, |_| (Outcome::Missing { status: 404 }, vec![]));
    assert!(world.frontier.finished(due));
    let etag = Validators { etag: Some("\"1\"".into()), last_modified: None };
    let told = Fetched {
        url: "http://a.test/".to_owned(),
        depth: 0,
        fetches: 2,
        at: due,
        validators: etag.clone(),
        content: Some(7),
    };
    for _ in 0..2 {
        assert_eq!(world.frontier.revive(vec![told.clone()]).unwrap(), 1);
    }
    let (visit, again) = world.next(due);
    assert_eq!(urls(&visit), ["http://a.test/"]);
    assert!(again > due + 60_000);
    assert_eq!((visit.tasks[0].fetch_number, &visit.tasks[0].validators), (2, &etag));
    let done = finished(&visit, &visit.tasks[0], page(""), again, true);
    let changed = Found { content: Some(8), ..Found::default() };
    world.frontier.settle(again, &[done], vec![changed], None).unwrap();
    assert_eq!((world.stat("visits_out"), world.stat("changed")), (0, 1));
    assert_eq!(urls(&world.next(again).0), ["http://a.test/"], "once");
}

#[test]
fn a_page_that_is_not_there_for_a_while_keeps_its_time() {
    let odd: [fn() -> Outcome; 4] = [
        || Outcome::Missing { status: 404 },
        || Outcome::Redirected { status: 302, target: "/maintenance".into() },
        || Outcome::UnwantedType("image/png".into()),
        || Outcome::TooLarge { limit: 9 },
    ];
    for odd in odd {
        let mut world = World::with(|tables| {
            tables.recrawl.enabled = true;
            tables.robots.ttl_s = 1_000_000_000;
            tables.crawl.exclude = vec!["/maintenance".to_owned()];
        });
        world.seed(&["http://a.test/"]);
        world.open_site(0, "");
        let mut now = 1_000;
        for answer in [|| page(""), odd, || page("")] {
            let (visit, due) = world.next(now);
            assert_eq!(urls(&visit), ["http://a.test/"], "{:?}", odd());
            now = world.settle(&visit, due, |_| (answer(), vec![]));
        }
        assert_eq!((world.stat("fetched"), world.stat("recrawled")), (2, 1), "{:?}", odd());
    }
}

#[test]
fn a_page_that_was_never_there_is_not_asked_for_again() {
    let mut world = World::with(|tables| tables.recrawl.enabled = true);
    world.seed(&["http://a.test/"]);
    world.open_site(0, "");
    let (visit, due) = world.next(1_000);
    world.settle(&visit, due, |_| (Outcome::Missing { status: 404 }, vec![]));
    assert!(world.frontier.finished(due));
}

/// A world in which the robots.txt of some sites is known, and others were never asked.
fn some_known(known: usize, new: usize) -> World {
    let mut world = World::with(|tables| tables.frontier.tiers = vec![rule("*", 1)]);
    let seed = |world: &mut World, kind: &str, count: usize| {
        let seeds: Vec<String> = (0..count).map(|n| format!("http://{kind}{n}.test/")).collect();
        world.seed(&seeds.iter().map(String::as_str).collect::<Vec<_>>());
    };
    seed(&mut world, "known", known);
    for visit in world.lease(0) {
        world.settle(&visit, 0, |_| (page(""), vec![]));
    }
    seed(&mut world, "new", new);
    world
}

fn new_among(visits: &[Visit]) -> usize {
    visits.iter().filter(|visit| visit.site.as_str().starts_with("new")).count()
}

#[test]
fn a_crawl_that_is_behind_stays_with_the_sites_that_it_knows_and_meets_few() {
    let mut world = some_known(40, 40);
    let visits = world.frontier.lease_behind(1_000, 100).unwrap();
    assert_eq!((visits.len(), new_among(&visits)), (45, 5), "one new site for seven that it knows");
    assert!(world.frontier.lease_behind(1_000, 100).unwrap().is_empty());
    let visits = world.frontier.lease(1_000, 100).unwrap();
    assert_eq!((visits.len(), new_among(&visits)), (35, 35), "all, as soon as it keeps up");
}

#[test]
fn a_new_site_with_a_better_page_comes_before_one_that_is_known() {
    let mut world = some_known(1, 0);
    let home = world.only(1_000);
    world.settle(&home, 1_000, |_| (page(""), vec!["http://known0.test/a/b/c"]));
    world.seed(&["http://new0.test/"]);
    let [visit] = &world.frontier.lease(2_000, 1).unwrap()[..] else { panic!("one was asked for") };
    assert_eq!(visit.site.as_str(), "new0.test");
}

#[test]
fn sites_are_met_a_thousand_at_a_time() {
    let mut world = some_known(0, 1_500);
    let visits = world.frontier.lease(0, 5_000).unwrap();
    assert_eq!(visits.len(), 1_000);
    assert_ne!(world.frontier.next_due(0), Some(0), "nothing can begin before one of them comes home");
    for visit in &visits[..10] {
        world.settle(visit, 0, |_| (page(""), vec![]));
    }
    assert_eq!(new_among(&world.frontier.lease(0, 5_000).unwrap()), 10);
}

#[test]
fn first_visits_that_are_lost_make_room_for_others() {
    let mut world = some_known(0, 1_500);
    let visits = world.frontier.lease(0, 5_000).unwrap();
    let lost = visits[0].deadline + 3_600_000;
    world.frontier.tick(lost).unwrap();
    let behind = world.frontier.lease_behind(lost + 60_000, 5_000).unwrap();
    let all = world.frontier.lease(lost + 60_000, 5_000).unwrap();
    assert_eq!(behind.len() + all.len(), 1_500);
}

#[test]
fn sites_that_were_asked_before_a_crash_are_known_after_it() {
    let mut world = some_known(20, 20);
    world.crash(usize::MAX, 1_000);
    let visits = world.frontier.lease_behind(10_000, 100).unwrap();
    assert_eq!((visits.len(), new_among(&visits)), (22, 2));
}
