//! One suite for every shelf.

use helios_core::sieve::{LocalShelf, MemoryShelf, Shelf};

/// What every shelf must do.
fn keeps_the_promises_of_a_shelf(shelf: &dyn Shelf) {
    let mut volume = shelf.create("run-0000000001.sieve").unwrap();
    volume.append(b"one, ").unwrap();
    volume.append(b"two").unwrap();
    volume.finish().unwrap();
    assert!(shelf.create("run-0000000001.sieve").is_err(), "the name is taken");
    drop(shelf.create("unfinished").unwrap());
    let pages = shelf.open("run-0000000001.sieve").unwrap();
    assert_eq!(&*pages, b"one, two");
    let mut names = shelf.names().unwrap();
    names.sort();
    assert_eq!(names, ["run-0000000001.sieve", "unfinished"]);
    assert!(shelf.open("unfinished").unwrap().is_empty());
    for _ in 0..2 {
        shelf.remove("run-0000000001.sieve").unwrap();
    }
    assert_eq!(&*pages, b"one, two", "what is open stays readable");
    assert!(shelf.open("run-0000000001.sieve").err().unwrap().to_string().contains("run-0000000001.sieve"));
}

#[test]
fn every_shelf_keeps_its_promises() {
    keeps_the_promises_of_a_shelf(&MemoryShelf::default());
    let folder = std::env::temp_dir().join(format!("helios-shelf-{}", std::process::id()));
    keeps_the_promises_of_a_shelf(&LocalShelf::new(folder.join("made/on/the/way")).unwrap());
    std::fs::remove_dir_all(folder).unwrap();
}
