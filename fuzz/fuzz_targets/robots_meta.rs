//! Robots metas and X-Robots-Tag headers: any text is understood somehow, and saying it twice changes nothing.
#![no_main]

use helios_robots::RobotsDirectives;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let of_headers = |text: &str| RobotsDirectives::of_headers(&[text.to_owned()], "helios");
    let mut once = RobotsDirectives::default();
    once.heed_meta(text);
    let mut twice = once;
    twice.heed_meta(text);
    assert_eq!(once, twice);
    let both = once.and(of_headers(text));
    for now in [0, 1_800_000_000_000, u64::MAX] {
        // Two voices together allow no more than each.
        assert!(!both.may_keep(now) || once.may_keep(now) && of_headers(text).may_keep(now));
    }
    assert!(!both.follow || once.follow);
});
