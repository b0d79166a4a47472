//! Politeness, robots first, retries, redirects, scope.

use helios_core::dns::{DnsError, Failure};
use helios_core::fetch::{Outcome, Purpose};
use helios_core::frontier::{Found, ScopeKind};
use helios_core::url::CanonicalUrl;

use crate::world::{World, finished, page, urls};

#[test]
fn robots_txt_is_asked_first_and_the_delay_counts_from_its_end() {
    let mut world = World::new();
    world.seed(&["http://a.test/x"]);
    let visit = world.only(0);
    assert_eq!(visit.tasks[0].permit.url().as_str(), "http://a.test/robots.txt");
    assert!(world.lease(0).is_empty(), "a site has one visit out");
    world.settle(&visit, 700, |_| (page(""), vec![]));
    assert_eq!(world.frontier.next_due(700), Some(1_700));
    assert!(world.lease(1_699).is_empty());
    assert_eq!(world.only(1_700).tasks[0].permit.url().as_str(), "http://a.test/x");
}

#[test]
fn denied_urls_are_never_leased_and_are_counted() {
    let mut world = World::new();
    world.seed(&["http://a.test/private/1", "http://a.test/open"]);
    world.open_site(0, "user-agent: *\ndisallow: /private/");
    let visit = world.only(5_000);
    assert_eq!(visit.tasks.len(), 1);
    assert_eq!(visit.tasks[0].permit.url().as_str(), "http://a.test/open");
    assert_eq!(world.stat("denied"), 1);
}

#[test]
fn crawl_delay_stretches_the_delay_up_to_its_ceiling() {
    for (robots, expected) in
        [("user-agent: *\ncrawl-delay: 7", 7_000), ("user-agent: *\ncrawl-delay: 99", 30_000)]
    {
        let mut world = World::new();
        world.seed(&["http://a.test/"]);
        world.open_site(0, robots);
        assert_eq!(world.frontier.next_due(0), Some(expected));
        assert_eq!(world.only(expected).delay.as_millis() as u64, expected);
    }
}

#[test]
fn a_link_is_followed_once_and_sites_are_leased_side_by_side() {
    let mut world = World::new();
    world.seed(&["http://a.test/"]);
    world.open_site(0, "");
    let visit = world.only(1_000);
    world.settle(&visit, 1_000, |_| {
        (
            page(""),
            vec!["http://a.test/", "http://a.test/2", "http://b.test/", "http://c.test/", "http://a.test/2"],
        )
    });
    assert_eq!(world.lease(2_000).len(), 3, "a again, b and c for the first time");
}

#[test]
fn thousands_of_links_of_several_pages_are_taken_in_once_by_one_write() {
    let mut world = World::new();
    world.seed(&["http://a.test/", "http://a.test/1", "http://a.test/2"]);
    world.open_site(0, "");
    let visit = world.only(1_000);
    // Each page has half of its links in common with the one before, and every fifth leads to one of three other sites.
    let found = (0..3).map(|page| Found {
        links: (2_500 * page..2_500 * page + 5_000)
            .map(|number| match number % 5 {
                0 => format!("http://other{}.test/{number}", number % 3),
                _ => format!("http://a.test/page/{number}"),
            })
            .map(|url| CanonicalUrl::parse(&url).unwrap())
            .collect(),
        ..Found::default()
    });
    let done: Vec<_> = visit
        .tasks
        .iter()
        .enumerate()
        .map(|(index, task)| finished(&visit, task, page(""), 1_000, index == 2))
        .collect();
    world.frontier.settle(1_000, &done, found.collect(), None).unwrap();
    for _ in 0..2 {
        assert_eq!(
            (world.stat("links"), world.stat("pending"), world.stat("sites")),
            (3 + 15_000, 10_000, 4)
        );
        world.crash(usize::MAX, 2_000);
    }
}

#[test]
fn retry_after_is_honoured_and_the_rest_of_the_visit_comes_back() {
    let mut world = World::new();
    world.seed(&["http://a.test/1", "http://a.test/2"]);
    world.open_site(0, "");
    let visit = world.only(1_000);
    let mut first = true;
    world.settle(&visit, 1_000, |_| {
        let busy = Outcome::Busy { status: 429, retry_after_ms: Some(20_000) };
        (if std::mem::take(&mut first) { busy } else { Outcome::Abandoned }, vec![])
    });
    assert_eq!(world.frontier.next_due(1_000), Some(21_000));
    let visit = world.only(21_000);
    assert_eq!(urls(&visit), ["http://a.test/2", "http://a.test/1"]);
}

#[test]
fn a_url_that_keeps_failing_becomes_a_dead_letter_with_its_reason() {
    let mut world = World::new();
    world.seed(&["http://a.test/1"]);
    world.open_site(0, "");
    for attempt in 1..=3 {
        let due = world.frontier.next_due(0).unwrap_or_else(|| panic!("attempt {attempt} is due"));
        let visit = world.only(due);
        world.settle(&visit, due, |_| (Outcome::Broken("reset".into()), vec![]));
    }
    assert!(world.frontier.finished(0));
    let letter = &world.frontier.dead_letters(9).unwrap()[0];
    assert_eq!((letter.url.as_str(), letter.attempts), ("http://a.test/1", 3));
    assert!(letter.reason.contains("reset"));
}

#[test]
fn rfc9309_nothing_is_asked_while_robots_txt_is_unavailable_and_then_given_up() {
    let mut world = World::new();
    world.seed(&["http://a.test/1"]);
    for _ in 0..2 {
        let due = world.frontier.next_due(0).unwrap();
        let visit = world.only(due);
        assert_eq!(visit.tasks[0].purpose, Purpose::RobotsTxt);
        world.settle(&visit, due, |_| (Outcome::Busy { status: 503, retry_after_ms: None }, vec![]));
    }
    let due = world.frontier.next_due(0).unwrap();
    assert!(world.lease(due).is_empty());
    assert!(world.frontier.dead_letters(9).unwrap()[0].reason.contains("robots.txt"));
    assert!(world.frontier.finished(due));
}

#[test]
fn a_name_that_is_not_there_is_given_up_at_once_and_a_name_server_that_fails_is_not() {
    let failed = DnsError::ServerFailed(Failure::Code(2));
    for (error, again) in [(DnsError::NoSuchName, 0), (DnsError::NoAddress, 0), (failed, 1)] {
        let mut world = World::new();
        world.seed(&["http://a.test/1"]);
        let visit = world.only(0);
        world.settle(&visit, 0, |_| (Outcome::Unresolved(error), vec![]));
        let due = world.frontier.next_due(0).unwrap();
        assert_eq!(world.lease(due).len(), again, "{error}");
        assert_eq!(world.stat("dead"), 1 - again as u64, "{error}");
    }
}

#[test]
fn max_pages_is_exact_with_many_visits_out() {
    let mut world = World::with(|tables| tables.crawl.max_pages = Some(5));
    let seeds: Vec<String> = (0..40).map(|n| format!("http://s{n}.test/")).collect();
    world.seed(&seeds.iter().map(String::as_str).collect::<Vec<_>>());
    for visit in world.lease(0) {
        world.settle(&visit, 0, |_| (page(""), vec![]));
    }
    let visits = world.lease(10_000);
    assert_eq!(
        visits.iter().map(|visit| visit.tasks.len()).sum::<usize>(),
        5,
        "what is leased counts as used"
    );
    let mut answers = [Outcome::Missing { status: 404 }, page(""), page(""), page(""), page("")].into_iter();
    for visit in &visits {
        world.settle(visit, 10_000, |_| (answers.next().unwrap(), vec![]));
    }
    assert_eq!(world.lease(20_000).len(), 1, "a page that was missing gives its place back");
    assert_eq!(world.stat("fetched"), 4);
}

#[test]
fn a_site_over_its_budget_is_parked_and_counted() {
    let mut world = World::with(|tables| tables.frontier.max_pages_per_site = Some(1));
    world.seed(&["http://a.test/1", "http://a.test/2", "http://a.test/3"]);
    world.open_site(0, "");
    let visit = world.only(1_000);
    assert_eq!(visit.tasks.len(), 1);
    world.settle(&visit, 1_000, |_| (page(""), vec![]));
    assert!(world.frontier.finished(9_000));
    assert_eq!(world.stat("parked"), 2);
}

#[test]
fn scope_keeps_a_crawl_at_home() {
    for (scope, expected) in [(ScopeKind::Host, 1), (ScopeKind::Site, 2), (ScopeKind::Any, 3)] {
        let mut world = World::with(|tables| tables.crawl.scope = scope);
        world.seed(&["http://www.a.test/"]);
        world.open_site(0, "");
        let visit = world.only(1_000);
        world.settle(&visit, 1_000, |_| {
            (page(""), vec!["http://www.a.test/", "http://blog.a.test/", "http://b.test/"])
        });
        assert_eq!(world.stat("known"), expected, "{scope:?}");
    }
}

#[test]
fn results_of_a_visit_that_is_not_out_are_dropped_before_they_are_stored() {
    let mut world = World::seeded(&["http://a.test/"]);
    let visit = world.only(0);
    world.settle(&visit, 0, |_| (page(""), vec![]));
    let mut late = vec![finished(&visit, &visit.tasks[0], page(""), 0, true)];
    world.frontier.receive(&mut late);
    assert!(late.is_empty());
    assert_eq!(world.stat("late_results"), 1);
}

#[test]
fn a_site_that_denies_thousands_does_not_hold_up_a_lease() {
    let mut world = World::new();
    let seeds: Vec<String> = (0..5_000).map(|n| format!("http://a.test/private/{n}")).collect();
    world.seed(&seeds.iter().map(String::as_str).collect::<Vec<_>>());
    world.open_site(0, "user-agent: *\ndisallow: /private/");
    assert!(world.lease(5_000).is_empty());
    let after_one_call = world.stat("denied");
    assert!((1_000..2_000).contains(&after_one_call), "{after_one_call}");
    while !world.frontier.finished(5_000) {
        assert!(world.lease(5_000).is_empty());
    }
    assert_eq!(world.stat("denied"), 5_000);
}
