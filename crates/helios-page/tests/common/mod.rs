//! Where the data lies, and how it is unpacked.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "shared by tests that must stop when they cannot go on"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// The data lies beside the project; without it there is nothing to ask.
pub(crate) fn data(name: &str) -> Option<PathBuf> {
    let place = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .map(|folder| folder.join("shared/data").join(name))
        .find(|folder| folder.is_dir());
    if place.is_none() {
        eprintln!("skipped: there is no shared/data/{name} above this project");
    }
    place
}

/// What `xz` or `gzip` makes of a file.
pub(crate) fn unpacked(file: &Path) -> Option<Vec<u8>> {
    let tool = if file.extension().is_some_and(|ext| ext == "gz") { "gzip" } else { "xz" };
    let done = Command::new(tool).arg("-dc").arg(file).output();
    let Ok(done) = done else {
        eprintln!("skipped: there is no {tool} here");
        return None;
    };
    assert!(done.status.success(), "{tool} could not read {}", file.display());
    Some(done.stdout)
}

/// The files of a tar archive: their names and what is in them.
pub(crate) fn files(archive: &[u8]) -> Vec<(String, &[u8])> {
    let mut files = Vec::new();
    let mut rest = archive;
    while let Some((header, body)) = rest.split_at_checked(512) {
        let name: Vec<u8> = header[..100].iter().copied().take_while(|&byte| byte != 0).collect();
        if name.is_empty() {
            break;
        }
        let digits: String = header[124..136].iter().map(|&byte| char::from(byte)).collect();
        let size = usize::from_str_radix(digits.trim_matches(['\0', ' ']), 8).unwrap();
        if header[156] == b'0' || header[156] == 0 {
            files.push((String::from_utf8(name).unwrap(), &body[..size]));
        }
        rest = body.get(size.next_multiple_of(512)..).unwrap_or_default();
    }
    files
}
