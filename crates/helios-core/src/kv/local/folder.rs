//! [`Folder`]: whose it is. A lock file keeps other processes out; a marker file says that a frontier lives here, in which
//! format, and how often it was opened.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use super::failure::{damaged, io_at};
use crate::error::{Error, Result};

const LOCK: &str = "lock";
const MARKER: &str = "helios-frontier";
const MARKER_IN_WRITING: &str = "helios-frontier.new";
const MAGIC: &str = "helios frontier";
const FORMAT: u64 = 1;

pub(super) struct Folder {
    path: PathBuf,
    /// The epoch that the database had at least when it was opened last; 0: it was never made whole.
    epoch: u64,
    lock: File,
}

impl Folder {
    /// Locks the folder for this process. One that holds anything but a frontier of this format is left untouched.
    pub(super) fn claim(path: &Path) -> Result<Self> {
        let unwritable = |error: std::io::Error| io_at(path, "making", &error);
        fs::create_dir_all(path).map_err(unwritable)?;
        refuse_strangers(path)?;
        let lock = lock(path)?;
        let epoch = match read_marker(path)? {
            Some(epoch) => epoch,
            None => write_marker(path, 0).map_err(unwritable)?,
        };
        Ok(Self { path: path.to_owned(), epoch, lock })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn database(&self) -> PathBuf {
        self.path.join("database")
    }

    pub(super) fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Notes outside the database how far it got, so that one which lost its newest writes is noticed when it is opened.
    pub(super) fn record_epoch(&mut self, epoch: u64) -> Result<()> {
        self.epoch = write_marker(&self.path, epoch).map_err(|error| io_at(&self.path, "opening", &error))?;
        Ok(())
    }
}

impl Drop for Folder {
    /// Closing the file would not do: a child process between its fork and its exec has the file open, too.
    fn drop(&mut self) {
        self.lock.unlock().ok();
    }
}

fn refuse_strangers(path: &Path) -> Result<()> {
    if read_marker(path)?.is_some() {
        return Ok(());
    }
    let unreadable = |error: std::io::Error| io_at(path, "reading", &error);
    let mut strangers = Vec::new();
    for entry in path.read_dir().map_err(unreadable)? {
        let name = entry.map_err(unreadable)?.file_name().to_string_lossy().into_owned();
        if name != MARKER_IN_WRITING && !(name == LOCK && is_our_lock(path)) {
            strangers.push(name);
        }
    }
    if strangers.is_empty() {
        return Ok(());
    }
    strangers.sort();
    let more = strangers.len().saturating_sub(3);
    strangers.truncate(3);
    let named = strangers.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() };
    let folder = path.display();
    Err(Error::Storage(format!("{folder} is not a Helios frontier: it holds {named}; use another folder")))
}

/// A crash right after the lock was made leaves it alone in the folder: empty, or with a process number.
fn is_our_lock(path: &Path) -> bool {
    fs::read(path.join(LOCK)).is_ok_and(|text| text.len() < 12 && text.iter().all(u8::is_ascii_digit))
}

fn lock(path: &Path) -> Result<File> {
    let unwritable = |error: std::io::Error| io_at(path, "locking", &error);
    let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).to_owned();
    let mut lock = options.open(path.join(LOCK)).map_err(unwritable)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::Error(error)) => return Err(unwritable(error)),
        Err(TryLockError::WouldBlock) => return Err(in_use(path, &mut lock)),
    }
    lock.set_len(0).and_then(|()| write!(lock, "{}", std::process::id())).map_err(unwritable)?;
    Ok(lock)
}

fn in_use(path: &Path, lock: &mut File) -> Error {
    let mut process = String::new();
    let holder = match lock.read_to_string(&mut process) {
        Ok(1..) => format!("process {process}"),
        Ok(0) | Err(_) => "another process".into(),
    };
    Error::Storage(format!("the frontier in {} is in use by {holder}; one crawl per folder", path.display()))
}

/// The epoch in the marker; none in a folder without one.
fn read_marker(path: &Path) -> Result<Option<u64>> {
    let marker = path.join(MARKER);
    if !marker.try_exists().map_err(|error| io_at(path, "reading", &error))? {
        return Ok(None);
    }
    let text = fs::read(&marker).map_err(|error| io_at(path, "reading", &error))?;
    let text = String::from_utf8_lossy(&text);
    let mut lines = text.lines();
    let mut number = |word: &str| lines.next()?.strip_prefix(word)?.trim().parse::<u64>().ok();
    let broken = || damaged(path, &format!("its file {MARKER} cannot be understood"));
    number(MAGIC); // moves past the first line, which has no number
    if !text.starts_with(MAGIC) {
        return Err(broken());
    }
    match number("format").ok_or_else(broken)? {
        FORMAT => Ok(Some(number("epoch").ok_or_else(broken)?)),
        format => Err(Error::Storage(format!(
            "the frontier in {} was made by a newer Helios (format {format}, this one knows {FORMAT}): use that one, or \
             another folder",
            path.display()
        ))),
    }
}

/// Replaces the marker in one step that survives a crash.
fn write_marker(path: &Path, epoch: u64) -> std::io::Result<u64> {
    let new = path.join(MARKER_IN_WRITING);
    let mut file = File::create(&new)?;
    write!(file, "{MAGIC}\nformat {FORMAT}\nepoch {epoch}\n")?;
    file.sync_all()?;
    drop(file);
    fs::rename(&new, path.join(MARKER))?;
    sync_folder(path)?;
    Ok(epoch)
}

/// Makes names that were made or changed in a folder durable.
pub(super) fn sync_folder(path: &Path) -> std::io::Result<()> {
    // Windows cannot open a folder as a file, and needs no sync of it.
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}
