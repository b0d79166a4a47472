//! Law L by our own account: every URL that a settled page or redirect led to was answered for, or is a dead letter, or
//! there is a reason why not. Nothing is silently gone.

use std::collections::{BTreeMap, BTreeSet};

use helios_core::fetch::{OutcomeKind, Purpose};
use helios_core::frontier::ScopeKind;
use helios_core::url::CanonicalUrl;
use helios_sim::audit::Truth as _;
use helios_sim::web::{Meaning, Reader};

use crate::truth::Truth;
use crate::verdict::Offence;
use crate::world::World;

pub(super) fn judge(world: &mut World) -> Option<Offence> {
    let crawl = &world.scenario.tables.crawl;
    if crawl.max_pages.is_some() || crawl.max_bytes.is_some() {
        return None;
    }
    let owed: Vec<CanonicalUrl> = unaccounted(world);
    let now = world.now;
    let process = world.process.as_mut()?;
    let wall = process.wall.at(now);
    owed.iter().find_map(|url| {
        let why = process.frontier.why(wall, url);
        match why {
            Ok(why) if matches!(why.state.as_str(), "trapped") => None,
            Ok(why) => Some(Offence::new("L", format!("{url} is {}: {}", why.state, why.because))),
            Err(error) => Some(Offence::new("why", error.to_string())),
        }
    })
}

/// What was led to and neither answered for, denied, dead, nor excused by a limit.
fn unaccounted(world: &World) -> Vec<CanonicalUrl> {
    let done = world.ledger.done();
    let dead = dead_letters(world);
    let full = full_sites(world);
    let accounted = |url: &CanonicalUrl| {
        done.contains(url.as_str())
            || dead.contains(url.as_str())
            || is_denied(world, url)
            || full.contains(url.site().as_str())
    };
    led_to(world).into_iter().filter(|url| !accounted(url)).collect()
}

fn led_to(world: &World) -> BTreeSet<CanonicalUrl> {
    let crawl = &world.scenario.tables.crawl;
    let seeds = world.server.web.seeds();
    let seeds: Vec<CanonicalUrl> = seeds.iter().filter_map(|seed| CanonicalUrl::parse(seed).ok()).collect();
    let in_scope = |url: &CanonicalUrl| match crawl.scope {
        ScopeKind::Any => true,
        ScopeKind::List => seeds.contains(url),
        ScopeKind::Site => seeds.iter().any(|seed| seed.site() == url.site()),
        ScopeKind::Host => seeds.iter().any(|seed| seed.host() == url.host()),
    };
    let mut all: BTreeSet<CanonicalUrl> = seeds.iter().cloned().collect();
    for fact in world.ledger.facts().filter(|fact| fact.purpose == Purpose::Page) {
        let depth = fact.depth + u32::from(fact.kind == OutcomeKind::Fetched);
        if crawl.max_depth.is_none_or(|most| depth <= most) {
            all.extend(fact.links.iter().filter(|url| in_scope(url)).cloned());
        }
    }
    all
}

fn dead_letters(world: &World) -> BTreeSet<String> {
    let letters = world.process.as_ref().and_then(|process| process.frontier.dead_letters(usize::MAX).ok());
    let with_reason = letters.unwrap_or_default().into_iter().filter(|letter| !letter.reason.is_empty());
    with_reason.map(|letter| letter.url.to_string()).collect()
}

fn is_denied(world: &World, url: &CanonicalUrl) -> bool {
    let (web, moved) = (&world.server.web, world.server.moved);
    let Some(host) = web.host_named(url.host()) else { return false };
    matches!(
        Truth { web, moved }.meaning(Reader::Helios, host, url.target()),
        Meaning::Page { denied: true, .. } | Meaning::Unknown { denied: true }
    )
}

/// Sites that used up their budget.
fn full_sites(world: &World) -> BTreeSet<String> {
    let Some(most) = world.scenario.tables.frontier.max_pages_per_site else { return BTreeSet::new() };
    let mut sites: BTreeMap<String, u64> = BTreeMap::new();
    for fact in world.ledger.fetched() {
        *sites.entry(fact.site.clone()).or_default() += 1;
    }
    sites.into_iter().filter(|(_, count)| *count >= most).map(|(site, _)| site).collect()
}
