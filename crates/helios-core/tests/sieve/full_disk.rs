//! The sieve on a disk that is full now and then.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use helios_core::error::{Error, Result};
use helios_core::sieve::{MemoryShelf, Pages, Shelf, Sieve, Volume};

use super::{exact, fingerprints};

/// A disk that is full after a number of calls.
#[derive(Clone, Default)]
struct FullDisk(MemoryShelf, Arc<AtomicU64>);

impl FullDisk {
    fn spend(&self) -> Result<()> {
        let left = self.1.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        left.map(drop).map_err(|_| Error::Storage("the disk is full".to_owned()))
    }
}

impl Shelf for FullDisk {
    fn create(&self, name: &str) -> Result<Box<dyn Volume>> {
        self.spend()?;
        Ok(Box::new(FullVolume(self.clone(), self.0.create(name)?)))
    }
    fn open(&self, name: &str) -> Result<Pages> {
        self.spend()?;
        self.0.open(name)
    }
    fn remove(&self, name: &str) -> Result<()> {
        self.0.remove(name)
    }
    fn names(&self) -> Result<Vec<String>> {
        self.0.names()
    }
}

struct FullVolume(FullDisk, Box<dyn Volume>);

impl Volume for FullVolume {
    fn append(&mut self, bytes: &[u8]) -> Result<()> {
        self.0.spend()?;
        self.1.append(bytes)
    }
    fn finish(self: Box<Self>) -> Result<()> {
        self.0.spend()?;
        self.1.finish()
    }
}

#[test]
fn a_full_disk_loses_nothing_and_upkeep_goes_on_when_there_is_room() {
    for room in 0..60 {
        let disk = FullDisk::default();
        let mut sieve = Sieve::open(Box::new(disk.clone()), exact(10), None, []).unwrap();
        disk.1.store(room, Ordering::Relaxed);
        let (mut manifest, mut journal, mut obsolete) = (None, Vec::new(), Vec::new());
        for n in 0..60 {
            let batch = fingerprints(n * 10..n * 10 + 10);
            assert!(sieve.sift(&batch).unwrap().iter().all(|new| *new));
            journal.extend(batch);
            match sieve.upkeep() {
                Err(_) => disk.1.store(room + 20, Ordering::Relaxed), // room again
                Ok(None) => {}
                Ok(Some(sealed)) => {
                    manifest = Some(sealed.manifest);
                    obsolete.extend(sealed.obsolete);
                    sieve.forget(&obsolete).unwrap();
                    if sealed.journal_ends {
                        journal.clear();
                    }
                }
            }
            assert_eq!(sieve.stats().known, n * 10 + 10);
        }
        assert!(sieve.sift(&fingerprints(0..600)).unwrap().iter().all(|new| !new));
        disk.1.store(u64::MAX, Ordering::Relaxed);
        let mut reopened = Sieve::open(Box::new(disk), exact(10), manifest.as_deref(), journal).unwrap();
        assert!(reopened.sift(&fingerprints(0..600)).unwrap().iter().all(|new| !new));
    }
}
