//! "Why was this URL (not) fetched?"

use helios_core::fetch::Outcome;

use crate::world::{World, busy, page};

#[test]
fn every_state_of_a_url_has_its_reason() {
    let mut world = World::with(|tables| {
        tables.crawl.scope = helios_core::frontier::ScopeKind::Site;
        tables.frontier.max_pages_per_site = Some(2);
        tables.frontier.visit_urls = 9;
    });
    world.seed(&["http://a.test/"]);
    assert_eq!(world.why("http://a.test/").state, "queued");
    assert!(world.why("http://a.test/").robots.contains("not known yet"));
    world.open_site(0, "user-agent: *\ndisallow: /private");
    let visit = world.only(1_000);
    assert_eq!(world.why("http://a.test/").state, "out");
    let links = vec!["http://a.test/private", "http://a.test/1", "http://a.test/2", "http://b.test/"];
    world.settle(&visit, 1_000, |_| (page(""), links.clone()));
    let fetched = world.why("http://a.test/");
    assert_eq!((fetched.state.as_str(), fetched.fetches, fetched.via), ("fetched", 1, None));
    assert_eq!(world.why("http://b.test/").state, "out_of_scope");
    assert_eq!(world.why("http://a.test/never").state, "unknown");

    let visit = world.only(2_000);
    let denied = world.why("http://a.test/private");
    assert_eq!((denied.state.as_str(), denied.via.as_deref()), ("denied", Some("http://a.test/")));
    assert!(denied.because.contains("/private") && denied.robots.contains("/private"), "{denied:?}");
    world.settle(&visit, 2_000, |_| (busy(20), vec![]));
    let asked = visit.tasks[0].permit.url().to_string();
    let later = world.why(&asked);
    assert_eq!((later.state.as_str(), later.next, later.failures.len()), ("later", Some(22_000), 1));

    let (visit, due) = world.next(22_000);
    world.settle(&visit, due, |_| (page(""), vec![]));
    let parked = ["http://a.test/1", "http://a.test/2"].map(|url| world.why(url).state);
    assert!(parked.contains(&"parked".to_owned()), "{parked:?}");
}

#[test]
fn a_dead_letter_tells_its_attempts() {
    let mut world = World::seeded(&["http://a.test/1"]);
    world.open_site(0, "");
    let mut now = 0;
    for _ in 0..3 {
        let (visit, due) = world.next(now);
        now = world.settle(&visit, due, |_| (Outcome::Broken("reset".into()), vec![]));
    }
    let why = world.why("http://a.test/1");
    assert_eq!((why.state.as_str(), why.failures.len()), ("dead", 3));
    assert!(why.because.contains("replay"), "{}", why.because);
}

#[test]
fn a_trap_is_named() {
    let trap = "http://a.test/x/x/x/x/x/x/x";
    let mut world = World::seeded(&["http://a.test/"]);
    world.open_site(0, "");
    let (visit, due) = world.next(1_000);
    world.settle(&visit, due, |_| (page(""), vec![trap]));
    assert_eq!(world.why(trap).state, "trapped");
    assert_eq!((world.stat("trapped"), world.stat("known")), (1, 1));
}
