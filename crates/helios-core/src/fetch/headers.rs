//! Headers that the settings add to every request.

use std::collections::BTreeMap;

use http::header::{HeaderMap, HeaderName, HeaderValue};

use crate::error::{Error, Result};

/// Headers that are ours to write, each with the way that is open instead.
const OURS: [(&str, &str); 19] = [
    ("host", "it follows from the URL"),
    ("user-agent", "set fetch.user_agent"),
    ("accept", "set fetch.accept"),
    ("accept-encoding", "what we can decode is always offered"),
    ("authorization", "it would go to every site; set fetch.auth"),
    ("cookie", "it would go to every site; set fetch.cookies"),
    ("if-none-match", "the frontier knows what was fetched before"),
    ("if-modified-since", "the frontier knows what was fetched before"),
    ("range", "whole pages are fetched"),
    ("expect", "requests have no body"),
    ("content-length", "requests have no body"),
    ("content-type", "requests have no body"),
    ("transfer-encoding", "requests have no body"),
    ("connection", "it speaks of the connection, which is ours"),
    ("keep-alive", "it speaks of the connection, which is ours"),
    ("te", "it speaks of the connection, which is ours"),
    ("trailer", "it speaks of the connection, which is ours"),
    ("upgrade", "it speaks of the connection, which is ours"),
    ("http2-settings", "it speaks of the connection, which is ours"),
];

pub(super) fn custom(headers: &BTreeMap<String, String>) -> Result<HeaderMap> {
    let mut checked = HeaderMap::new();
    for (name, value) in headers {
        let refuse = |why: &str| Error::Settings(format!("fetch.headers: {name:?}: {why}"));
        let known = HeaderName::try_from(name.as_str()).map_err(|_| refuse("is no name of a header"))?;
        if let Some((_, instead)) = OURS.iter().find(|(ours, _)| *ours == known.as_str()) {
            return Err(refuse(&format!("cannot be set: {instead}")));
        }
        if known.as_str().starts_with("proxy-") {
            return Err(refuse("cannot be set: it speaks to a proxy"));
        }
        let value = HeaderValue::try_from(value.trim())
            .map_err(|_| refuse("its value has a line break or another control character"))?;
        checked.insert(known, value);
    }
    Ok(checked)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, value: &str) -> Result<HeaderMap> {
        custom(&BTreeMap::from([(name.to_owned(), value.to_owned())]))
    }

    #[test]
    fn a_header_of_the_settings_is_taken_as_it_is() {
        assert_eq!(
            of("Accept-Language", "de, en;q=0.5").unwrap().get("accept-language").unwrap(),
            "de, en;q=0.5"
        );
        assert_eq!(of("X-Name", "Jürgen").unwrap().get("x-name").unwrap().as_bytes(), "Jürgen".as_bytes());
    }

    #[test]
    fn headers_that_would_break_or_betray_are_refused_with_the_way_that_is_open() {
        let wrong = [
            ("Host", "x", "follows from the URL"),
            ("content-LENGTH", "3", "no body"),
            ("Transfer-Encoding", "chunked", "no body"),
            ("Connection", "close", "the connection"),
            ("Authorization", "Basic eA==", "set fetch.auth"),
            ("Proxy-Authorization", "x", "proxy"),
            ("X-A", "a\r\nHost: b", "line break"),
            ("X A", "a", "no name"),
            ("", "a", "no name"),
        ];
        for (name, value, why) in wrong {
            let refused = of(name, value).unwrap_err().to_string();
            assert!(refused.contains("fetch.headers") && refused.contains(why), "{name}: {refused}");
        }
    }
}
