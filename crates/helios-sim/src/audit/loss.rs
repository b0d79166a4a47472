//! Law L: a crawl that says it is complete has asked everything that it could reach and was allowed to ask.
//!
//! A page to be stored must have been answered for good at least once; one that only has to be asked, asked at least once and not still in flight.
//! A body that the client cut off after a final status counts as answered: crawlers limit the size of what they read.
//! With a page budget per site, a site with that many pages answered 2xx is excused; every other one owes what the answers led to (`Truth::owed`).

use std::collections::{HashMap, HashSet};

use crate::audit::case::{Case, Kind};
use crate::audit::docket::Docket;
use crate::audit::repeats::is_final;
use crate::audit::report::{Law, Offender};
use crate::log::{Ending, Record, TargetId};
use crate::web::{Expected, Fate};

pub(super) fn judge(case: &Case<'_>) -> Law {
    let mut docket = Docket::default();
    if !case.promises.complete {
        return docket.close(false);
    }
    let fates = fates(case);
    let full = full_sites(case, &fates);
    for entry in case.expected.iter().filter(|entry| required(case, &full, entry)) {
        let id = case.log.targets().find(entry.host, &entry.target);
        let met = id.map_or(Met::default(), |id| fates.get(id as usize).copied().unwrap_or_default());
        let enough = if matches!(entry.fate, Fate::Stored) { met.answered } else { met.ended };
        if !enough {
            accuse(case, &mut docket, entry, met);
        }
    }
    docket.close(true)
}

/// How many entries a complete crawl must have asked.
pub(super) fn required_count(case: &Case<'_>) -> u64 {
    let full = full_sites(case, &fates(case));
    case.expected.iter().filter(|entry| required(case, &full, entry)).count() as u64
}

fn required(case: &Case<'_>, full: &HashSet<u32>, entry: &Expected) -> bool {
    matches!(entry.fate, Fate::Stored | Fate::Asked)
        && case.promises.max_depth.is_none_or(|most| entry.depth <= most)
        && (case.promises.sitemaps || !entry.sitemap_only)
        && !full.contains(&case.truth.host(entry.host).site)
}

/// What became of a target.
#[derive(Debug, Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools, reason = "independent marks of one target")]
struct Met {
    asked: bool,
    ended: bool,
    answered: bool,
    /// With 2xx: what a budget counts.
    fetched: bool,
    last_status: u16,
}

fn fates(case: &Case<'_>) -> Vec<Met> {
    let mut fates = vec![Met::default(); case.log.targets().len()];
    for record in case.log.records().iter().filter(|record| !record.head) {
        let Some(met) = fates.get_mut(record.target as usize) else { continue };
        met.asked = true;
        met.ended |= record.ending != Ending::Open;
        met.answered |= answered(record);
        met.fetched |= answered(record) && (200..300).contains(&record.status);
        met.last_status = record.status;
    }
    fates
}

fn answered(record: &Record) -> bool {
    let cut_by_client = record.ending == Ending::ClientLeft && record.bytes > 0;
    is_final(record.status) && (record.ending == Ending::Complete || cut_by_client)
}

/// Sites that reached their page budget: none without one.
fn full_sites(case: &Case<'_>, fates: &[Met]) -> HashSet<u32> {
    let Some(budget) = case.promises.max_pages_per_site else { return HashSet::new() };
    let mut pages: HashMap<u32, u64> = HashMap::new();
    for (id, _) in fates.iter().enumerate().filter(|(_, met)| met.fetched) {
        if matches!(case.mark(id as TargetId).kind, Kind::Page | Kind::Unknown) {
            let site = case.truth.host(case.log.targets().host(id as TargetId)).site;
            *pages.entry(site).or_default() += 1;
        }
    }
    pages.into_iter().filter(|(_, count)| *count >= budget).map(|(site, _)| site).collect()
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
