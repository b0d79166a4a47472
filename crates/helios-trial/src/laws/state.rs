//! What the frontier says of itself at the end: its numbers, its answers to "why?", and both once more after it was opened
//! again.

use std::collections::BTreeMap;

use helios_core::fetch::{OutcomeKind, Purpose};
use helios_core::url::CanonicalUrl;

use crate::process::Process;
use crate::verdict::Offence;
use crate::world::World;

/// URLs that are asked about.
const SAMPLE: usize = 12;
/// Numbers that another opening does not change.
const LASTING: [&str; 11] = [
    "fetched",
    "bytes",
    "denied",
    "dead",
    "queued",
    "later",
    "known",
    "parked",
    "pending",
    "staged",
    "not_modified",
];

type Numbers = BTreeMap<&'static str, u64>;

pub(super) fn judge(world: &mut World) -> Vec<Offence> {
    let Some(process) = &world.process else {
        return vec![Offence::new("V", "no process at the end".into())];
    };
    let before: Numbers = process.frontier.stats().into_iter().collect();
    let number = |name: &str| before.get(name).copied().unwrap_or(u64::MAX);
    world.tally.lost_visits = number("lost_visits");
    world.tally.late_results = number("late_results");
    world.tally.dead = number("dead");
    let mut offences = numbers(world, &before);
    offences.extend(answers(world));
    offences.extend(opened_again(world, &before));
    offences
}

fn numbers(world: &World, stats: &Numbers) -> Vec<Offence> {
    let tables = &world.scenario.tables;
    let crawl = &tables.crawl;
    let pages = world.ledger.facts().filter(|fact| fact.purpose == Purpose::Page);
    let letters = world.process.as_ref().and_then(|process| process.frontier.dead_letters(usize::MAX).ok());
    let mut wanted = vec![
        ("fetched", world.ledger.fetched().count() as u64),
        ("bytes", pages.map(|fact| fact.wire_bytes).sum()),
        ("dead", letters.map_or(0, |letters| letters.len() as u64)),
        ("visits_out", 0),
        ("pages_out", 0),
        ("staged", 0),
    ];
    if crawl.max_pages.is_none() && crawl.max_bytes.is_none() && !tables.recrawl.enabled {
        wanted.extend([("pending", 0), ("later", 0)]);
        if tables.frontier.max_pages_per_site.is_none() {
            wanted.push(("queued", 0));
        }
    }
    let wrong = wanted.into_iter().filter(|(name, value)| stats.get(name) != Some(value));
    wrong
        .map(|(name, value)| {
            Offence::new("stats", format!("{name} is {:?}, and {value} it should be", stats.get(name)))
        })
        .collect()
}

/// "Why?" of some URLs, against what was settled last.
fn answers(world: &mut World) -> Option<Offence> {
    let mut last: BTreeMap<CanonicalUrl, OutcomeKind> = BTreeMap::new();
    for fact in world.ledger.facts().filter(|fact| fact.purpose == Purpose::Page) {
        last.insert(fact.url.clone(), fact.kind);
    }
    let every = (last.len() / SAMPLE).max(1);
    let now = world.now;
    let recrawls = world.scenario.tables.recrawl.enabled;
    let process = world.process.as_mut()?;
    last.into_iter().step_by(every).find_map(|(url, kind)| {
        let why = match process.frontier.why(process.wall.at(now), &url) {
            Ok(why) => why,
            Err(error) => return Some(Offence::new("why", format!("{url}: {error}"))),
        };
        let waits = matches!(why.state.as_str(), "later" | "queued" | "parked");
        let agrees = match kind {
            OutcomeKind::Fetched | OutcomeKind::NotModified if recrawls => waits || why.state == kind.name(),
            OutcomeKind::Fetched
            | OutcomeKind::NotModified
            | OutcomeKind::Redirected
            | OutcomeKind::Missing
            | OutcomeKind::UnwantedType => why.state == kind.name(),
            OutcomeKind::Busy
            | OutcomeKind::Denied
            | OutcomeKind::Unresolved
            | OutcomeKind::ForbiddenAddress
            | OutcomeKind::Unreachable
            | OutcomeKind::TimedOut
            | OutcomeKind::Broken
            | OutcomeKind::TooLarge
            | OutcomeKind::Untrusted
            | OutcomeKind::Bomb
            | OutcomeKind::Abandoned => true,
        };
        let sentence = format!("{url} was settled as {}, and \"why?\" says {}", kind.name(), why.state);
        (!agrees).then(|| Offence::new("why", sentence))
    })
}

fn opened_again(world: &World, before: &Numbers) -> Option<Offence> {
    let wall = world.process.as_ref()?.wall;
    let again = match Process::open(&world.disk, &world.scenario.tables, (world.now, wall)) {
        Ok(again) => again,
        Err(error) => return Some(Offence::new("open", error.to_string())),
    };
    let after: Numbers = again.frontier.stats().into_iter().collect();
    let changed = LASTING.into_iter().find(|name| before.get(name) != after.get(name))?;
    let (was, is) = (before.get(changed), after.get(changed));
    Some(Offence::new("stats", format!("{changed} was {was:?} and is {is:?} when opened again")))
}
