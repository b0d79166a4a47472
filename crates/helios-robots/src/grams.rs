//! [`Grams`]: rules with wildcards, found by a few octets that a path must hold.
//!
//! Each rule is listed under one gram: up to four octets in a row from between its stars, chosen so that few rules share it.
//! A check looks up each place of the path once and tries only the rules listed there; no rule is tried twice.

use super::matcher::Patterns;
use super::pattern::{anchor, matches};

const LONGEST: usize = 4;

/// Up to this many rules are tried one by one: that takes less time than looking up a path.
const FEW: usize = 4;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Grams {
    /// Bit n: some rule is listed under a gram of n octets.
    lengths: u8,
    /// Hashes of grams, each at the first free place from where it belongs; zero is free. At least half are.
    table: Box<[u32]>,
    /// Where the list of the gram at the same place in `table` begins.
    starts: Box<[u32]>,
    /// Ranks, highest first, times two, plus one at the end of a list.
    lists: Box<[u32]>,
    /// Rules that are tried on every path, highest first.
    always: Box<[u32]>,
}

impl Grams {
    /// `wild`: ranks, lowest first.
    pub(super) fn new(patterns: &Patterns, wild: &[u32]) -> Option<Self> {
        if wild.is_empty() {
            return None;
        }
        let few = wild.len() <= FEW;
        let (listed, always) = if few { (&[][..], wild) } else { (wild, &[][..]) };
        let mut grams = choose(patterns, listed);
        let mut always: Vec<u32> = always.iter().rev().copied().collect();
        always.extend(grams.iter().filter(|gram| gram.hash == 0).map(|gram| gram.rank));
        grams.retain(|gram| gram.hash != 0);
        // Stable: the highest rank stays first.
        grams.sort_by_key(|gram| gram.hash);
        let size = (grams.chunk_by(Chosen::together).count() * 2).next_power_of_two();
        let mut made = Self {
            lengths: grams.iter().fold(0, |lengths, gram| lengths | 1 << gram.length),
            table: vec![0; size].into(),
            starts: vec![0; size].into(),
            lists: grams.iter().map(|gram| gram.rank << 1).collect(),
            always: always.into(),
        };
        let mut start = 0;
        for list in grams.chunk_by(Chosen::together) {
            made.enter(list.first().map_or(0, |gram| gram.hash), start);
            start += list.len() as u32;
            if let Some(last) = made.lists.get_mut(start as usize - 1) {
                *last |= 1;
            }
        }
        Some(made)
    }

    fn enter(&mut self, hash: u32, start: u32) {
        let mut place = self.home(hash);
        while self.table.get(place).is_some_and(|taken| *taken != 0) {
            place = (place + 1) & (self.table.len() - 1);
        }
        if let (Some(gram), Some(list)) = (self.table.get_mut(place), self.starts.get_mut(place)) {
            (*gram, *list) = (hash, start);
        }
    }

    fn find(&self, hash: u32) -> Option<u32> {
        let mut place = self.home(hash);
        loop {
            match self.table.get(place)? {
                0 => return None,
                found if *found == hash => return self.starts.get(place).copied(),
                _ => place = (place + 1) & (self.table.len() - 1),
            }
        }
    }

    fn home(&self, hash: u32) -> usize {
        (hash >> 1) as usize & (self.table.len() - 1)
    }

    /// The highest rank that matches, or `best` if none is higher; both count from one.
    pub(super) fn better(&self, patterns: &Patterns, path: &[u8], best: u32) -> u32 {
        let first = |best: u32, ranks: &mut dyn Iterator<Item = u32>| {
            ranks
                .take_while(|rank| *rank >= best)
                .find(|&rank| matches(patterns.get(rank), path))
                .map_or(best, |rank| rank + 1)
        };
        let best = first(best, &mut self.always.iter().copied());
        self.lists_for(path).into_iter().fold(best, |best, list| first(best, &mut self.ranks(list)))
    }

    /// Where the lists begin that hold rules for this path, each once.
    fn lists_for(&self, path: &[u8]) -> Vec<u32> {
        let mut found = Vec::new();
        for length in (1..=LONGEST).filter(|length| self.lengths & (1 << length) != 0) {
            each_gram(path, length, |hash| found.extend(self.find(hash)));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn ranks(&self, start: u32) -> impl Iterator<Item = u32> {
        let mut rest = self.lists.get(start as usize..).unwrap_or_default().iter();
        let mut more = true;
        std::iter::from_fn(move || {
            let entry = rest.next().filter(|_| more)?;
            more = entry & 1 == 0;
            Some(entry >> 1)
        })
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let parts = [&self.table, &self.starts, &self.lists, &self.always];
        parts.into_iter().map(|part| size_of_val(&**part)).sum()
    }
}

/// The gram that a rule is listed under; none has the hash zero.
#[derive(Clone, Copy)]
struct Chosen {
    hash: u32,
    length: usize,
    rank: u32,
}

impl Chosen {
    fn together(&self, other: &Self) -> bool {
        self.hash == other.hash
    }
}

/// For each rule, highest first, the gram that is rarest among all of them. They are counted by a part of their hash.
fn choose(patterns: &Patterns, wild: &[u32]) -> Vec<Chosen> {
    let mut counts = vec![0_u32; (wild.len() * 4).next_power_of_two()];
    let place = counts.len() - 1;
    for &rank in wild {
        each_gram_between_stars(patterns.get(rank), |hash, _| {
            if let Some(count) = counts.get_mut((hash >> 1) as usize & place) {
                *count += 1;
            }
        });
    }
    let rarest = |rank: u32| {
        let (mut least, mut chosen) = (u32::MAX, Chosen { hash: 0, length: 0, rank });
        each_gram_between_stars(patterns.get(rank), |hash, length| {
            let count = counts.get((hash >> 1) as usize & place).copied().unwrap_or(0);
            if count < least {
                (least, chosen.hash, chosen.length) = (count, hash, length);
            }
        });
        chosen
    };
    wild.iter().rev().map(|&rank| rarest(rank)).collect()
}

/// As long as they come, up to `LONGEST`.
fn each_gram_between_stars(pattern: &[u8], mut take: impl FnMut(u32, usize)) {
    let pieces = || anchor(pattern).0.split(|&byte| byte == b'*');
    let length = pieces().map(<[u8]>::len).max().unwrap_or(0).min(LONGEST);
    pieces().for_each(|piece| each_gram(piece, length, |hash| take(hash, length)));
}

/// Hashes of all `length` octets in a row; never zero.
fn each_gram(text: &[u8], length: usize, mut take: impl FnMut(u32)) {
    let Some(before) = length.checked_sub(1).filter(|_| length <= text.len()) else { return };
    let (first, rest) = text.split_at(before);
    let unused = 8 * (LONGEST - length) as u32;
    let mut bits = first.iter().fold(0, |bits, &byte| bits << 8 | u32::from(byte));
    for &byte in rest {
        bits = bits << 8 | u32::from(byte);
        let gram = u64::from(bits << unused) | (length as u64) << 32;
        take((gram.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32 | 1);
    }
}
