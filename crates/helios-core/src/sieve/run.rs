//! An immutable run on the shelf: which of the entries asked for does it hold?

use super::entry::{ENTRY_BYTES, Entry};
use super::filter::{self, LINE_BYTES, Line, Place};
use super::layout::{Footer, Layout, START_BYTES};
use super::manifest::{Named, file_name};
use super::shelf::{Pages, Shelf};
use super::stats::Tally;
use crate::error::{Error, Result};

const WAY_OUT: &str =
    "restore the file or the whole crawl from a copy, or begin a new crawl in another folder";

/// More entries than chance puts on one line of the filter: 43 on average, 100 once in 10¹³ lines.
const CROWD: usize = 128;

pub(super) struct Run {
    pub(super) named: Named,
    pub(super) footer: Footer,
    layout: Layout,
    pages: Pages,
}

/// An entry on its way through the runs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    pub(super) entry: Entry,
    /// Its place in the batch.
    pub(super) index: usize,
    pub(super) known: bool,
    may_be_here: bool,
    place: Place,
    /// The entries of its line: first and number, and where it should be among them.
    bucket: (usize, usize),
    guess: usize,
}

impl Asked {
    pub(super) fn new(entry: Entry, index: usize) -> Self {
        let (place, bucket) = (Place::default(), (0, 0));
        Self { entry, index, known: false, may_be_here: false, place, bucket, guess: 0 }
    }
}

impl Run {
    /// `verify`: read the whole file and compare its checksum, as after a restart; not for what was written just now.
    pub(super) fn open(shelf: &dyn Shelf, named: &Named, verify: bool) -> Result<Self> {
        let name = file_name(named.number);
        let wrong = |what: String| Error::Storage(format!("sieve run {name}: {what}; {WAY_OUT}"));
        let pages = shelf.open(&name).map_err(|error| wrong(error.to_string()))?;
        if pages.len() as u64 != named.bytes {
            let (is, was) = (pages.len(), named.bytes);
            return Err(wrong(format!("it has {is} bytes and should have {was}: truncated or replaced")));
        }
        let (footer, checksum) = Footer::decode(&pages).map_err(wrong)?;
        let layout = footer.layout().filter(|layout| layout.end == pages.len());
        let layout = layout.ok_or_else(|| wrong("its footer does not fit its size".to_owned()))?;
        if checksum != named.checksum {
            return Err(wrong("it is the run of another sieve or of another time".to_owned()));
        }
        let summed = pages.get(..pages.len().saturating_sub(8)).unwrap_or_default();
        if verify && xxhash_rust::xxh3::xxh3_64(summed) != checksum {
            return Err(wrong("its checksum is wrong: the disk or a program changed it".to_owned()));
        }
        Ok(Self { named: named.clone(), footer, layout, pages })
    }

    pub(super) fn name(&self) -> String {
        file_name(self.named.number)
    }

    pub(super) fn entries(&self) -> &[[u8; ENTRY_BYTES]] {
        self.pages.get(self.layout.entries.clone()).unwrap_or_default().as_chunks().0
    }

    fn lines(&self) -> &[Line] {
        self.pages.get(self.layout.filter.clone()).unwrap_or_default().as_chunks::<LINE_BYTES>().0
    }

    fn directory(&self) -> &[[u8; START_BYTES]] {
        self.pages.get(self.layout.directory.clone()).unwrap_or_default().as_chunks().0
    }

    /// Marks those it holds as known. Three passes without a hard branch, so that cache misses overlap: filter,
    /// directory, entries.
    pub(super) fn search(&self, asked: &mut [Asked], candidates: &mut Vec<Asked>, tally: &mut Tally) {
        let lines = self.lines();
        for one in asked.iter_mut() {
            one.place = Place::of(one.entry, lines.len());
            one.may_be_here = lines.get(one.place.line).is_none_or(|line| filter::may_hold(line, one.entry));
        }
        candidates.clear();
        candidates.extend(asked.iter().filter(|one| one.may_be_here));
        tally.filter_negative += (asked.len() - candidates.len()) as u64;
        tally.filter_positive += candidates.len() as u64;
        if !self.footer.keeps_entries {
            for one in asked {
                one.known = one.may_be_here;
            }
            return;
        }
        self.search_entries(candidates, tally);
        let mut found = candidates.iter().map(|one| one.known);
        for one in asked.iter_mut().filter(|one| one.may_be_here) {
            one.known = found.next().unwrap_or(false);
        }
    }

    fn search_entries(&self, candidates: &mut [Asked], tally: &mut Tally) {
        let (directory, entries) = (self.directory(), self.entries());
        let start = |line: usize| directory.get(line).map_or(0, |start| u32::from_le_bytes(*start) as usize);
        for one in candidates.iter_mut() {
            let (from, to) = (start(one.place.line), start(one.place.line + 1));
            let length = to.saturating_sub(from);
            one.bucket = (from, length);
            one.guess = ((u128::from(one.place.fraction) * length as u128) >> 64) as usize;
        }
        // Only touches the entry; the walk below begins there.
        let touched = candidates.iter().fold(0, |sum, one| {
            sum ^ entries.get(one.bucket.0 + one.guess).map_or(0, |entry| entry.first().copied().unwrap_or(0))
        });
        std::hint::black_box(touched);
        for one in candidates.iter_mut() {
            let (from, length) = one.bucket;
            let bucket = entries.get(from..from + length).unwrap_or_default();
            one.known = walk(bucket, one.guess, one.entry);
            tally.false_positives += u64::from(!one.known);
        }
    }
}

/// Searches sorted entries outwards from a guess that is mostly a few places off. Where somebody made hashes that crowd one
/// line, it halves instead.
fn walk(bucket: &[[u8; ENTRY_BYTES]], guess: usize, wanted: Entry) -> bool {
    if bucket.len() > CROWD {
        return bucket.binary_search_by_key(&wanted, Entry::from_disk).is_ok();
    }
    let (before, after) = bucket.split_at_checked(guess).unwrap_or_default();
    let up = after.iter().map(Entry::from_disk).find(|&entry| entry >= wanted);
    up == Some(wanted)
        || before.iter().rev().map(Entry::from_disk).find(|&entry| entry <= wanted) == Some(wanted)
}
