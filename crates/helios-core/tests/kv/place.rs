//! A place to keep rows in, of either backend, that can be closed and opened again.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use helios_core::error::{Error, Result};
use helios_core::kv::{Batch, Kv, LocalKv, LocalSettings, MemoryDisk, MemoryKv};

/// A new folder that goes when the test ends.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let name = format!("helios-kv-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

pub(crate) enum Place {
    Memory(MemoryDisk),
    Local(Folder),
}

impl Place {
    pub(crate) fn both() -> [Self; 2] {
        [Self::Memory(MemoryDisk::new()), Self::Local(Folder::new())]
    }

    pub(crate) fn open(&self) -> Result<Box<dyn Kv>> {
        Ok(match self {
            Self::Memory(disk) => Box::new(MemoryKv::open(disk)?),
            Self::Local(folder) => Box::new(open(folder.path())?),
        })
    }
}

pub(crate) fn open(folder: &Path) -> Result<LocalKv> {
    LocalKv::open(folder, &LocalSettings { cache_mb: 8 })
}

/// Why a folder is refused. Anything but a storage error, or no error, fails the test.
pub(crate) fn refused(folder: &Path) -> String {
    let Err(Error::Storage(why)) = open(folder).map(|kv| kv.epoch()) else {
        panic!("{} was taken", folder.display())
    };
    why
}

pub(crate) fn batch(puts: &[(&str, &str)]) -> Batch {
    let mut batch = Batch::new();
    for (key, value) in puts {
        batch.put(key.as_bytes(), value.as_bytes());
    }
    batch
}

/// `key=value` of all rows, in order.
pub(crate) fn rows(kv: &dyn Kv) -> Vec<String> {
    let all = kv.scan(b"", b"\xff", usize::MAX).unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    all.iter().map(|(key, value)| format!("{}={}", text(key), text(value))).collect()
}
