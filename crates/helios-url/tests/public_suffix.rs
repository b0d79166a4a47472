//! Whom to be polite to as one: the public suffix list's own cases and real hosts (`shared/data/public-suffix`).
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test that cannot go on must stop"
)]

mod common;

use common::cases;
use helios_url::{SiteKey, Url};
use serde_json::Value;

/// Hosts whose rule is younger or older than the list compiled in.
const NOT_OURS: [&str; 1] = ["anybt.eth.limo"];

fn host_of(name: &str) -> Option<String> {
    Url::parse(&format!("http://{name}/")).ok()?.host().map(str::to_owned)
}

/// A host that is a public suffix itself is its own site.
fn agrees(case: &Value) -> bool {
    let Some(host) = case["host"].as_str().and_then(host_of) else {
        return case["registrable_domain"].is_null();
    };
    let expected = case["registrable_domain"].as_str().and_then(host_of).unwrap_or_else(|| host.clone());
    SiteKey::of_host(&host).as_str() == expected
}

#[test]
fn a_site_is_the_registrable_domain_of_the_list() {
    for file in ["cases.json", "real_hosts.json"] {
        let cases = cases("public-suffix", file);
        let different: Vec<&str> =
            cases.iter().filter(|case| !agrees(case)).filter_map(|case| case["host"].as_str()).collect();
        let listed: Vec<&str> = cases
            .iter()
            .filter_map(|case| case["host"].as_str())
            .filter(|host| NOT_OURS.contains(host))
            .collect();
        assert_eq!(different, listed, "{} of {}", different.len(), cases.len());
    }
}
