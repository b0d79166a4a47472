//! [`Joiner`]: the references of one page → [`CanonicalUrl`]s.

use encoding_rs::Encoding;

use crate::canonical::CanonicalUrl;
use crate::canonicaliser::{Canonicaliser, crawlable, fits};
use crate::error::Refusal;
use crate::parse::parse_into;
use crate::url::Url;

/// Nearly all that crawls know of URLs comes this way, most of it from the page's own host: what was looked at once is not looked at for each.
#[derive(Debug)]
pub struct Joiner<'a> {
    by: &'a Canonicaliser,
    base: &'a Url,
    encoding: &'static Encoding,
    /// Scheme, host and port of the page, if they may be crawled.
    own: Option<&'a str>,
    /// Used again for each.
    room: String,
}

impl<'a> Joiner<'a> {
    pub(crate) fn new(by: &'a Canonicaliser, base: &'a Url, encoding: &'static Encoding) -> Self {
        let own = crawlable(base.clone()).ok().and_then(|good| {
            let own = base.text.get(..base.authority_end())?;
            (good.text.get(..good.authority_end()) == Some(own)).then_some(own)
        });
        Self { by, base, encoding, own, room: String::new() }
    }

    /// Where a reference leads, unless that is nothing to crawl.
    pub fn join(&mut self, reference: &str) -> Option<CanonicalUrl> {
        self.joined(reference).ok()
    }

    fn joined(&mut self, reference: &str) -> Result<CanonicalUrl, Refusal> {
        fits(reference)?;
        let room = std::mem::take(&mut self.room);
        let mut url = parse_into(room, reference, Some(self.base), Some(self.encoding))?;
        if self.own.is_none() || url.text.get(..url.authority_end()) != self.own {
            url = crawlable(url)?;
        }
        let canonical = self.by.canonical(&url);
        self.room = url.text;
        self.room.clear();
        canonical
    }
}
