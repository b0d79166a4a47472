//! [`Entry`]: a URL that waits to be asked, with all that is known of it.

use crate::clock::Millis;
use crate::codec::{Reader, Writer, damaged};
use crate::error::Result;
use crate::fetch::{OutcomeKind, Validators};
use crate::frontier::hint::Hint;
use crate::frontier::recrawl::Rhythm;
use crate::frontier::score::Signals;
use crate::url::CanonicalUrl;

/// Which parts follow, in this order.
const PAST: u8 = 1;
const HINT: u8 = 2;
/// And what is true of it: the same byte has room for that.
const SITEMAP: u8 = 4;
const MAY_RETURN: u8 = 8;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    pub(super) url: CanonicalUrl,
    /// The page that it was found on; none: a seed.
    pub(super) via: Option<CanonicalUrl>,
    /// Links from a seed to here.
    pub(super) depth: u32,
    /// Redirects on the way here.
    pub(super) hops: u32,
    /// When it was found, or came back.
    pub(super) queued: Millis,
    /// The failures since it was last fetched, oldest first.
    pub(super) failures: Vec<Failure>,
    /// What the last fetch brought; none: it was never fetched.
    pub(super) past: Option<Box<Past>>,
    /// What a sitemap says of it.
    pub(super) hint: Hint,
    /// A robots.txt, or an index that one names, says that it is a sitemap: scope and patterns do not hold for it.
    pub(super) sitemap: bool,
    /// It is where `via` redirects to, which was never fetched: back there it may lead, with a cookie.
    pub(super) may_return: bool,
}

/// One attempt that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) at: Millis,
    pub(super) kind: OutcomeKind,
    pub(super) why: String,
}

/// What is kept of a page that was fetched, in order to fetch it again.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Past {
    /// How often it was fetched.
    pub(super) fetches: u32,
    pub(super) at: Millis,
    pub(super) content: Option<u64>,
    pub(super) validators: Validators,
    pub(super) rhythm: Rhythm,
}

impl Entry {
    pub(super) fn new(url: CanonicalUrl, depth: u32, queued: Millis) -> Self {
        Self {
            url,
            via: None,
            depth,
            hops: 0,
            queued,
            failures: Vec::new(),
            past: None,
            hint: Hint::default(),
            sitemap: false,
            may_return: false,
        }
    }

    /// The number that its next fetch has.
    pub(super) fn fetch_number(&self) -> u32 {
        self.past.as_ref().map_or(0, |past| past.fetches)
    }

    /// A robots.txt names it as a sitemap.
    pub(super) fn is_named(&self) -> bool {
        self.via.as_ref().is_some_and(|via| via.target() == "/robots.txt")
    }

    /// Scope and patterns do not hold for it. What was queued before sitemaps were marked is known by who names it.
    pub(super) fn is_sitemap(&self) -> bool {
        self.sitemap || self.is_named()
    }

    pub(super) fn attempts(&self) -> u32 {
        self.failures.len() as u32
    }

    /// What its place in the whole crawl is made of; `rank` is its site's.
    pub(super) fn signals(&self, rank: f32) -> Signals {
        let rhythm = self.past.as_ref().map(|past| past.rhythm).unwrap_or_default();
        Signals { rank, change: rhythm.change_rate(), depth: self.depth, priority: None, queued: self.queued }
    }

    /// What its place among others of its site is made of: what a sitemap says of it counts there, as long as nothing was seen.
    pub(super) fn signals_at_home(&self) -> Signals {
        let plain = self.signals(0.0);
        let said = if self.past.is_none() { self.hint.change_rate(self.queued) } else { None };
        Signals { change: said.unwrap_or(plain.change), priority: self.hint.priority(), ..plain }
    }

    /// `sources` numbers the pages that URLs were found on: many of one chunk share theirs.
    pub(super) fn write(&self, to: &mut Writer, sources: &[CanonicalUrl]) {
        let source = self.via.as_ref().and_then(|via| sources.iter().position(|source| source == via));
        to.text(self.url.as_str());
        to.number(source.map_or(0, |at| at as u64 + 1));
        to.number(u64::from(self.depth)).number(u64::from(self.hops)).number(self.queued);
        to.number(self.failures.len() as u64);
        for failure in &self.failures {
            to.number(failure.at).byte(failure.kind.code()).text(&failure.why);
        }
        let part = |present: bool, flag: u8| if present { flag } else { 0 };
        let parts = part(self.past.is_some(), PAST) | part(!self.hint.is_empty(), HINT);
        to.byte(parts | part(self.sitemap, SITEMAP) | part(self.may_return, MAY_RETURN));
        if let Some(past) = &self.past {
            past.write(to);
        }
        if !self.hint.is_empty() {
            self.hint.write(to);
        }
    }

    pub(super) fn read(from: &mut Reader<'_>, sources: &[CanonicalUrl]) -> Result<Self> {
        let url = CanonicalUrl::from_canonical(from.text()?);
        let via = match from.number()? {
            0 => None,
            number => Some(sources.get(number as usize - 1).ok_or_else(damaged)?.clone()),
        };
        let (depth, hops, queued) = (from.small()?, from.small()?, from.number()?);
        let mut failures = Vec::new();
        for _ in 0..from.number()? {
            let (at, kind) = (from.number()?, from.byte()?);
            let kind = OutcomeKind::from_code(kind).ok_or_else(damaged)?;
            failures.push(Failure { at, kind, why: from.text()?.to_owned() });
        }
        let parts = from.byte()?;
        let past = if parts & PAST == 0 { None } else { Some(Box::new(Past::read(from)?)) };
        let hint = if parts & HINT == 0 { Hint::default() } else { Hint::read(from)? };
        let (sitemap, may_return) = (parts & SITEMAP != 0, parts & MAY_RETURN != 0);
        Ok(Self { url, via, depth, hops, queued, failures, past, hint, sitemap, may_return })
    }
}

impl Past {
    fn write(&self, to: &mut Writer) {
        to.number(u64::from(self.fetches)).number(self.at);
        to.byte(u8::from(self.content.is_some()));
        to.fixed(&self.content.unwrap_or_default().to_be_bytes());
        to.text(self.validators.etag.as_deref().unwrap_or_default());
        to.text(self.validators.last_modified.as_deref().unwrap_or_default());
        to.fixed(&self.rhythm.encode());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self> {
        let (fetches, at) = (from.small()?, from.number()?);
        let (known, content) = (from.byte()? == 1, u64::from_be_bytes(from.fixed()?));
        let mut optional = || from.text().map(|text| (!text.is_empty()).then(|| Box::from(text)));
        let validators = Validators { etag: optional()?, last_modified: optional()? };
        let rhythm = Rhythm::decode(from.fixed()?);
        Ok(Self { fetches, at, content: known.then_some(content), validators, rhythm })
    }
}
