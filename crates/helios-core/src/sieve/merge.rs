//! Several runs become one, a slice at a time. Until it is done the sources answer; dropped, it never was.

use std::sync::Arc;

use super::entry::Entry;
use super::manifest::Named;
use super::run::Run;
use super::write::{RunWriter, tail_bytes};
use crate::error::Result;

pub(super) struct Merge {
    sources: Vec<Source>,
    writer: RunWriter,
}

struct Source {
    run: Arc<Run>,
    next: usize,
    head: Option<Entry>,
}

impl Source {
    fn new(run: Arc<Run>) -> Self {
        let head = run.entries().first().map(Entry::from_disk);
        Self { run, next: 1, head }
    }

    fn step(&mut self) {
        self.head = self.run.entries().get(self.next).map(Entry::from_disk);
        self.next += 1;
    }
}

impl Merge {
    pub(super) fn new(sources: Vec<Arc<Run>>, writer: RunWriter) -> Self {
        Self { sources: sources.into_iter().map(Source::new).collect(), writer }
    }

    pub(super) fn reads(&self, run: &Run) -> bool {
        self.sources.iter().any(|source| source.run.named.number == run.named.number)
    }

    /// Of what it makes.
    pub(super) fn level(&self) -> u8 {
        self.writer.level()
    }

    pub(super) fn file_name(&self) -> String {
        self.writer.name()
    }

    /// Moves this many entries on. True: only [`Self::close`] is left.
    pub(super) fn advance(&mut self, entries: usize) -> Result<bool> {
        for _ in 0..entries {
            let heads = self.sources.iter_mut().filter_map(|source| source.head.map(|head| (head, source)));
            let Some((entry, source)) = heads.min_by_key(|(head, _)| *head) else {
                return self.writer.conclude(tail_bytes(entries));
            };
            source.step();
            self.writer.push(entry)?;
        }
        Ok(false)
    }

    /// Makes the merged run durable; with it, the runs that it replaces.
    pub(super) fn close(self) -> Result<(Named, Vec<Arc<Run>>)> {
        let sources = self.sources.into_iter().map(|source| source.run).collect();
        Ok((self.writer.close()?, sources))
    }
}
