//! Basic authentication (RFC 7617) for the hosts that the settings name, and for no other.
//!
//! A pattern is a host or `*.` and a domain: `example.org`, `*.example.org`. It means https alone; `http://example.org`
//! means that the password may also travel in the open.

use std::collections::BTreeMap;
use std::fmt;

use http::HeaderValue;
use serde::Deserialize;

use crate::error::{Error, Result};
use crate::url::{CanonicalUrl, Origin};

/// A text that nobody may read by accident: not in logs, not in errors.
#[derive(Clone, Deserialize)]
pub struct Secret(String);

impl Secret {
    pub fn new(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"***\"")
    }
}

/// Who says what to whom.
#[derive(Debug)]
pub(super) struct Auth {
    rules: Vec<Rule>,
}

#[derive(Debug)]
struct Rule {
    host: String,
    /// Also hosts below it, and only those.
    below: bool,
    in_the_open: bool,
    /// Marked as sensitive: its `Debug` is hidden, and HTTP/2 never indexes it.
    header: HeaderValue,
}

impl Auth {
    pub(super) fn new(settings: &BTreeMap<String, Secret>) -> Result<Self> {
        let rules = settings.iter().map(|(pattern, secret)| rule(pattern, secret)).collect::<Result<_>>()?;
        Ok(Self { rules })
    }

    /// What to send to this origin.
    pub(super) fn header(&self, origin: &Origin) -> Option<&HeaderValue> {
        let fits = |rule: &&Rule| {
            let host = origin.host.as_ref();
            let named = match host.strip_suffix(rule.host.as_str()) {
                Some(left) if rule.below => left.ends_with('.'),
                Some(left) => left.is_empty(),
                None => false,
            };
            named && (origin.https || rule.in_the_open)
        };
        // The longest pattern knows best.
        self.rules
            .iter()
            .filter(fits)
            .max_by_key(|rule| (rule.host.len(), !rule.below))
            .map(|rule| &rule.header)
    }
}

fn rule(pattern: &str, secret: &Secret) -> Result<Rule> {
    let refuse = |why: &str| Error::Settings(format!("fetch.auth: {pattern:?}: {why}"));
    let (in_the_open, host) = match pattern.strip_prefix("http://") {
        Some(host) => (true, host),
        None => (false, pattern.strip_prefix("https://").unwrap_or(pattern)),
    };
    let (below, host) = match host.strip_prefix("*.") {
        Some(domain) => (true, domain),
        None => (false, host),
    };
    let wrong = || refuse("is no host; write \"example.org\", \"*.example.org\" or \"http://example.org\"");
    let url = CanonicalUrl::parse(&format!("https://{host}/")).map_err(|_| wrong())?;
    if url.target() != "/" || host.contains([':', '/', '*']) && !host.starts_with('[') {
        return Err(wrong());
    }
    if below && helios_suffix::registrable(url.host()).is_none() {
        return Err(refuse("hosts of many owners are below it"));
    }
    let has_name = secret.0.split_once(':').is_some_and(|(name, _)| !name.is_empty());
    if !has_name || secret.0.chars().any(char::is_control) {
        return Err(refuse("its value must be \"user:password\""));
    }
    let mut header = HeaderValue::try_from(format!("Basic {}", base64(secret.0.as_bytes())))
        .map_err(|_| refuse("its value must be \"user:password\""))?;
    header.set_sensitive(true);
    Ok(Rule { host: url.host().to_owned(), below, in_the_open, header })
}

/// RFC 4648 §4, with padding.
pub(super) fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let number = (0..3).fold(0u32, |sum, at| sum << 8 | u32::from(three.get(at).copied().unwrap_or(0)));
        for at in 0..4 {
            let six = (number >> (18 - 6 * at) & 63) as usize;
            let letter = LETTERS.get(six).copied().map_or('=', char::from);
            text.push(if at <= three.len() { letter } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn auth(rules: &[(&str, &str)]) -> Result<Auth> {
        Auth::new(&rules.iter().map(|(host, secret)| ((*host).to_owned(), Secret::new(secret))).collect())
    }

    fn sent(auth: &Auth, url: &str) -> Option<String> {
        let header = auth.header(&CanonicalUrl::parse(url).unwrap().origin())?;
        Some(header.to_str().unwrap().to_owned())
    }

    #[test]
    fn rfc4648_test_vectors() {
        for (plain, coded) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }

    #[test]
    fn rfc7617_a_name_and_a_password_go_to_their_host_alone() {
        let auth = auth(&[
            ("example.org", "Aladdin:open sesame"),
            ("*.b.example", "u:p"),
            ("http://c.example", "u:"),
        ]);
        let auth = auth.unwrap();
        assert_eq!(sent(&auth, "https://example.org/a").unwrap(), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
        assert_eq!(sent(&auth, "https://example.org:8443/").unwrap(), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
        for other in [
            "http://example.org/",
            "https://www.example.org/",
            "https://anexample.org/",
            "https://example.org.evil/",
        ] {
            assert_eq!(sent(&auth, other), None, "{other}");
        }
        assert!(sent(&auth, "https://a.b.example/").is_some());
        for other in ["https://b.example/", "https://ab.example/", "http://a.b.example/"] {
            assert_eq!(sent(&auth, other), None, "{other}");
        }
        assert!(sent(&auth, "http://c.example/").is_some() && sent(&auth, "https://c.example/").is_some());
    }

    #[test]
    fn patterns_and_secrets_that_make_no_sense_are_refused_without_being_told() {
        for (pattern, secret) in [
            ("*", "u:pass"),
            ("*.org", "u:pass"),
            ("*.co.uk", "u:pass"),
            ("a.org/x", "u:pass"),
            ("a.org:80", "u:pass"),
            ("a.org", "upass"),
            ("a.org", ":pass"),
            ("a.org", "u:pa\nss"),
            ("*.*.org", "u:pass"),
            ("", "u:pass"),
        ] {
            let refused = auth(&[(pattern, secret)]).map(|_| ()).unwrap_err().to_string();
            assert!(refused.contains("fetch.auth") && !refused.contains("pass\""), "{pattern}: {refused}");
        }
        assert!(!format!("{:?}", auth(&[("a.org", "u:hush")]).unwrap()).contains("hush"));
        assert!(!format!("{:?}", Secret::new("u:hush")).contains("hush"));
    }
}
