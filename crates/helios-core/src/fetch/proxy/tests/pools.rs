//! Who is chosen, whatever happens.

use proptest::prelude::*;

use super::super::Rotation;
use super::super::health::{HealthRules, State, Verdict};
use super::super::pool::{Pool, Roster};

const RULES: HealthRules = HealthRules { failures: 3, cool_down_ms: 1_000, ceiling_ms: 8_000 };

fn roster(count: usize, rotation: Rotation) -> Roster {
    let seeds = (0..count as u64).map(|number| number * 7 + 1).collect();
    Roster::new(seeds, vec![Pool::new((0..count).collect(), rotation)], RULES)
}

fn fail(roster: &mut Roster, proxy: usize, times: usize, now: u64) {
    let others: Vec<usize> = (0..16).filter(|other| *other != proxy).collect();
    for _ in 0..times {
        let chosen = roster.choose(0, "a.test", &others, now).unwrap();
        roster.end(chosen, Verdict::Failed, now);
    }
}

#[test]
fn round_robin_takes_turns_and_passes_over_those_that_rest() {
    let mut roster = roster(3, Rotation::RoundRobin);
    let mut next = |but: &[usize], now| roster.choose(0, "a.test", but, now).map(|chosen| chosen.proxy);
    assert_eq!([next(&[], 0), next(&[], 0), next(&[], 0), next(&[], 0)], [Ok(0), Ok(1), Ok(2), Ok(0)]);
    assert_eq!(next(&[1], 0), Ok(2));
    assert_eq!(next(&[0, 1, 2], 0), Err(None));
    fail(&mut roster, 1, 3, 0);
    let order: Vec<_> = (0..4).map(|_| roster.choose(0, "a.test", &[], 0).unwrap().proxy).collect();
    assert_eq!(order, [2, 0, 2, 0]);
}

#[test]
fn a_proxy_rests_after_failures_in_a_row_and_longer_each_time_up_to_the_ceiling() {
    let mut roster = roster(1, Rotation::RoundRobin);
    fail(&mut roster, 0, 2, 0);
    let chosen = roster.choose(0, "a.test", &[], 0).unwrap();
    roster.end(chosen, Verdict::Worked, 0);
    fail(&mut roster, 0, 2, 0);
    assert_eq!(roster.state(0, 0), State::Works, "not in a row");
    fail(&mut roster, 0, 1, 0);
    let mut now = 0;
    for rest in [1_000, 2_000, 4_000, 8_000, 8_000] {
        assert_eq!(roster.choose(0, "a.test", &[], now), Err(Some(now + rest)));
        assert_eq!(roster.state(0, now + rest - 1), State::Rests(now + rest));
        now += rest;
        fail(&mut roster, 0, 1, now);
    }
    now += 8_000;
    let probe = roster.choose(0, "a.test", &[], now).unwrap();
    roster.end(probe, Verdict::Worked, now);
    assert_eq!(roster.state(0, now), State::Works);
    fail(&mut roster, 0, 3, now);
    assert_eq!(roster.state(0, now), State::Rests(now + 1_000), "a proxy that has worked begins anew");
}

#[test]
fn one_request_at_a_time_probes_a_proxy_that_has_rested() {
    let mut roster = roster(1, Rotation::Sticky);
    fail(&mut roster, 0, 3, 0);
    let probe = roster.choose(0, "a.test", &[], 1_000).unwrap();
    assert!(probe.probe);
    assert_eq!(roster.choose(0, "b.test", &[], 1_000), Err(None), "another one is under way");
    roster.end(probe, Verdict::Nothing, 1_000);
    let probe = roster.choose(0, "b.test", &[], 1_000).unwrap();
    roster.end(probe, Verdict::Silent, 1_000);
    assert_eq!(roster.state(0, 1_000), State::Rests(3_000), "a probe that nothing came of has failed");
}

#[test]
fn what_began_before_a_rest_does_not_make_it_longer() {
    let mut roster = roster(1, Rotation::RoundRobin);
    let began: Vec<_> = (0..100).map(|_| roster.choose(0, "a.test", &[], 0).unwrap()).collect();
    for late in began {
        roster.end(late, Verdict::Failed, 10);
    }
    assert_eq!(roster.state(0, 10), State::Rests(1_010));
}

#[test]
fn silence_counts_little_because_it_may_be_the_sites() {
    let mut roster = roster(1, Rotation::RoundRobin);
    for _ in 0..29 {
        let chosen = roster.choose(0, "a.test", &[], 0).unwrap();
        roster.end(chosen, Verdict::Silent, 0);
    }
    assert_eq!(roster.state(0, 0), State::Works);
    let chosen = roster.choose(0, "a.test", &[], 0).unwrap();
    roster.end(chosen, Verdict::Silent, 0);
    assert_eq!(roster.state(0, 0), State::Rests(1_000));
}

#[test]
fn a_look_ends_a_rest_early_or_begins_another() {
    let mut roster = roster(2, Rotation::RoundRobin);
    fail(&mut roster, 0, 3, 0);
    assert_eq!(roster.resting(0), [0]);
    roster.looked_at(0, false, 500);
    assert_eq!(roster.state(0, 500), State::Rests(1_000));
    roster.looked_at(0, true, 500);
    assert_eq!(roster.state(0, 500), State::Due);
    roster.looked_at(0, false, 500);
    assert_eq!(roster.state(0, 500), State::Rests(2_500));
    roster.looked_at(1, false, 500);
    assert_eq!(roster.state(1, 500), State::Works, "a look is for those that rest");
}

#[test]
fn sticky_sites_are_spread_over_all_proxies() {
    let mut roster = roster(4, Rotation::Sticky);
    let mut sites = [0; 4];
    for site in 0..1_000 {
        sites[roster.choose(0, &format!("site{site}.test"), &[], 0).unwrap().proxy] += 1;
    }
    assert!(sites.iter().all(|count| (180..320).contains(count)), "{sites:?}");
}

#[derive(Debug, Clone)]
enum Event {
    Use(u8, Verdict),
    Pass(u64),
    Look(usize, bool),
}

fn event() -> impl Strategy<Value = Event> {
    let verdict = prop_oneof![
        Just(Verdict::Worked),
        Just(Verdict::Failed),
        Just(Verdict::Locked),
        Just(Verdict::Silent),
        Just(Verdict::Nothing)
    ];
    prop_oneof![
        4 => (any::<u8>(), verdict).prop_map(|(site, verdict)| Event::Use(site, verdict)),
        1 => (0..3_000u64).prop_map(Event::Pass),
        1 => (0..5usize, any::<bool>()).prop_map(|(proxy, answers)| Event::Look(proxy, answers)),
    ]
}

proptest! {
    #[test]
    fn whoever_rests_is_never_chosen_and_someone_who_works_always_is(
        sticky in any::<bool>(), count in 1..5usize, events in prop::collection::vec(event(), 0..200),
    ) {
        let mut roster = roster(count, if sticky { Rotation::Sticky } else { Rotation::RoundRobin });
        let mut now = 0;
        for event in events {
            match event {
                Event::Pass(time) => now += time,
                Event::Look(proxy, answers) => roster.looked_at(proxy, answers, now),
                Event::Use(site, verdict) => {
                    let states: Vec<State> = (0..count).map(|proxy| roster.state(proxy, now)).collect();
                    let may = |state: &State| matches!(state, State::Works | State::Due);
                    match roster.choose(0, &format!("site{site}.test"), &[], now) {
                        Ok(chosen) => {
                            prop_assert!(may(&states[chosen.proxy]), "{states:?} {chosen:?}");
                            prop_assert_eq!(chosen.probe, states[chosen.proxy] == State::Due);
                            roster.end(chosen, verdict, now);
                        }
                        Err(until) => {
                            prop_assert!(!states.iter().any(may), "{states:?}");
                            prop_assert!(until.is_none_or(|until| until > now && until <= now + RULES.ceiling_ms));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_site_moves_only_when_its_own_proxy_fails_and_returns_when_it_works(
        count in 2..8usize, failing in any::<prop::sample::Index>(), sites in prop::collection::vec("[a-z]{1,12}", 1..50),
    ) {
        let mut roster = roster(count, Rotation::Sticky);
        let failing = failing.index(count);
        let home = |roster: &mut Roster, site: &str, now| roster.choose(0, site, &[], now).unwrap();
        let before: Vec<usize> = sites.iter().map(|site| home(&mut roster, site, 0).proxy).collect();
        fail(&mut roster, failing, 3, 0);
        for (site, before) in sites.iter().zip(&before) {
            let now = home(&mut roster, site, 0).proxy;
            prop_assert_eq!(now == *before, *before != failing, "{}", site);
        }
        let others: Vec<usize> = (0..count).filter(|proxy| *proxy != failing).collect();
        let probe = roster.choose(0, "probe", &others, 1_000).unwrap();
        roster.end(probe, Verdict::Worked, 1_000);
        let after: Vec<usize> = sites.iter().map(|site| home(&mut roster, site, 1_000).proxy).collect();
        prop_assert_eq!(before, after);
    }
}
