//! Canonicalising never panics, and twice is as good as once.
#![no_main]

use helios_core::url::CanonicalUrl;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(once) = CanonicalUrl::parse(text) else { return };
    let twice = CanonicalUrl::parse(once.as_str()).expect("what is canonical parses");
    assert_eq!(once, twice);
    assert!(once.target().starts_with('/'));
    let rebuilt = once.origin().url_of(once.target()).expect("origin and target make the URL");
    assert_eq!(rebuilt, once);
});
