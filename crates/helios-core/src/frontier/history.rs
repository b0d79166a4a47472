//! What became of a URL: a record for "why?", written once it is settled, never read on the way of a crawl.

use super::entry::Entry;
use crate::clock::Millis;
use crate::codec::{Reader, Writer, damaged};
use crate::error::Result;
use crate::fetch::OutcomeKind;
use crate::url::{CanonicalUrl, Fingerprint};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Record {
    /// Its fingerprint is enough: who asks for the record has the URL.
    pub(super) url: Fingerprint,
    pub(super) via: Option<CanonicalUrl>,
    pub(super) depth: u32,
    pub(super) kind: OutcomeKind,
    /// In words: the status, the rule that denies it, the reason of the last failure.
    pub(super) why: String,
    pub(super) at: Millis,
    pub(super) attempts: u32,
    pub(super) fetches: u32,
}

impl Record {
    pub(super) fn of(entry: &Entry, kind: OutcomeKind, why: String, at: Millis) -> Self {
        let fetched = kind == OutcomeKind::Fetched;
        Self {
            url: entry.url.fingerprint(),
            via: entry.via.clone(),
            depth: entry.depth,
            kind,
            why,
            at,
            attempts: entry.attempts() + 1,
            fetches: entry.fetch_number() + u32::from(fetched),
        }
    }

    fn write(&self, to: &mut Writer) {
        to.fixed(&self.url.to_be_bytes()).text(self.via.as_ref().map_or("", CanonicalUrl::as_str));
        to.number(u64::from(self.depth)).byte(self.kind.code()).text(&self.why);
        to.number(self.at).number(u64::from(self.attempts)).number(u64::from(self.fetches));
    }

    fn read(from: &mut Reader<'_>) -> Result<Self> {
        let url = Fingerprint::from_bytes(from.fixed()?);
        let via = Some(from.text()?).filter(|via| !via.is_empty()).map(CanonicalUrl::from_canonical);
        let (depth, kind) = (from.small()?, from.byte()?);
        let kind = OutcomeKind::from_code(kind).ok_or_else(damaged)?;
        let (why, at) = (from.text()?.to_owned(), from.number()?);
        Ok(Self { url, via, depth, kind, why, at, attempts: from.small()?, fetches: from.small()? })
    }
}

/// The records of one site in one write.
pub(super) fn write(records: &[Record]) -> Vec<u8> {
    let mut to = Writer::with_capacity(96 * records.len());
    for record in records {
        record.write(&mut to);
    }
    to.done()
}

pub(super) fn read(bytes: &[u8]) -> Result<Vec<Record>> {
    let mut from = Reader::new(bytes);
    let mut records = Vec::new();
    while !from.is_empty() {
        records.push(Record::read(&mut from)?);
    }
    Ok(records)
}
