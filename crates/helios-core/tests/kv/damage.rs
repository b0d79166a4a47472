//! Each of the engine's files, gone, cut off or overwritten: the folder is refused with words, or what it shows is true;
//! and with the file put back, everything is there.

use std::fs;
use std::path::{Path, PathBuf};

use helios_core::error::Error;
use helios_core::kv::{Batch, Kv};

use super::place::{Folder, batch, open, rows};

const ROWS: usize = 2_501;

/// A database with rows in a table and in the journal, and small files, since its values compress well.
fn filled() -> Folder {
    let folder = Folder::new();
    let kv = open(folder.path()).unwrap();
    for number in 0..2_500_u32 {
        let mut batch = Batch::new();
        batch.put([b"q", &number.to_be_bytes()[..]].concat(), vec![b'v'; 8_192]);
        kv.write(batch).unwrap();
    }
    drop(kv);
    drop(open(folder.path()).unwrap());
    let kv = open(folder.path()).unwrap();
    let ticket = kv.write(batch(&[("s", "last")])).unwrap();
    kv.durable(ticket).unwrap();
    drop(kv);
    folder
}

/// All files below a folder, without those that are locks.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in folder.read_dir().unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            found.extend(files(&entry));
        } else if !entry.ends_with("lock") {
            found.push(entry);
        }
    }
    found.sort();
    found
}

/// The bytes of a file without the zeros at its end, which are the unused part of a journal.
fn used(file: &Path) -> Vec<u8> {
    let mut bytes = fs::read(file).unwrap();
    bytes.truncate(bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1));
    bytes
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in from.read_dir().unwrap().map(|entry| entry.unwrap().path()) {
        let target = to.join(entry.file_name().unwrap());
        if entry.is_dir() { copy(&entry, &target) } else { copy_file(&entry, &target) }
    }
}

fn copy_file(from: &Path, to: &Path) {
    fs::write(to, used(from)).unwrap();
    fs::File::options().write(true).open(to).unwrap().set_len(from.metadata().unwrap().len()).unwrap();
}

/// What may become of a file: none, or these bytes.
fn damages(whole: &[u8]) -> Vec<(String, Option<Vec<u8>>)> {
    let end = whole.len();
    let mut damages = vec![("gone".to_owned(), None)];
    for length in [0, 1, end / 3, end - 10] {
        damages.push((format!("cut to {length} of {end}"), Some(whole[..length].to_vec())));
    }
    for (at, filler) in [(0, 0xff), (9, 0), (end / 4, 0), (end / 2, 0xff), (end - 40, 0), (end - 9, 0xff)] {
        let mut bytes = whole.to_vec();
        bytes[at..at + 9].fill(filler);
        damages.push((format!("overwritten with {filler} at {at} of {end}"), Some(bytes)));
    }
    damages
}

/// The rows that a folder shows, or that it is refused with a storage error that names it.
fn shown(place: &Path) -> Option<Vec<String>> {
    let found = open(place).and_then(|kv| kv.scan(b"", b"\xff", usize::MAX).map(|_| rows(&kv)));
    match found {
        Ok(rows) => Some(rows),
        Err(Error::Storage(why)) => {
            let named = why.contains(&format!("the frontier in {} is damaged: ", place.display()));
            assert!(named && why.ends_with("or start in another folder"), "{why}");
            None
        }
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn a_damaged_file_is_refused_with_words_and_nothing_else_is_touched() {
    let template = filled();
    let all = rows(&open(template.path()).unwrap());
    assert_eq!(all.len(), ROWS);
    for file in files(template.path()) {
        let name = file.strip_prefix(template.path()).unwrap();
        let journal = name.extension().is_some_and(|extension| extension == "jnl");
        let whole = used(&file);
        if whole.len() < 60 {
            continue; // `damage_to_a_small_file_is_refused`
        }
        for (damage, bytes) in damages(&whole) {
            let folder = Folder::new();
            let place = folder.path().join("frontier");
            copy(template.path(), &place);
            let victim = place.join(name);
            replace(&victim, bytes.as_deref());
            let case = format!("{} {damage}", name.display());
            match shown(&place) {
                // The end of the journal is what a crash cuts off; the newest batch is lost with it, and no more.
                Some(rows) if journal => assert_eq!(rows, all[..ROWS - 1], "{case}"),
                Some(rows) => assert_eq!(rows, all, "{case}"),
                None => {
                    copy_file(&file, &victim);
                    assert_eq!(shown(&place).unwrap(), all, "{case}, put back");
                }
            }
        }
    }
}

fn replace(file: &Path, bytes: Option<&[u8]>) {
    match bytes {
        None => fs::remove_file(file).unwrap(),
        Some(bytes) => fs::write(file, bytes).unwrap(),
    }
}

#[test]
fn damage_to_a_small_file_is_refused() {
    let template = filled();
    for file in files(template.path()) {
        let whole = fs::read(&file).unwrap();
        if whole.len() >= 60 {
            continue;
        }
        for length in [usize::MAX, 0, 1, whole.len() / 2] {
            replace(&file, whole.get(..length));
            let gone = length == usize::MAX && file.ends_with("helios-frontier");
            if gone {
                let why = super::place::refused(template.path());
                assert!(why.contains("is not a Helios frontier: it holds database"), "{why}");
            } else {
                assert_eq!(shown(template.path()), None, "{} cut to {length}", file.display());
            }
            fs::write(&file, &whole).unwrap();
        }
    }
    assert_eq!(shown(template.path()).unwrap().len(), ROWS);
}
