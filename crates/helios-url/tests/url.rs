//! Canonical URLs and sites.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]

use helios_url::{CanonicalUrl, Canonicaliser, Normalise, SiteKey, Url};
use proptest::prelude::*;

fn canonical(text: &str) -> String {
    CanonicalUrl::parse(text).map_or_else(|error| format!("refused: {error}"), |url| url.to_string())
}

#[test]
fn spellings_of_one_page_become_one_url() {
    for (text, expected) in [
        ("HTTP://Example.ORG", "http://example.org/"),
        ("http://example.org:80/a", "http://example.org/a"),
        ("https://example.org:443/", "https://example.org/"),
        ("http://example.org/a/./b/../c", "http://example.org/a/c"),
        ("http://example.org/a#part", "http://example.org/a"),
        ("http://example.org/a?", "http://example.org/a"),
        ("http://example.org./a", "http://example.org/a"),
        ("  http://example.org/a\n", "http://example.org/a"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
    ] {
        assert_eq!(canonical(text), expected, "{text}");
    }
}

#[test]
fn what_cannot_be_crawled_is_refused_with_a_reason() {
    for (text, reason) in [
        ("example.org", "write it in full"),
        ("ftp://example.org/", "only http and https"),
        ("javascript:alert(1)", "only http and https"),
        ("http://user:secret@example.org/", "user name or password"),
        ("http://", "empty host"),
        ("http://../", "its host is empty"),
        ("http://example.org../", "no name that DNS could know"),
        ("http://a..example.org/", "no name that DNS could know"),
        ("http://exa mple.org/", "invalid"),
    ] {
        assert!(canonical(text).contains(reason), "{text}: {}", canonical(text));
    }
}

#[test]
fn a_url_too_long_to_be_meant_is_refused() {
    let long = format!("http://example.org/{}", "x".repeat(10_000));
    assert!(canonical(&long).contains("longer than"));
    let base = CanonicalUrl::parse(&format!("http://example.org/{}/", "x".repeat(8_000))).unwrap();
    assert!(CanonicalUrl::join(&base.to_url(), &"y".repeat(500)).is_err(), "a long base does not multiply");
}

#[test]
fn a_site_is_the_registrable_domain_and_hosting_customers_are_apart() {
    for (host, site) in [
        ("www.example.co.uk", "example.co.uk"),
        ("blog.example.org", "example.org"),
        ("alice.github.io", "alice.github.io"),
        ("www.quiet-river.test", "quiet-river.test"),
        ("co.uk", "co.uk"),
        ("127.1.2.3", "127.1.2.3"),
        ("[::1]", "[::1]"),
        ("localhost", "localhost"),
    ] {
        assert_eq!(SiteKey::of_host(host).as_str(), site, "{host}");
    }
}

#[test]
fn a_target_is_path_and_query() {
    for (text, target) in
        [("http://e.org", "/"), ("http://e.org/a/b?c=d", "/a/b?c=d"), ("https://e.org:8443/?q", "/?q")]
    {
        let url = CanonicalUrl::parse(text).unwrap();
        assert_eq!(url.target(), target, "{text}");
        assert_eq!(url.origin().url_of(url.target()).unwrap(), url, "{text}");
    }
}

proptest! {
    #[test]
    fn canonicalising_twice_changes_nothing(text in "https?://[a-z.A-Z0-9.:@%/?#&=.\\[\\]é -]{0,60}") {
        if let Ok(once) = CanonicalUrl::parse(&text) {
            let twice = CanonicalUrl::parse(once.as_str()).unwrap();
            prop_assert_eq!(&once, &twice);
            prop_assert_eq!(once.fingerprint(), twice.fingerprint());
        }
    }

    #[test]
    fn a_reference_in_full_means_the_same_on_whatever_page_it_is(
        base in "https?://(a|A\\.b|[a-c]{1,2}|1\\.2\\.3\\.4|u@a|\\[::1\\])(:80|:8080|:443)?/[a/]{0,4}",
        reference in "(https?:)//(a|A\\.b|[a-c]{1,2}|1\\.2\\.3\\.4|u@a|\\[::1\\])(:80|:8080|:443)?[/?#.ab]{0,6}",
    ) {
        let alone = Url::parse(&reference).map(|url| url.to_string()).ok();
        for base in [&base, &reference] {
            if let Ok(base) = Url::parse(base) {
                prop_assert_eq!(base.join(&reference).map(|url| url.to_string()).ok(), alone.clone());
            }
        }
    }

    #[test]
    fn references_joined_one_after_the_other_are_what_each_is_alone(
        base in "(https?://(a|a\\.|u@a|[ab]\\.c|1\\.2\\.3\\.4|\\[::1\\])(:80|:8080|:443)?/[a/]{0,4}(\\?b)?|mailto:x|file:///a|ftp://a/)",
        references in proptest::collection::vec(
            "((https?:)?//(a|a\\.|a\\.\\.|u@a|[ab]\\.c|1\\.2\\.3\\.4|\\[::1\\])(:80|:8080|:99999)?[/?#.ab]{0,6}|[a./?#%é]{0,6}|mailto:x|javascript:0|ftp://a|x{8193})",
            0..12,
        ),
    ) {
        let (base, urls) = (Url::parse(&base).unwrap(), Canonicaliser::new(Normalise::default()));
        let mut on_page = urls.on(&base, encoding_rs::UTF_8);
        for reference in &references {
            prop_assert_eq!(on_page.join(reference), urls.join(&base, reference).ok(), "{} on {}", reference, base);
        }
    }
}
