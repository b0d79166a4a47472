//! The frontier in virtual time: politeness, robots first, retries, limits.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]

use std::collections::VecDeque;

use helios_core::error::settings_from_json;
use helios_core::fetch::{Finished, Outcome, Purpose, Response, Task, Visit};
use helios_core::frontier::Frontier;
use helios_core::url::CanonicalUrl;

/// Settings as Python sends them, changed by `change`.
fn frontier_with(change: impl FnOnce(&mut serde_json::Value)) -> Frontier {
    let mut tables = serde_json::json!({
        "crawl": {"scope": "any", "max_pages": null, "max_depth": null, "max_seconds": null},
        "frontier": {
            "delay_ms": 1_000, "visit_urls": 3, "attempts": 3, "backoff_ms": 2_000, "backoff_ceiling_ms": 60_000,
            "crawl_delay_ceiling_ms": 30_000, "retry_after_ceiling_ms": 60_000, "max_pages_per_site": null,
            "max_url_length": 200, "max_redirects": 2,
        },
        "robots": {"token": "helios", "ttl_s": 86_400, "max_bytes": 500_000, "attempts": 2},
    });
    change(&mut tables);
    Frontier::new(settings_from_json(&tables.to_string()).unwrap())
}

fn frontier() -> Frontier {
    frontier_with(|_| {})
}

fn page(text: &str) -> Outcome {
    let body = bytes::Bytes::from(text.to_owned());
    Outcome::Fetched(Response {
        status: 200,
        content_type: "text/html".into(),
        robots_tags: Vec::new(),
        body,
    })
}

fn finished(visit: &Visit, task: &Task, outcome: Outcome, at: u64, last: bool) -> Finished {
    let site = visit.site.clone();
    let task = task.clone();
    Finished {
        visit: visit.id,
        site,
        task,
        outcome,
        started: at,
        finished: at,
        wire_bytes: 0,
        address: None,
        last,
    }
}

/// Settles one visit: every task answered by `answer`, one delay apart. Returns when the last one ended.
fn settle(
    frontier: &mut Frontier,
    visit: &Visit,
    start: u64,
    mut answer: impl FnMut(&Task) -> (Outcome, Vec<&'static str>),
) -> u64 {
    let mut at = start;
    let count = visit.tasks.len();
    for (index, task) in visit.tasks.iter().enumerate() {
        at = if index == 0 { start } else { at + visit.delay.as_millis() as u64 };
        let (outcome, links) = answer(task);
        let links = links.into_iter().map(|link| CanonicalUrl::parse(link).unwrap()).collect();
        frontier
            .settle(at, &[finished(visit, task, outcome, at, index + 1 == count)], vec![links], None)
            .unwrap();
    }
    at
}

fn only(visits: Vec<Visit>) -> Visit {
    let mut visits = VecDeque::from(visits);
    let visit = visits.pop_front().expect("a visit");
    assert!(visits.is_empty(), "one visit only");
    visit
}

/// Leases and settles the robots visit that comes first.
fn open_site(frontier: &mut Frontier, at: u64, robots: &'static str) {
    let visit = only(frontier.lease(at, 9));
    assert_eq!(visit.tasks[0].purpose, Purpose::RobotsTxt);
    settle(frontier, &visit, at, |_| (page(robots), vec![]));
}

#[test]
fn robots_txt_is_asked_first_and_the_delay_counts_from_its_end() {
    let mut frontier = frontier();
    frontier.seed(0, ["http://a.test/x"]);
    let visit = only(frontier.lease(0, 9));
    assert_eq!(visit.tasks[0].permit.url().as_str(), "http://a.test/robots.txt");
    assert!(frontier.lease(0, 9).is_empty(), "a site has one visit out");
    settle(&mut frontier, &visit, 700, |_| (page(""), vec![]));
    assert_eq!(frontier.next_due(700), Some(1_700));
    assert!(frontier.lease(1_699, 9).is_empty());
    assert_eq!(only(frontier.lease(1_700, 9)).tasks[0].permit.url().as_str(), "http://a.test/x");
}

#[test]
fn denied_urls_are_never_leased_and_are_counted() {
    let mut frontier = frontier();
    frontier.seed(0, ["http://a.test/private/1", "http://a.test/open"]);
    open_site(&mut frontier, 0, "user-agent: *\ndisallow: /private/");
    let visit = only(frontier.lease(5_000, 9));
    assert_eq!(visit.tasks.len(), 1);
    assert_eq!(visit.tasks[0].permit.url().as_str(), "http://a.test/open");
    assert_eq!(frontier.counters.denied, 1);
}

#[test]
fn crawl_delay_stretches_the_delay_up_to_its_ceiling() {
    for (robots, expected) in
        [("user-agent: *\ncrawl-delay: 7", 7_000), ("user-agent: *\ncrawl-delay: 99", 30_000)]
    {
        let mut frontier = frontier();
        frontier.seed(0, ["http://a.test/"]);
        open_site(&mut frontier, 0, robots);
        assert_eq!(frontier.next_due(0), Some(expected));
        assert_eq!(only(frontier.lease(expected, 1)).delay.as_millis() as u64, expected);
    }
}

#[test]
fn a_link_is_followed_once_and_sites_are_leased_side_by_side() {
    let mut frontier = frontier();
    frontier.seed(0, ["http://a.test/"]);
    open_site(&mut frontier, 0, "");
    let visit = only(frontier.lease(1_000, 9));
    settle(&mut frontier, &visit, 1_000, |_| {
        (
            page(""),
            vec!["http://a.test/", "http://a.test/2", "http://b.test/", "http://c.test/", "http://a.test/2"],
        )
    });
    assert_eq!(frontier.lease(2_000, 9).len(), 3, "a again, b and c for the first time");
}

#[test]
fn retry_after_is_honoured_and_the_rest_of_the_visit_comes_back() {
    let mut frontier = frontier();
    frontier.seed(0, ["http://a.test/1", "http://a.test/2"]);
    open_site(&mut frontier, 0, "");
    let visit = only(frontier.lease(1_000, 9));
    let mut first = true;
    settle(&mut frontier, &visit, 1_000, |_| {
        let busy = Outcome::Busy { status: 429, retry_after_ms: Some(20_000) };
        (if std::mem::take(&mut first) { busy } else { Outcome::Abandoned }, vec![])
    });
    assert_eq!(frontier.next_due(1_000), Some(21_000));
    let visit = only(frontier.lease(21_000, 9));
    let urls: Vec<_> = visit.tasks.iter().map(|task| task.permit.url().as_str()).collect();
    assert_eq!(urls, ["http://a.test/2", "http://a.test/1"]);
}

#[test]
fn a_url_that_keeps_failing_becomes_a_dead_letter_with_its_reason() {
    let mut frontier = frontier();
    frontier.seed(0, ["http://a.test/1"]);
    open_site(&mut frontier, 0, "");
    for attempt in 1..=3 {
        let due = frontier.next_due(0).unwrap_or_else(|| panic!("attempt {attempt} is due"));
        let visit = only(frontier.lease(due, 9));
        settle(&mut frontier, &visit, due, |_| (Outcome::Broken("reset".into()), vec![]));
    }
    assert!(frontier.finished(0));
    let letter = &frontier.dead_letters()[0];
    assert_eq!((letter.url.as_str(), letter.attempts), ("http://a.test/1", 3));
    assert!(letter.reason.contains("reset"));
}

#[test]
fn rfc9309_nothing_is_asked_while_robots_txt_is_unavailable_and_then_given_up() {
    let mut frontier = frontier();
    frontier.seed(0, ["http://a.test/1"]);
    for _ in 0..2 {
        let due = frontier.next_due(0).unwrap();
        let visit = only(frontier.lease(due, 9));
        assert_eq!(visit.tasks[0].purpose, Purpose::RobotsTxt);
        settle(&mut frontier, &visit, due, |_| (Outcome::Busy { status: 503, retry_after_ms: None }, vec![]));
    }
    let due = frontier.next_due(0).unwrap();
    assert!(frontier.lease(due, 9).is_empty());
    assert!(frontier.dead_letters()[0].reason.contains("robots.txt"));
    assert!(frontier.finished(due));
}

#[test]
fn max_pages_is_exact_with_many_visits_out() {
    let mut frontier = frontier_with(|value| value["crawl"]["max_pages"] = 5.into());
    let seeds: Vec<String> = (0..40).map(|n| format!("http://s{n}.test/")).collect();
    frontier.seed(0, seeds.iter().map(String::as_str));
    for visit in frontier.lease(0, 99) {
        settle(&mut frontier, &visit, 0, |_| (page(""), vec![]));
    }
    let visits = frontier.lease(10_000, 99);
    assert_eq!(
        visits.iter().map(|visit| visit.tasks.len()).sum::<usize>(),
        5,
        "what is leased counts as used"
    );
    let mut answers = [Outcome::Missing { status: 404 }, page(""), page(""), page(""), page("")].into_iter();
    for visit in &visits {
        settle(&mut frontier, visit, 10_000, |_| (answers.next().unwrap(), vec![]));
    }
    assert_eq!(frontier.lease(20_000, 99).len(), 1, "a page that was missing gives its place back");
    assert_eq!(frontier.counters.fetched, 4);
}

#[test]
fn a_site_over_its_budget_is_parked_and_counted() {
    let mut frontier = frontier_with(|value| value["frontier"]["max_pages_per_site"] = 1.into());
    frontier.seed(0, ["http://a.test/1", "http://a.test/2", "http://a.test/3"]);
    open_site(&mut frontier, 0, "");
    let visit = only(frontier.lease(1_000, 9));
    assert_eq!(visit.tasks.len(), 1);
    settle(&mut frontier, &visit, 1_000, |_| (page(""), vec![]));
    assert!(frontier.finished(9_000));
    assert!(frontier.stats().contains(&("parked", 2)));
}

#[test]
fn redirects_are_links_with_a_hop_count() {
    let mut frontier = frontier();
    frontier.seed(0, ["http://a.test/0"]);
    open_site(&mut frontier, 0, "");
    for hop in 1..=3 {
        let due = frontier.next_due(0).unwrap();
        let visit = only(frontier.lease(due, 9));
        let target = format!("/{hop}");
        settle(&mut frontier, &visit, due, |_| {
            (Outcome::Redirected { status: 301, target: target.clone() }, vec![])
        });
    }
    assert!(frontier.finished(99_999), "the third hop is one too many");
    assert_eq!(frontier.counters.too_many_redirects, 1);
}

#[test]
fn scope_keeps_a_crawl_at_home() {
    for (scope, expected) in [("host", 1), ("site", 2), ("any", 3)] {
        let mut frontier = frontier_with(|value| value["crawl"]["scope"] = scope.into());
        frontier.seed(0, ["http://www.a.test/"]);
        open_site(&mut frontier, 0, "");
        let visit = only(frontier.lease(1_000, 9));
        settle(&mut frontier, &visit, 1_000, |_| {
            (page(""), vec!["http://www.a.test/", "http://blog.a.test/", "http://b.test/"])
        });
        assert!(frontier.stats().contains(&("known", expected)), "{scope}: {:?}", frontier.stats());
    }
}

#[test]
fn settling_what_is_not_out_is_refused() {
    let mut frontier = frontier();
    frontier.seed(0, ["http://a.test/"]);
    let visit = only(frontier.lease(0, 1));
    settle(&mut frontier, &visit, 0, |_| (page(""), vec![]));
    let again = finished(&visit, &visit.tasks[0], page(""), 0, true);
    assert!(frontier.settle(0, &[again], vec![vec![]], None).unwrap_err().to_string().contains("not out"));
}

#[test]
fn a_site_that_denies_thousands_does_not_hold_up_a_lease() {
    let mut frontier = frontier();
    let seeds: Vec<String> = (0..5_000).map(|n| format!("http://a.test/private/{n}")).collect();
    frontier.seed(0, seeds.iter().map(String::as_str));
    open_site(&mut frontier, 0, "user-agent: *\ndisallow: /private/");
    assert!(frontier.lease(5_000, 9).is_empty());
    let after_one_call = frontier.counters.denied;
    assert!((1_000..2_000).contains(&after_one_call), "{after_one_call}");
    while !frontier.finished(5_000) {
        assert!(frontier.lease(5_000, 9).is_empty());
    }
    assert_eq!(frontier.counters.denied, 5_000);
}
