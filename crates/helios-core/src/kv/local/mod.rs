//! [`LocalKv`]: a [`Kv`] in a folder on this machine, on fjall 3 (docs/decisions/0001-local-key-value-engine.md).
//!
//! A folder belongs to one process at a time, is a frontier's and nothing else's, and is never emptied, remade or repaired
//! here: what cannot be read is refused with a reason. `folder` owns lock and marker; `inspect` looks at the engine's files
//! before the engine does, because it deletes what it cannot place; `engine` drives fjall and catches its panics; `journal`
//! makes writes durable without holding up the writers; `failure` has the words.
//!
//! After a failed write every later one is refused until the folder is opened again: what reached the disk is not known.

mod engine;
mod failure;
mod folder;
mod inspect;
mod journal;

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use bytes::Bytes;
use serde::Deserialize;

use self::engine::Engine;
use self::folder::Folder;
use self::journal::Journal;
use super::{Batch, Kv, Ticket};
use crate::error::{Error, Result};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LocalSettings {
    /// Memory for blocks that were read, in MiB. The write buffers take some 60 MiB more.
    pub cache_mb: u64,
}

impl Default for LocalSettings {
    fn default() -> Self {
        Self { cache_mb: 32 }
    }
}

/// A frontier's folder, open and locked.
pub struct LocalKv {
    engine: Engine, // closed before the folder is unlocked: fields drop in order
    folder: Folder,
    epoch: u64,
    /// Held while a batch is written, so that tickets rise in the order of the journal.
    writing: Mutex<()>,
    written: AtomicU64,
    /// Held by whoever syncs; the others find their ticket covered when they get it.
    journal: Mutex<Journal>,
    synced: AtomicU64,
    /// Why writes are refused.
    broken: OnceLock<String>,
}

impl LocalKv {
    /// Opens the folder, or makes a new frontier in one that is empty or absent.
    pub fn open(folder: &Path, settings: &LocalSettings) -> Result<Self> {
        let mut folder = Folder::claim(folder)?;
        let engine = Engine::open(&folder, settings)?;
        let epoch = engine.raise_epoch(&folder)?;
        folder.record_epoch(epoch)?;
        let journal = Mutex::new(Journal::of(&folder.database()));
        Ok(Self {
            engine,
            folder,
            epoch,
            writing: Mutex::default(),
            written: AtomicU64::new(0),
            journal,
            synced: AtomicU64::new(0),
            broken: OnceLock::new(),
        })
    }

    fn refuse_if_broken(&self) -> Result<()> {
        match self.broken.get() {
            None => Ok(()),
            Some(why) => Err(Error::Storage(why.clone())),
        }
    }

    /// Keeps the reason, for every later write.
    fn broken(&self, error: Error) -> Error {
        let why = format!("{error} (until it is opened again)");
        self.broken.get_or_init(|| why);
        error
    }
}

impl Kv for LocalKv {
    fn epoch(&self) -> u64 {
        self.epoch
    }

    fn write(&self, batch: Batch) -> Result<Ticket> {
        batch.check_keys()?;
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        self.refuse_if_broken()?;
        self.engine.write(&self.folder, batch).map_err(|error| self.broken(error))?;
        Ok(self.written.fetch_add(1, Ordering::AcqRel) + 1)
    }

    fn durable(&self, ticket: Ticket) -> Result<()> {
        if self.synced.load(Ordering::Acquire) >= ticket {
            return Ok(());
        }
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        if self.synced.load(Ordering::Acquire) >= ticket {
            return Ok(());
        }
        self.refuse_if_broken()?;
        let covered = self.written.load(Ordering::Acquire); // before the sync: later writes may miss it
        let synced = self
            .engine
            .check(&self.folder)
            .and_then(|()| journal.sync().map_err(|error| failure::of_io(&self.folder, "writing", &error)));
        synced.map_err(|error| self.broken(error))?;
        self.synced.fetch_max(covered, Ordering::AcqRel);
        Ok(())
    }

    fn get(&self, key: &[u8]) -> Result<Option<Bytes>> {
        self.engine.get(&self.folder, key)
    }

    fn scan(&self, from: &[u8], to: &[u8], limit: usize) -> Result<Vec<(Bytes, Bytes)>> {
        self.engine.scan(&self.folder, from, to, limit)
    }
}
