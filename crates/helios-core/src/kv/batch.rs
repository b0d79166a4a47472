//! [`Batch`]: changes that belong together.

use crate::error::{Error, Result};

/// The longest key that every backend takes.
const LONGEST_KEY: usize = 65_535;

/// One change. A later one of the same key wins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    Put(Box<[u8]>, Box<[u8]>),
    Delete(Box<[u8]>),
}

/// Changes that are written together or not at all, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Batch {
    ops: Vec<Op>,
}

impl Batch {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn put(&mut self, key: impl Into<Box<[u8]>>, value: impl Into<Box<[u8]>>) {
        self.ops.push(Op::Put(key.into(), value.into()));
    }

    pub fn delete(&mut self, key: impl Into<Box<[u8]>>) {
        self.ops.push(Op::Delete(key.into()));
    }

    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    pub fn into_ops(self) -> Vec<Op> {
        self.ops
    }

    /// Refuses keys that some backend cannot hold, in all of them, so that memory and disk mean the same. Keys start
    /// with their kind; kind 0 is the backend's own.
    pub(super) fn check_keys(&self) -> Result<()> {
        for op in &self.ops {
            let (Op::Put(key, _) | Op::Delete(key)) = op;
            if key.len() > LONGEST_KEY || key.first().is_none_or(|kind| *kind == 0) {
                let length = key.len();
                return Err(Error::Storage(format!(
                    "a key of {length} bytes that starts with {:?} cannot be stored: keys have 1 to {LONGEST_KEY} bytes \
                     and do not start with 0",
                    key.first()
                )));
            }
        }
        Ok(())
    }
}
