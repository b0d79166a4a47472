//! The auditor, rule by rule, on hand-made logs: what breaks a law, and what is just allowed.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must fail")]

mod court;

use std::net::Ipv4Addr;
use std::time::Duration;

use court::{
    CUT, Case, DOWN, Known, LEFT, OPEN, REFUSED, RESET, Row, SILENT, SLOW, check, judged, log, log_of,
    promises, rules,
};
use helios_sim::audit::judge;
use helios_sim::log::{Begin, Ending, Finish, Log};
use helios_sim::settings::Promises;

const R0: Row = (0, "/robots.txt", 0, 10, 200);

#[test]
fn house_p_one_at_once_and_a_second_apart() {
    let cases: &[Case<'_>] = &[
        ("a second after the end", &[R0, (0, "/a", 1_010, 1_020, 200)], &[]),
        ("within the tolerance", &[R0, (0, "/a", 1_009, 1_020, 200)], &[]),
        ("two milliseconds early", &[R0, (0, "/a", 1_008, 1_020, 200)], &[("site_gap", 1)]),
        ("the other host of the site", &[R0, (1, "/a", 500, 510, 200)], &[("site_gap", 1)]),
        ("another site at once", &[R0, (SLOW, "/robots.txt", 1, 5, 200)], &[]),
        ("two in flight", &[(0, "/a", 0, 900, 200), (0, "/b", 100, 200, 200)], &[("site_overlap", 1)]),
        (
            "the long one counts, not the last one",
            &[(0, "/a", 0, 9_000, 200), (0, "/b", 100, 200, 200), (0, "/c", 9_500, 9_600, 200)],
            &[("site_gap", 1), ("site_overlap", 1)],
        ),
        ("still in flight", &[(0, "/a", 0, 0, OPEN), (0, "/b", 5_000, 5_010, 200)], &[("site_overlap", 1)]),
        (
            "a broken answer ends, too",
            &[(0, "/a", 0, 500, RESET), (0, "/b", 1_400, 1_410, 200)],
            &[("site_gap", 1)],
        ),
        ("its leaving was noticed late", &[(0, "/a", 0, 500, LEFT), (0, "/b", 1_460, 1_470, 200)], &[]),
        ("but not so late", &[(0, "/a", 0, 500, SILENT), (0, "/b", 1_440, 1_450, 200)], &[("site_gap", 1)]),
    ];
    check(cases, &promises(), |report| &report.laws.politeness);
}

#[test]
fn house_p_two_at_once_keep_the_delay_each() {
    let two = Promises { site_connections: 2, ..promises() };
    let cases: &[Case<'_>] = &[
        ("two", &[(0, "/a", 0, 900, 200), (0, "/b", 100, 200, 200)], &[]),
        (
            "the place of the second is free again",
            &[(0, "/a", 0, 9_000, 200), (0, "/b", 100, 200, 200), (0, "/c", 1_200, 1_300, 200)],
            &[],
        ),
        (
            "not yet free",
            &[(0, "/a", 0, 9_000, 200), (0, "/b", 100, 200, 200), (0, "/c", 1_100, 1_300, 200)],
            &[("site_gap", 1)],
        ),
        (
            "three",
            &[(0, "/a", 0, 900, 200), (0, "/b", 100, 900, 200), (0, "/c", 200, 300, 200)],
            &[("site_overlap", 1)],
        ),
    ];
    check(cases, &two, |report| &report.laws.politeness);
}

/// Name of the case, requests with their connections, connections promised, and the rules that must be found broken.
type Turns<'a> = (&'a str, &'a [(u32, Row)], u32, &'a [(&'a str, u64)]);

#[test]
fn house_p_one_connection_at_a_site_and_not_two_in_turns() {
    let page = |target, from| -> Row { (0, target, from, from + 10, 200) };
    let other: Row = (1, "/c", 4_000, 4_010, 200);
    let cases: &[Turns<'_>] = &[
        ("one for all", &[(0, page("/a", 0)), (0, page("/b", 2_000)), (0, page("/c", 4_000))], 1, &[]),
        (
            "one after the other",
            &[(0, page("/a", 0)), (1, page("/b", 2_000)), (1, page("/c", 4_000))],
            1,
            &[],
        ),
        (
            "in turns",
            &[(0, page("/a", 0)), (1, page("/b", 2_000)), (0, page("/c", 4_000))],
            1,
            &[("site_connections", 1)],
        ),
        (
            "in turns, and to two hosts of the site",
            &[(0, page("/a", 0)), (1, other), (0, page("/d", 6_000)), (1, (1, "/e", 8_000, 8_010, 200))],
            1,
            &[("site_connections", 1)],
        ),
        ("two were promised", &[(0, page("/a", 0)), (1, page("/b", 2_000)), (0, page("/c", 4_000))], 2, &[]),
        (
            "two were promised, three are in use",
            &[
                (0, page("/a", 0)),
                (1, page("/b", 2_000)),
                (2, page("/c", 4_000)),
                (0, page("/d", 6_000)),
                (1, page("/e", 8_000)),
            ],
            2,
            &[("site_connections", 1)],
        ),
        (
            "too many in flight are one offence",
            &[(0, (0, "/a", 0, 900, 200)), (1, page("/b", 100)), (0, page("/c", 2_000))],
            1,
            &[("site_overlap", 1)],
        ),
        (
            "another site in between",
            &[(0, page("/a", 0)), (1, (SLOW, "/b", 2_000, 2_010, 200)), (0, page("/c", 4_000))],
            1,
            &[],
        ),
    ];
    for (name, rows, site_connections, expected) in cases {
        let promises = Promises { site_connections: *site_connections, ..promises() };
        let report = judge(&log_of(rows), &Known::new(), &promises);
        assert_eq!(rules(&report.laws.politeness), *expected, "{name}\n{}", report.text());
    }
}

#[test]
fn house_open_connections_are_a_fact_and_no_offence() {
    let mut log = log_of(&[
        (0, (0, "/a", 0, 10, 200)),
        (1, (1, "/b", 2_000, 2_010, 200)),
        (2, (0, "/c", 4_000, 4_010, 200)),
        (3, (SLOW, "/d", 4_000, 4_010, 200)),
    ]);
    log.close_connection(0, Duration::from_secs(3));
    let report = judge(&log, &Known::new(), &promises());
    assert_eq!(rules(&report.laws.politeness), []);
    assert_eq!((report.facts.most_connections, report.facts.most_at_once), (2, 1));
    assert_eq!(report.facts.busiest_sites[0].most_connections, 2);
}

#[test]
fn house_p_a_refused_connection_is_a_request_and_nothing_else() {
    let refused = |host, from| -> Row { (host, "", from, from, REFUSED) };
    let cases: &[Case<'_>] = &[
        ("a second apart", &[refused(0, 0), refused(0, 1_000)], &[]),
        ("hammered", &[refused(0, 0), refused(0, 10), refused(0, 20)], &[("site_gap", 2)]),
        ("and the other host of the site", &[refused(0, 0), (1, "/a", 10, 20, 200)], &[("site_gap", 1)]),
        ("while another is in flight", &[(1, "/a", 0, 900, 200), refused(0, 10)], &[("site_overlap", 1)]),
    ];
    check(cases, &promises(), |report| &report.laws.politeness);
    let report = judged(&[refused(0, 0), refused(0, 10)], &Promises { complete: true, ..promises() });
    assert_eq!((report.laws.robots.violations, report.laws.repeats.violations), (0, 0));
    let facts = &report.facts;
    assert_eq!((facts.refused_connections, facts.page_requests, facts.strays), (2, 0, 0));
    assert_eq!(facts.outcomes.get("refused"), Some(&2));
}

#[test]
fn house_p_addresses_are_judged_when_promised() {
    // Hosts 0 and 2 are different sites behind one address.
    let rows: &[Row] = &[(0, "/a", 0, 300, 200), (SLOW, "/a", 100, 200, 200), (0, "/b", 1_350, 1_400, 200)];
    check(&[("reported, not judged", rows, &[])], &promises(), |report| &report.laws.politeness);
    let facts = judged(rows, &promises()).facts;
    assert_eq!((facts.pressed_addresses[0].most_at_once, facts.addresses_asked), (2, 1));
    assert_eq!(facts.pressed_addresses[0].tightest_gap_ms, Some(0.0));
    let promised = Promises { address_connections: 1, address_delay_ms: 1_100, ..promises() };
    let broken = &[("address_gap", 1), ("address_overlap", 1)];
    check(&[("judged", rows, broken)], &promised, |report| &report.laws.politeness);
}

#[test]
fn house_p_crawl_delay_binds_once_robots_is_read() {
    let read: Row = (SLOW, "/robots.txt", 0, 10, 200);
    let cases: &[Case<'_>] = &[
        ("kept", &[read, (SLOW, "/a", 3_010, 3_020, 200)], &[]),
        ("not kept", &[read, (SLOW, "/a", 2_900, 2_920, 200)], &[("crawl_delay", 1)]),
        ("not read yet", &[(SLOW, "/a", 0, 10, 200), (SLOW, "/b", 1_010, 1_020, 200)], &[]),
        ("redirected", &[(SLOW, "/robots.txt", 0, 10, 301), (SLOW, "/r2.txt", 1_010, 1_020, 200)], &[]),
    ];
    check(cases, &promises(), |report| &report.laws.politeness);
    let ceiling = Promises { crawl_delay_ceiling_ms: 2_000, ..promises() };
    let above = &[read, (SLOW, "/a", 2_010, 2_920, 200)];
    check(&[("up to the ceiling", above, &[])], &ceiling, |report| &report.laws.politeness);
}

#[test]
fn house_p_retry_after_binds_up_to_its_ceiling() {
    let busy: Row = (0, "/a", 0, 10, 429);
    let cases: &[Case<'_>] = &[
        ("waited", &[busy, (0, "/a", 5_010, 5_020, 200)], &[]),
        ("did not wait", &[busy, (0, "/a", 4_000, 4_010, 200)], &[("retry_after", 1)]),
        ("nor another page", &[busy, (0, "/b", 4_000, 4_010, 200)], &[("retry_after", 1)]),
        ("another host of the site", &[busy, (1, "/b", 4_000, 4_010, 200)], &[]),
        ("503", &[(0, "/a", 0, 10, 503), (0, "/a", 1_500, 1_510, 200)], &[("retry_after", 1)]),
        (
            "twice as long",
            &[busy, (0, "/a", 4_000, 4_010, 429), (0, "/a", 6_000, 6_010, 200)],
            &[("retry_after", 2)],
        ),
    ];
    check(cases, &promises(), |report| &report.laws.politeness);
}

#[test]
fn house_r_robots_first_and_nothing_denied() {
    let cases: &[Case<'_>] = &[
        ("allowed", &[R0, (0, "/a", 20, 30, 200)], &[]),
        ("not found allows", &[(0, "/robots.txt", 0, 10, 404), (0, "/a", 20, 30, 200)], &[]),
        ("redirected", &[(0, "/robots.txt", 0, 10, 301), (0, "/a", 20, 30, 200)], &[]),
        ("denied", &[R0, (0, "/denied", 20, 30, 200)], &[("denied", 1)]),
        ("denied and no page", &[R0, (0, "/odd-denied", 20, 30, 404)], &[("denied", 1)]),
        ("not asked", &[(0, "/a", 20, 30, 200)], &[("robots_first", 1)]),
        ("that of another host", &[R0, (1, "/a", 20, 30, 200)], &[("robots_first", 1)]),
        ("not yet answered", &[R0, (0, "/a", 9, 30, 200)], &[("robots_first", 1)]),
        ("broken", &[(0, "/robots.txt", 0, 10, RESET), (0, "/a", 20, 30, 200)], &[("robots_first", 1)]),
        ("left early", &[(0, "/robots.txt", 0, 10, LEFT), (0, "/a", 20, 30, 200)], &[("robots_first", 1)]),
        ("read as far as a crawler must", &[(0, "/robots.txt", 0, 10, CUT), (0, "/a", 20, 30, 200)], &[]),
        ("silent", &[(0, "/robots.txt", 0, 10, SILENT), (0, "/a", 20, 30, 200)], &[("robots_first", 1)]),
        (
            "server error",
            &[(0, "/robots.txt", 0, 10, 503), (0, "/a", 20, 30, 200)],
            &[("robots_unavailable", 1)],
        ),
        (
            "healed",
            &[(0, "/robots.txt", 0, 10, 503), (0, "/robots.txt", 20, 30, 200), (0, "/a", 40, 50, 200)],
            &[],
        ),
        (
            "the last answer counts",
            &[R0, (0, "/robots.txt", 20, 30, 500), (0, "/a", 40, 50, 200)],
            &[("robots_unavailable", 1)],
        ),
        (
            "unavailable behind a redirect",
            &[(DOWN, "/robots.txt", 0, 10, 302), (DOWN, "/", 20, 30, 200)],
            &[("robots_unavailable", 1)],
        ),
        ("sitemaps are no exception", &[(0, "/sitemap.xml", 20, 30, 200)], &[("robots_first", 1)]),
    ];
    check(cases, &promises(), |report| &report.laws.robots);
}

#[test]
fn house_r_what_is_denied_is_denied_to_the_token_that_was_promised() {
    let rows: &[Row] = &[R0, (0, "/denied-to-helios", 20, 30, 200)];
    for (token, broken) in [("helios", 1), ("Helios", 1), ("selene", 0)] {
        let report = judged(rows, &Promises { robots_token: token.to_owned(), ..promises() });
        assert_eq!(report.laws.robots.violations, broken, "{token}");
    }
}

#[test]
fn house_e_a_final_answer_is_final() {
    const DAY: u64 = 24 * 3_600 * 1_000;
    let cases: &[Case<'_>] = &[
        ("once", &[(0, "/a", 0, 10, 200), (1, "/a", 20, 30, 200)], &[]),
        ("again", &[(0, "/a", 0, 10, 200), (0, "/a", 20, 30, 200)], &[("repeat", 1)]),
        ("not found is final", &[(0, "/a", 0, 10, 404), (0, "/a", 20, 30, 404)], &[("repeat", 1)]),
        ("after 503", &[(0, "/a", 0, 10, 503), (0, "/a", 20, 30, 200)], &[]),
        ("after a reset", &[(0, "/a", 0, 10, RESET), (0, "/a", 20, 30, 200)], &[]),
        ("after a timeout", &[(0, "/a", 0, 10, SILENT), (0, "/a", 20, 30, 200)], &[]),
        ("while in flight", &[(0, "/a", 0, 100, 200), (0, "/a", 20, 30, 200)], &[("repeat", 1)]),
        (
            "three times more",
            &[(0, "/a", 0, 1, 200), (0, "/a", 2, 3, 200), (0, "/a", 4, 5, 500), (0, "/a", 6, 7, 200)],
            &[("repeat", 3)],
        ),
        ("robots.txt", &[R0, (0, "/robots.txt", 20, 30, 200)], &[("repeat", 1)]),
        ("robots.txt a day later", &[R0, (0, "/robots.txt", DAY + 10, DAY + 20, 200)], &[]),
        ("robots.txt after an error", &[(0, "/robots.txt", 0, 1, 503), (0, "/robots.txt", 2, 3, 200)], &[]),
    ];
    check(cases, &promises(), |report| &report.laws.repeats);
    let crashed = Promises { crashes: 1, ..promises() };
    let cases: &[Case<'_>] = &[
        ("one crash", &[(0, "/a", 0, 10, 200), (0, "/a", 20, 30, 200)], &[]),
        ("too many", &[(0, "/a", 0, 1, 200), (0, "/a", 2, 3, 200), (0, "/a", 4, 5, 200)], &[("repeat", 1)]),
    ];
    check(cases, &crashed, |report| &report.laws.repeats);
    let recrawl = Promises { recrawl: true, ..promises() };
    let report = judged(&[(0, "/a", 0, 10, 200), (0, "/a", 20, 30, 200)], &recrawl);
    assert!(!report.laws.repeats.judged && report.laws.repeats.violations == 0);
}

#[test]
fn house_l_a_complete_crawl_has_asked_everything() {
    let all: &[Row] =
        &[(0, "/", 0, 1, 200), (0, "/one", 2, 3, 200), (0, "/gone", 4, 5, SILENT), (SLOW, "/far", 6, 7, 200)];
    let complete = Promises { complete: true, ..promises() };
    let without = |missing: usize, instead: Option<Row>| -> Vec<Row> {
        let mut rows = all.to_vec();
        rows.remove(missing);
        rows.extend(instead);
        rows
    };
    let cases: &[Case<'_>] = &[
        ("everything", all, &[]),
        ("nothing", &[], &[("never_asked", 4)]),
        ("one missing", &without(1, None), &[("never_asked", 1)]),
        ("given up though it heals", &without(1, Some((0, "/one", 8, 9, 503))), &[("gave_up", 1)]),
        ("cut off by a size limit", &without(1, Some((0, "/one", 8, 9, LEFT))), &[]),
        ("asked is enough", &without(2, Some((0, "/gone", 8, 9, 500))), &[]),
        ("still in flight", &without(2, Some((0, "/gone", 8, 9, OPEN))), &[("gave_up", 1)]),
    ];
    check(cases, &complete, |report| &report.laws.loss);
    let shallow = Promises { max_depth: Some(1), ..complete.clone() };
    check(&[("not so deep", &all[..3], &[])], &shallow, |report| &report.laws.loss);
    let mapped = Promises { sitemaps: true, ..complete.clone() };
    check(&[("by a sitemap alone", all, &[("never_asked", 1)])], &mapped, |report| &report.laws.loss);
    let budget = Promises { max_pages_per_site: Some(2), ..complete };
    let gone: Row = (0, "/gone", 8, 9, 404);
    let cases: &[Case<'_>] = &[
        ("budget reached", &without(2, None), &[]),
        ("one site's budget excuses no other site", &all[..2], &[("never_asked", 1)]),
        ("budget not reached", &all[..1], &[("never_asked", 2)]),
        ("only 2xx count", &[all[0], gone], &[("never_asked", 1)]),
        ("not even begun", &[], &[("never_asked", 1)]),
    ];
    check(cases, &budget, |report| &report.laws.loss);
    assert_eq!(judged(&all[..2], &budget).facts.expected, 1);
    assert!(!judged(all, &promises()).laws.loss.judged);
}

#[test]
fn house_facts_are_counted() {
    let rows: &[Row] = &[
        R0,
        (0, "/", 1_010, 1_020, 200),
        (0, "/odd", 2_520, 2_530, 404),
        (0, "/trap", 3_530, 3_540, 200),
        (0, "/alias", 4_540, 4_550, RESET),
        (0, "/sitemap.xml", 5_550, 5_560, 200),
        (1, "/not-linked", 6_560, 6_570, 200),
    ];
    let facts = judged(rows, &Promises { complete: true, ..promises() }).facts;
    assert_eq!((facts.requests, facts.page_requests, facts.robots_requests), (7, 5, 1));
    assert_eq!(
        (facts.strays, facts.trap_requests, facts.alias_requests, facts.sitemap_requests),
        (2, 1, 1, 1)
    );
    assert_eq!((facts.hosts_asked, facts.sites_asked, facts.connections, facts.bytes), (2, 1, 7, 700));
    let outcomes: Vec<_> = facts.outcomes.iter().map(|(name, count)| (name.as_str(), *count)).collect();
    assert_eq!(outcomes, [("200", 5), ("404", 1), ("reset", 1)]);
    assert_eq!((facts.gap_p50_ms, facts.tightest_gap_ms), (Some(1_000.0), Some(1_000.0)));
    assert_eq!(judged(rows, &promises()).facts.strays, 1);
}

#[test]
fn house_the_report_is_stable_json_and_fits_100_columns() {
    let wide = "/a-rather-long-path/".repeat(9);
    let mut log = log(&[(0, "/denied", 0, 10, 200), (0, "/denied", 20, 30, 200)]);
    let begin = Begin { connection: 1, host: 0, target: &wide, head: false };
    let started = log.begin(begin, Duration::from_millis(40)).unwrap();
    let at = Duration::from_millis(50);
    log.finish(
        started.number,
        &Finish { at, ending: Ending::Complete, status: 200, bytes: 1, retry_after: None },
    );
    let report = judge(&log, &Known::new(), &Promises { complete: true, ..promises() });
    let json: serde_json::Value = serde_json::from_str(&report.json()).unwrap();
    assert_eq!(json["innocent"], false);
    for (law, violations) in [("P", 2), ("R", 5), ("E", 1), ("L", 4)] {
        assert_eq!(json["laws"][law]["violations"], violations, "{law}");
        let worst = &json["laws"][law]["worst"][0];
        assert!(worst["sentence"].as_str().is_some_and(|sentence| !sentence.is_empty()), "{law}");
        assert!(worst["urls"][0].as_str().is_some_and(|url| url.starts_with("http://")), "{law}");
    }
    let text = report.text();
    assert!(text.starts_with("CONVICTED: 3 requests"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    assert!(judged(&[], &promises()).text().starts_with("INNOCENT"));
}

#[test]
fn house_only_the_worst_are_described_but_all_are_counted() {
    let mut log = Log::new();
    let connection = log.open_connection(Ipv4Addr::LOCALHOST, Duration::ZERO);
    for number in 0..500_u64 {
        let target = format!("/{number}");
        // Gaps grow: the first ones are the worst.
        let from = Duration::from_micros(number * number * 1_000);
        let started = log.begin(Begin { connection, host: 0, target: &target, head: false }, from).unwrap();
        let finish = Finish { at: from, ending: Ending::Complete, status: 200, bytes: 1, retry_after: None };
        log.finish(started.number, &finish);
    }
    let law = judge(&log, &Known::new(), &promises()).laws.politeness;
    assert_eq!((law.violations, law.worst.len()), (499, 20));
    assert!(law.worst.windows(2).all(|pair| pair[0].measured <= pair[1].measured));
    assert!(law.worst[0].measured <= 1.0, "{:?}", law.worst[0]);
}

#[test]
fn house_ten_million_requests_fit_in_a_gigabyte() {
    let mut log = Log::new();
    let requests = 200_000_u64;
    let mut connection = 0;
    for number in 0..requests {
        if number % 4 == 0 {
            connection = log.open_connection(Ipv4Addr::LOCALHOST, Duration::ZERO);
        }
        let target = format!("/section/quiet-river-{number:09}");
        log.begin(Begin { connection, host: 0, target: &target, head: false }, Duration::ZERO).unwrap();
    }
    let each = log.cost_bytes() as f64 / requests as f64;
    assert!(each < 100.0, "{each} bytes a request, each for a new target, four on a connection");
}

#[test]
fn house_a_forgotten_request_does_not_come_back() {
    let mut log = log(&[(0, "/a", 0, 10, 200)]);
    let begin = |target| Begin { connection: 0, host: 0, target, head: false };
    let in_flight = log.begin(begin("/b"), Duration::from_millis(20)).unwrap();
    log.forget();
    let after = log.begin(begin("/b"), Duration::from_millis(30)).unwrap();
    assert_eq!((after.attempt, after.number), (0, 2));
    let at = Duration::from_millis(40);
    let finish = Finish { at, ending: Ending::Complete, status: 200, bytes: 1, retry_after: None };
    log.finish(in_flight.number, &finish);
    assert_eq!(log.records().iter().map(|record| record.ending).collect::<Vec<_>>(), [Ending::Open]);
}
