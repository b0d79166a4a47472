//! The file of the index: cut at any byte, damaged at any byte, foreign, in use.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]

use std::path::{Path, PathBuf};

use helios_near::{Error, Fingerprint, NearIndex, NearSettings};

const HEADER: usize = 32;
const RECORD: usize = 208;

/// A folder that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("helios-near-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self) -> PathBuf {
        self.0.join("near")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone = std::fs::remove_dir_all(&self.0);
    }
}

fn print(page: u128) -> Fingerprint {
    Fingerprint::of(&(0..50).fold(String::new(), |text, word| text + &format!("p{page}w{word} ")))
}

fn open(path: &Path, committed: Option<u64>) -> Result<NearIndex, Error> {
    NearIndex::open(path, NearSettings { seed: 5, ..NearSettings::default() }, committed)
}

fn holds(index: &NearIndex, page: u128) -> bool {
    index.nearest(u128::MAX, &print(page)).unwrap().map(|one| one.page) == Some(page)
}

/// The bytes of a file with this many pages.
fn written(path: &Path, pages: u128) -> Vec<u8> {
    let mut index = open(path, None).unwrap();
    for page in 0..pages {
        index.insert(page, &print(page)).unwrap();
    }
    assert_eq!(index.sync().unwrap(), pages as u64);
    std::fs::read(path).unwrap()
}

#[test]
fn a_file_cut_at_any_byte_keeps_its_whole_records_and_goes_on() {
    let folder = Folder::new("cut");
    let whole = written(&folder.file(), 3);
    assert_eq!(whole.len(), HEADER + 3 * RECORD);
    for length in 0..=whole.len() {
        std::fs::write(folder.file(), &whole[..length]).unwrap();
        let mut index = open(&folder.file(), None).unwrap();
        let kept = length.saturating_sub(HEADER) / RECORD;
        assert_eq!(index.len(), kept as u64, "cut at {length}");
        assert!((0..3).all(|page| holds(&index, page) == (page < kept as u128)), "cut at {length}");
        index.insert(9, &print(9)).unwrap();
        index.sync().unwrap();
        drop(index);
        assert!(holds(&open(&folder.file(), None).unwrap(), 9), "cut at {length}");
    }
}

#[test]
fn garbage_after_the_last_whole_record_is_cut_off() {
    let folder = Folder::new("garbage");
    let whole = written(&folder.file(), 3);
    for tail in [vec![0; 5000], vec![255; RECORD], whole[HEADER..HEADER + RECORD].to_vec()] {
        std::fs::write(folder.file(), [whole.clone(), tail].concat()).unwrap();
        assert_eq!(open(&folder.file(), None).unwrap().len(), 3);
        assert_eq!(std::fs::read(folder.file()).unwrap(), whole);
    }
}

#[test]
fn a_damaged_byte_is_an_error_where_it_cannot_be_a_torn_end() {
    let folder = Folder::new("damage");
    let whole = written(&folder.file(), 3);
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        std::fs::write(folder.file(), &bytes).unwrap();
        let record = (at.saturating_sub(HEADER) / RECORD) as u64;
        match open(&folder.file(), None) {
            Err(Error::Foreign { .. }) => assert!(at < HEADER, "byte {at}"),
            Err(Error::Damaged { record: named, .. }) => {
                assert!(at >= HEADER && record < 2 && named == record, "byte {at}");
            }
            Ok(index) => assert!(record == 2 && index.len() == 2, "byte {at}: the last record may be torn"),
            Err(error) => panic!("byte {at}: {error}"),
        }
        std::fs::write(folder.file(), &bytes).unwrap();
        assert!(open(&folder.file(), Some(3)).is_err(), "byte {at}: all three were committed");
    }
}

#[test]
fn what_was_not_committed_is_forgotten_when_the_file_is_opened() {
    let folder = Folder::new("mark");
    drop(written(&folder.file(), 5));
    let index = open(&folder.file(), Some(2)).unwrap();
    assert_eq!(index.len(), 2);
    assert!((0..5).all(|page| holds(&index, page) == (page < 2)));
    drop(index);
    let error = open(&folder.file(), Some(4)).err().unwrap();
    assert!(matches!(error, Error::Short { found: 2, committed: 4, .. }), "{error}");
}

#[test]
fn forgetting_cuts_the_file() {
    let folder = Folder::new("forget");
    drop(written(&folder.file(), 5));
    let mut index = open(&folder.file(), None).unwrap();
    index.insert(7, &print(7)).unwrap();
    index.forget_after(3).unwrap();
    index.insert(8, &print(8)).unwrap();
    index.sync().unwrap();
    drop(index);
    let index = open(&folder.file(), Some(4)).unwrap();
    assert!([0, 1, 2, 8].into_iter().all(|page| holds(&index, page)));
    assert!(![3, 4, 7].into_iter().any(|page| holds(&index, page)));
}

#[test]
fn a_foreign_file_is_refused_and_left_alone() {
    let folder = Folder::new("foreign");
    for bytes in [&b"%PDF-1.7 something else"[..], &[0; 4096], b"h\n"] {
        std::fs::write(folder.file(), bytes).unwrap();
        let error = open(&folder.file(), None).err().unwrap();
        assert!(matches!(error, Error::Foreign { .. }), "{error}");
        assert_eq!(std::fs::read(folder.file()).unwrap(), bytes);
    }
}

#[test]
fn a_file_in_use_is_refused() {
    let folder = Folder::new("in-use");
    let _index = open(&folder.file(), None).unwrap();
    assert!(matches!(open(&folder.file(), None).err().unwrap(), Error::InUse { .. }));
}

#[test]
fn an_old_file_keeps_its_seed() {
    let folder = Folder::new("seed");
    drop(written(&folder.file(), 5));
    let index = NearIndex::open(&folder.file(), NearSettings::default(), Some(5)).unwrap();
    assert!((0..5).all(|page| holds(&index, page)));
}
