//! [`Engine`]: fjall, tuned and fenced in.
//!
//! One keyspace for all kinds of keys: a journal file lives until every keyspace with a write in it was flushed, so that
//! the seldom written kinds would hold up all of it, and each keyspace has write buffers of its own.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

use bytes::Bytes;
use fjall::compaction::Leveled;
use fjall::config::CompressionPolicy;
use fjall::{CompressionType, Database, Keyspace, KeyspaceCreateOptions, PersistMode, Readable};

use super::LocalSettings;
use super::failure::{damaged, io_at, of_engine};
use super::folder::{Folder, sync_folder};
use super::inspect::inspect;
use crate::error::Result;
use crate::kv::{Batch, Op};

/// A buffer of this size is written out as a table. Kept in the database when it is made: later openings cannot change it.
pub(super) const WRITE_BUFFER: u64 = 16 << 20;
const TABLE: u64 = 16 << 20;
/// The least that fjall takes. Journals are replayed when the folder is opened.
const JOURNALS: u64 = 64 << 20;
/// One flushes, the others compact. With two, the first one spins as long as the second one compacts.
const WORKERS: usize = 3;

/// Where our own writes wait for the engine: before the engine makes them wait (at 4 and 30), which would be forever if its
/// threads had died.
const MOST_FULL_BUFFERS: usize = 2;
const MOST_FRESH_TABLES: usize = 28;
const PAUSE: Duration = Duration::from_millis(2);

/// Kind 0: the engine's own, below all others.
const EPOCH_KEY: &[u8] = b"\0epoch";
const FIRST_KIND: &[u8] = b"\x01";

pub(super) struct Engine {
    rows: Keyspace,
    database: Database,
}

impl Engine {
    pub(super) fn open(folder: &Folder, settings: &LocalSettings) -> Result<Self> {
        let (path, place) = (folder.database(), folder.path());
        let there = path.try_exists().map_err(|error| io_at(place, "reading", &error))?;
        if !there && folder.epoch() > 0 {
            return Err(damaged(place, "its folder database is gone"));
        }
        if !there {
            make(folder, &path)?;
        }
        inspect(&path).map_err(|what| damaged(place, &what))?;
        let open = || Self::open_at(&path, settings.cache_mb);
        guarded(folder, "opening", || open().and_then(|engine| engine.ok_or(fjall::Error::Unrecoverable)))
    }

    /// None if fjall does not know our keyspace.
    fn open_at(path: &Path, cache_mb: u64) -> fjall::Result<Option<Self>> {
        let database = Database::builder(path)
            .cache_size(cache_mb << 20)
            .max_journaling_size(JOURNALS)
            .worker_threads(WORKERS)
            .open()?;
        if !database.keyspace_exists("all") {
            return Ok(None);
        }
        let rows = database.keyspace("all", KeyspaceCreateOptions::default)?;
        Ok(Some(Self { rows, database }))
    }

    /// Raises the epoch in the database, durably, and returns it.
    pub(super) fn raise_epoch(&self, folder: &Folder) -> Result<u64> {
        let stored = guarded(folder, "reading", || self.rows.get(EPOCH_KEY))?;
        let epoch = stored.and_then(|bytes| bytes.as_ref().try_into().ok()).map_or(0, u64::from_be_bytes);
        if epoch < folder.epoch() {
            let last = folder.epoch();
            let what = format!("it has lost writes (opened {last} times, but its database knows of {epoch})");
            return Err(damaged(folder.path(), &what));
        }
        guarded(folder, "opening", || {
            self.rows.insert(EPOCH_KEY, (epoch + 1).to_be_bytes())?;
            self.database.persist(PersistMode::SyncAll)
        })?;
        Ok(epoch + 1)
    }

    /// Hands the batch to the operating system, whole, and makes it visible.
    pub(super) fn write(&self, folder: &Folder, batch: Batch) -> Result<()> {
        self.wait_for_room(folder)?;
        guarded(folder, "writing", || {
            let mut changes = self.database.batch().durability(Some(PersistMode::Buffer));
            for op in batch.into_ops() {
                match op {
                    Op::Put(key, value) => changes.insert(&self.rows, key.into_vec(), value.into_vec()),
                    Op::Delete(key) => changes.remove(&self.rows, key.into_vec()),
                }
            }
            changes.commit()
        })
    }

    #[allow(clippy::disallowed_methods, reason = "the writer is made to wait for a disk that cannot keep up")]
    fn wait_for_room(&self, folder: &Folder) -> Result<()> {
        while self.rows.sealed_memtable_count() >= MOST_FULL_BUFFERS
            || self.rows.l0_table_count() >= MOST_FRESH_TABLES
        {
            self.check(folder)?;
            std::thread::sleep(PAUSE);
        }
        Ok(())
    }

    /// Fails if the engine's threads have.
    pub(super) fn check(&self, folder: &Folder) -> Result<()> {
        guarded(folder, "writing", || self.database.persist(PersistMode::Buffer))
    }

    /// Reads from a snapshot, since the engine shows a batch that is being written key by key.
    pub(super) fn get(&self, folder: &Folder, key: &[u8]) -> Result<Option<Bytes>> {
        if key < FIRST_KIND {
            return Ok(None);
        }
        let value = guarded(folder, "reading", || self.database.snapshot().get(&self.rows, key))?;
        Ok(value.map(|value| Bytes::copy_from_slice(&value)))
    }

    pub(super) fn scan(
        &self,
        folder: &Folder,
        from: &[u8],
        to: &[u8],
        limit: usize,
    ) -> Result<Vec<(Bytes, Bytes)>> {
        let from = from.max(FIRST_KIND);
        if from >= to {
            return Ok(Vec::new());
        }
        guarded(folder, "reading", || {
            let pairs = self.database.snapshot().range(&self.rows, from..to).take(limit);
            let copied = pairs.map(|pair| {
                let (key, value) = pair.into_inner()?;
                Ok((Bytes::copy_from_slice(&key), Bytes::copy_from_slice(&value)))
            });
            copied.collect()
        })
    }
}

/// Makes the database beside its place and moves it there when it is whole, so that one in its place never is half made.
fn make(folder: &Folder, path: &Path) -> Result<()> {
    let unwritable = |error: std::io::Error| io_at(folder.path(), "making", &error);
    let new = path.with_extension("new");
    if new.try_exists().map_err(unwritable)? {
        fs::remove_dir_all(&new).map_err(unwritable)?;
    }
    guarded(folder, "making", || {
        let database = Database::builder(&new).worker_threads(1).open()?;
        database.keyspace("all", options)?;
        database.persist(PersistMode::SyncAll)
    })?;
    fs::rename(&new, path).and_then(|()| sync_folder(folder.path())).map_err(unwritable)
}

fn options() -> KeyspaceCreateOptions {
    KeyspaceCreateOptions::default()
        .max_memtable_size(WRITE_BUFFER)
        .data_block_compression_policy(CompressionPolicy::all(CompressionType::Lz4))
        .compaction_strategy(std::sync::Arc::new(Leveled::default().with_table_target_size(TABLE)))
}

/// Calls the engine, whose answer to damaged files is an error in most places and a panic in some.
fn guarded<T>(folder: &Folder, doing: &str, call: impl FnOnce() -> fjall::Result<T>) -> Result<T> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(answer) => answer.map_err(|error| of_engine(folder, doing, &error)),
        Err(_) => Err(damaged(folder.path(), &format!("{doing} it made the engine panic"))),
    }
}
