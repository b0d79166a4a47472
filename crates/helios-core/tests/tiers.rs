//! Tiers: which one a URL is of, and how their shares are kept.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]

use helios_core::frontier::{Quota, Tier, TierRule, TierRules};
use helios_core::url::CanonicalUrl;
use proptest::prelude::*;

fn rules(list: &[(&str, u8)]) -> helios_core::error::Result<TierRules> {
    let rules: Vec<_> =
        list.iter().map(|&(pattern, tier)| TierRule { pattern: pattern.to_owned(), tier }).collect();
    TierRules::new(&rules, [0.5, 0.2])
}

/// Whether a pattern speaks for a URL.
fn speaks_for(pattern: &str, url: &str) -> bool {
    rules(&[(pattern, 1)]).unwrap().tier_of(&CanonicalUrl::parse(url).unwrap(), 0.0) == Tier::One
}

#[test]
fn a_pattern_is_a_host_and_perhaps_a_path() {
    for (pattern, url, expected) in [
        ("example.org", "https://example.org/any/thing?x=1", true),
        ("example.org", "https://www.example.org/", false),
        ("EXAMPLE.org", "http://example.ORG:8080/", true),
        ("*.example.org", "https://example.org/", true),
        ("*.example.org", "https://a.b.example.org/", true),
        ("*.example.org", "https://badexample.org/", false),
        ("*example.org", "https://badexample.org/", true),
        ("*.example.org/news/*", "https://www.example.org/news/1", true),
        ("*.example.org/news/*", "https://example.org/news/", true),
        ("*.example.org/news/*", "https://example.org/old/news/1", false),
        ("example.org/news", "https://example.org/news", true),
        ("example.org/news", "https://example.org/news/1", false),
        ("*/login*", "https://any.test/login.php?next=/", true),
        ("*/login*", "https://any.test/a/login", false),
        ("*/*/login*", "https://any.test/a/b/login", true),
        ("*/*?sort=*", "https://any.test/list?sort=price", true),
        ("*/*.pdf", "https://any.test/a.pdf?x", false),
        ("*/A*", "https://any.test/a", false),
        ("[2001:db8::1]/x", "http://[2001:db8::1]:81/x", true),
        ("127.0.*", "http://127.0.0.1/", true),
    ] {
        assert_eq!(speaks_for(pattern, url), expected, "{pattern} {url}");
    }
}

#[test]
fn the_first_rule_that_matches_decides_and_else_the_score() {
    let rules = rules(&[("*/login*", 3), ("a.test", 1), ("*.test", 2)]).unwrap();
    for (url, score, expected) in [
        ("http://a.test/login", 0.9, Tier::Three),
        ("http://a.test/", 0.0, Tier::One),
        ("http://b.test/", 0.9, Tier::Two),
        ("http://b.org/", 0.5, Tier::One),
        ("http://b.org/", 0.49, Tier::Two),
        ("http://b.org/", 0.2, Tier::Two),
        ("http://b.org/", 0.19, Tier::Three),
        ("http://b.org/", f32::NAN, Tier::Three),
    ] {
        assert_eq!(rules.tier_of(&CanonicalUrl::parse(url).unwrap(), score), expected, "{url} {score}");
    }
}

#[test]
fn a_rule_that_cannot_be_meant_is_refused_with_the_way_out() {
    for (pattern, tier, says) in [
        ("https://example.org/", 1, "leave the scheme out"),
        ("/login", 1, "write *"),
        ("", 1, "write *"),
        ("a/**/b", 1, "one * already"),
        ("a.test:80/", 1, "leave the port out"),
        ("bücher.example", 1, "xn--"),
        ("a.test/a b", 1, "%20"),
        ("a.test?x", 1, "put a / before"),
        ("a.test", 4, "give 1, 2 or 3"),
        ("a.test", 0, "give 1, 2 or 3"),
    ] {
        let error = rules(&[("fine.test", 1), (pattern, tier)]).unwrap_err().to_string();
        assert!(error.contains(says) && error.contains(&format!("{pattern:?}")), "{error}");
    }
    assert!(TierRules::new(&[], [0.2, 0.5]).unwrap_err().to_string().contains("higher one first"));
    assert!(TierRules::new(&[], [f32::NAN, 0.5]).is_err());
}

#[test]
fn tiers_have_numbers_and_places() {
    for (place, tier) in Tier::ALL.into_iter().enumerate() {
        assert_eq!(tier.index(), place);
        assert_eq!(Tier::from_number(tier.number()), Some(tier));
    }
    assert_eq!(Tier::from_number(0), None);
    assert_eq!(Tier::from_number(4), None);
}

/// What a glob means, said in the plainest way.
fn plainly(pattern: &[u8], text: &[u8]) -> bool {
    match (pattern.split_first(), text.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), None) => plainly(rest, text),
        (Some((b'*', rest)), Some((_, after))) => plainly(rest, text) || plainly(pattern, after),
        (Some((one, rest)), Some((other, after))) => one == other && plainly(rest, after),
        _ => false,
    }
}

#[test]
fn a_hostile_pattern_costs_no_more_than_its_length() {
    let (pattern, path) = (format!("*/{}b", "a*".repeat(500)), "a".repeat(5_000));
    assert!(!speaks_for(&pattern, &format!("http://a.test/{path}")), "and it takes no time to say so");
}

proptest! {
    #[test]
    fn a_pattern_means_what_it_plainly_says(pattern in "/[ab*]{0,8}", path in "/[ab]{0,10}") {
        prop_assume!(!pattern.contains("**"));
        let url = format!("http://a.test{path}");
        prop_assert_eq!(
            speaks_for(&format!("a.test{pattern}"), &url),
            plainly(pattern.as_bytes(), path.as_bytes())
        );
    }

    #[test]
    fn shares_are_kept_at_every_moment_of_a_saturated_run(
        shares in prop::array::uniform3(1u32..100),
        visits in prop::collection::vec(1u64..=16, 1..400),
    ) {
        let mut quota = Quota::new(shares);
        let mut served = [0u64; 3];
        for urls in visits {
            let tier = quota.pick([true; 3]).unwrap();
            quota.charge(tier, urls);
            served[tier.index()] += urls;
            let total: u64 = served.iter().sum();
            for (share, served) in shares.iter().zip(served) {
                let share = f64::from(*share) / f64::from(shares.iter().sum::<u32>());
                let ahead = served as f64 - share * total as f64;
                prop_assert!(ahead <= 16.0 * (1.0 - share) + 1e-9, "{ahead} ahead with a share of {share}");
                prop_assert!(ahead >= -32.0 * share - 1e-9, "{ahead} behind with a share of {share}");
            }
        }
    }

    #[test]
    fn a_tier_that_was_idle_neither_gains_nor_loses(
        idle in prop::collection::vec(any::<[bool; 3]>(), 0..200),
        visits in prop::collection::vec(1u64..=16, 60..200),
    ) {
        let mut quota = Quota::new([40, 40, 20]);
        for ready in idle {
            if let Some(tier) = quota.pick(ready) {
                prop_assert!(ready[tier.index()]);
                quota.charge(tier, 16);
            }
        }
        let mut served = [0u64; 3];
        for urls in visits {
            let tier = quota.pick([true; 3]).unwrap();
            quota.charge(tier, urls);
            served[tier.index()] += urls;
            // From the moment on that all are ready: by two visits at most, one for what was out and one for what is.
            let [one, two, three] = served.map(|urls| urls as f64);
            prop_assert!((one / 0.4 - two / 0.4).abs() <= 16.0 / 0.4 * 2.0, "{served:?}");
            prop_assert!((one / 0.4 - three / 0.2).abs() <= 16.0 / 0.4 + 16.0 / 0.2, "{served:?}");
        }
    }
}

#[test]
fn tiers_are_served_40_40_20_and_ready_ones_only() {
    let mut quota = Quota::new([40, 40, 20]);
    let mut served = [0; 3];
    for _ in 0..1_000 {
        let tier = quota.pick([true; 3]).unwrap();
        quota.charge(tier, 1);
        served[tier.index()] += 1;
    }
    assert_eq!(served, [400, 400, 200]);
    assert_eq!(quota.pick([false; 3]), None);
    assert_eq!(quota.pick([false, false, true]), Some(Tier::Three));
}

#[test]
fn a_tier_without_a_share_is_served_when_there_is_nothing_else() {
    let mut quota = Quota::new([1, 0, 1]);
    for _ in 0..10 {
        let tier = quota.pick([true; 3]).unwrap();
        assert_ne!(tier, Tier::Two);
        quota.charge(tier, 5);
    }
    assert_eq!(quota.pick([false, true, false]), Some(Tier::Two));
}

#[test]
fn a_tier_that_comes_back_takes_no_more_than_its_share() {
    let mut quota = Quota::new([40, 40, 20]);
    for _ in 0..10_000 {
        let tier = quota.pick([true, false, false]).unwrap();
        quota.charge(tier, 16);
    }
    let mut served = [0; 3];
    for _ in 0..100 {
        let tier = quota.pick([true; 3]).unwrap();
        quota.charge(tier, 16);
        served[tier.index()] += 1;
    }
    for (served, expected) in served.iter().zip([40i32, 40, 20]) {
        assert!((served - expected).abs() <= 1, "{served} visits of {expected}");
    }
}
