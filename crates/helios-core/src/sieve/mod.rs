//! The sieve: has this URL been seen? Exact, log-structured, bounded in memory, whole after any crash.
//!
//! In: batches of fingerprints. Out: which of them are new; those are remembered. A fingerprint is looked for in `cache`
//! (recent ones), `memtable` (not yet on disk) and each `run` (immutable, sorted, behind a `filter`), the youngest first.
//!
//! Always: an entry is in the memtable or in one run; a run file is durable before a manifest names it, and never changes
//! after; the caller keeps the manifest, and in a journal what was new since (the memtable). So after a crash manifest
//! and journal are all there is to read; files that the manifest does not name are garbage.
//!
//! `upkeep` seals and merges in small slices; `shelf` is where files stand, `layout` what is in one. Lossy mode keeps
//! only the filters of all but the youngest runs, and forgets the oldest.

mod cache;
mod entry;
mod filter;
mod layout;
mod local;
mod manifest;
mod memtable;
mod merge;
mod run;
mod settings;
mod shelf;
mod stats;
mod upkeep;
mod write;

use std::collections::HashSet;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::url::Fingerprint;

use cache::Recent;
use entry::Entry;
pub use local::LocalShelf;
use manifest::Manifest;
use memtable::Memtable;
use merge::Merge;
use run::{Asked, Run};
use settings::Shape;
pub use settings::{SieveMode, SieveSettings};
pub use shelf::{MemoryShelf, Pages, Shelf, Volume};
pub use stats::SieveStats;
use stats::Tally;
pub use upkeep::Sealed;

/// Fingerprints looked up together, so that their cache misses overlap.
const CHUNK: usize = 256;

pub struct Sieve {
    shelf: Box<dyn Shelf>,
    shape: Shape,
    recent: Recent,
    memtable: Memtable,
    /// In the order in which they are asked.
    runs: Vec<Arc<Run>>,
    merges: Vec<Merge>,
    /// The number of the next file.
    next: u64,
    /// New fingerprints whose upkeep is not paid.
    owed: usize,
    /// The runs are not those of the last manifest.
    changed: bool,
    obsolete: Vec<String>,
    /// The chance that a new URL is dropped: some generation says "maybe".
    drop_rate: f64,
    tally: Tally,
    scratch: Scratch,
}

/// Room that every chunk needs.
#[derive(Default)]
struct Scratch {
    asked: Vec<Asked>,
    candidates: Vec<Asked>,
}

impl Sieve {
    /// `manifest`: what the last [`Sealed`] said; none for a new sieve. `journal`: the fingerprints that were new since then,
    /// in any order. Run files that the manifest does not name are removed.
    pub fn open(
        shelf: Box<dyn Shelf>,
        settings: SieveSettings,
        manifest: Option<&[u8]>,
        journal: impl IntoIterator<Item = Fingerprint>,
    ) -> Result<Self> {
        let shape = Shape::new(&settings)?;
        let manifest = manifest.map_or_else(|| Ok(Manifest::new(1, Vec::new(), 0.0)), Manifest::decode)?;
        let open = |named| Run::open(shelf.as_ref(), named, true).map(Arc::new);
        let runs: Vec<Arc<Run>> = manifest.runs.iter().map(open).collect::<Result<_>>()?;
        if settings.mode == SieveMode::Exact && runs.iter().any(|run| !run.footer.keeps_entries) {
            let what = "this crawl began in lossy mode and its sieve keeps no exact entries";
            return Err(Error::Settings(format!("{what}; set mode to lossy, or begin a new crawl")));
        }
        remove_garbage(shelf.as_ref(), &runs)?;
        let mut sieve = Self {
            shelf,
            shape,
            recent: Recent::new(),
            memtable: Memtable::default(),
            runs,
            merges: Vec::new(),
            next: manifest.next,
            owed: 0,
            changed: false,
            obsolete: Vec::new(),
            drop_rate: 0.0,
            tally: Tally::default(),
            scratch: Scratch::default(),
        };
        sieve.arrange_runs();
        sieve.replay(journal)?;
        sieve.tally = Tally { dropped_estimate: manifest.dropped, ..Tally::default() };
        Ok(sieve)
    }

    /// What a run holds already is left out: a journal may reach back further than it must.
    fn replay(&mut self, journal: impl IntoIterator<Item = Fingerprint>) -> Result<()> {
        let mut journal = journal.into_iter();
        loop {
            let batch: Vec<Fingerprint> = journal.by_ref().take(CHUNK).collect();
            if batch.is_empty() {
                return Ok(());
            }
            self.sift(&batch)?;
        }
    }

    /// For each fingerprint: is it new? Those that are, are remembered from now on (a repeat within the batch is not new).
    /// Order kept. The caller must journal the new ones; if it cannot, this sieve is ahead and must be opened again.
    pub fn sift(&mut self, batch: &[Fingerprint]) -> Result<Vec<bool>> {
        let mut new = vec![false; batch.len()];
        for (chunk, new) in batch.chunks(CHUNK).zip(new.chunks_mut(CHUNK)) {
            self.look_up(chunk);
            for asked in &self.scratch.asked {
                let is_new = self.memtable.insert(asked.entry); // false: it was in this chunk before
                self.recent.insert(asked.entry);
                self.owed += usize::from(is_new);
                if let Some(answer) = new.get_mut(asked.index) {
                    *answer = is_new;
                }
            }
        }
        let count = new.iter().filter(|is_new| **is_new).count();
        self.tally.dropped_estimate +=
            count as f64 * self.drop_rate / (1.0 - self.drop_rate).max(f64::EPSILON);
        Ok(new)
    }

    pub fn contains(&mut self, fingerprint: Fingerprint) -> Result<bool> {
        self.look_up(&[fingerprint]);
        Ok(self.scratch.asked.is_empty())
    }

    /// Leaves in the scratch those that are not known.
    fn look_up(&mut self, chunk: &[Fingerprint]) {
        let Self { recent, memtable, runs, tally, scratch: Scratch { asked, candidates }, .. } = self;
        tally.checks += chunk.len() as u64;
        asked.clear();
        let entries = chunk.iter().map(|&fingerprint| Entry::of(fingerprint)).enumerate();
        asked.extend(entries.map(|(index, entry)| Asked::new(entry, index)));
        asked.retain(|one| !recent.contains(one.entry));
        tally.cache_hits += (chunk.len() - asked.len()) as u64;
        let mut drop_known = |asked: &mut Vec<Asked>| {
            asked.iter().filter(|one| one.known).for_each(|one| recent.insert(one.entry));
            asked.retain(|one| !one.known);
        };
        for one in asked.iter_mut() {
            one.known = memtable.contains(one.entry);
        }
        drop_known(asked);
        for run in runs.iter() {
            run.search(asked, candidates, tally);
            drop_known(asked);
        }
    }

    /// Small runs first: they are the youngest, and their filters stay in the cache of the processor.
    fn arrange_runs(&mut self) {
        self.runs.sort_by_key(|run| (run.named.level, std::cmp::Reverse(run.named.number)));
        let generations = self.runs.iter().filter(|run| !run.footer.keeps_entries);
        let kept: f64 = generations.map(|run| 1.0 - run.footer.false_positive_rate).product();
        self.drop_rate = 1.0 - kept;
    }

    fn known(&self) -> u64 {
        self.memtable.len() as u64 + self.runs.iter().map(|run| run.footer.count).sum::<u64>()
    }

    pub fn stats(&self) -> SieveStats {
        SieveStats {
            known: self.known(),
            memtable: self.memtable.len() as u64,
            runs: self.runs.len() as u64,
            disk_bytes: self.runs.iter().map(|run| run.named.bytes).sum(),
            dropped_estimate: self.tally.dropped_estimate,
            checks: self.tally.checks,
            cache_hits: self.tally.cache_hits,
            filter_negative: self.tally.filter_negative,
            filter_positive: self.tally.filter_positive,
            false_positives: self.tally.false_positives,
        }
    }
}

fn remove_garbage(shelf: &dyn Shelf, runs: &[Arc<Run>]) -> Result<()> {
    let kept: HashSet<String> = runs.iter().map(|run| run.name()).collect();
    let mut garbage = shelf.names()?;
    garbage.retain(|name| manifest::is_ours(name) && !kept.contains(name));
    garbage.iter().try_for_each(|name| shelf.remove(name))
}
