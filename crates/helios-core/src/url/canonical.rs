//! Text → [`CanonicalUrl`], or why not.

use std::fmt;
use std::sync::Arc;

use url::{Host, Url};

use super::{Fingerprint, SiteKey};
use crate::error::{Error, Result};

/// Longer ones are refused before any work is done on them (RFC 9110 §4.1 asks for 8000 at least).
const LONGEST: usize = 8_192;

/// A URL in the one spelling that the whole crawl uses. Made here and nowhere else.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CanonicalUrl {
    text: Arc<str>,
}

/// Scheme, host and port: what a robots.txt speaks for (RFC 9309 §2.3) and what a connection leads to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin {
    pub https: bool,
    /// A name in lower case, or an address literal (IPv6 in brackets).
    pub host: Arc<str>,
    pub port: u16,
}

impl CanonicalUrl {
    /// An absolute URL as a person or a file gives it.
    pub fn parse(text: &str) -> Result<Self> {
        refuse_long(text, text.len())?;
        Self::from_parsed(text, Url::parse(text.trim()))
    }

    /// A reference found on a page.
    pub fn join(base: &Url, reference: &str) -> Result<Self> {
        // Whatever it resolves to is hardly longer than both together.
        refuse_long(reference, base.as_str().len() + reference.len())?;
        Self::from_parsed(reference, base.join(reference.trim()))
    }

    fn from_parsed(text: &str, parsed: std::result::Result<Url, url::ParseError>) -> Result<Self> {
        let refuse = |reason: String| Error::Url { text: shorten(text), reason };
        let mut url = parsed.map_err(|error| {
            let bare = error == url::ParseError::RelativeUrlWithoutBase;
            let way_out = if bare { "; write it in full, such as https://example.org/" } else { "" };
            refuse(format!("{error}{way_out}"))
        })?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(refuse(format!("only http and https are crawled, not {}:", url.scheme())));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refuse("it carries a user name or password".to_owned()));
        }
        url.set_fragment(None);
        if url.query() == Some("") {
            url.set_query(None);
        }
        drop_trailing_dot(&mut url).map_err(refuse)?;
        Ok(Self { text: Arc::from(url.as_str()) })
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&self.text)
    }

    /// The parsed form, for resolving references against it.
    pub fn to_url(&self) -> Url {
        // A canonical text came out of a parsed URL, so it parses; the fallback keeps this free of panics.
        Url::parse(&self.text).unwrap_or_else(|_| blank())
    }

    /// A text that was canonical before: out of our own database.
    pub(crate) fn from_canonical(text: &str) -> Self {
        Self { text: Arc::from(text) }
    }

    pub fn is_https(&self) -> bool {
        self.text.starts_with("https:")
    }

    pub fn origin(&self) -> Origin {
        let https = self.is_https();
        let (host, port) = split_port(self.authority());
        Origin { https, host: Arc::from(host), port: port.unwrap_or(if https { 443 } else { 80 }) }
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

    /// A canonical text is `scheme://host[:port]/…` and has no user name, so that slices do what a parser would.
    fn authority(&self) -> &str {
        let rest = self.text.get(self.after_scheme()..).unwrap_or_default();
        rest.split('/').next().unwrap_or_default()
    }

    fn after_scheme(&self) -> usize {
        if self.is_https() { "https://".len() } else { "http://".len() }
    }
}

fn split_port(authority: &str) -> (&str, Option<u16>) {
    match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, port.parse().ok()),
        _ => (authority, None),
    }
}

impl fmt::Display for CanonicalUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Origin {
    /// The URL of a target of this origin.
    pub fn url_of(&self, target: &str) -> Result<CanonicalUrl> {
        CanonicalUrl::parse(&format!("{self}{target}"))
    }

    fn has_default_port(&self) -> bool {
        self.port == if self.https { 443 } else { 80 }
    }

    /// What belongs into the Host header.
    pub fn authority(&self) -> String {
        if self.has_default_port() { self.host.to_string() } else { format!("{}:{}", self.host, self.port) }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", if self.https { "https" } else { "http" }, self.authority())
    }
}

/// `example.org.` and `example.org` are one host; so is what has more dots at its end, or it would change when read again.
fn drop_trailing_dot(url: &mut Url) -> std::result::Result<(), String> {
    let Some(Host::Domain(name)) = url.host() else { return Ok(()) };
    if !name.ends_with('.') {
        return Ok(());
    }
    let bare = name.trim_end_matches('.');
    if bare.is_empty() {
        return Err("its host is empty".to_owned());
    }
    let bare = bare.to_owned();
    url.set_host(Some(&bare)).map_err(|error| error.to_string())
}

fn refuse_long(text: &str, length: usize) -> Result<()> {
    if length <= LONGEST {
        return Ok(());
    }
    Err(Error::Url { text: shorten(text), reason: format!("it is longer than {LONGEST} bytes") })
}

fn blank() -> Url {
    Url::parse("http://invalid.invalid/").unwrap_or_else(|_| unreachable!("a constant URL parses"))
}

fn shorten(text: &str) -> String {
    if text.chars().count() <= 200 {
        text.to_owned()
    } else {
        text.chars().take(200).chain("…".chars()).collect()
    }
}
