//! Where run files stand: a folder, memory, or whatever else can keep immutable files.
//!
//! A shelf has one owner at a time. [`MemoryShelf`] defines the meaning; [`super::LocalShelf`] is a folder.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::{Error, Result};

pub trait Shelf: Send {
    /// Begins a file; an error if the name is taken. It may stand there in part until it is finished.
    fn create(&self, name: &str) -> Result<Box<dyn Volume>>;

    /// The content of a finished file.
    fn open(&self, name: &str) -> Result<Pages>;

    /// Takes a file away, if it is there. Pages opened before stay readable.
    fn remove(&self, name: &str) -> Result<()>;

    /// Every file, finished or not, in no order.
    fn names(&self) -> Result<Vec<String>>;
}

/// A file being written. Dropped unfinished, it is garbage on the shelf.
pub trait Volume: Send {
    fn append(&mut self, bytes: &[u8]) -> Result<()>;

    /// On return the whole file is durable, and so is its name.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// The bytes of a file that will never change.
pub struct Pages(Source);

enum Source {
    Map(memmap2::Mmap),
    Memory(Arc<[u8]>),
}

impl Pages {
    pub(super) fn mapped(map: memmap2::Mmap) -> Self {
        Self(Source::Map(map))
    }
}

impl From<Arc<[u8]>> for Pages {
    fn from(bytes: Arc<[u8]>) -> Self {
        Self(Source::Memory(bytes))
    }
}

impl Deref for Pages {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Source::Map(map) => map,
            Source::Memory(bytes) => bytes,
        }
    }
}

type Files = BTreeMap<String, Arc<[u8]>>;

/// A shelf in memory. Clones share its content: drop a sieve, open another on a clone, and it has crashed.
#[derive(Clone, Default)]
pub struct MemoryShelf(Arc<Mutex<Files>>);

impl MemoryShelf {
    fn files(&self) -> MutexGuard<'_, Files> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a file there, whatever it holds: for tests of what a disk may do.
    pub fn put(&self, name: &str, bytes: &[u8]) {
        self.files().insert(name.to_owned(), bytes.into());
    }
}

impl Shelf for MemoryShelf {
    fn create(&self, name: &str) -> Result<Box<dyn Volume>> {
        if self.files().contains_key(name) {
            return Err(Error::Storage(format!("{name} is on the shelf already")));
        }
        self.put(name, &[]);
        Ok(Box::new(MemoryVolume { shelf: self.clone(), name: name.to_owned(), bytes: Vec::new() }))
    }

    fn open(&self, name: &str) -> Result<Pages> {
        let file = self.files().get(name).cloned();
        file.map(Pages::from).ok_or_else(|| Error::Storage(format!("{name} is not on the shelf")))
    }

    fn remove(&self, name: &str) -> Result<()> {
        self.files().remove(name);
        Ok(())
    }

    fn names(&self) -> Result<Vec<String>> {
        Ok(self.files().keys().cloned().collect())
    }
}

struct MemoryVolume {
    shelf: MemoryShelf,
    name: String,
    bytes: Vec<u8>,
}

impl Volume for MemoryVolume {
    fn append(&mut self, bytes: &[u8]) -> Result<()> {
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.shelf.put(&self.name, &self.bytes);
        Ok(())
    }
}
