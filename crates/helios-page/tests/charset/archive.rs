//! Data sets are tar archives packed with xz; they are read without unpacking them to disk.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The data lies beside the project; without it there is nothing to ask.
pub(crate) fn data(name: &str) -> Option<PathBuf> {
    let place = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .map(|folder| folder.join("shared/data").join(name))
        .find(|path| path.exists());
    if place.is_none() {
        eprintln!("skipped: there is no shared/data/{name} above this project");
    }
    place
}

/// Names and bytes of the files of an archive; none where the data is missing.
pub(crate) fn files(archive: &str) -> Vec<(String, Vec<u8>)> {
    let Some(place) = data(archive) else { return Vec::new() };
    let tar = Command::new("xz").arg("-dc").arg(place).output().unwrap().stdout;
    let mut files = Vec::new();
    let mut at = 0;
    while at + 512 <= tar.len() && tar[at] != 0 {
        let header = &tar[at..at + 512];
        let text = |from: usize, to: usize| {
            header[from..to]
                .iter()
                .take_while(|&&byte| byte != 0)
                .map(|&byte| char::from(byte))
                .collect::<String>()
        };
        let length = usize::from_str_radix(text(124, 136).trim(), 8).unwrap();
        let body = &tar[at + 512..at + 512 + length];
        if matches!(header[156], b'0' | 0) {
            files.push((text(0, 100).trim_start_matches("./").to_owned(), body.to_vec()));
        }
        at += 512 + length.div_ceil(512) * 512;
    }
    files
}
