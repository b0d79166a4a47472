//! A database that counts its writes, so that the model can be kept as it was at each of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use helios_core::error::Result;
use helios_core::kv::{Batch, Kv, MemoryDisk, MemoryKv, Ticket};

pub(crate) struct Counting {
    kv: MemoryKv,
    pub(crate) writes: Arc<AtomicU64>,
}

impl Counting {
    pub(crate) fn open(disk: &MemoryDisk, writes: &Arc<AtomicU64>) -> Self {
        Self { kv: MemoryKv::open(disk).unwrap(), writes: Arc::clone(writes) }
    }
}

impl Kv for Counting {
    fn epoch(&self) -> u64 {
        self.kv.epoch()
    }

    fn write(&self, batch: Batch) -> Result<Ticket> {
        self.writes.fetch_add(1, Ordering::Relaxed);
        self.kv.write(batch)
    }

    fn durable(&self, ticket: Ticket) -> Result<()> {
        self.kv.durable(ticket)
    }

    fn get(&self, key: &[u8]) -> Result<Option<Bytes>> {
        self.kv.get(key)
    }

    fn scan(&self, from: &[u8], to: &[u8], limit: usize) -> Result<Vec<(Bytes, Bytes)>> {
        self.kv.scan(from, to, limit)
    }
}
