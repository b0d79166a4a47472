//! [`Canonicaliser`]: text or reference → [`CanonicalUrl`], or why not.

use std::borrow::Cow;
use std::sync::LazyLock;

use encoding_rs::Encoding;

use crate::canonical::CanonicalUrl;
use crate::error::{Error, Fault, Refusal, Result};
use crate::joiner::Joiner;
use crate::normalise::{Names, Normalise, push_normal};
use crate::url::Url;

/// Longer ones are refused before any work is done on them (RFC 9110 §4.1 asks for 8000 at least).
pub(crate) const LONGEST: usize = 8_192;
/// What DNS can carry (RFC 1035 §2.3.4), without the dot at the end.
const LONGEST_HOST: usize = 253;
const LONGEST_LABEL: usize = 63;

/// [`Normalise`] made ready. One for a whole crawl: URLs made by different ones must not meet in one seen-set.
#[derive(Debug)]
pub struct Canonicaliser {
    pub(crate) rules: Normalise,
    pub(crate) names: Names,
}

static USUAL: LazyLock<Canonicaliser> = LazyLock::new(|| Canonicaliser::new(Normalise::default()));

pub(crate) fn usual() -> &'static Canonicaliser {
    &USUAL
}

impl Canonicaliser {
    pub fn new(rules: Normalise) -> Self {
        Self { names: Names::new(&rules), rules }
    }

    /// An absolute URL as a person or a file gives it.
    pub fn parse(&self, text: &str) -> Result<CanonicalUrl> {
        self.finish(text, || Url::parse(text))
    }

    /// A reference found on a page.
    pub fn join(&self, base: &Url, reference: &str) -> Result<CanonicalUrl> {
        self.finish(reference, || base.join(reference))
    }

    /// References found on a page in `encoding`: browsers send their queries in that encoding.
    pub fn on<'a>(&'a self, base: &'a Url, encoding: &'static Encoding) -> Joiner<'a> {
        Joiner::new(self, base, encoding)
    }

    fn finish(
        &self,
        given: &str,
        parse: impl FnOnce() -> std::result::Result<Url, Fault>,
    ) -> Result<CanonicalUrl> {
        let made =
            fits(given).and_then(|()| Ok(parse()?)).and_then(|url| self.canonical(crawlable(&url)?.as_ref()));
        made.map_err(|refusal| Error { text: shorten(given), reason: refusal.to_string() })
    }

    /// Of a URL that is [`crawlable`].
    pub(crate) fn canonical(&self, url: &Url) -> std::result::Result<CanonicalUrl, Refusal> {
        let mut normal = String::new();
        let text = if push_normal(self, url, &mut normal) {
            normal.as_str()
        } else {
            url.text.get(..url.query_end()).unwrap_or_default()
        };
        // Escapes make a text longer, and what is canonical must be accepted again.
        fits(text).map(|()| CanonicalUrl::from_canonical(text))
    }
}

pub(crate) fn fits(text: &str) -> std::result::Result<(), Refusal> {
    if text.len() > LONGEST { Err(Refusal::TooLong) } else { Ok(()) }
}

/// What may be crawled of it.
pub(crate) fn crawlable(url: &Url) -> std::result::Result<Cow<'_, Url>, Refusal> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(Refusal::Scheme(url.scheme().into()));
    }
    if url.has_credentials() {
        return Err(Refusal::Credentials);
    }
    let host = url.host().unwrap_or_default();
    let url = if host.ends_with('.') { Cow::Owned(without_last_dot(url, host)?) } else { Cow::Borrowed(url) };
    if fits_dns(url.host().unwrap_or_default()) { Ok(url) } else { Err(Refusal::Host) }
}

/// `example.org.` and `example.org` are one host.
fn without_last_dot(url: &Url, host: &str) -> std::result::Result<Url, Refusal> {
    let bare = host.strip_suffix('.').unwrap_or(host);
    if bare.bytes().all(|byte| byte == b'.') {
        return Err(Refusal::EmptyHost);
    }
    let rest = url.text.get(url.marks.host.map_or(0, |(_, end)| end)..).unwrap_or_default();
    Ok(Url::parse(&format!("{}://{bare}{rest}", url.scheme()))?)
}

fn fits_dns(host: &str) -> bool {
    let is_label = |label: &str| (1..=LONGEST_LABEL).contains(&label.len());
    host.starts_with('[') || host.len() <= LONGEST_HOST && host.split('.').all(is_label)
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(200) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}
