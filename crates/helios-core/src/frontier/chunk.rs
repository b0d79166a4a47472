//! A chunk of a queue: up to 32 entries in one value, so that a bit each says which are done.

use super::entry::Entry;
use crate::codec::{Reader, Writer};
use crate::error::Result;
use crate::url::CanonicalUrl;

/// As many as there are bits in a [`Bits`].
pub(super) const MOST: usize = 32;

/// One bit per entry of a chunk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Bits(pub(super) u32);

impl Bits {
    pub(super) fn has(self, index: usize) -> bool {
        self.0 >> (index % MOST) & 1 == 1
    }

    pub(super) fn set(&mut self, index: usize) {
        self.0 |= 1 << (index % MOST);
    }

    pub(super) fn clear(&mut self, index: usize) {
        self.0 &= !(1 << (index % MOST));
    }

    pub(super) fn count(self) -> usize {
        self.0.count_ones() as usize
    }
}

/// The pages that these entries were found on, each once.
fn sources_of(entries: &[Entry]) -> Vec<CanonicalUrl> {
    let mut sources: Vec<CanonicalUrl> = Vec::new();
    for via in entries.iter().filter_map(|entry| entry.via.as_ref()) {
        if !sources.contains(via) {
            sources.push(via.clone());
        }
    }
    sources
}

pub(super) fn write(entries: &[Entry]) -> Vec<u8> {
    let sources = sources_of(entries);
    let mut to = Writer::with_capacity(128 + 96 * entries.len());
    to.number(sources.len() as u64);
    for source in &sources {
        to.text(source.as_str());
    }
    to.number(entries.len() as u64);
    for entry in entries {
        entry.write(&mut to, &sources);
    }
    to.done()
}

pub(super) fn read(bytes: &[u8]) -> Result<Vec<Entry>> {
    let mut from = Reader::new(bytes);
    let mut sources = Vec::new();
    for _ in 0..from.number()? {
        sources.push(CanonicalUrl::from_canonical(from.text()?));
    }
    (0..from.number()?).map(|_| Entry::read(&mut from, &sources)).collect()
}
