//! [`MemoryKv`]: the meaning of [`Kv`], in memory, on a [`MemoryDisk`] that can crash on purpose.
//!
//! The disk is what survives. It holds the rows as the last write left them, and for each batch that is not durable yet
//! what it takes to undo it: a crash undoes the newest first, `durable` forgets the oldest. No write copies the rows.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use super::{Batch, Kv, Op, Ticket};
use crate::error::{Error, Result};

/// What becomes of the batch whose write fails by [`MemoryDisk::fail_after`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failing {
    /// It is not written, as the caller is told.
    Lost,
    /// It is written, although the caller is told of a failure (the answer got lost, not the write).
    Applied,
}

/// What a crash leaves. Clones are the same disk.
#[derive(Clone, Default)]
pub struct MemoryDisk(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    rows: BTreeMap<Box<[u8]>, Bytes>,
    /// One for each batch that is written and not durable, oldest first; the last is that of write `written`.
    undo: VecDeque<Undo>,
    written: Ticket,
    epoch: u64,
    /// Openings up to this epoch are dead: the disk crashed under them.
    crashed: u64,
    /// Writes left until one fails, which is the one that counts down to 0.
    countdown: Option<(u64, Failing)>,
}

/// What the touched keys held before, in the order of the changes.
type Undo = Vec<(Box<[u8]>, Option<Bytes>)>;

impl MemoryDisk {
    pub fn new() -> Self {
        Self::default()
    }

    /// Power fails: of the batches that are written and not durable the first `keep` survive. Whoever has the database
    /// open gets nothing but errors from now on.
    pub fn crash(&self, keep: usize) {
        let mut state = self.state();
        while state.undo.len() > keep {
            state.undo_last();
        }
        state.crashed = state.epoch;
    }

    /// Lets the `writes`-th write from now fail (1: the next one). The database is dead then until it is opened again; a
    /// [`MemoryDisk::crash`] before that may still take batches that were not durable.
    pub fn fail_after(&self, writes: u64, failing: Failing) {
        self.state().countdown = Some((writes, failing));
    }

    /// Batches that are written and not durable: what a crash can take.
    pub fn pending(&self) -> usize {
        self.state().undo.len()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn apply(&mut self, batch: Batch) -> Ticket {
        let mut undo = Undo::with_capacity(batch.ops().len());
        for op in batch.into_ops() {
            undo.push(match op {
                Op::Put(key, value) => (key.clone(), self.rows.insert(key, Bytes::from(value))),
                Op::Delete(key) => {
                    let before = self.rows.remove(&key);
                    (key, before)
                }
            });
        }
        self.undo.push_back(undo);
        self.written += 1;
        self.written
    }

    fn undo_last(&mut self) {
        for (key, before) in self.undo.pop_back().into_iter().flatten().rev() {
            match before {
                Some(value) => self.rows.insert(key, value),
                None => self.rows.remove(&key),
            };
        }
    }

    /// Whether this is the write that fails.
    fn count_down(&mut self) -> Option<Failing> {
        let (writes, failing) = self.countdown?;
        self.countdown = (writes > 1).then(|| (writes - 1, failing));
        self.countdown.is_none().then_some(failing)
    }
}

/// One opening of a [`MemoryDisk`].
pub struct MemoryKv {
    disk: MemoryDisk,
    epoch: u64,
}

impl MemoryKv {
    /// Opens the disk with a higher epoch. What was written and did not crash is durable from here on, as on a real disk,
    /// where raising the epoch is a synced write after all others.
    #[allow(clippy::unnecessary_wraps, reason = "opened as every other database is")]
    pub fn open(disk: &MemoryDisk) -> Result<Self> {
        let mut state = disk.state();
        state.undo.clear();
        state.epoch += 1;
        Ok(Self { disk: disk.clone(), epoch: state.epoch })
    }

    /// For reads: an opening that was followed by another may still read, but a crash ends it.
    fn alive(&self) -> Result<MutexGuard<'_, State>> {
        let state = self.disk.state();
        if self.epoch <= state.crashed {
            let ours = self.epoch;
            return Err(Error::Storage(format!(
                "the frontier in memory crashed (epoch {ours}): open it again"
            )));
        }
        Ok(state)
    }

    /// For writes, which only the latest opening may do.
    fn unfenced(&self) -> Result<MutexGuard<'_, State>> {
        let state = self.alive()?;
        if state.epoch != self.epoch {
            return Err(Error::Storage(format!(
                "the frontier in memory was opened by someone else (epoch {}, ours is {}): this one must stop",
                state.epoch, self.epoch
            )));
        }
        Ok(state)
    }
}

impl Kv for MemoryKv {
    fn epoch(&self) -> u64 {
        self.epoch
    }

    fn write(&self, batch: Batch) -> Result<Ticket> {
        batch.check_keys()?;
        let mut state = self.unfenced()?;
        let Some(failing) = state.count_down() else { return Ok(state.apply(batch)) };
        if failing == Failing::Applied {
            state.apply(batch);
        }
        state.crashed = state.epoch;
        Err(Error::Storage(
            "the frontier in memory failed to write, as it was asked to: open it again".into(),
        ))
    }

    fn durable(&self, ticket: Ticket) -> Result<()> {
        let mut state = self.unfenced()?;
        let later = usize::try_from(state.written.saturating_sub(ticket)).unwrap_or(usize::MAX);
        let settled = state.undo.len().saturating_sub(later);
        state.undo.drain(..settled);
        Ok(())
    }

    fn get(&self, key: &[u8]) -> Result<Option<Bytes>> {
        Ok(self.alive()?.rows.get(key).cloned())
    }

    fn scan(&self, from: &[u8], to: &[u8], limit: usize) -> Result<Vec<(Bytes, Bytes)>> {
        let state = self.alive()?;
        if from >= to {
            return Ok(Vec::new()); // a range that ends before it starts makes BTreeMap panic
        }
        let rows = state.rows.range::<[u8], _>((Bound::Included(from), Bound::Excluded(to)));
        Ok(rows.take(limit).map(|(key, value)| (Bytes::copy_from_slice(key), value.clone())).collect())
    }
}
