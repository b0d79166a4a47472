//! [`WatchedKv`]: the memory database, with an eye on which writes a crash leaves.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use helios_core::error::Result;
use helios_core::kv::{Batch, Kv, MemoryDisk, MemoryKv, Ticket};

pub(crate) struct WatchedKv {
    inner: MemoryKv,
    disk: MemoryDisk,
    /// The ticket of the last write that was applied, also of one whose answer got lost.
    applied: Arc<AtomicU64>,
}

impl WatchedKv {
    pub(crate) fn open(disk: &MemoryDisk, applied: &Arc<AtomicU64>) -> Result<Self> {
        Ok(Self { inner: MemoryKv::open(disk)?, disk: disk.clone(), applied: Arc::clone(applied) })
    }
}

impl Kv for WatchedKv {
    fn epoch(&self) -> u64 {
        self.inner.epoch()
    }

    fn write(&self, batch: Batch) -> Result<Ticket> {
        let before = self.disk.pending();
        let written = self.inner.write(batch);
        if self.disk.pending() > before {
            self.applied.fetch_add(1, Ordering::Relaxed);
        }
        written
    }

    fn durable(&self, ticket: Ticket) -> Result<()> {
        self.inner.durable(ticket)
    }

    fn get(&self, key: &[u8]) -> Result<Option<Bytes>> {
        self.inner.get(key)
    }

    fn scan(&self, from: &[u8], to: &[u8], limit: usize) -> Result<Vec<(Bytes, Bytes)>> {
        self.inner.scan(from, to, limit)
    }
}
