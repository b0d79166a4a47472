//! [`Joiner`]: the references of one base → [`CanonicalUrl`]s.

use std::borrow::Cow;

use encoding_rs::Encoding;

use crate::canonical::CanonicalUrl;
use crate::canonicaliser::{Canonicaliser, crawlable, fits};
use crate::error::Refusal;
use crate::parse::parse_into;
use crate::url::Url;

/// Nearly all that crawls know of URLs comes this way, most of it from the base's own host: what was looked at once is not looked at for each.
#[derive(Debug)]
pub struct Joiner<'a> {
    by: &'a Canonicaliser,
    base: &'a Url,
    encoding: &'static Encoding,
    /// Scheme, host and port of the base, if they may be crawled as they are.
    own: Option<&'a str>,
    /// Used again for each.
    room: String,
}

impl<'a> Joiner<'a> {
    pub(crate) fn new(by: &'a Canonicaliser, base: &'a Url, encoding: &'static Encoding) -> Self {
        let own = match crawlable(base) {
            Ok(Cow::Borrowed(_)) => base.text.get(..base.authority_end()),
            Ok(Cow::Owned(_)) | Err(_) => None,
        };
        Self { by, base, encoding, own, room: String::new() }
    }

    /// Where a reference leads, unless that is nothing to crawl.
    pub fn join(&mut self, reference: &str) -> Option<CanonicalUrl> {
        self.joined(reference).ok()
    }

    fn joined(&mut self, reference: &str) -> Result<CanonicalUrl, Refusal> {
        fits(reference)?;
        let room = std::mem::take(&mut self.room);
        let url = parse_into(room, reference, Some(self.base), Some(self.encoding))?;
        let canonical = if self.own.is_some() && url.text.get(..url.authority_end()) == self.own {
            self.by.canonical(&url)
        } else {
            crawlable(&url).and_then(|url| self.by.canonical(&url))
        };
        self.room = url.text;
        self.room.clear();
        canonical
    }
}
