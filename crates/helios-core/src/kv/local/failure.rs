//! What went wrong with a folder, in words that say what to do.

use std::io::{self, ErrorKind};
use std::path::Path;

use super::engine::WRITE_BUFFER;
use super::folder::Folder;
use crate::error::Error;

pub(super) fn damaged(folder: &Path, what: &str) -> Error {
    let folder = folder.display();
    Error::Storage(format!(
        "the frontier in {folder} is damaged: {what}. Restore the folder from a copy, or start in another folder"
    ))
}

pub(super) fn full(folder: &Path) -> Error {
    let folder = folder.display();
    Error::Storage(format!(
        "the disk is full (writing the frontier in {folder}): free some space and resume; what was settled is safe"
    ))
}

pub(super) fn of_io(folder: &Folder, doing: &str, error: &io::Error) -> Error {
    io_at(folder.path(), doing, error)
}

pub(super) fn io_at(folder: &Path, doing: &str, error: &io::Error) -> Error {
    if matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded) {
        return full(folder);
    }
    Error::Storage(format!("{doing} the frontier in {} failed: {error}", folder.display()))
}

/// What the engine says.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "fjall may add errors, and the rest is all the same to a user"
)]
pub(super) fn of_engine(folder: &Folder, doing: &str, error: &fjall::Error) -> Error {
    match error {
        fjall::Error::Io(error) | fjall::Error::Storage(fjall::LsmError::Io(error))
            if !tells_of_damage(error) =>
        {
            of_io(folder, doing, error)
        }
        fjall::Error::Poisoned => of_background(folder),
        damage => damaged(folder.path(), &format!("{doing} it failed with {damage:?}")),
    }
}

/// A file that is cut off is read beyond its end, or from before its beginning.
fn tells_of_damage(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::UnexpectedEof | ErrorKind::InvalidData | ErrorKind::InvalidInput)
}

/// The engine writes tables in threads of its own, which keep the reason to themselves; a full disk, the most likely one,
/// can be told by trying.
fn of_background(folder: &Folder) -> Error {
    let probe = folder.path().join("probe");
    let written = std::fs::write(&probe, vec![0; WRITE_BUFFER as usize]);
    let removed = std::fs::remove_file(&probe);
    if let Err(error) = written.and(removed) {
        return of_io(folder, "writing", &error);
    }
    let folder = folder.path().display();
    Error::Storage(format!(
        "the frontier in {folder} could not be written in the background (a full or failing disk?): what was settled is \
         safe; look after the disk and resume"
    ))
}
