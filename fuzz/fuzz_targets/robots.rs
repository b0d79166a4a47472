//! Any bytes are a robots.txt; any path gets an answer; what our own group allows in full is never denied.
#![no_main]

use helios_core::robots::RobotsRules;

libfuzzer_sys::fuzz_target!(|input: (&[u8], &str)| {
    let (file, path) = input;
    let rules = RobotsRules::parse(file, "helios", 512_000);
    if let Some(rule) = rules.denying_rule(path) {
        assert!(rule.starts_with("disallow"), "{rule}");
    }
    assert!(RobotsRules::allow_all().denying_rule(path).is_none());
});
