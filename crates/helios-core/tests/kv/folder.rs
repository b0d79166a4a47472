//! Whose folder it is.

use std::fs;
use std::path::Path;
use std::process::Command;

use helios_core::kv::Kv;

use super::place::{Folder, open, refused};

#[test]
fn a_folder_in_use_is_refused_in_the_same_process_and_in_another() {
    let folder = Folder::new();
    let kv = open(folder.path()).unwrap();
    let why = refused(folder.path());
    let expected = format!(
        "the frontier in {} is in use by process {}; one crawl per folder",
        folder.path().display(),
        std::process::id()
    );
    assert_eq!(why, expected);
    let other = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "folder::child_that_opens_a_folder", "--ignored", "--nocapture"])
        .env("HELIOS_KV_FOLDER", folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&other.stdout);
    assert!(said.contains(&expected), "{said}");
    drop(kv);
    open(folder.path()).unwrap();
}

#[test]
#[ignore = "the other process of a test"]
fn child_that_opens_a_folder() {
    println!("{}", refused(Path::new(&std::env::var("HELIOS_KV_FOLDER").unwrap())));
}

#[test]
fn a_folder_that_holds_anything_else_is_refused_and_left_as_it_was() {
    let folder = Folder::new();
    for name in ["thesis.tex", "a", "b", "lock", "z"] {
        fs::write(folder.path().join(name), "words").unwrap();
    }
    let expected = format!(
        "{} is not a Helios frontier: it holds a, b, lock and 2 more; use another folder",
        folder.path().display()
    );
    assert_eq!(refused(folder.path()), expected);
    assert_eq!(folder.path().read_dir().unwrap().count(), 5);
    assert_eq!(fs::read(folder.path().join("lock")).unwrap(), b"words");
}

#[test]
fn a_folder_of_a_newer_helios_is_refused() {
    let folder = Folder::new();
    fs::write(folder.path().join("helios-frontier"), "helios frontier\nformat 2\nsomething new\n").unwrap();
    assert!(refused(folder.path()).contains("was made by a newer Helios (format 2, this one knows 1)"));
    assert_eq!(folder.path().read_dir().unwrap().count(), 1);
}

#[test]
fn a_marker_that_cannot_be_understood_is_refused() {
    for text in
        ["", "helios", "helios frontier", "helios frontier\nformat one", "helios frontier\nformat 1\nepoch\n"]
    {
        let folder = Folder::new();
        fs::write(folder.path().join("helios-frontier"), text).unwrap();
        let why = refused(folder.path());
        assert!(why.contains("is damaged: its file helios-frontier cannot be understood"), "{why}");
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }
}

#[test]
fn a_folder_that_cannot_be_made_or_written_is_refused() {
    let folder = Folder::new();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let why = refused(&file.join("frontier"));
    assert!(why.starts_with("making the frontier in ") && why.contains("Not a directory"), "{why}");
    let why = refused(Path::new("/proc/helios"));
    assert!(why.starts_with("making the frontier in /proc/helios failed: "), "{why}");
}

#[test]
fn a_making_that_was_cut_short_is_begun_again() {
    let folder = Folder::new();
    fs::write(folder.path().join("lock"), "4711").unwrap();
    drop(open(folder.path()).unwrap());
    let marker = folder.path().join("helios-frontier");
    fs::rename(folder.path().join("database"), folder.path().join("database.new")).unwrap();
    let why = refused(folder.path());
    assert!(why.contains("is damaged: its folder database is gone"), "{why}");
    fs::write(marker, "helios frontier\nformat 1\nepoch 0\n").unwrap();
    assert_eq!(open(folder.path()).unwrap().epoch(), 1);
}
