//! What keeps a sieve small and quick: sealing the memtable, merging runs, forgetting the oldest generation.
//!
//! Levels are size-tiered: four runs of a level become one of the next, so each entry is rewritten once per level. Every level
//! merges at its own pace, four entries for each new fingerprint: it is done before the next four runs have come.

use std::mem;
use std::sync::Arc;

use super::Sieve;
use super::filter::lines_for;
use super::manifest::{Manifest, Named};
use super::merge::Merge;
use super::run::Run;
use super::settings::FAN_OUT;
use super::write::{Plan, RunWriter};
use crate::error::Result;

/// Entries that a merge moves for each new fingerprint. One is the least that keeps up.
const MERGE_RATE: usize = 4;

/// A change of the runs, which holds once its manifest is durable.
#[derive(Debug, Clone)]
pub struct Sealed {
    pub manifest: Vec<u8>,
    /// True: everything sifted so far is in runs, so the whole journal may go. False: only merges finished.
    pub journal_ends: bool,
    /// Files for [`Sieve::forget`] once the manifest is durable.
    pub obsolete: Vec<String>,
}

impl Sieve {
    /// Pays for the upkeep that the fingerprints since the last call caused. Some: write the manifest atomically, with the
    /// deletion of the journal if it ends, before the next call. After an error nothing is lost, and the next call tries again.
    pub fn upkeep(&mut self) -> Result<Option<Sealed>> {
        let entries = mem::take(&mut self.owed) * MERGE_RATE;
        if entries > 0 {
            self.advance_merges(entries)?;
        }
        if self.memtable.len() >= self.shape.memtable {
            self.seal()?;
        }
        self.drop_oldest();
        self.start_merges()?;
        if !mem::take(&mut self.changed) {
            return Ok(None);
        }
        let runs = self.runs.iter().map(|run| run.named.clone()).collect();
        Ok(Some(Sealed {
            manifest: Manifest::new(self.next, runs, self.tally.dropped_estimate).encode()?,
            journal_ends: self.memtable.is_empty(),
            obsolete: mem::take(&mut self.obsolete),
        }))
    }

    /// Takes files away that no durable manifest names any more.
    pub fn forget(&self, obsolete: &[String]) -> Result<()> {
        obsolete.iter().try_for_each(|name| self.shelf.remove(name))
    }

    fn seal(&mut self) -> Result<()> {
        let writer = self.begin_run(0, self.memtable.len() as u64)?;
        let name = writer.name();
        let sealed = self.write_memtable(writer).and_then(|named| self.install(&named));
        match sealed {
            Ok(()) => self.memtable.clear(),
            Err(_) => self.obsolete.push(name),
        }
        sealed
    }

    fn write_memtable(&self, mut writer: RunWriter) -> Result<Named> {
        for entry in self.memtable.sorted() {
            writer.push(entry)?;
        }
        writer.conclude(usize::MAX)?;
        writer.close()
    }

    fn begin_run(&mut self, level: u8, entries: u64) -> Result<RunWriter> {
        let number = self.next;
        self.next += 1; // even if it fails: a name is never tried twice
        let lines = lines_for(entries, self.shape.filter_bits(level));
        let keeps_entries = !self.shape.is_generation(level);
        RunWriter::new(self.shelf.as_ref(), &Plan { number, level, keeps_entries, lines })
    }

    /// From here on the run answers, and the next manifest names it.
    fn install(&mut self, named: &Named) -> Result<()> {
        let run = Arc::new(Run::open(self.shelf.as_ref(), named, false)?);
        self.runs.push(run);
        self.arrange();
        Ok(())
    }

    fn discard(&mut self, discarded: &[Arc<Run>]) {
        self.runs.retain(|run| !discarded.iter().any(|gone| Arc::ptr_eq(gone, run)));
        self.obsolete.extend(discarded.iter().map(|run| run.name()));
        self.arrange();
    }

    fn arrange(&mut self) {
        self.changed = true;
        self.arrange_runs();
    }

    /// A merge that fails is dropped, and begun again later.
    fn advance_merges(&mut self, entries: usize) -> Result<()> {
        let mut first_trouble = Ok(());
        for mut merge in mem::take(&mut self.merges) {
            let name = merge.file_name();
            let step = match merge.advance(entries) {
                Ok(false) => {
                    self.merges.push(merge);
                    continue;
                }
                Ok(true) => self.replace_by(merge),
                Err(error) => Err(error),
            };
            if step.is_err() {
                self.obsolete.push(name);
                first_trouble = first_trouble.and(step);
            }
        }
        first_trouble
    }

    fn replace_by(&mut self, merge: Merge) -> Result<()> {
        let (merged, sources) = merge.close()?;
        self.install(&merged)?;
        self.discard(&sources);
        Ok(())
    }

    /// One merge per level at most, of its oldest runs.
    fn start_merges(&mut self) -> Result<()> {
        let highest = self.runs.iter().map(|run| run.named.level).max().unwrap_or(0);
        for level in 0..=highest {
            let idle = |run: &&Arc<Run>| !self.merges.iter().any(|merge| merge.reads(run));
            let of_level =
                self.runs.iter().filter(|run| run.named.level == level && run.footer.keeps_entries);
            let mut sources: Vec<Arc<Run>> = of_level.filter(idle).cloned().collect();
            sources.sort_by_key(|run| run.named.number);
            sources.truncate(FAN_OUT);
            let entries: u64 = sources.iter().map(|run| run.footer.count).sum();
            let fits = u32::try_from(entries).is_ok(); // what the directory of a run can count
            let next = level.saturating_add(1);
            let merges_here = self.merges.iter().any(|merge| merge.level() == next);
            if sources.len() == FAN_OUT && fits && !merges_here && !self.shape.is_generation(level) {
                let writer = self.begin_run(next, entries)?;
                self.merges.push(Merge::new(sources, writer));
            }
        }
        Ok(())
    }

    /// Lossy mode: forgets the oldest generations beyond the capacity.
    fn drop_oldest(&mut self) {
        while self.known() > self.shape.capacity {
            let generations = self
                .runs
                .iter()
                .filter(|run| !run.footer.keeps_entries || self.shape.is_generation(run.named.level));
            let Some(oldest) = generations.min_by_key(|run| run.named.number).cloned() else { return };
            self.discard(&[oldest]);
        }
    }
}
