//! Limits are exact: never one page, byte or link over, and never a request too early for the rate.

use std::collections::BTreeMap;

use crate::verdict::Offence;
use crate::world::World;

pub(super) fn judge(world: &World) -> Vec<Offence> {
    [pages(world), site_pages(world), bytes(world), depth(world), rate(world)].into_iter().flatten().collect()
}

fn over(what: &str, measured: u64, most: u64) -> Option<Offence> {
    (measured > most).then(|| Offence::new("limit", format!("{what}: {measured}, and {most} are allowed")))
}

fn pages(world: &World) -> Option<Offence> {
    over("pages", world.ledger.fetched().count() as u64, world.scenario.tables.crawl.max_pages?)
}

fn site_pages(world: &World) -> Option<Offence> {
    let most = world.scenario.tables.frontier.max_pages_per_site?;
    let mut sites: BTreeMap<&str, u64> = BTreeMap::new();
    for fact in world.ledger.fetched() {
        *sites.entry(fact.site.as_str()).or_default() += 1;
    }
    sites.into_iter().find_map(|(site, count)| over(&format!("pages of {site}"), count, most))
}

fn bytes(world: &World) -> Option<Offence> {
    let most = world.scenario.tables.crawl.max_bytes?;
    let pages = world.ledger.facts().filter(|fact| fact.purpose == helios_core::fetch::Purpose::Page);
    over("bytes", pages.map(|fact| fact.wire_bytes).sum(), most)
}

fn depth(world: &World) -> Option<Offence> {
    let most = world.scenario.tables.crawl.max_depth?;
    let deepest = world.ledger.facts().map(|fact| fact.depth).max().unwrap_or(0);
    over("depth", u64::from(deepest), u64::from(most))
}

/// In every window: no more requests than the rate allows for its length, and one.
fn rate(world: &World) -> Option<Offence> {
    let rate = world.scenario.tables.frontier.max_requests_per_second?;
    let every = 1e6 / rate;
    // When the next request is allowed if all before were as early as they might; a millisecond for rounding.
    let mut allowed = 0.0_f64;
    for record in world.server.log.records() {
        let start = record.start_us as f64;
        if start + 1_000.0 < allowed {
            let early = (allowed - start) / 1e3;
            let sentence = format!("rate: a request at {:.3} s is {early:.1} ms too early", start / 1e6);
            return Some(Offence::new("limit", sentence));
        }
        allowed = allowed.max(start) + every;
    }
    None
}
