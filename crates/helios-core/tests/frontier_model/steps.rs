//! What may happen in a crawl, by chance, and under which settings.

use helios_core::fetch::OutcomeKind;
use helios_core::frontier::{FrontierTables, ScopeKind};
use proptest::prelude::*;

use crate::web::{Answer, URLS};

#[derive(Debug, Clone)]
pub(crate) enum Step {
    Seed(Vec<usize>),
    /// Up to so many visits.
    Lease(usize),
    /// Until there is no more to have.
    LeaseAll,
    /// The next task of each of these visits (by their place among those that are out) is answered, in one call.
    Finish(Vec<(usize, Answer)>),
    AbandonRest(usize),
    /// It is never heard of again.
    Forget(usize),
    /// A result comes a second time, or after its visit was given up: the latest such, or one before.
    Late(usize),
    Advance(u64),
    AdvanceToDue,
    /// All that was written until now would survive.
    Sync,
    /// Power fails; so many of the writes that were not durable survive.
    Crash(usize),
    Reopen,
    ReplayAll,
    ReplaySite(usize),
    ReplayUrl(usize),
}

pub(crate) fn step() -> impl Strategy<Value = Step> {
    let urls = || proptest::collection::vec(0..URLS, 1..10);
    prop_oneof![
        3 => urls().prop_map(Step::Seed),
        3 => (1..3_usize).prop_map(Step::Lease),
        8 => Just(Step::LeaseAll),
        16 => proptest::collection::vec((0..9_usize, answer()), 1..4).prop_map(Step::Finish),
        2 => (0..9_usize).prop_map(Step::AbandonRest),
        2 => (0..9_usize).prop_map(Step::Forget),
        3 => (0..6_usize).prop_map(Step::Late),
        4 => (0..3_000_u64).prop_map(Step::Advance),
        10 => Just(Step::AdvanceToDue),
        1 => Just(Step::Sync),
        1 => (0..20_usize).prop_map(Step::Crash),
        1 => Just(Step::Reopen),
        1 => Just(Step::ReplayAll),
        1 => (0..4_usize).prop_map(Step::ReplaySite),
        1 => (0..URLS).prop_map(Step::ReplayUrl),
    ]
}

fn answer() -> impl Strategy<Value = Answer> {
    let any_kind = proptest::sample::select(OutcomeKind::ALL.to_vec());
    let kind = prop_oneof![3 => Just(OutcomeKind::Fetched), 3 => any_kind];
    let links = proptest::collection::vec(0..URLS, 0..6);
    let took = prop_oneof![Just(0), 0..2_000_u64];
    let lag = prop_oneof![4 => Just(0), 1 => 0..500_u64];
    let last = prop_oneof![9 => Just(false), 1 => Just(true)];
    (kind, any::<u8>(), links, took, lag, 0..3_u8, last).prop_map(
        |(kind, variant, links, took, lag, address, last)| {
            // The frontier alone denies.
            let kind = if kind == OutcomeKind::Denied { OutcomeKind::Missing } else { kind };
            Answer { kind, variant, links, took, lag, address, last }
        },
    )
}

fn perhaps<T: std::fmt::Debug + Clone + 'static>(
    some: impl Strategy<Value = T> + 'static,
) -> impl Strategy<Value = Option<T>> {
    prop_oneof![2 => Just(None), 1 => some.prop_map(Some)]
}

/// Small numbers: limits are met within a few steps.
pub(crate) fn tables() -> impl Strategy<Value = FrontierTables> {
    let crawl = (
        proptest::sample::select(vec![ScopeKind::Any, ScopeKind::Host, ScopeKind::Site]),
        perhaps(1..20_u64),
        perhaps(0..3_u32),
        perhaps(500..9_000_u64),
        prop_oneof![9 => Just(None), 1 => Just(Some(60))],
    );
    let site = (perhaps(1..5_u64), 1..5_usize, 1..4_u32, 1..3_u32);
    let address = proptest::sample::select(vec![(0, 0), (1, 0), (1, 4_000), (2, 0)]);
    let rest = (perhaps(proptest::sample::select(vec![0.7, 4.0])), 1..4_u32, 1..40_usize, 5..200_u64);
    (crawl, site, address, rest).prop_map(|(crawl, site, address, rest)| {
        let mut tables = FrontierTables::default();
        (tables.crawl.scope, tables.crawl.max_pages, tables.crawl.max_depth, ..) = crawl;
        (_, _, _, tables.crawl.max_bytes, tables.crawl.max_seconds) = crawl;
        let frontier = &mut tables.frontier;
        (frontier.max_pages_per_site, frontier.visit_urls, frontier.attempts, frontier.max_redirects) = site;
        (frontier.address_connections, frontier.address_delay_ms) = address;
        frontier.max_requests_per_second = rest.0;
        (frontier.visit_ms, frontier.lost_after_ms) = (20_000, 5_000);
        (frontier.backoff_ceiling_ms, frontier.retry_after_ceiling_ms) = (10_000, 20_000);
        frontier.max_body_bytes = 1_000;
        (tables.robots.attempts, tables.seen.memtable, tables.robots.ttl_s) = (rest.1, rest.2, rest.3);
        tables
    })
}
