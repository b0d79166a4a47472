//! Counts that break no law, for people who look at a run.

use std::collections::{BTreeMap, HashSet};

use crate::audit::case::{Case, Kind};
use crate::audit::loss;
use crate::audit::politeness::Paces;
use crate::audit::report::{Busy, Facts};
use crate::log::{Ending, Record, TargetId};

const SHOWN: usize = 10;

pub(super) fn gather(case: &Case<'_>, paces: Paces) -> Facts {
    let mut facts = Facts {
        requests: case.log.records().len() as u64,
        distinct_targets: case.log.targets().len() as u64,
        sites_asked: paces.sites.len() as u64,
        addresses_asked: paces.addresses.len() as u64,
        expected: loss::required_count(case),
        tightest_gap_ms: tightest(&paces.sites),
        most_at_once: paces.sites.iter().map(|site| site.most_at_once).max().unwrap_or(0),
        most_connections: paces.sites.iter().map(|site| site.most_connections).max().unwrap_or(0),
        outcomes: outcomes(case),
        ..Facts::default()
    };
    count_kinds(case, &mut facts);
    count_targets(case, &mut facts);
    count_connections(case, &mut facts);
    let records = case.log.records();
    let first = records.first().map_or(0, |record| record.start_us);
    let last = records.iter().map(Record::end_us).max().unwrap_or(first);
    facts.duration_ms = (last - first) as f64 / 1e3;
    if last > first {
        facts.requests_per_second = facts.requests as f64 / ((last - first) as f64 / 1e6);
    }
    facts.gap_p50_ms = paces.gap_p50_ms;
    facts.gap_p95_ms = paces.gap_p95_ms;
    facts.busiest_sites = top(paces.sites, |a, b| b.requests.cmp(&a.requests));
    facts.pressed_addresses = top(paces.addresses, |a, b| {
        let gap = |one: &Busy| one.tightest_gap_ms.unwrap_or(f64::INFINITY);
        b.most_at_once.cmp(&a.most_at_once).then(gap(a).total_cmp(&gap(b)))
    });
    facts
}

fn count_kinds(case: &Case<'_>, facts: &mut Facts) {
    for record in case.log.records() {
        let mark = case.mark(record.target);
        match mark.kind {
            Kind::Robots => facts.robots_requests += 1,
            Kind::Sitemap => facts.sitemap_requests += 1,
            Kind::Refused => facts.refused_connections += 1,
            Kind::Page | Kind::Unknown => facts.page_requests += 1,
        }
        facts.head_requests += u64::from(record.head);
        facts.alias_requests += u64::from(mark.alias);
        facts.trap_requests += u64::from(mark.trap);
        facts.bytes += u64::from(record.bytes);
    }
}

fn count_targets(case: &Case<'_>, facts: &mut Facts) {
    let targets = case.log.targets();
    let mut hosts = HashSet::new();
    for id in 0..targets.len() as TargetId {
        hosts.insert(targets.host(id));
        let mark = case.mark(id);
        let led_to = mark.expected || mark.alias || mark.trap || !case.promises.complete;
        facts.strays += u64::from(match mark.kind {
            Kind::Robots | Kind::Sitemap | Kind::Refused => false,
            Kind::Page => !led_to,
            Kind::Unknown => !mark.expected,
        });
    }
    facts.hosts_asked = hosts.len() as u64;
}

fn count_connections(case: &Case<'_>, facts: &mut Facts) {
    let used = case.log.connections().iter().filter(|connection| connection.requests > 0);
    facts.connections = used.count() as u64;
    facts.requests_per_connection = facts.requests as f64 / facts.connections.max(1) as f64;
}

fn outcomes(case: &Case<'_>) -> BTreeMap<String, u64> {
    let mut counts: BTreeMap<(u8, u16), u64> = BTreeMap::new();
    let mut words: BTreeMap<u8, &'static str> = BTreeMap::new();
    for record in case.log.records() {
        let status = if record.ending == Ending::Complete { record.status } else { 0 };
        *counts.entry((record.ending as u8, status)).or_default() += 1;
        words.insert(record.ending as u8, record.ending.words());
    }
    let name = |(ending, status): (u8, u16)| match status {
        0 => words.get(&ending).copied().unwrap_or_default().to_owned(),
        status => status.to_string(),
    };
    counts.into_iter().map(|(key, count)| (name(key), count)).collect()
}

fn tightest(list: &[Busy]) -> Option<f64> {
    list.iter().filter_map(|one| one.tightest_gap_ms).min_by(f64::total_cmp)
}

fn top(mut list: Vec<Busy>, order: impl FnMut(&Busy, &Busy) -> std::cmp::Ordering) -> Vec<Busy> {
    list.sort_by(order);
    list.truncate(SHOWN);
    list
}
