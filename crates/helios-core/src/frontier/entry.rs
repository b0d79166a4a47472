//! [`Entry`]: a URL that waits to be asked, with all that is known of it.

use crate::clock::Millis;
use crate::codec::{Reader, Writer, damaged};
use crate::error::Result;
use crate::fetch::{OutcomeKind, Validators};
use crate::frontier::recrawl::Rhythm;
use crate::url::CanonicalUrl;

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
        Self { url, via: None, depth, hops: 0, queued, failures: Vec::new(), past: None }
    }

    /// The number that its next fetch has.
    pub(super) fn fetch_number(&self) -> u32 {
        self.past.as_ref().map_or(0, |past| past.fetches)
    }

    pub(super) fn attempts(&self) -> u32 {
        self.failures.len() as u32
    }

    pub(super) fn change_rate(&self) -> f32 {
        self.past.as_ref().map_or_else(|| Rhythm::default().change_rate(), |past| past.rhythm.change_rate())
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
        match &self.past {
            None => drop(to.byte(0)),
            Some(past) => past.write(to.byte(1)),
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
        let past = if from.byte()? == 0 { None } else { Some(Box::new(Past::read(from)?)) };
        Ok(Self { url, via, depth, hops, queued, failures, past })
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
