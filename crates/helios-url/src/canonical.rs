//! [`CanonicalUrl`]: the type that says that a text went through a [`crate::Canonicaliser`].

use std::fmt;
use std::sync::Arc;

use crate::canonicaliser::usual;
use crate::error::Result;
use crate::{Fingerprint, Origin, ShortFingerprint, SiteKey, Url};

/// A URL in the one spelling that the whole crawl uses.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CanonicalUrl {
    text: Arc<str>,
}

impl CanonicalUrl {
    /// An absolute URL as a person or a file gives it, by the default rules.
    pub fn parse(text: &str) -> Result<Self> {
        usual().parse(text)
    }

    /// A reference found on a page, by the default rules.
    pub fn join(base: &Url, reference: &str) -> Result<Self> {
        usual().join(base, reference)
    }

    /// A text that was canonical before: for [`crate::Canonicaliser`], and for whoever reads back what the crawl itself wrote.
    pub fn from_canonical(text: &str) -> Self {
        Self { text: Arc::from(text) }
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&self.text)
    }

    pub fn short_fingerprint(&self) -> ShortFingerprint {
        ShortFingerprint::of(&self.text)
    }

    /// The parsed form, for resolving references against it.
    pub fn to_url(&self) -> Url {
        // A canonical text came out of a parsed URL, so it parses; the fallback keeps this free of panics.
        Url::parse(&self.text)
            .unwrap_or_else(|_| Url { text: String::new(), marks: crate::url::Marks::default() })
    }

    pub fn is_https(&self) -> bool {
        self.text.starts_with("https:")
    }

    pub fn origin(&self) -> Origin {
        Origin { https: self.is_https(), host: Arc::from(self.host()), port: self.port() }
    }

    /// Told, or the usual one of the scheme.
    pub fn port(&self) -> u16 {
        self.host_and_port().1
    }

    pub(crate) fn host_and_port(&self) -> (&str, u16) {
        let (host, told) = split_port(self.authority());
        (host, told.unwrap_or(if self.is_https() { 443 } else { 80 }))
    }

    /// Scheme, host and port as they stand in the text: equal for equal origins.
    pub fn origin_text(&self) -> &str {
        let end = self.after_scheme() + self.authority().len();
        self.text.get(..end).unwrap_or_default()
    }

    /// A name in lower case, or an address literal (IPv6 in brackets).
    pub fn host(&self) -> &str {
        split_port(self.authority()).0
    }

    pub fn site(&self) -> SiteKey {
        SiteKey::of_host(self.host())
    }

    /// Path and query, as asked from a server and as matched against robots.txt.
    pub fn target(&self) -> &str {
        self.text.get(self.after_scheme() + self.authority().len()..).unwrap_or("/")
    }

    /// Host and, unless it is the usual one, port: what belongs into the Host header. A canonical text is
    /// `scheme://host[:port]/…` and has no user name, so that slices do what a parser would.
    pub fn authority(&self) -> &str {
        let rest = self.text.get(self.after_scheme()..).unwrap_or_default();
        // Few bytes, and asked for with every request: a search that needs no preparation is the fastest.
        let end = rest.bytes().position(|byte| byte == b'/').unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default()
    }

    fn after_scheme(&self) -> usize {
        if self.is_https() { "https://".len() } else { "http://".len() }
    }
}

fn split_port(authority: &str) -> (&str, Option<u16>) {
    let colon = authority.bytes().rposition(|byte| byte == b':');
    match colon.and_then(|at| Some((authority.get(..at)?, authority.get(at + 1..)?))) {
        Some((host, port)) if !port.ends_with(']') => (host, port.parse().ok()),
        _ => (authority, None),
    }
}

impl fmt::Display for CanonicalUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
