//! RFC 9309: rules and matching.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]

use helios_core::robots::{Permit, RobotsRules};
use helios_core::url::CanonicalUrl;

const LIMIT: usize = 512_000;

fn rules(text: &str) -> RobotsRules {
    RobotsRules::parse(text.as_bytes(), "helios", LIMIT)
}

fn allowed(text: &str, path: &str) -> bool {
    rules(text).denying_rule(path).is_none()
}

#[test]
fn rfc9309_the_longest_match_wins_and_allow_wins_a_tie() {
    let file = "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\nAllow: /same\nDisallow: /same\n";
    for (path, expected) in
        [("/", true), ("/a", false), ("/ab", false), ("/a/b", true), ("/a/b/c", false), ("/same", true)]
    {
        assert_eq!(allowed(file, path), expected, "{path}");
    }
}

#[test]
fn rfc9309_wildcards_and_the_end_of_the_path() {
    for (rule, path, denied) in [
        ("/*.pdf$", "/a/b.pdf", true),
        ("/*.pdf$", "/a/b.pdf?x", false),
        ("/*.pdf", "/a/b.pdf?x", true),
        ("/a*b*c", "/a-b-c-d", true),
        ("/a*b*c", "/a-c-b", false),
        ("/*?print=", "/page?print=1", true),
        ("/exact$", "/exact", true),
        ("/exact$", "/exactly", false),
        ("*", "/anything", true),
        ("/a*a$", "/a", false),
        ("/a*a$", "/aa", true),
    ] {
        assert_eq!(!allowed(&format!("user-agent: *\ndisallow: {rule}"), path), denied, "{rule} {path}");
    }
}

#[test]
fn rfc9309_escapes_compare_as_what_they_stand_for() {
    for (rule, path) in [("/~joe", "/%7Ejoe"), ("/%7ejoe", "/~joe"), ("/ü", "/%C3%BC"), ("/a%2fb", "/a%2Fb")]
    {
        assert!(!allowed(&format!("user-agent: *\ndisallow: {rule}"), path), "{rule} {path}");
    }
    assert!(allowed("user-agent: *\ndisallow: /a%2Fb", "/a/b"), "an escaped slash is not a slash");
}

#[test]
fn rfc9309_groups_of_our_token_are_merged_and_replace_those_for_everyone() {
    let file = "User-agent: *\nDisallow: /\n\nUser-agent: other\nUser-agent: HELIOS/2.0\nDisallow: /one\n\
                User-Agent: helios\nDisallow: /two # why\nCrawl-delay: 2.5\n";
    for (path, expected) in [("/", true), ("/one", false), ("/two", false)] {
        assert_eq!(allowed(file, path), expected, "{path}");
    }
    assert_eq!(rules(file).crawl_delay_ms, Some(2_500));
}

#[test]
fn rfc9309_odd_bytes_do_not_hide_rules() {
    for file in [
        "\u{feff}User-agent: *\r\nDisallow: /x\r\n",
        "User-agent: *\rDisallow: /x\r",
        "junk\n\0\nuser-agent : *\n  disallow :  /x  \n",
        "Disallow: /y\nUser-agent: *\nNoise: 1\nDisallow: /x",
    ] {
        assert!(!allowed(file, "/x"), "{file:?}");
    }
    assert!(allowed("<html><body>not found</body></html>", "/x"));
    assert!(allowed("User-agent: *\nDisallow:\n", "/x"), "an empty rule denies nothing");
}

#[test]
fn rfc9309_what_lies_beyond_the_size_limit_is_not_read() {
    let file = format!("User-agent: *\nDisallow: /early\n#{}\nDisallow: /late\n", "x".repeat(LIMIT));
    assert!(!allowed(&file, "/early"));
    assert!(allowed(&file, "/late"));
}

#[test]
fn the_denying_rule_is_named() {
    assert_eq!(
        rules("user-agent: *\ndisallow: /secret/").denying_rule("/secret/x"),
        Some("disallow: /secret/")
    );
    let url = CanonicalUrl::parse("http://e.org/secret/x").unwrap();
    assert!(Permit::under(&rules("user-agent: *\ndisallow: /secret/"), &url).is_err());
}
