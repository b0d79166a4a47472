//! A shelf that is a folder on this machine; its files are mapped into memory when they are read.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::shelf::{Pages, Shelf, Volume};
use crate::error::{Error, Result};

/// Bytes after which a file being written goes to disk, so that its end need not wait for all of it.
const SYNC_BYTES: usize = 8 << 20;

pub struct LocalShelf {
    folder: PathBuf,
}

impl LocalShelf {
    /// The folder is made if it is not there. Nobody else may write to it.
    pub fn new(folder: impl Into<PathBuf>) -> Result<Self> {
        let folder = folder.into();
        let missing: Vec<&Path> = folder.ancestors().take_while(|path| !path.exists()).collect();
        std::fs::create_dir_all(&folder).map_err(trouble("make the folder", &folder))?;
        missing.into_iter().try_for_each(sync_name)?;
        Ok(Self { folder })
    }
}

/// Makes the name of a new file or folder durable: a name is part of the folder it is in.
fn sync_name(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(trouble("sync", folder))
}

/// An I/O error with what was done to which file.
fn trouble(deed: &str, path: &Path) -> impl Fn(io::Error) -> Error {
    move |error| Error::of_disk(deed, path, &error)
}

impl Shelf for LocalShelf {
    fn create(&self, name: &str) -> Result<Box<dyn Volume>> {
        let path = self.folder.join(name);
        let file = OpenOptions::new().write(true).create_new(true).open(&path);
        let file = file.map_err(trouble("create", &path))?;
        Ok(Box::new(LocalVolume { file, path, unsynced: 0 }))
    }

    fn open(&self, name: &str) -> Result<Pages> {
        let path = self.folder.join(name);
        let file = File::open(&path).map_err(trouble("open", &path))?;
        let length = file.metadata().map_err(trouble("look at", &path))?.len();
        if length == 0 {
            return Ok(Pages::from(Arc::from([]))); // an empty file cannot be mapped
        }
        map(&file).map(Pages::mapped).map_err(trouble("map", &path))
    }

    fn remove(&self, name: &str) -> Result<()> {
        let path = self.folder.join(name);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            done => done.map_err(trouble("remove", &path)),
        }
    }

    fn names(&self) -> Result<Vec<String>> {
        let listing = std::fs::read_dir(&self.folder).map_err(trouble("list", &self.folder))?;
        let name = |file: io::Result<std::fs::DirEntry>| file.map(|file| file.file_name().into_string().ok());
        let names: io::Result<Vec<Option<String>>> = listing.map(name).collect();
        Ok(names.map_err(trouble("list", &self.folder))?.into_iter().flatten().collect())
    }
}

#[allow(unsafe_code, reason = "mapping a file is the only way to search it without reading it whole")]
fn map(file: &File) -> io::Result<memmap2::Mmap> {
    // SAFETY: a mapping is sound while nobody shortens or rewrites the file. Run files are finished before they are
    // opened and never written again; removing one leaves its mapping whole; the folder belongs to the sieve alone.
    unsafe { memmap2::Mmap::map(file) }
}

struct LocalVolume {
    file: File,
    path: PathBuf,
    unsynced: usize,
}

impl Volume for LocalVolume {
    fn append(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).map_err(trouble("write", &self.path))?;
        self.unsynced += bytes.len();
        if self.unsynced >= SYNC_BYTES {
            self.file.sync_data().map_err(trouble("sync", &self.path))?;
            self.unsynced = 0;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.file.sync_all().map_err(trouble("sync", &self.path))?;
        sync_name(&self.path)
    }
}
