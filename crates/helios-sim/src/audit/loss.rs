//! Law L: a crawl that says it is complete has asked everything that it could reach and was allowed to ask.
//!
//! A page to be stored must have been answered for good at least once; one that only has to be asked, asked at least once and not still in flight.
//! A body that the client cut off after a final status counts as answered: crawlers limit the size of what they read.
//! With a page budget per site, a site that reached it is excused, and then so is a host that was never asked anything: what leads there
//! may lie on pages that the budget left out.

use std::collections::{HashMap, HashSet};

use crate::audit::case::{Case, Kind};
use crate::audit::docket::Docket;
use crate::audit::repeats::is_final;
use crate::audit::report::{Law, Offender};
use crate::log::{Ending, Record, TargetId};
use crate::reply::HostId;
use crate::web::{Expected, Fate};

pub(super) fn judge(case: &Case<'_>) -> Law {
    let mut docket = Docket::default();
    if !case.promises.complete {
        return docket.close(false);
    }
    let fates = fates(case);
    let excused = Excused::new(case);
    for entry in case.expected.iter().filter(|entry| required(case, entry)) {
        let id = case.log.targets().find(entry.host, &entry.target);
        let met = id.map_or(Met::default(), |id| fates.get(id as usize).copied().unwrap_or_default());
        let enough = if matches!(entry.fate, Fate::Stored) { met.answered } else { met.ended };
        if enough || excused.excuses(case, entry.host) {
            continue;
        }
        accuse(case, &mut docket, entry, met);
    }
    docket.close(true)
}

/// How many entries a complete crawl must have asked.
pub(super) fn required_count(case: &Case<'_>) -> u64 {
    case.expected.iter().filter(|entry| required(case, entry)).count() as u64
}

fn required(case: &Case<'_>, entry: &Expected) -> bool {
    matches!(entry.fate, Fate::Stored | Fate::Asked)
        && case.promises.max_depth.is_none_or(|most| entry.depth <= most)
        && (case.promises.sitemaps || !entry.sitemap_only)
}

/// What became of a target.
#[derive(Debug, Clone, Copy, Default)]
struct Met {
    asked: bool,
    ended: bool,
    answered: bool,
    last_status: u16,
}

fn fates(case: &Case<'_>) -> Vec<Met> {
    let mut fates = vec![Met::default(); case.log.targets().len()];
    for record in case.log.records().iter().filter(|record| !record.head) {
        let Some(met) = fates.get_mut(record.target as usize) else { continue };
        met.asked = true;
        met.ended |= record.ending != Ending::Open;
        met.answered |= answered(record);
        met.last_status = record.status;
    }
    fates
}

fn answered(record: &Record) -> bool {
    let cut_by_client = record.ending == Ending::ClientLeft && record.bytes > 0;
    is_final(record.status) && (record.ending == Ending::Complete || cut_by_client)
}

/// Sites that reached their page budget.
struct Excused {
    sites: HashSet<u32>,
    hosts_asked: HashSet<HostId>,
}

impl Excused {
    fn new(case: &Case<'_>) -> Self {
        let targets = case.log.targets();
        let site = |id: TargetId| case.truth.host(targets.host(id)).site;
        let mut pages: HashMap<u32, u64> = HashMap::new();
        for id in 0..targets.len() as TargetId {
            if !matches!(case.mark(id).kind, Kind::Robots | Kind::Sitemap) {
                *pages.entry(site(id)).or_default() += 1;
            }
        }
        let budget = case.promises.max_pages_per_site.unwrap_or(u64::MAX);
        let sites = pages.into_iter().filter(|(_, count)| *count >= budget).map(|(site, _)| site).collect();
        let hosts_asked = (0..targets.len() as TargetId).map(|id| targets.host(id)).collect();
        Self { sites, hosts_asked }
    }

    fn excuses(&self, case: &Case<'_>, host: HostId) -> bool {
        self.sites.contains(&case.truth.host(host).site)
            || (!self.sites.is_empty() && !self.hosts_asked.contains(&host))
    }
}

fn accuse(case: &Case<'_>, docket: &mut Docket, entry: &Expected, met: Met) {
    let rule = if met.asked { "gave_up" } else { "never_asked" };
    // Nearer to the seeds is worse.
    docket.accuse(rule, -f64::from(entry.depth), || {
        let url = format!("{}{}", case.truth.origin(entry.host), entry.target);
        let sentence = match met.asked {
            false => format!("never asked, {} links from a seed: {url}", entry.depth),
            true if met.last_status == 0 => format!("asked, but given up without an answer: {url}"),
            true => format!("given up after status {}, though it heals: {url}", met.last_status),
        };
        let id = case.log.targets().find(entry.host, &entry.target);
        let last = case.log.records().iter().rev().find(|record| Some(record.target) == id);
        Offender {
            rule: rule.to_owned(),
            whom: case.truth.host(entry.host).name.clone(),
            urls: vec![url],
            at_ms: last.map_or(0.0, |record| record.start_us as f64 / 1e3),
            measured: 0.0,
            promised: 1.0,
            sentence,
        }
    });
}
