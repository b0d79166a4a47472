//! A small court: four hosts known by heart, logs made by hand, and a table of cases.

#![allow(dead_code, reason = "each test file uses its part")]

use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::time::Duration;

use helios_sim::audit::{Law, Report, Truth, judge};
use helios_sim::log::{Begin, Ending, Finish, Log};
use helios_sim::reply::HostId;
use helios_sim::settings::Promises;
use helios_sim::web::{Expected, Fate, Host, Meaning, Reader, RobotsFacts};

pub(crate) const SLOW: HostId = 2;
pub(crate) const DOWN: HostId = 3;

/// Four hosts: 0 and 1 are one site, 2 has a Crawl-delay of 3 s, the robots.txt of 3 is unavailable for ever.
pub(crate) struct Known(pub(crate) Vec<Host>);

impl Known {
    pub(crate) fn new() -> Self {
        let host = |name: &str, site, last| Host {
            name: name.to_owned(),
            site,
            address: Ipv4Addr::new(127, 0, 1, last),
            https: false,
            refuses_connections: false,
        };
        Self(vec![
            host("www.a.test", 0, 1),
            host("a.test", 0, 2),
            host("slow.test", 1, 1),
            host("down.test", 2, 1),
        ])
    }
}

impl Truth for Known {
    fn host_count(&self) -> u32 {
        4
    }

    fn host(&self, host: HostId) -> &Host {
        &self.0[host as usize]
    }

    fn origin(&self, host: HostId) -> String {
        format!("http://{}", self.host(host).name)
    }

    fn meaning(&self, reader: Reader, _: HostId, target: &str) -> Meaning {
        let page = |denied, alias, trap| Meaning::Page { denied, alias, trap };
        match target {
            "/robots.txt" => Meaning::Robots,
            "/sitemap.xml" => Meaning::Sitemap,
            "/denied" => page(true, false, false),
            "/denied-to-helios" => page(reader == Reader::Helios, false, false),
            "/alias" => page(false, true, false),
            "/trap" => page(false, false, true),
            "/odd" => Meaning::Unknown { denied: false },
            "/odd-denied" => Meaning::Unknown { denied: true },
            _ => page(false, false, false),
        }
    }

    fn robots_facts(&self, _: Reader, host: HostId) -> RobotsFacts {
        let crawl_delay = (host == SLOW).then(|| Duration::from_secs(3));
        RobotsFacts { crawl_delay, unavailable: host == DOWN }
    }

    fn expect(&self, _: &Promises) -> Vec<Expected> {
        let entry = |host, target: &str, depth, fate| Expected {
            host,
            target: target.to_owned(),
            depth,
            sitemap_only: target == "/mapped",
            fate,
        };
        vec![
            entry(0, "/", 0, Fate::Stored),
            entry(0, "/one", 1, Fate::Stored),
            entry(0, "/gone", 1, Fate::Asked),
            entry(0, "/mapped", 1, Fate::Stored),
            entry(0, "/denied", 1, Fate::Denied),
            entry(SLOW, "/far", 2, Fate::Stored),
            entry(DOWN, "/", 1, Fate::Denied),
            entry(1, "/dead", 1, Fate::Unreachable),
        ]
    }

    /// The home page of 0 leads to all of its own, `/one` to `/far`.
    fn owed(&self, log: &Log, promises: &Promises) -> Vec<Expected> {
        let answered = |target| {
            let id = log.targets().find(0, target);
            log.records().iter().any(|record| Some(record.target) == id && record.status == 200)
        };
        let known = |entry: &Expected| match (entry.depth, entry.host) {
            (0, _) => true,
            (_, SLOW) => answered("/one"),
            _ => answered("/"),
        };
        self.expect(promises).into_iter().filter(known).collect()
    }
}

/// One request: host, target, from, to (milliseconds), status.
pub(crate) type Row = (HostId, &'static str, u64, u64, u16);

/// Statuses that stand for endings.
pub(crate) const RESET: u16 = 1;
pub(crate) const SILENT: u16 = 2;
pub(crate) const LEFT: u16 = 3;
pub(crate) const OPEN: u16 = 4;
pub(crate) const REFUSED: u16 = 5;
/// The client left after 500 KiB.
pub(crate) const CUT: u16 = 6;

/// Each request on a connection of its own.
pub(crate) fn log(rows: &[Row]) -> Log {
    let numbered: Vec<(u32, Row)> = (0..).zip(rows.iter().copied()).collect();
    log_of(&numbered)
}

/// Requests with the number of their connection, which is opened when it is first used.
pub(crate) fn log_of(rows: &[(u32, Row)]) -> Log {
    let mut log = Log::new();
    let known = Known::new();
    let mut connections = HashMap::new();
    for &(connection, (host, target, from, to, status)) in rows {
        let at = Duration::from_millis(from);
        let connection = *connections
            .entry(connection)
            .or_insert_with(|| log.open_connection(known.host(host).address, at));
        if status == REFUSED {
            assert!(log.refuse(host, known.host(host).address, at));
            continue;
        }
        let begin = Begin { connection, host, target, head: false };
        let started = log.begin(begin, at).unwrap();
        let bytes = if status == CUT { 500 * 1024 } else { 100 };
        let (ending, status) = match status {
            RESET => (Ending::Reset, 200),
            SILENT => (Ending::Silent, 0),
            LEFT | CUT => (Ending::ClientLeft, 200),
            OPEN => continue,
            status => (Ending::Complete, status),
        };
        let retry_after = matches!(status, 429 | 503).then(|| Duration::from_secs(10));
        let finish = Finish { at: Duration::from_millis(to), ending, status, bytes, retry_after };
        log.finish(started.number, &finish);
    }
    log
}

/// One at once, a second apart; Retry-After up to 5 s.
pub(crate) fn promises() -> Promises {
    Promises { retry_after_ceiling_ms: 5_000, ..Promises::default() }
}

pub(crate) fn judged(rows: &[Row], promises: &Promises) -> Report {
    judge(&log(rows), &Known::new(), promises)
}

pub(crate) fn rules(law: &Law) -> Vec<(&str, u64)> {
    assert_eq!(law.violations, law.by_rule.values().sum::<u64>());
    law.by_rule.iter().map(|(rule, count)| (rule.as_str(), *count)).collect()
}

/// Name of the case, the requests, and the rules that must be found broken.
pub(crate) type Case<'a> = (&'a str, &'a [Row], &'a [(&'a str, u64)]);

pub(crate) fn check(cases: &[Case<'_>], promises: &Promises, law: impl Fn(&Report) -> &Law) {
    for (name, rows, expected) in cases {
        let report = judged(rows, promises);
        assert_eq!(rules(law(&report)), *expected, "{name}\n{}", report.text());
        assert!(law(&report).judged);
    }
}
