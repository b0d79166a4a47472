//! The sieve beside a `HashSet`, through crashes, full disks and damaged files.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on must stop")]

#[path = "sieve/full_disk.rs"]
mod full_disk;
#[path = "sieve/shelf.rs"]
mod shelf;

use std::collections::HashSet;

use helios_core::error::Result;
use helios_core::sieve::{LocalShelf, MemoryShelf, Sealed, Shelf, Sieve, SieveMode, SieveSettings};
use helios_core::url::Fingerprint;
use proptest::prelude::*;

fn mix(n: u64) -> u64 {
    let z = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn fingerprint(n: u64) -> Fingerprint {
    Fingerprint::from_bytes((u128::from(mix(2 * n)) << 64 | u128::from(mix(2 * n + 1))).to_be_bytes())
}

fn fingerprints(numbers: std::ops::Range<u64>) -> Vec<Fingerprint> {
    numbers.map(fingerprint).collect()
}

/// Some evenly spread, some all at one end, some that differ in their last kept bits only.
fn awkward(n: u64) -> Fingerprint {
    let bits = match n % 4 {
        0 => u128::from(n) << 32,
        1 => u128::MAX - (u128::from(n) << 32),
        2 => 0x0123_4567_89ab_cdef << 64 | u128::from(n) << 32,
        _ => return fingerprint(n),
    };
    Fingerprint::from_bytes(bits.to_be_bytes())
}

fn exact(memtable: usize) -> SieveSettings {
    SieveSettings { memtable, ..SieveSettings::default() }
}

fn lossy(memtable: usize, lossy_capacity: u64) -> SieveSettings {
    SieveSettings { mode: SieveMode::Lossy, memtable, lossy_capacity }
}

/// A sieve and what its caller must keep: the manifest and the journal, as after the last atomic write.
struct Keeper {
    shelf: MemoryShelf,
    settings: SieveSettings,
    manifest: Option<Vec<u8>>,
    journal: Vec<Fingerprint>,
    sieve: Sieve,
    /// The files when the manifest was written.
    files: Vec<String>,
}

impl Keeper {
    fn new(settings: SieveSettings) -> Self {
        let shelf = MemoryShelf::default();
        let sieve = Sieve::open(Box::new(shelf.clone()), settings, None, []).unwrap();
        Self { shelf, settings, manifest: None, journal: Vec::new(), sieve, files: Vec::new() }
    }

    fn sift(&mut self, batch: &[Fingerprint]) -> Vec<bool> {
        let new = self.sieve.sift(batch).unwrap();
        self.journal.extend(batch.iter().zip(&new).filter(|(_, new)| **new).map(|(one, _)| *one));
        new
    }

    fn upkeep(&mut self) {
        if let Some(sealed) = self.sieve.upkeep().unwrap() {
            self.publish(sealed);
        }
    }

    fn publish(&mut self, sealed: Sealed) {
        self.manifest = Some(sealed.manifest);
        if sealed.journal_ends {
            self.journal.clear();
        }
        self.sieve.forget(&sealed.obsolete).unwrap();
        self.files = self.shelf.names().unwrap();
    }

    fn feed(&mut self, numbers: std::ops::Range<u64>) -> usize {
        let all = fingerprints(numbers);
        all.chunks(100)
            .map(|batch| {
                let new = self.sift(batch).into_iter().filter(|new| *new).count();
                self.upkeep();
                new
            })
            .sum()
    }

    fn reopened(&self) -> Result<Sieve> {
        let journal = self.journal.iter().copied();
        Sieve::open(Box::new(self.shelf.clone()), self.settings, self.manifest.as_deref(), journal)
    }

    /// Files that no manifest names may be there, in part or not at all.
    fn crash(&mut self, chance: u8) {
        for name in self.shelf.names().unwrap() {
            if !self.files.contains(&name) {
                match chance % 3 {
                    0 => self.shelf.remove(&name).unwrap(),
                    1 => self.shelf.put(&name, b"half a run"),
                    _ => {}
                }
            }
        }
        self.sieve = self.reopened().unwrap();
    }

    fn runs(&self) -> Vec<String> {
        let names = self.shelf.names().unwrap();
        names.into_iter().filter(|name| !self.shelf.open(name).unwrap().is_empty()).collect()
    }
}

#[derive(Debug, Clone)]
enum Step {
    Sift(Vec<u16>),
    Upkeep,
    Crash(u8),
    CrashInUpkeep(u8),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => prop::collection::vec(0..2000_u16, 0..40).prop_map(Step::Sift),
        6 => Just(Step::Upkeep),
        1 => any::<u8>().prop_map(Step::Crash),
        1 => any::<u8>().prop_map(Step::CrashInUpkeep),
    ]
}

proptest! {
    #[test]
    fn answers_as_a_set_does_through_seals_merges_and_crashes(
        memtable in 1..30_usize,
        steps in prop::collection::vec(step(), 1..200),
    ) {
        let (mut keeper, mut model) = (Keeper::new(exact(memtable)), HashSet::new());
        for step in steps {
            match step {
                Step::Sift(numbers) => {
                    let batch: Vec<_> = numbers.iter().map(|&n| awkward(u64::from(n))).collect();
                    let expected: Vec<bool> = batch.iter().map(|&one| model.insert(one)).collect();
                    prop_assert_eq!(keeper.sift(&batch), expected);
                }
                Step::Upkeep => keeper.upkeep(),
                Step::Crash(chance) => keeper.crash(chance),
                Step::CrashInUpkeep(chance) => {
                    keeper.sieve.upkeep().unwrap();
                    keeper.crash(chance);
                }
            }
            prop_assert_eq!(keeper.sieve.stats().known, model.len() as u64);
        }
        for n in 0..2000 {
            let one = awkward(n);
            prop_assert_eq!(keeper.sieve.contains(one).unwrap(), model.contains(&one));
        }
    }
}

#[test]
fn a_repeat_within_a_batch_is_not_new() {
    let mut keeper = Keeper::new(exact(10));
    let [a, b] = [fingerprint(1), fingerprint(2)];
    assert_eq!(keeper.sift(&[a, b, a, a, b]), [true, true, false, false, false]);
    assert_eq!(keeper.sift(&[b, a]), [false, false]);
}

#[test]
fn a_sieve_can_move_to_another_thread() {
    fn moves<T: Send>(_: &T) {}
    moves(&Keeper::new(exact(10)).sieve);
}

#[test]
fn asking_does_not_remember() {
    let mut keeper = Keeper::new(exact(10));
    assert!(!keeper.sieve.contains(fingerprint(1)).unwrap());
    assert_eq!(keeper.sift(&[fingerprint(1)]), [true]);
}

#[test]
fn the_first_and_the_last_fingerprint_are_new_once() {
    let mut keeper = Keeper::new(exact(10));
    let ends = [Fingerprint::from_bytes([0; 16]), Fingerprint::from_bytes([255; 16])];
    assert_eq!(keeper.sift(&ends), [true, true]);
    assert_eq!(keeper.sift(&ends), [false, false]);
}

#[test]
fn the_journal_ends_only_when_all_of_it_is_in_runs() {
    let mut keeper = Keeper::new(exact(1000));
    keeper.sift(&fingerprints(0..999));
    assert!(keeper.sieve.upkeep().unwrap().is_none());
    keeper.sift(&fingerprints(999..1000));
    let sealed = keeper.sieve.upkeep().unwrap().unwrap();
    assert!(sealed.journal_ends);
    let mut reopened =
        Sieve::open(Box::new(keeper.shelf), keeper.settings, Some(&sealed.manifest), []).unwrap();
    assert!(reopened.sift(&fingerprints(0..1000)).unwrap().iter().all(|new| !new));
}

#[test]
fn a_journal_that_reaches_back_too_far_counts_nothing_twice() {
    let mut keeper = Keeper::new(exact(1000));
    keeper.feed(0..1000);
    keeper.journal = fingerprints(0..1500);
    assert_eq!(keeper.reopened().unwrap().stats().known, 1500);
}

#[test]
fn runs_stay_few_and_merging_keeps_up() {
    let mut keeper = Keeper::new(exact(100));
    keeper.feed(0..200_000);
    let stats = keeper.sieve.stats();
    assert_eq!(stats.known, 200_000);
    assert!(stats.runs <= 6 * 7, "{} runs on 6 levels", stats.runs); // 100 × 4⁶ > 200 000
    assert!(stats.disk_bytes <= 15 * stats.known, "{} bytes per URL", stats.disk_bytes / stats.known);
    assert_eq!(keeper.feed(0..200_000), 0);
}

#[test]
fn the_exact_filters_err_less_than_once_in_a_hundred() {
    let mut keeper = Keeper::new(exact(10_000));
    keeper.feed(0..100_000);
    assert!(fingerprints(200_000..300_000).iter().all(|&one| !keeper.sieve.contains(one).unwrap()));
    let rate = keeper.sieve.stats().false_positive_rate();
    assert!((0.002..0.006).contains(&rate), "{rate}");
}

#[test]
fn a_run_file_that_no_manifest_names_is_removed_and_other_files_are_not() {
    let mut keeper = Keeper::new(exact(100));
    keeper.feed(0..250);
    keeper.shelf.put("run-0000000099.sieve", b"left by a crash");
    keeper.shelf.put("notes.txt", b"somebody's");
    let before = keeper.runs();
    keeper.reopened().unwrap();
    let after = keeper.runs();
    assert!(before.contains(&"run-0000000099.sieve".to_owned()));
    assert_eq!(after.len(), 3, "{after:?}"); // two runs and the notes
    assert!(after.contains(&"notes.txt".to_owned()));
}

#[test]
fn a_damaged_run_is_named_with_what_is_wrong_and_what_to_do() {
    type Damage = fn(&mut Vec<u8>);
    let damages: [(Damage, &str); 7] = [
        (|bytes| bytes.truncate(1000), "truncated or replaced"),
        (Vec::clear, "truncated or replaced"),
        (|bytes| bytes.push(0), "truncated or replaced"),
        (|bytes| bytes.fill(7), "does not end like a run file"),
        (|bytes| bytes[20] ^= 1, "checksum is wrong"),
        (|bytes| *bytes.iter_mut().nth_back(63 - 8).unwrap() = 9, "its format is 9"),
        (|bytes| *bytes.iter_mut().nth_back(63 - 16).unwrap() ^= 128, "does not fit its size"),
    ];
    for (damage, expected) in damages {
        let mut keeper = Keeper::new(exact(100));
        keeper.feed(0..100);
        let name = keeper.runs().remove(0);
        let mut bytes = keeper.shelf.open(&name).unwrap().to_vec();
        damage(&mut bytes);
        keeper.shelf.put(&name, &bytes);
        let error = keeper.reopened().err().unwrap().to_string();
        assert!(error.contains(&name) && error.contains(expected), "{error}");
        assert!(error.contains("restore the file"), "{error}");
    }
}

#[test]
fn a_run_that_is_gone_or_of_another_sieve_is_refused() {
    let (mut keeper, mut other) = (Keeper::new(exact(100)), Keeper::new(exact(100)));
    keeper.feed(0..100);
    other.feed(100..200);
    let name = keeper.runs().remove(0);
    keeper.shelf.put(&name, &other.shelf.open(&name).unwrap());
    assert!(keeper.reopened().err().unwrap().to_string().contains("of another sieve"));
    keeper.shelf.remove(&name).unwrap();
    assert!(keeper.reopened().err().unwrap().to_string().contains("is not on the shelf"));
}

#[test]
fn a_manifest_that_is_none_is_refused() {
    let open = |manifest| Sieve::open(Box::new(MemoryShelf::default()), exact(10), Some(manifest), []);
    assert!(open(b"nonsense").err().unwrap().to_string().contains("manifest of the sieve is damaged"));
    let later = br#"{"format":2,"next":1,"runs":[],"dropped":0.0}"#;
    assert!(open(later).err().unwrap().to_string().contains("has format 2"));
}

#[test]
fn lossy_mode_errs_less_than_once_in_a_thousand_and_says_how_often() {
    let mut keeper = Keeper::new(lossy(10_000, 400_000));
    let new = keeper.feed(0..395_000);
    let (dropped, stats) = (395_000 - new as u64, keeper.sieve.stats());
    assert!((dropped as f64 - stats.dropped_estimate).abs() <= 10.0 + stats.dropped_estimate / 2.0);
    assert!(stats.disk_bytes < 5 * stats.known, "{stats:?}");
    let asked = fingerprints(1_000_000..2_000_000);
    let wrong = asked.iter().filter(|&&one| keeper.sieve.contains(one).unwrap()).count();
    assert!((100..=1000).contains(&wrong), "{wrong} of a million, after {dropped} dropped");
    let reopened = keeper.reopened().unwrap().stats();
    assert!(reopened.dropped_estimate > 0.0 && reopened.known == stats.known);
}

#[test]
fn lossy_mode_forgets_the_oldest_and_remembers_the_capacity() {
    for memtable in [500, 3_000, 100_000] {
        let mut keeper = Keeper::new(lossy(memtable, 40_000));
        keeper.feed(0..200_000);
        let stats = keeper.sieve.stats();
        assert!((30_000..=40_000).contains(&stats.known), "{stats:?}");
        assert!(stats.runs <= 8 + 12, "{stats:?}");
        let mut unknown = |numbers| {
            fingerprints(numbers).iter().filter(|&&one| !keeper.sieve.contains(one).unwrap()).count()
        };
        // One that was dropped for a generation's sake is unknown again when that is forgotten.
        assert!(unknown(170_000..200_000) <= 30, "memtable {memtable}");
        assert!(unknown(0..1_000) >= 900); // the cache still knows a few
    }
}

#[test]
fn a_lossy_sieve_cannot_become_exact_but_an_exact_one_lossy() {
    let mut keeper = Keeper::new(lossy(100, 10_000));
    keeper.feed(0..9_000);
    keeper.settings = exact(100);
    assert!(keeper.reopened().err().unwrap().to_string().contains("began in lossy mode"));
    let mut keeper = Keeper::new(exact(100));
    keeper.feed(0..9_000);
    keeper.settings = lossy(100, 10_000);
    keeper.crash(0);
    keeper.feed(9_000..30_000);
    assert!(keeper.sieve.stats().known <= 10_000);
}

#[test]
fn settings_that_cannot_work_are_refused() {
    let open = |settings| Sieve::open(Box::new(MemoryShelf::default()), settings, None, []).err().unwrap();
    assert!(open(exact(0)).to_string().contains("at least 1 fingerprint"));
    assert!(open(lossy(10, 7)).to_string().contains("at least 8 URLs"));
    let parse = helios_core::error::settings_from_json::<SieveSettings>;
    let settings = parse(r#"{"mode": "lossy", "lossy_capacity": 500}"#).unwrap();
    assert_eq!((settings.mode, settings.memtable, settings.lossy_capacity), (SieveMode::Lossy, 1 << 20, 500));
    assert!(parse(r#"{"memtable_size": 5}"#).is_err());
}

#[test]
fn a_sieve_in_a_folder_is_found_again() {
    let folder = std::env::temp_dir().join(format!("helios-sieve-{}", std::process::id()));
    let open = |manifest: Option<&[u8]>| {
        Sieve::open(Box::new(LocalShelf::new(&folder).unwrap()), exact(1000), manifest, []).unwrap()
    };
    let (mut sieve, mut manifest) = (open(None), None);
    for batch in fingerprints(0..20_000).chunks(1000) {
        sieve.sift(batch).unwrap();
        if let Some(sealed) = sieve.upkeep().unwrap() {
            assert!(sealed.journal_ends);
            manifest = Some(sealed.manifest);
            sieve.forget(&sealed.obsolete).unwrap();
        }
    }
    let mut again = open(manifest.as_deref());
    assert!(again.sift(&fingerprints(0..20_000)).unwrap().iter().all(|new| !new));
    assert_eq!(again.stats().known, 20_000);
    std::fs::remove_dir_all(folder).unwrap();
}
