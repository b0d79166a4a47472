//! Reading and canonicalising never panic, and twice is as good as once.
#![no_main]

use helios_url::{CanonicalUrl, Url};

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(url) = Url::parse(text) {
        assert_eq!(Url::parse(url.as_str()).as_ref(), Ok(&url));
    }
    // The text as a reference, too: resolved against a page, and a page resolved against what it became.
    let base = Url::parse("https://www.example.org/a/b?c=d").expect("a constant URL");
    if let Ok(url) = base.join(text) {
        assert_eq!(Url::parse(url.as_str()).as_ref(), Ok(&url));
        let _ = url.join("../x?y#z");
    }
    let Ok(once) = CanonicalUrl::parse(text) else { return };
    let twice = CanonicalUrl::parse(once.as_str()).expect("what is canonical parses");
    assert_eq!(once, twice);
    assert!(once.target().starts_with('/'));
    let rebuilt = once.origin().url_of(once.target()).expect("origin and target make the URL");
    assert_eq!(rebuilt, once);
});
