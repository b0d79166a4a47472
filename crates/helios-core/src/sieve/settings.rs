//! What can be set, and what follows from it.

use serde::{Deserialize, Serialize};

use super::filter::{EXACT_BITS, LOSSY_BITS};
use crate::error::{Error, Result};

/// Runs of a level that are merged into one of the next.
pub(super) const FAN_OUT: usize = 4;
/// How many generations remember `lossy_capacity` URLs: the oldest eighth is forgotten at once.
const GENERATIONS: u64 = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SieveMode {
    /// No URL is lost: 14 bytes of disk per URL.
    #[default]
    Exact,
    /// One new URL in a thousand may be taken for a known one: 3 bytes per URL, and the oldest are forgotten.
    Lossy,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SieveSettings {
    pub mode: SieveMode,
    /// Fingerprints in memory before a run is sealed: about 35 bytes each, and as many in the journal.
    pub memtable: usize,
    /// URLs remembered in lossy mode, over all generations.
    pub lossy_capacity: u64,
}

impl Default for SieveSettings {
    fn default() -> Self {
        Self { mode: SieveMode::Exact, memtable: 1 << 20, lossy_capacity: 1_000_000_000 }
    }
}

/// The sizes that the settings lead to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    pub(super) memtable: usize,
    /// Runs of this level and above are generations: filters without entries. None: exact mode.
    pub(super) generation_level: Option<u8>,
    pub(super) capacity: u64,
}

impl Shape {
    pub(super) fn new(settings: &SieveSettings) -> Result<Self> {
        if settings.memtable == 0 {
            return Err(Error::Settings("memtable of the sieve: at least 1 fingerprint, not 0".to_owned()));
        }
        match settings.mode {
            SieveMode::Exact => {
                Ok(Self { memtable: settings.memtable, generation_level: None, capacity: u64::MAX })
            }
            SieveMode::Lossy => Self::lossy(settings),
        }
    }

    /// Shrinks the memtable until merging it by the fan-out level after level ends at the size of a generation.
    fn lossy(settings: &SieveSettings) -> Result<Self> {
        let capacity = settings.lossy_capacity;
        if capacity < GENERATIONS {
            return Err(Error::Settings(format!(
                "lossy_capacity of the sieve: at least {GENERATIONS} URLs, not {capacity}"
            )));
        }
        let (mut memtable, mut level) = (capacity.div_ceil(GENERATIONS), 0);
        while memtable > settings.memtable as u64 {
            memtable = memtable.div_ceil(FAN_OUT as u64);
            level += 1;
        }
        Ok(Self { memtable: memtable as usize, generation_level: Some(level), capacity })
    }

    pub(super) fn is_generation(&self, level: u8) -> bool {
        self.generation_level.is_some_and(|first| level >= first)
    }

    pub(super) fn filter_bits(&self, level: u8) -> u64 {
        if self.is_generation(level) { LOSSY_BITS } else { EXACT_BITS }
    }
}
