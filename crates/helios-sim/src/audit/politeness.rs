//! Law P: gaps, requests in flight and connections in turns per site, gaps and requests in flight per address, Crawl-delay and Retry-After
//! per host. A connection that a host refused is a request like any other.
//!
//! The server sees a request start after the client sent it, and notes as its end a moment before the last bytes were handed to
//! the kernel, so before the client can have read them. Gaps measured here are therefore never shorter than those the client kept, and
//! overlaps never longer: the tolerance of one millisecond is for the granularity of clocks and timers alone.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::audit::case::{Case, Groups, Kind};
use crate::audit::connections::Connections;
use crate::audit::docket::Docket;
use crate::audit::pace::{Pace, TOLERANCE_US};
use crate::audit::report::{Busy, Law, Offender};
use crate::log::{Ending, Record, TargetId};

/// How hard sites and addresses were pressed, for the facts.
#[derive(Debug, Default)]
pub(super) struct Paces {
    pub(super) sites: Vec<Busy>,
    pub(super) addresses: Vec<Busy>,
    /// Median and 95th percentile of the gaps between consecutive requests of a site; an overlap is a gap of 0.
    pub(super) gap_p50_ms: Option<f64>,
    pub(super) gap_p95_ms: Option<f64>,
}

pub(super) fn judge(case: &Case<'_>) -> (Law, Paces) {
    let mut docket = Docket::default();
    let mut paces = Paces::default();
    let mut gaps_us: Vec<u32> = Vec::new();
    let promises = case.promises;

    sites(case, &mut docket, &mut paces, &mut gaps_us);
    paces.gap_p50_ms = quantile(&mut gaps_us, 50);
    paces.gap_p95_ms = quantile(&mut gaps_us, 95);
    drop(gaps_us);

    let (addresses, groups) = case.by_address();
    let limit = Limit {
        gap_rule: "address_gap",
        overlap_rule: "address_overlap",
        delay_us: promises.address_delay_ms * 1_000,
        at_once: promises.address_connections,
    };
    for (address, members) in groups.iter() {
        let name = addresses.get(address as usize).map(ToString::to_string).unwrap_or_default();
        let mut pace = Pace::new(&name, limit.at_once);
        members.for_each(|record| _ = keep_pace(case, &mut pace, record, &limit, &mut docket));
        paces.addresses.push(pace.busy);
    }

    let hosts = case.by_host();
    crawl_delays(case, &hosts, &mut docket);
    retry_afters(case, &hosts, &mut docket);
    (docket.close(true), paces)
}

fn sites(case: &Case<'_>, docket: &mut Docket, paces: &mut Paces, gaps_us: &mut Vec<u32>) {
    let names = case.site_names();
    let limit = Limit {
        gap_rule: "site_gap",
        overlap_rule: "site_overlap",
        delay_us: case.promises.site_delay_ms * 1_000,
        at_once: case.promises.site_connections.max(1),
    };
    let mut connections = Connections::new(case.log);
    for (site, members) in case.by_site().iter() {
        let name = names.get(site as usize).map_or("?", String::as_str);
        let mut pace = Pace::new(name, limit.at_once);
        connections.enter_site(members.clone());
        for record in members {
            let kept = keep_pace(case, &mut pace, record, &limit, docket);
            gaps_us.extend(kept.gap_us);
            // Who has too many in flight has too many connections, too: that is one offence.
            if let Some(in_use) = connections.first_use(record)
                && in_use > u64::from(limit.at_once)
                && !kept.overlaps
            {
                docket.accuse("site_connections", in_use as f64 * 1e6, || {
                    in_turns(case, record, name, in_use, limit.at_once)
                });
            }
        }
        pace.busy.most_connections = connections.leave_site();
        paces.sites.push(pace.busy);
    }
}

fn in_turns(case: &Case<'_>, record: &Record, name: &str, in_use: u64, promised: u32) -> Offender {
    Offender {
        rule: "site_connections".to_owned(),
        whom: name.to_owned(),
        urls: vec![case.url(record.target)],
        at_ms: record.start_us as f64 / 1e3,
        measured: in_use as f64,
        promised: f64::from(promised),
        sentence: format!(
            "{in_use} connections to {name} were in use in turns; at most {promised} was promised"
        ),
    }
}

fn quantile(gaps_us: &mut [u32], percent: usize) -> Option<f64> {
    let at = gaps_us.len().checked_sub(1)? * percent / 100;
    let (_, gap, _) = gaps_us.select_nth_unstable(at);
    Some(f64::from(*gap) / 1e3)
}

/// What was promised for a site or an address.
struct Limit {
    gap_rule: &'static str,
    overlap_rule: &'static str,
    /// 0: not judged.
    delay_us: u64,
    /// 0: not judged.
    at_once: u32,
}

/// How a request kept to what was promised.
struct Kept {
    /// To the one before.
    gap_us: Option<u32>,
    /// Too many were in flight.
    overlaps: bool,
}

/// One request offends at most once here: by overlap if too many are in flight, otherwise by its gap.
fn keep_pace(case: &Case<'_>, pace: &mut Pace, record: &Record, limit: &Limit, docket: &mut Docket) -> Kept {
    let step = pace.step(record);
    let name = &pace.busy.name;
    let overlaps = limit.at_once > 0 && step.at_once > u64::from(limit.at_once);
    if overlaps {
        docket.accuse(limit.overlap_rule, step.at_once as f64 * 1e6, || Offender {
            rule: limit.overlap_rule.to_owned(),
            whom: name.clone(),
            urls: vec![case.url(record.target)],
            at_ms: record.start_us as f64 / 1e3,
            measured: step.at_once as f64,
            promised: f64::from(limit.at_once),
            sentence: format!(
                "{} requests were in flight at {name} at once; at most {} was promised",
                step.at_once, limit.at_once
            ),
        });
    } else if let Some((end, before)) = step.blocked_by {
        let short = Short::new(record, end, limit.delay_us);
        short.accuse(case, docket, limit.gap_rule, name, Some(before));
    }
    Kept { gap_us: step.gap_us.map(|gap| u32::try_from(gap).unwrap_or(u32::MAX)), overlaps }
}

/// A request that may have come too early.
struct Short<'a> {
    record: &'a Record,
    measured_us: u64,
    promised_us: u64,
}

impl<'a> Short<'a> {
    fn new(record: &'a Record, since_us: u64, promised_us: u64) -> Self {
        Self { record, measured_us: record.start_us.saturating_sub(since_us), promised_us }
    }

    fn accuse(
        &self,
        case: &Case<'_>,
        docket: &mut Docket,
        rule: &'static str,
        whom: &str,
        before: Option<TargetId>,
    ) {
        if self.measured_us + TOLERANCE_US >= self.promised_us {
            return;
        }
        let (measured, promised) = (self.measured_us as f64 / 1e3, self.promised_us as f64 / 1e3);
        docket.accuse(rule, promised - measured, || Offender {
            rule: rule.to_owned(),
            whom: whom.to_owned(),
            urls: before.into_iter().chain([self.record.target]).map(|target| case.url(target)).collect(),
            at_ms: self.record.start_us as f64 / 1e3,
            measured,
            promised,
            sentence: match rule {
                "retry_after" => {
                    format!("{whom} was asked {measured:.1} ms after it said Retry-After {promised:.0} ms")
                }
                "crawl_delay" => {
                    format!(
                        "{whom} was asked after {measured:.1} ms; its robots.txt asks for {promised:.0} ms"
                    )
                }
                _ => format!("{whom} was asked after {measured:.1} ms; {promised:.0} ms were promised"),
            },
        });
    }
}

/// A host's Crawl-delay binds the requests that began after its robots.txt had been answered.
fn crawl_delays(case: &Case<'_>, hosts: &Groups<'_>, docket: &mut Docket) {
    for (host, members) in hosts.iter() {
        let Some(delay) = case.truth.robots_facts(case.reader, host).crawl_delay else { continue };
        let delay_us = (delay.as_micros() as u64).min(case.promises.crawl_delay_ceiling_ms * 1_000);
        let name = &case.truth.host(host).name;
        let mut known_at: Option<u64> = None;
        let mut latest: Option<(u64, TargetId)> = None;
        for record in members {
            if let (Some(known), Some((end, before))) = (known_at, latest)
                && record.start_us >= known
            {
                Short::new(record, end, delay_us).accuse(case, docket, "crawl_delay", name, Some(before));
            }
            if known_at.is_none() && tells_rules(case, record) {
                known_at = Some(record.end_us());
            }
            latest = latest.max(Some((Case::sure_end_us(record), record.target)));
        }
    }
}

/// A redirected robots.txt has not been read when its own answer ends: such hosts are judged from the first one read directly.
fn tells_rules(case: &Case<'_>, record: &Record) -> bool {
    let read = record.ending == Ending::Complete && (200..300).contains(&record.status) && !record.head;
    read && case.mark(record.target).kind == Kind::Robots
}

/// After 429 or 503 with Retry-After, nothing of that host until then (up to the ceiling).
fn retry_afters(case: &Case<'_>, hosts: &Groups<'_>, docket: &mut Docket) {
    let ceiling_us = case.promises.retry_after_ceiling_ms * 1_000;
    for (host, members) in hosts.iter() {
        // Answers that ask for patience, by their end: they bind only what starts after they were sent.
        let mut said: BinaryHeap<Reverse<(u64, u64, TargetId)>> = BinaryHeap::new();
        let mut bound: Option<(u64, u64, TargetId)> = None;
        for record in members {
            while let Some(Reverse((end, wait_us, target))) = said.peek().copied()
                && end <= record.start_us
            {
                said.pop();
                bound = bound.max(Some((end + wait_us, wait_us, target)));
            }
            if let Some((until, wait_us, target)) = bound {
                let short = Short::new(record, until - wait_us, wait_us);
                short.accuse(case, docket, "retry_after", &case.truth.host(host).name, Some(target));
            }
            if record.retry_after_ms > 0
                && matches!(record.status, 429 | 503)
                && record.ending == Ending::Complete
            {
                let wait_us = (u64::from(record.retry_after_ms) * 1_000).min(ceiling_us);
                said.push(Reverse((record.end_us(), wait_us, record.target)));
            }
        }
    }
}
