//! The index: what was seen, and what is like it.

use std::path::Path;

use crate::error::{Error, Result};
use crate::finder::Finder;
use crate::fingerprint::Fingerprint;
use crate::log::Log;
use crate::record::Record;
use crate::settings::NearSettings;

/// What a page is called by the crawl: the fingerprint of its URL. The same page, fetched again, has the same.
pub type PageId = u128;

/// How far an estimate may be below the similarity that is asked for: half of its error, so that about as many duplicates
/// are missed as pages are wrongly called one.
const ALLOWANCE: f32 = 0.005;
/// A page that an asked one is a duplicate of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Duplicate {
    pub page: PageId,
    /// Estimated Jaccard similarity of the five-word shingles. 1: the same words in the same order.
    pub similarity: f32,
    /// Bits in which the SimHashes differ.
    pub distance: u32,
}

pub struct NearIndex {
    similarity: f32,
    finder: Finder,
    log: Log,
}

impl NearIndex {
    /// An index that is gone when it is dropped.
    pub fn in_memory(settings: NearSettings) -> Self {
        Self::over(Log::in_memory(settings.seed), settings)
    }

    fn over(log: Log, settings: NearSettings) -> Self {
        Self { similarity: settings.similarity - ALLOWANCE, finder: Finder::new(log.seed()), log }
    }

    /// The index in a file, which is made if it is not there.
    ///
    /// `committed` is the last mark (see [`NearIndex::sync`]) that the crawl committed: what came after it is
    /// forgotten, since those pages will be fetched again. Without it, all is kept that was written whole.
    pub fn open(path: &Path, settings: NearSettings, committed: Option<u64>) -> Result<Self> {
        let mut index = Self::over(Log::open(path, settings.seed)?, settings);
        let mut number = 0;
        index.log.replay(committed, |record| {
            index.finder.insert(&record.fingerprint, record.placed, number);
            number = number.saturating_add(1);
        })?;
        Ok(index)
    }

    /// Pages in the index.
    pub fn len(&self) -> u64 {
        self.log.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory that the index holds.
    pub fn memory(&self) -> usize {
        self.finder.bytes()
    }

    /// Says whether the page is a duplicate of another one, and remembers it if it is not. So duplicates are always named
    /// by an original, and the index holds one record for each.
    pub fn observe(&mut self, page: PageId, print: &Fingerprint) -> Result<Option<Duplicate>> {
        let alike = self.alike(print)?;
        let found = best(alike.iter().filter(|one| one.page != page));
        let known = alike.iter().any(|one| one.page == page && one.similarity >= 1.0);
        if found.is_none() && !known {
            self.insert(page, print)?;
        }
        Ok(found)
    }

    /// The page that this one is most alike, if that is enough; of equals the one that came first. Never the page itself.
    pub fn nearest(&self, page: PageId, print: &Fingerprint) -> Result<Option<Duplicate>> {
        Ok(best(self.alike(print)?.iter().filter(|one| one.page != page)))
    }

    /// All pages found that are alike enough, in the order in which they came; the page itself may be among them.
    pub fn alike(&self, print: &Fingerprint) -> Result<Vec<Duplicate>> {
        let mut alike = Vec::new();
        for number in self.finder.candidates(print) {
            let record = self.log.read(u64::from(number))?;
            let (similarity, distance) =
                (print.similarity(&record.fingerprint), print.distance(&record.fingerprint));
            if similarity >= self.similarity {
                alike.push(Duplicate { page: record.page, similarity, distance });
            }
        }
        Ok(alike)
    }

    /// Remembers a page, whatever it is like. A text without words is not remembered.
    pub fn insert(&mut self, page: PageId, print: &Fingerprint) -> Result<()> {
        if print.is_empty() {
            return Ok(());
        }
        let number = u32::try_from(self.len()).map_err(|_| Error::Full(u32::MAX))?;
        let placed = self.finder.room(print);
        self.log.append(&Record { page, fingerprint: *print, placed })?;
        self.finder.insert(print, placed, number);
        Ok(())
    }

    /// Makes durable what was inserted, and says how much that is: a mark for [`NearIndex::open`] and
    /// [`NearIndex::forget_after`], to be committed together with the pages.
    pub fn sync(&mut self) -> Result<u64> {
        self.log.sync()?;
        Ok(self.len())
    }

    /// Forgets what was inserted after a mark, as if it had never been.
    pub fn forget_after(&mut self, mark: u64) -> Result<()> {
        for number in (mark..self.len()).rev() {
            let record = self.log.read(number)?;
            self.finder.remove_youngest(&record.fingerprint, record.placed, number as u32);
        }
        self.log.truncate(mark)?;
        self.finder.truncate(mark);
        Ok(())
    }
}

/// The most alike; of equals the first.
fn best<'a>(alike: impl Iterator<Item = &'a Duplicate>) -> Option<Duplicate> {
    alike.fold(None, |best: Option<Duplicate>, one| match best {
        Some(best) if best.similarity >= one.similarity => Some(best),
        _ => Some(*one),
    })
}
