//! The part of the index that is in memory: which records may be alike.

use crate::fingerprint::{Fingerprint, KEYS};
use crate::mix::mix;
use crate::segments::Segments;
use crate::table::Table;

/// Pages that stand under one key; more would not be found by it. The first ones stay: copies of a template are
/// duplicates of its first pages. A page for which there is no room is found by its other keys and by its exact content.
const SHARING_A_KEY: usize = 16;
/// Bits in which the filters of two pages may differ. At a similarity of 0.8 they differ in 6 ± 2, for texts of a
/// hundred words in 6 ± 4; at 0.3 in 22, of which a quarter is let through; unrelated ones in 32, of which none is.
const FILTER_BITS: u32 = 20;
/// After the keys of the shingles, the one of the exact content.
const PLACES: usize = KEYS + 1;

pub(crate) struct Finder {
    table: Table,
    /// The filter of each record; of short texts, their content.
    filters: Segments<u64>,
    seed: u64,
}

fn filter(print: &Fingerprint) -> u64 {
    if print.is_short() { print.content } else { print.filter }
}

impl Finder {
    pub(crate) fn new(seed: u64) -> Self {
        Self { table: Table::new(), filters: Segments::new(), seed }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.table.bytes() + self.filters.bytes()
    }

    /// Where to look for a fingerprint: none for keys that it does not have.
    fn places(&self, print: &Fingerprint) -> [Option<u64>; PLACES] {
        std::array::from_fn(|at| match print.keys.get(at) {
            Some(_) if print.is_short() => None,
            Some(key) => Some(mix((at as u64) << 32 | u64::from(*key), self.seed)),
            None => Some(mix(print.content, self.seed)),
        })
    }

    /// Those of the places that a record stands in.
    fn taken(&self, print: &Fingerprint, placed: u8) -> impl DoubleEndedIterator<Item = u64> + use<> {
        let all = self.places(print).into_iter().enumerate();
        all.filter_map(move |(at, place)| place.filter(|_| placed >> at & 1 == 1))
    }

    /// The numbers of the records that are worth a look, in order. At most `PLACES * SHARING_A_KEY`, and what chance adds.
    pub(crate) fn candidates(&self, print: &Fingerprint) -> Vec<u32> {
        let mut numbers = Vec::new();
        if print.is_empty() {
            return numbers;
        }
        self.table.find(&self.places(print), |_, number| numbers.push(number));
        let (own, most) = (filter(print), if print.is_short() { 0 } else { FILTER_BITS });
        let passes = |filter: &u64| (filter ^ own).count_ones() <= most;
        numbers.retain(|number| self.filters.get(*number as usize).is_some_and(passes));
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// Under which keys there is room for one more, one bit for each. If one is full, the exact content is a key, too, so
    /// that an exact copy is found in any case.
    pub(crate) fn room(&self, print: &Fingerprint) -> u8 {
        let places = self.places(print);
        let mut sharing = [0; PLACES];
        self.table.find(&places, |at, _| {
            if let Some(sharing) = sharing.get_mut(at) {
                *sharing += 1;
            }
        });
        let free = |(place, sharing): (&Option<u64>, usize)| place.is_some() && sharing < SHARING_A_KEY;
        let room = places.iter().zip(sharing).map(free).enumerate();
        let room = room.fold(0, |bits, (at, free)| bits | u8::from(free) << at);
        let keys = (1 << KEYS) - 1;
        if room & keys == keys { keys } else { room }
    }

    /// `placed` is what `room` said.
    pub(crate) fn insert(&mut self, print: &Fingerprint, placed: u8, number: u32) {
        for place in self.taken(print, placed) {
            self.table.insert(place, number);
        }
        self.filters.push(filter(print));
    }

    /// Takes the youngest record out of the table.
    pub(crate) fn remove_youngest(&mut self, print: &Fingerprint, placed: u8, number: u32) {
        for place in self.taken(print, placed).rev() {
            self.table.remove_youngest(place, number);
        }
    }

    /// Drops the filters of the records that were taken out.
    pub(crate) fn truncate(&mut self, records: u64) {
        self.filters.truncate(records as usize);
    }
}
