//! RFC 9309 §2.3 and §2.4: what an answer to GET /robots.txt means, and for how long.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]

use helios_core::robots::{RobotsAnswer, RobotsBasis, RobotsSettings, RobotsState, RobotsStep};
use helios_core::url::{CanonicalUrl, Origin, SiteKey};
use proptest::prelude::*;

const TTL: u64 = 100_000;

fn settings() -> RobotsSettings {
    RobotsSettings { ttl_s: 100, attempts: 3, retry_ms: 1_000, ..RobotsSettings::default() }
}

fn origin() -> Origin {
    CanonicalUrl::parse("http://www.e.org/").unwrap().origin()
}

fn url(text: &str) -> CanonicalUrl {
    CanonicalUrl::parse(text).unwrap()
}

fn deny() -> RobotsAnswer {
    RobotsAnswer::Text("user-agent: *\ndisallow: /no\ncrawl-delay: 7".into())
}

fn unavailable() -> RobotsAnswer {
    RobotsAnswer::Unavailable { why: "answered 503".into(), hopeless: false }
}

/// The next step in one word.
fn step(state: &RobotsState, now: u64) -> String {
    match state.step(&origin(), &SiteKey::of_host, &settings(), now) {
        RobotsStep::Rules(rules) if rules.denying_rule("/no").is_some() => "rules".to_owned(),
        RobotsStep::Rules(_) => "free".to_owned(),
        RobotsStep::Ask(permit) => format!("ask {}", permit.url()),
        RobotsStep::AskElsewhere(permit) => format!("errand {}", permit.url()),
        RobotsStep::WaitUntil(at) => format!("wait {at}"),
        RobotsStep::GivenUp => "given up".to_owned(),
    }
}

const FIRST: &str = "ask http://www.e.org/robots.txt";

fn after(answers: &[(u64, RobotsAnswer)]) -> RobotsState {
    let mut state = RobotsState::default();
    for (now, answer) in answers {
        state.answered(answer, &origin(), &settings(), *now);
    }
    state
}

#[test]
fn rfc9309_rules_are_asked_first_believed_for_a_day_and_asked_again() {
    assert_eq!(step(&RobotsState::default(), 0), FIRST);
    let state = after(&[(5, deny())]);
    for (now, expected) in [(5, "rules"), (TTL + 4, "rules"), (TTL + 5, FIRST)] {
        assert_eq!(step(&state, now), expected, "at {now}");
    }
    assert!(state.rules(TTL + 5).is_none());
}

#[test]
fn rfc9309_what_is_absent_or_moved_too_often_allows_everything() {
    let absent = after(&[(0, RobotsAnswer::Absent)]);
    assert_eq!((step(&absent, 1), absent.summary().basis), ("free".into(), Some(RobotsBasis::Absent)));
    let here = url("http://e.org/real-robots.txt");
    let mut state = RobotsState::default();
    for hop in 1..=5 {
        state.answered(&RobotsAnswer::Moved(Some(here.clone())), &origin(), &settings(), hop);
        assert_eq!(step(&state, hop), "ask http://e.org/real-robots.txt", "hop {hop} is followed");
    }
    state.answered(&RobotsAnswer::Moved(Some(here)), &origin(), &settings(), 6);
    assert_eq!(step(&state, 6), "free");
    assert_eq!(state.summary().basis, Some(RobotsBasis::MovedTooOften));
}

#[test]
fn rfc9309_redirects_to_another_site_are_errands_for_its_owner() {
    let mut state = after(&[(0, RobotsAnswer::Moved(Some(url("https://cdn.test/r.txt"))))]);
    assert_eq!(step(&state, 0), "errand https://cdn.test/r.txt");
    assert_eq!(state.summary().moved_to, Some(url("https://cdn.test/r.txt")));
    state.answered(&RobotsAnswer::Moved(Some(url("https://e.org/r.txt"))), &origin(), &settings(), 1);
    assert_eq!(step(&state, 1), "ask https://e.org/r.txt", "and back");
    state.answered(&deny(), &origin(), &settings(), 2);
    assert_eq!(step(&state, 2), "rules");
    assert_eq!(step(&state, 2 + TTL), FIRST, "the next time from the start");
}

#[test]
fn whose_site_a_host_is_says_the_caller() {
    let state = after(&[(0, RobotsAnswer::Moved(Some(url("http://e.org/r.txt"))))]);
    let by_host = |host: &str| SiteKey::of_host(if host == "e.org" { "bare.test" } else { host });
    let step = state.step(&origin(), &by_host, &settings(), 0);
    assert!(matches!(step, RobotsStep::AskElsewhere(_)), "{step:?}");
}

#[test]
fn rfc9309_nothing_is_asked_while_rules_were_never_known_and_cannot_be_read() {
    let mut state = RobotsState::default();
    for (now, expected) in [(10, "wait 1010"), (1_010, "wait 3010"), (3_010, "given up")] {
        assert_eq!(step(&state, now), FIRST, "at {now}");
        state.answered(&unavailable(), &origin(), &settings(), now);
        assert_eq!(step(&state, now), expected, "at {now}");
        assert!(state.rules(now).is_none());
    }
    assert_eq!(state.why(), "answered 503");
    assert_eq!(step(&state, 3_010 + TTL - 1), "given up");
    assert_eq!(step(&state, 3_010 + TTL), FIRST, "what comes later is worth another try");
    state.answered(&unavailable(), &origin(), &settings(), 3_010 + TTL);
    assert_eq!(step(&state, 3_010 + TTL), "given up", "but only one");
    state.forgive();
    assert_eq!(step(&state, 3_010 + TTL), FIRST, "unless somebody wants it");
    state.answered(&deny(), &origin(), &settings(), 3_010 + TTL);
    assert_eq!(step(&state, 3_010 + TTL), "rules");
}

#[test]
fn rfc9309_the_last_rules_go_on_while_robots_txt_cannot_be_reached() {
    let mut state = after(&[(0, deny())]);
    let mut now = TTL;
    let mut pauses = Vec::new();
    for _ in 0..12 {
        assert_eq!(step(&state, now), FIRST, "at {now}");
        state.answered(&unavailable(), &origin(), &settings(), now);
        assert_eq!(step(&state, now), "rules", "at {now}");
        let again = state.summary().ask_again.unwrap();
        pauses.push(again - now);
        now = again;
    }
    assert_eq!(pauses[..4], [1_000, 2_000, 4_000, 8_000]);
    assert_eq!(pauses[11], TTL, "never given up, asked once a day at last");
    let facts = state.summary();
    assert_eq!((facts.unreachable_since, facts.failures, facts.fetched), (Some(TTL), 12, Some(0)));
    state.answered(&RobotsAnswer::Absent, &origin(), &settings(), now);
    assert_eq!(step(&state, now), "free", "what it says at last replaces them");
    assert_eq!(state.summary().unreachable_since, None);
}

#[test]
fn a_failure_on_a_chain_of_redirects_starts_the_chain_anew() {
    let state = after(&[(0, RobotsAnswer::Moved(Some(url("https://cdn.test/r.txt")))), (0, unavailable())]);
    assert_eq!(step(&state, 0), "wait 1000");
    assert_eq!(step(&state, 1_000), FIRST);
}

#[test]
fn what_is_hopeless_is_given_up_at_once_and_says_why() {
    let why = "its address is not public".to_owned();
    let state = after(&[(0, RobotsAnswer::Unavailable { why: why.clone(), hopeless: true })]);
    assert_eq!((step(&state, 0).as_str(), state.why()), ("given up", why.as_str()));
    let nowhere = after(&[(0, RobotsAnswer::Moved(None))]);
    assert_eq!((step(&nowhere, 0).as_str(), nowhere.why()), ("wait 1000", "it has moved to nowhere"));
}

#[test]
fn rules_that_are_known_are_asked_for_again_soon_however_hopeless_it_looks() {
    let gone = || RobotsAnswer::Unavailable { why: "there is no such name".into(), hopeless: true };
    let state = after(&[(0, deny()), (TTL, gone())]);
    assert_eq!(step(&state, TTL), step(&after(&[(0, deny())]), 0), "they hold meanwhile");
    assert_eq!(step(&state, TTL + 1_000), FIRST);
}

#[test]
fn facts_for_people() {
    let facts = after(&[(5, deny())]).summary();
    assert_eq!(facts.basis, Some(RobotsBasis::Text));
    assert_eq!((facts.fetched, facts.expires), (Some(5), Some(TTL + 5)));
    assert_eq!((facts.crawl_delay_ms, facts.failures, facts.why.as_str()), (Some(7_000), 0, ""));
    assert_eq!(RobotsState::default().summary().basis, None);
}

#[test]
fn what_is_kept_is_cut_at_the_limit_and_read_for_the_token_of_today() {
    let text = "user-agent: helios\ndisallow: /no\n\nuser-agent: other\ndisallow: /\n";
    let settings = RobotsSettings { max_bytes: 40, ..settings() };
    let mut state = RobotsState::default();
    state.answered(&RobotsAnswer::Text(text.into()), &origin(), &settings, 0);
    assert_eq!(state.summary().bytes, 40);
    let state = after(&[(0, RobotsAnswer::Text(text.into()))]);
    let other = RobotsSettings { token: "other".into(), ..settings };
    let decoded =
        RobotsState::decode(&state.encode(), &RobotsSettings { max_bytes: 9_999, ..other }).unwrap();
    assert_eq!(decoded.rules(0).unwrap().denying_rule("/x").as_deref(), Some("disallow: /"));
}

fn answers() -> impl Strategy<Value = RobotsAnswer> {
    prop_oneof![
        Just(deny()),
        Just(RobotsAnswer::Absent),
        Just(RobotsAnswer::Moved(None)),
        Just(RobotsAnswer::Moved(Some(url("http://e.org/r.txt")))),
        Just(RobotsAnswer::Moved(Some(url("http://other.org/r.txt")))),
        any::<bool>().prop_map(|hopeless| RobotsAnswer::Unavailable { why: "x".into(), hopeless }),
    ]
}

proptest! {
    #[test]
    fn a_state_survives_a_restart(answers in prop::collection::vec((answers(), 0u64..2 * TTL), 0..30)) {
        let (mut state, mut now) = (RobotsState::default(), 0);
        for (answer, later) in answers {
            now += later;
            state.answered(&answer, &origin(), &settings(), now);
            let decoded = RobotsState::decode(&state.encode(), &settings()).unwrap();
            prop_assert_eq!(decoded.summary(), state.summary());
            for after in [0, 1_000, TTL - 1, TTL, 2 * TTL] {
                prop_assert_eq!(step(&decoded, now + after), step(&state, now + after));
            }
        }
    }

    #[test]
    fn damaged_bytes_are_an_error_and_no_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        if let Ok(state) = RobotsState::decode(&bytes, &settings()) {
            prop_assert!(RobotsState::decode(&state.encode(), &settings()).is_ok());
        }
    }

    #[test]
    fn whatever_happens_there_is_a_way_on(answers in prop::collection::vec((answers(), 0u64..2 * TTL), 0..30)) {
        let (mut state, mut now) = (RobotsState::default(), 0);
        for (answer, later) in answers {
            now += later;
            state.answered(&answer, &origin(), &settings(), now);
            if let RobotsStep::WaitUntil(at) = state.step(&origin(), &SiteKey::of_host, &settings(), now) {
                prop_assert!(at > now && at <= now + TTL);
                prop_assert_eq!(step(&state, at), FIRST);
            }
        }
    }
}
