//! Traps: what is refused, what is counted, and what must be left in peace.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]

use std::collections::HashMap;

use helios_core::frontier::{Duplicates, Look, Shapes, Trap, TrapSettings, is_trap, look};
use helios_core::url::{CanonicalUrl, Canonicaliser, Normalise};
use proptest::prelude::*;

/// As a crawl sees it that keeps session ids and tracking parameters.
fn look_at(url: &str) -> Look {
    let url = Canonicaliser::new(Normalise::nothing()).parse(url).unwrap();
    look(&url, &TrapSettings::default())
}

/// The trap that a target on some host looks like.
fn seen(target: &str) -> Option<Trap> {
    match look_at(&format!("https://www.example.org{target}")) {
        Look::Fine => None,
        Look::Trap(trap) | Look::Suspect(trap, _) => Some(trap),
    }
}

fn shape(url: &str) -> u64 {
    match look_at(url) {
        Look::Suspect(_, shape) => shape,
        other @ (Look::Fine | Look::Trap(_)) => panic!("{url}: {other:?}"),
    }
}

#[test]
fn ordinary_urls_are_fine() {
    for target in [
        "/",
        "/index.html",
        "/2024/05/12/what-happened-on-that-day/",
        "/2024/05/12/world/europe/what-happened.html",
        "/2024/05/what-happened/page/2/",
        "/leadership/opinion-when-teachers-get-in-trouble/2025/12",
        "/news/2024/05/12/1175765384",
        "/politik/article245841.html",
        "/forum/viewtopic.php?f=20&t=487157",
        "/comments.pl?sid=23191137&cid=64153311",
        "/topic/12345/12",
        "/topic/1234/7",
        "/p/7c9e6679-7425-40de-944b-e07fc1f90ae7",
        "/org/repo/commit/3f786850e387550fdab836ed7e6dc881de23001b",
        "/s/a-section-of-stories/about",
        "/s/3f786850",
        "/shop/shoes?color=red&size=42",
        "/post?utm_source=a&utm_medium=b&utm_campaign=c&utm_content=d",
        "/search?q=session+2024",
        "/?s=what+people+search+for",
        "/maps/0/0/0/0.png",
        "/11/11/11/11/eleven",
        "/en/products/en/products/list",
        "/year/2024/",
        "/films?year=1968",
        "/song_(live_(1968))",
        "/conference?session=spring-2024-opening",
        "/about;version=2",
    ] {
        assert_eq!(seen(target), None, "{target}");
    }
}

#[test]
fn what_nobody_writes_is_refused() {
    let hard = |target: &str| match look_at(&format!("https://www.example.org{target}")) {
        Look::Trap(trap) => Some(trap),
        Look::Fine | Look::Suspect(..) => None,
    };
    for (target, expected) in [
        (format!("/{}", "x".repeat(2_000)), Trap::TooLong),
        ((0..33).fold(String::new(), |path, n| format!("{path}/d{n}")), Trap::TooDeepPath),
        ((0..80).fold(String::new(), |path, n| format!("{path}/d{n}")), Trap::TooDeepPath),
        ("/a/b/a/b/a/b".into(), Trap::RepeatingSegments),
        ("/x/images/images/images/".into(), Trap::RepeatingSegments),
        ("/x/a/b/c/a/b/c/a/b/c/y".into(), Trap::RepeatingSegments),
        ("/en/a/en/b/c/en/d/e/f/en".into(), Trap::RepeatingSegments),
        ("/a//b//c//d//e".into(), Trap::RepeatingSegments),
        (format!("/?{}", "p=1&".repeat(33)), Trap::TooManyParameters),
    ] {
        assert_eq!(hard(&target), Some(expected), "{target}");
    }
    for target in ["/a/b/a/b", "/a/b/c/a/d/e/a", "/x/images/images/"] {
        assert_eq!(hard(target), None, "{target}");
    }
}

#[test]
fn dated_navigation_is_suspect() {
    for target in [
        "/calendar/2026/01",
        "/calendar/2026/1/",
        "/calendar/0/12",
        "/calendar/99999/12",
        "/events/month/2031-07",
        "/events/2031-07-15/",
        "/whatson/2150/07",
        "/archive/20240512",
        "/2014/06/",
        "/2014/06/30",
        "/05/2024",
        "/12-05-2024.html",
        "/agenda/2024/05/12/",
        "/news?month=06-2007",
        "/?m=202405",
        "/events?tribe-bar-date=2031-07-01",
        "/cal?year=2031&month=7",
        "/cal?view=day&date=1715472000",
    ] {
        assert_eq!(seen(target), Some(Trap::Calendar), "{target}");
    }
}

#[test]
fn session_ids_are_suspect() {
    for target in [
        "/shop;jsessionid=0A1B2C3D4E5F?item=1",
        "/shop/;JSESSIONID=0A1B2C3D4E5F/item",
        "/index.php?PHPSESSID=3f786850e387550fdab836ed7e6dc881",
        "/viewtopic.php?t=3&sid=e1852c74950c6b5cca1c90497254a5f2",
        "/list?sid=a:a09a41d3bd22b539790ad46734c5f5e6",
        "/thread.html?s=22c09551c71c1a6b64e4364ca45cbf28",
        "/page.cfm?CFID=4711&CFTOKEN=81726354",
        "/(S(lit3py55t21z5v55vlm25s55))/page.aspx",
        "/s/8c1f03d2/news/story-17",
        "/s/8c1f03d2/",
        "/s/12345678/news/story-17",
        "/session/9f86d081884c7d65/home",
    ] {
        assert_eq!(seen(target), Some(Trap::SessionId), "{target}");
    }
}

#[test]
fn urls_of_one_kind_have_one_shape() {
    for (one, other, same) in [
        ("https://a.org/calendar/2026/01", "https://a.org/calendar/2027/12", true),
        ("https://a.org/calendar/2026/01", "https://a.org/agenda/2026/01", false),
        ("https://a.org/calendar/2026/01", "https://a.org/calendar/3026/01", false),
        ("https://a.org/calendar/3026/01", "https://a.org/calendar/4026/01", true),
        ("https://a.org/l?a=1&b=2&c=3", "https://a.org/l?c=9&a=x&b=7&utm_source=z", true),
        ("https://a.org/l?a=1&b=2&c=3", "https://a.org/l?a=1&b=2&d=3", false),
        ("https://a.org/12/l?a=1&b=2&c=3", "https://a.org/345/l?a=1&b=2&c=3", true),
        ("https://a.org/s/8c1f03d2/x", "https://a.org/s/00000000/y/z", true),
        ("https://a.org/x?sid=e1852c74950c6b5c", "https://a.org/y?SID=0000000000aaaaaa", true),
    ] {
        assert_eq!(shape(one) == shape(other), same, "{one} {other}");
    }
}

#[test]
fn many_parameters_are_counted_with_ten_times_the_room() {
    assert_eq!(seen("/shop?color=red&size=42&sort=price"), Some(Trap::ParameterExplosion));
    let settings = TrapSettings { urls_per_shape: 7, ..TrapSettings::default() };
    for (trap, room) in [(Trap::Calendar, 7), (Trap::SessionId, 7), (Trap::ParameterExplosion, 70)] {
        assert_eq!(settings.allowance(trap), room);
    }
}

#[test]
fn every_trap_has_a_name_and_an_explanation() {
    let names: std::collections::HashSet<_> = Trap::ALL.iter().map(|trap| trap.name()).collect();
    assert_eq!(names.len(), Trap::ALL.len());
    assert!(Trap::ALL.iter().all(|trap| trap.explanation().len() > 20));
}

#[test]
fn settings_left_out_are_the_defaults_and_unknown_ones_are_refused() {
    assert_eq!(serde_json::from_str::<TrapSettings>("{}").unwrap(), TrapSettings::default());
    assert!(serde_json::from_str::<TrapSettings>(r#"{"max_repeat": 3}"#).is_err());
    let odd = TrapSettings { max_repeats: 0, max_depth_of_path: 500, ..TrapSettings::default() };
    let url = CanonicalUrl::parse(&format!("http://a.test{}", "/a/1".repeat(40))).unwrap();
    assert_eq!(look(&url, &odd), Look::Trap(Trap::RepeatingSegments));
}

#[test]
fn a_site_with_more_shapes_than_the_table_holds_is_bounded_all_the_same() {
    let mut shapes = Shapes::default();
    let admitted: usize = (0..100_000u64)
        .map(|n| usize::from(shapes.admit(n.wrapping_mul(0x9E37_79B9_7F4A_7C15), 1_000)))
        .sum();
    assert_eq!(admitted, 64 + 1_000, "one each of the first 64, the others share a count");
    assert!(shapes.encode().len() <= 64 * 13 + 5);
}

#[test]
fn a_site_that_repeats_itself_is_asked_less() {
    let after = |new: u32, duplicates: u32| {
        let mut site = Duplicates::default();
        for n in 0..new + duplicates {
            // Spread evenly.
            site.count(n * new / (new + duplicates) == (n + 1) * new / (new + duplicates));
        }
        site.slow_down()
    };
    for (new, duplicates, expected) in [
        (0, 0, 1),
        (0, 15, 1),
        (0, 16, 16),
        (0, 10_000, 16),
        (730, 270, 1),
        (100, 90, 1),
        (100, 100, 2),
        (100, 300, 4),
        (10, 10_000, 16),
    ] {
        assert_eq!(after(new, duplicates), expected, "{new} new, {duplicates} duplicates");
    }
    let mut healed = Duplicates::default();
    (0..10_000).for_each(|_| healed.count(true));
    (0..400).for_each(|_| healed.count(false));
    assert_eq!(healed.slow_down(), 1, "what was long ago is forgotten");
    assert_eq!(Duplicates::decode(healed.encode()), healed);
}

proptest! {
    #[test]
    fn looking_never_fails_and_says_the_same_twice(target in "[/?&=;.()0-9a-z%_-]{0,120}") {
        let url = CanonicalUrl::parse(&format!("http://a.test/{target}")).unwrap();
        let settings = TrapSettings::default();
        prop_assert_eq!(look(&url, &settings), look(&url, &settings));
    }

    /// Small limits and few letters, so that each of them is met.
    #[test]
    fn what_is_refused_at_first_sight_is_what_a_look_refuses(
        target in "[/?&=ab]{0,24}",
        limits in (14usize..40, 1usize..8, 0usize..5, 0usize..8),
    ) {
        let (max_url_length, max_depth_of_path, max_repeats, max_parameters) = limits;
        let settings =
            TrapSettings { max_url_length, max_depth_of_path, max_repeats, max_parameters, urls_per_shape: 10 };
        let url = Canonicaliser::new(Normalise::nothing()).parse(&format!("http://a.test/{target}")).unwrap();
        prop_assert_eq!(is_trap(&url, &settings), matches!(look(&url, &settings), Look::Trap(_)), "{}", url);
    }

    #[test]
    fn every_month_of_a_calendar_is_caught(year in 0u32..100_000, month in 1u32..=12) {
        let url = format!("http://a.test/calendar/{year}/{month:02}");
        prop_assert!(matches!(look_at(&url), Look::Suspect(Trap::Calendar, _)), "{}", url);
    }

    #[test]
    fn counts_are_exact_and_survive_a_restart(
        asked in prop::collection::vec(0u64..100, 0..600), limit in 0u32..12,
    ) {
        let (mut shapes, mut model, mut others) = (Shapes::default(), HashMap::new(), 0);
        for shape in asked {
            let room = model.len() < 64 || model.contains_key(&shape);
            let count: &mut u32 = if room { model.entry(shape).or_default() } else { &mut others };
            let expected = *count < limit;
            *count += u32::from(expected);
            prop_assert_eq!(shapes.admit(shape, limit), expected);
            shapes = Shapes::decode(&shapes.encode()).unwrap();
        }
    }

    #[test]
    fn damaged_counts_are_an_error_and_no_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        if let Ok(shapes) = Shapes::decode(&bytes) {
            prop_assert_eq!(Shapes::decode(&shapes.encode()).unwrap(), shapes);
        }
    }
}
