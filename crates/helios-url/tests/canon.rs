//! What other crawlers take for one page (`shared/data/url-canon`). Their policies contradict each other: where ours is the
//! URL Standard or differs on purpose, the case is listed with the reason, and the list must be exact.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test that cannot go on must stop"
)]

mod common;

use std::collections::BTreeMap;

use common::cases;
use helios_url::{CanonicalUrl, Canonicaliser, Normalise, Url};
use serde_json::Value;

/// Suite, reason, inputs.
const NOT_OURS: &[(&str, &str, &[&str])] = &[
    (
        "urlcanon/supplemental_whatwg",
        "the standard of today: a host that ends in a number is an address, and 09 is none; dots alone are a name",
        &[
            "http://09/",
            "http:%2e/a/b",
            "http:/%2e%2e%2e/a/b",
            "http://%2e/a/b",
            "http://%2e%2e/a/b",
            "http:///%2e/a/b",
            "http:///%2e%2e%2e/a/b",
        ],
    ),
    ("urlcanon/supplemental_whatwg", "a percent sign is in no domain", &["http://%/", "http:/%/", "http:%/"]),
    ("urlcanon/supplemental_whatwg", "what has no scheme is no URL", &["www.google.com/"]),
    (
        "urlcanon/supplemental_whatwg",
        "the standard of today escapes a space in a fragment",
        &["lolscheme:x x#x x", "lolscheme:/x x#x x"],
    ),
    (
        "urlcanon/path_dots/special",
        "a backslash is written as a slash",
        &["\\", "\\.", "\\..", "\\foo", "/\\", "\\/", "\\../", "\\..\\", "\\foo/", "/\\."],
    ),
    (
        "urlcanon/path_dots/nonspecial",
        "a backslash after a host is part of the host, where it is forbidden",
        &["\\.", "\\..", "\\/", "\\../", "\\foo/", "\\foo\\"],
    ),
    (
        "crawler-commons/normalize",
        "slashes are left alone: servers tell them apart",
        &[
            "http://foo.com//aa/bb/foo.html",
            "http://foo.com/aa//bb/foo.html",
            "http://foo.com////aa////bb////foo.html",
        ],
    ),
    (
        "crawler-commons/normalize",
        "no browser escapes these, and servers see the difference",
        &[
            "http://x.com/?x[y]=1",
            "http://www.example.com/a/c/../b/search?q=foobar`",
            "https://www.last.fm/music/Prefuse+73/_/90%+of+My+Mind+Is+With+You",
            "http://www.example.com/p%zz%77%v",
            "http://www.example.com/search?q=foobar%",
        ],
    ),
    (
        "crawler-commons/normalize",
        "nothing but http and https with a host is crawled",
        &["ftp:/", "http:///////", "file:/path/index.html", "file:/var/www/html/foo/../bar/index.html"],
    ),
    (
        "crawler-commons/normalize",
        "an empty value and an empty name are not left out",
        &["http://foo.com/index?b=&a=1", "http://foo.com/index?&=1&a=1"],
    ),
];

/// The suites whose policy is ours, or can be set.
const OURS: &[&str] = &[
    "urlcanon/supplemental_whatwg",
    "urlcanon/funky_ipv4",
    "urlcanon/path_dots/special",
    "urlcanon/path_dots/nonspecial",
    "urlcanon/surt/stripPathSessionId",
    "crawler-commons/resolve",
    "crawler-commons/normalize",
    "crawler-commons/normalize-invalid",
];

fn ours(suite: &str, case: &Value) -> Option<String> {
    let input = case["input"].as_str()?;
    let text = |url: Url| url.to_string();
    match suite {
        "urlcanon/supplemental_whatwg" => Url::parse(input).ok().map(text),
        // Nothing is expected where the input is a name.
        "urlcanon/funky_ipv4" => {
            let host = Url::parse(&format!("http://{input}/")).ok()?.host()?.to_owned();
            Some(host).filter(|host| host.parse::<std::net::Ipv4Addr>().is_ok())
        }
        "urlcanon/path_dots/special" => path_of("http", input),
        "urlcanon/path_dots/nonspecial" => path_of("other", input),
        "crawler-commons/resolve" if case["base"] == "" => Url::parse(input).ok().map(text),
        "crawler-commons/resolve" => {
            Url::parse(case["base"].as_str()?).ok().and_then(|base| base.join(input).ok()).map(text)
        }
        "urlcanon/surt/stripPathSessionId" => {
            Some(CanonicalUrl::parse(&format!("http://h{input}")).ok()?.target().to_owned())
        }
        // The policy of the others sorts parameters, which is a setting of ours.
        _ => {
            let sorting = Canonicaliser::new(Normalise { sort_query: true, ..Normalise::default() });
            sorting.parse(input).ok().map(|url| url.to_string())
        }
    }
}

fn path_of(scheme: &str, path: &str) -> Option<String> {
    Url::parse(&format!("{scheme}://h{path}")).ok().map(|url| url.path().to_owned())
}

#[test]
fn urls_become_what_other_crawlers_make_of_them_but_for_the_listed() {
    let cases = cases("url-canon", "cases.json");
    let mut different: BTreeMap<(&str, &str), String> = BTreeMap::new();
    for case in &cases {
        let key = (case["suite"].as_str().unwrap(), case["input"].as_str().unwrap());
        let ours = ours(key.0, case);
        if OURS.contains(&key.0) && ours.as_deref() != case["expected"].as_str() {
            different.insert(key, format!("{:?}, not {}", ours, case["expected"]));
        }
    }
    if cases.is_empty() {
        return;
    }
    for (suite, reason, inputs) in NOT_OURS {
        for input in *inputs {
            assert!(
                different.remove(&(*suite, *input)).is_some(),
                "{suite}: {input:?} agrees now ({reason})"
            );
        }
    }
    assert!(different.is_empty(), "{different:#?}");
}

/// Policies that we do not follow: archives' look-up keys drop `www`, guess schemes and unescape again and again.
#[test]
fn what_is_canonical_for_an_archive_is_still_read_the_same_twice() {
    for case in cases("url-canon", "cases.json") {
        let Ok(once) = CanonicalUrl::parse(case["input"].as_str().unwrap()) else { continue };
        assert_eq!(CanonicalUrl::parse(once.as_str()).as_ref(), Ok(&once), "{case}");
    }
}
