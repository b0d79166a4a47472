//! Where a frontier keeps its state: an ordered key-value database with one writer, behind five methods.
//!
//! Always: a batch is applied whole or not at all; batches become durable in the order in which they were written; a
//! database that was opened with a later epoch refuses every write of an earlier one (a fence).
//!
//! `memory` defines the meaning and can crash on purpose, for tests and simulation; `local` is a folder on disk.

mod batch;
mod local;
mod memory;

pub use batch::{Batch, Op};
pub use local::{LocalKv, LocalSettings};
pub use memory::{Failing, MemoryDisk, MemoryKv};

use bytes::Bytes;

use crate::error::Result;

/// The number of a write: higher is later.
pub type Ticket = u64;

pub trait Kv: Send + Sync {
    /// The number of this opening: each one is higher than all before.
    fn epoch(&self) -> u64;

    /// Applies the whole batch or nothing. Reads see it at once; it may be lost in a crash until [`Kv::durable`] returns.
    fn write(&self, batch: Batch) -> Result<Ticket>;

    /// Waits until this write, and every one before it, would survive a crash of the machine.
    fn durable(&self, ticket: Ticket) -> Result<()>;

    fn get(&self, key: &[u8]) -> Result<Option<Bytes>>;

    /// Up to `limit` pairs with `from <= key < to`, in order of their keys.
    fn scan(&self, from: &[u8], to: &[u8], limit: usize) -> Result<Vec<(Bytes, Bytes)>>;
}
