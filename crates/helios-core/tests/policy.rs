//! Scores and recrawl: what a URL is worth, and when it is worth another look.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]

use helios_core::frontier::{
    InLinks, RecrawlSettings, Rhythm, Signals, Tier, TierRule, Weights, base, order,
};
use proptest::prelude::*;

const DAY_MS: u64 = 86_400_000;

proptest! {
    #[test]
    fn in_links_count_distinct_sites_about_right(sites in 0u64..200, seed: u64) {
        let mut links = InLinks::default();
        let hash = |site: u64| (site + seed).wrapping_mul(0xD6E8_FEB8_6659_FD93).rotate_left(31) ^ seed;
        for site in 0..sites {
            links.insert(hash(site));
        }
        let before = links;
        for site in 0..sites {
            prop_assert!(!links.insert(hash(site)), "a replay counts nothing");
        }
        prop_assert_eq!(before, links);
        let (estimate, truth) = (links.estimate(), sites as f32);
        prop_assert!((estimate - truth).abs() <= 8.0 + truth * 0.45, "{estimate} for {truth}");
        prop_assert!((0.0..=1.0).contains(&links.rank()));
        prop_assert_eq!(InLinks::from_bytes(links.to_bytes()), links);
    }

    #[test]
    fn the_order_of_two_urls_is_that_of_their_scores_at_any_moment(
        one in signals(), other in signals(), later in 0u64..10_000 * DAY_MS,
    ) {
        let weights = Weights::default();
        let now = one.queued.max(other.queued) + later;
        let score = |signals: &Signals| {
            let days = (now - signals.queued) as f64 / DAY_MS as f64;
            f64::from(base(&weights, signals)) * 0.8 + f64::from(weights.age) * days
        };
        let (scores, orders) = (score(&one) - score(&other), order(&weights, &one) - order(&weights, &other));
        prop_assert!((scores - orders).abs() < 1e-5, "{scores} {orders}");
    }

    #[test]
    fn a_pause_stays_within_the_bounds_of_its_tier(
        history in prop::collection::vec((any::<bool>(), 0usize..3), 1..60), salt: u64,
    ) {
        let settings = RecrawlSettings::default();
        let mut rhythm = Rhythm::default();
        for (changed, tier) in history {
            let pause = rhythm.next(changed, Tier::ALL[tier], &settings, salt);
            let (floor, ceiling) = (settings.floor_s[tier] * 1_000, settings.ceiling_s[tier] * 1_000);
            prop_assert!((floor..=ceiling).contains(&pause), "{pause} not in {floor}..={ceiling}");
            prop_assert!(pause.abs_diff(u64::from(rhythm.interval_s) * 1_000) <= pause / 8, "a tenth");
            prop_assert!((0.0..=1.0).contains(&rhythm.change_rate()));
            prop_assert!(rhythm.changes <= rhythm.looks);
            prop_assert_eq!(Rhythm::decode(rhythm.encode()), rhythm);
        }
    }
}

fn signals() -> impl Strategy<Value = Signals> {
    (0f32..=1.0, 0f32..=1.0, 0u32..40, 0..40_000 * DAY_MS).prop_map(|(rank, change, depth, queued)| Signals {
        priority: None,
        rank,
        change,
        depth,
        queued,
    })
}

#[test]
fn the_score_is_between_0_and_1_and_rises_with_each_signal() {
    let weights = Weights::default();
    let of =
        |rank, change, depth| base(&weights, &Signals { rank, change, depth, priority: None, queued: 0 });
    assert!((of(1.0, 1.0, 0) - 1.0).abs() < 1e-6);
    assert!(of(0.0, 0.0, u32::MAX) < 1e-6);
    assert!(of(0.5, 0.0, 3) > of(0.4, 0.0, 3));
    assert!(of(0.5, 0.1, 3) > of(0.5, 0.0, 3));
    assert!(of(0.5, 0.0, 2) > of(0.5, 0.0, 3));
    assert!((of(f32::NAN, 7.0, 0) - of(0.0, 1.0, 0)).abs() < 1e-6, "a bad signal is no signal");
    let nothing = Weights { rank: 0.0, change: 0.0, age: 0.2, shallowness: 0.0 };
    assert!(
        base(&nothing, &Signals { rank: 1.0, change: 1.0, depth: 0, priority: None, queued: 0 }).abs() < 1e-6
    );
}

#[test]
fn nothing_starves() {
    let weights = Weights::default();
    let worst = Signals { rank: 0.0, change: 0.0, depth: 1_000, priority: None, queued: 20_000 * DAY_MS };
    let best = |queued| Signals { rank: 1.0, change: 1.0, depth: 0, priority: None, queued };
    assert!(order(&weights, &best(worst.queued + 3 * DAY_MS)) > order(&weights, &worst));
    assert!(order(&weights, &best(worst.queued + 4 * DAY_MS)) < order(&weights, &worst), "after four days");
}

#[test]
fn in_links_saturate() {
    let mut links = InLinks::default();
    assert!(links.rank().abs() < 1e-6);
    let mut last = 0.0;
    for site in 0..100_000u64 {
        links.insert(site.wrapping_mul(0xA24B_AED4_963E_E407));
        assert!(links.rank() >= last);
        last = links.rank();
    }
    assert!((last - 1.0).abs() < 1e-3, "{last}");
}

#[test]
fn settings_left_out_are_the_defaults_and_unknown_ones_are_refused() {
    assert_eq!(serde_json::from_str::<Weights>(r#"{"rank": 0.4}"#).unwrap(), Weights::default());
    assert_eq!(serde_json::from_str::<RecrawlSettings>("{}").unwrap(), RecrawlSettings::default());
    assert!(serde_json::from_str::<Weights>(r#"{"rang": 0.4}"#).is_err());
    assert!(serde_json::from_str::<TierRule>(r#"{"pattern": "a", "tier": 1, "x": 2}"#).is_err());
}

#[test]
fn pages_that_change_are_looked_at_sooner_and_others_later() {
    let settings = RecrawlSettings::default();
    for (tier, changed, ends_at_s) in [
        (Tier::One, true, 900),
        (Tier::One, false, 86_400),
        (Tier::Two, true, 21_600),
        (Tier::Two, false, 604_800),
        (Tier::Three, true, 86_400),
        (Tier::Three, false, 5_184_000),
    ] {
        let mut rhythm = Rhythm::default();
        rhythm.next(true, tier, &settings, 0);
        assert_eq!(u64::from(rhythm.interval_s), settings.start_s[tier.index()], "the first fetch starts it");
        let mut last = rhythm.interval_s;
        for _ in 0..40 {
            rhythm.next(changed, tier, &settings, 0);
            assert!(if changed { rhythm.interval_s <= last } else { rhythm.interval_s >= last });
            last = rhythm.interval_s;
        }
        assert_eq!(last, ends_at_s, "{tier:?} {changed}");
    }
}

#[test]
fn pages_found_together_do_not_come_back_together() {
    let settings = RecrawlSettings::default();
    for looks in [1, 40] {
        let pauses: std::collections::HashSet<u64> = (0..1_000)
            .map(|salt| {
                let mut rhythm = Rhythm::default();
                (0..looks).map(|_| rhythm.next(false, Tier::One, &settings, salt)).last().unwrap()
            })
            .collect();
        assert!(pauses.len() > 900, "{} different pauses, also at the bound", pauses.len());
    }
}

#[test]
fn the_change_rate_starts_at_a_guess_and_learns() {
    assert!((Rhythm::default().change_rate() - 0.3).abs() < 1e-6);
    let rate = |interval_s, changes, looks| Rhythm { interval_s, changes, looks }.change_rate();
    assert!(rate(86_400, 1, 1) < rate(86_400, 10, 10), "one look is not ten");
    assert!(rate(86_400, 0, 20) < 0.05);
    assert!(rate(3_600, 7, 20) > 0.8, "every third hour is more often than once a day");
    assert!(rate(604_800, 7, 20) < 0.15, "every third week is not");
}

#[test]
fn odd_recrawl_settings_do_no_harm() {
    let settings = RecrawlSettings {
        enabled: true,
        start_s: [0, u64::MAX, 10],
        floor_s: [0, 100, 50],
        ceiling_s: [0, u64::MAX, 20],
    };
    for tier in Tier::ALL {
        let mut rhythm = Rhythm::default();
        for changed in [false, true, false, false] {
            assert!(rhythm.next(changed, tier, &settings, u64::MAX) > 0);
        }
    }
}
