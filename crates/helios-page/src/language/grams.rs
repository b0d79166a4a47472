//! Groups of letters and what they speak for: the tables that `tools/language_tables.py` makes.

use std::sync::LazyLock;

/// Room for the languages of one script.
pub(super) const MOST: usize = 32;
/// Sums of weights, one for each language.
pub(super) type Sums = [u32; MOST];

static FILE: &[u8] = include_bytes!("grams.bin");
/// Latin, Cyrillic, Arabic.
static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| {
    let mut rest = FILE;
    std::iter::from_fn(|| Table::read(&mut rest)).collect()
});

#[derive(Clone, Copy)]
pub(super) enum Script {
    Latin = 0,
    Cyrillic = 1,
    Arabic = 2,
}

pub(super) fn table(script: Script) -> Option<&'static Table> {
    TABLES.get(script as usize)
}

/// The weights of one script, found by the hash of a group.
pub(super) struct Table {
    /// Code, and the mean weight of a group times 256.
    pub(super) languages: Vec<(&'static str, u32)>,
    /// Open addressing: hash and row; a hash of 0 is a free slot.
    slots: Vec<(u32, u32)>,
    rows: Vec<[u8; MOST]>,
}

impl Table {
    /// Nothing at the end of the file, or where it is damaged.
    fn read(rest: &mut &'static [u8]) -> Option<Self> {
        let count = usize::from(*take(rest, 1)?.first()?);
        let mut languages = Vec::with_capacity(count);
        for _ in 0..count {
            let code = std::str::from_utf8(take(rest, 3)?).ok()?.trim_end_matches('\0');
            let mean = u16::from_le_bytes(take(rest, 2)?.try_into().ok()?);
            languages.push((code, u32::from(mean)));
        }
        let rows = u32::from_le_bytes(take(rest, 4)?.try_into().ok()?) as usize;
        let mut table = Self {
            languages,
            slots: vec![(0, 0); (rows * 2).next_power_of_two()],
            rows: Vec::with_capacity(rows),
        };
        for _ in 0..rows {
            let hash = u32::from_le_bytes(take(rest, 4)?.try_into().ok()?);
            let mut row = [0; MOST];
            row.get_mut(..count)?.copy_from_slice(take(rest, count)?);
            table.insert(hash, row);
        }
        Some(table)
    }

    fn insert(&mut self, hash: u32, row: [u8; MOST]) {
        let mask = self.slots.len() - 1;
        let mut at = spread(hash) & mask;
        while self.slots.get(at).is_some_and(|slot| slot.0 != 0) {
            at = (at + 1) & mask;
        }
        if let Some(slot) = self.slots.get_mut(at) {
            *slot = (hash, self.rows.len() as u32);
            self.rows.push(row);
        }
    }

    #[inline]
    fn find(&self, hash: u32) -> Option<&[u8; MOST]> {
        let mask = self.slots.len() - 1;
        let mut at = spread(hash) & mask;
        loop {
            let &(known, row) = self.slots.get(at)?;
            if known == hash {
                return self.rows.get(row as usize);
            }
            if known == 0 {
                return None;
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds what the groups of one word speak for, and returns how many groups it has. `word` has a space at both ends.
    pub(super) fn add(&self, word: &[char], sums: &mut Sums) -> u32 {
        // A word is short enough for sums of 16 bits, of which a processor adds eight at once.
        let mut narrow = [0_u16; MOST];
        let mut groups = 0;
        for start in 0..word.len().saturating_sub(1) {
            let mut hash = SEED;
            for (length, &letter) in word.iter().skip(start).take(LONGEST).enumerate() {
                hash = step(hash, letter);
                if length > 0 {
                    groups += 1;
                    self.add_group(hash, &mut narrow);
                }
            }
        }
        if word.len() > LONGEST {
            groups += 1;
            self.add_group(hash_of(word), &mut narrow);
        }
        for (sum, word) in sums.iter_mut().zip(narrow) {
            *sum = sum.wrapping_add(u32::from(word));
        }
        groups
    }

    /// What a group or a word speaks for one language.
    pub(super) fn weight(&self, hash: u32, place: usize) -> u8 {
        self.find(hash).and_then(|row| row.get(place)).copied().unwrap_or(0)
    }

    #[inline]
    fn add_group(&self, hash: u32, sums: &mut [u16; MOST]) {
        if let Some(row) = self.find(hash) {
            for (sum, &weight) in sums.iter_mut().zip(row) {
                *sum = sum.wrapping_add(u16::from(weight));
            }
        }
    }
}

const LONGEST: usize = 4;
const SEED: u32 = 0x811C_9DC5;

/// Of a whole word, with a space at both ends.
pub(super) fn hash_of(word: &[char]) -> u32 {
    word.iter().fold(SEED, |hash, &letter| step(hash, letter))
}

/// FNV-1a over letters.
#[inline]
fn step(hash: u32, letter: char) -> u32 {
    (hash ^ u32::from(letter)).wrapping_mul(0x0100_0193)
}

/// The low bits of the hash of short groups are alike.
#[inline]
fn spread(hash: u32) -> usize {
    (hash.wrapping_mul(0x9E37_79B1) >> 15) as usize
}

fn take(rest: &mut &'static [u8], length: usize) -> Option<&'static [u8]> {
    let (taken, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(taken)
}
