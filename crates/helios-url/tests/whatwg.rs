//! The URL Standard's own tests (`shared/data/url-whatwg`): every case of every scheme.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test that cannot go on must stop"
)]

mod common;

use common::cases;
use encoding_rs::Encoding;
use helios_url::{CanonicalUrl, Canonicaliser, Normalise, Url};
use serde_json::Value;

fn resolve(case: &Value) -> Option<Url> {
    let input = case["input"].as_str()?;
    match case["base"].as_str() {
        None => Url::parse(input).ok(),
        Some(base) => Url::parse(base).ok()?.join(input).ok(),
    }
}

fn field(url: &Url, name: &str) -> Option<String> {
    let marked = |mark: &str, text: Option<&str>| {
        text.filter(|text| !text.is_empty()).map_or(String::new(), |text| format!("{mark}{text}"))
    };
    Some(match name {
        "href" => url.to_string(),
        "protocol" => format!("{}:", url.scheme()),
        "username" => url.username().to_owned(),
        "password" => url.password().to_owned(),
        "hostname" => url.host().unwrap_or_default().to_owned(),
        "port" => url.port().map_or(String::new(), |port| port.to_string()),
        "host" => {
            let port = url.port().map_or(String::new(), |port| format!(":{port}"));
            url.host().unwrap_or_default().to_owned() + &port
        }
        "pathname" => url.path().to_owned(),
        "search" => marked("?", url.query()),
        "hash" => marked("#", url.fragment()),
        _ => return None,
    })
}

fn differs(case: &Value) -> Option<String> {
    let url = resolve(case);
    if case["failure"] == true {
        return url.map(|url| format!("{case} should fail, not become {url}"));
    }
    let Some(url) = url else { return Some(format!("{case} failed")) };
    for (name, expected) in case.as_object()? {
        if let Some(found) = field(&url, name)
            && Some(found.as_str()) != expected.as_str()
        {
            return Some(format!(
                "{} on {}: {name} is {found:?}, not {expected}",
                case["input"], case["base"]
            ));
        }
    }
    (Url::parse(url.as_str()).as_ref() != Ok(&url)).then(|| format!("{url} changes when it is read again"))
}

#[test]
fn whatwg_every_url_is_read_as_browsers_read_it() {
    let wrong: Vec<String> = cases("url-whatwg", "urltestdata.json").iter().filter_map(differs).collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// As the standard's own harness asks: the input percent-encoded, as a host.
fn host_of(input: &str) -> Option<String> {
    let escaped = input.bytes().fold(String::new(), |text, byte| text + &format!("%{byte:02X}"));
    let url = Url::parse(&format!("https://{escaped}/x")).ok()?;
    (url.path() == "/x").then(|| url.host().unwrap_or_default().to_owned())
}

#[test]
fn whatwg_international_names_become_ascii_as_in_browsers() {
    for file in ["toascii.json", "IdnaTestV2.json"] {
        for case in cases("url-whatwg", file) {
            let input = case["input"].as_str().unwrap();
            // A URL cannot ask for the empty name.
            if input.is_empty() {
                continue;
            }
            assert_eq!(host_of(input).as_deref(), case["output"].as_str(), "{file}: {case}");
        }
    }
}

#[test]
fn whatwg_a_query_is_sent_in_the_encoding_of_its_page() {
    for case in cases("url-whatwg", "percent-encoding.json") {
        let base = Url::parse("http://example.org/").unwrap();
        let urls = Canonicaliser::new(Normalise::nothing());
        for (label, expected) in case["output"].as_object().unwrap() {
            let encoding = Encoding::for_label(label.as_bytes()).unwrap();
            let reference = format!("?{}#", case["input"].as_str().unwrap());
            let url = urls.on(&base, encoding).join(&reference).unwrap();
            let query = url.target().split_once('?').map(|(_, query)| query);
            assert_eq!(query, expected.as_str(), "{case} in {label}");
        }
    }
}

#[test]
fn house_a_host_that_dns_cannot_carry_is_refused() {
    for case in cases("url-whatwg", "dns_length.json") {
        let refused = CanonicalUrl::parse(case["input"].as_str().unwrap()).is_err();
        assert_eq!(refused, case["failure"] == true, "{case}");
    }
}
