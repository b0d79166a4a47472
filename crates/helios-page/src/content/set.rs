//! Sets of hashes, for what is asked of every word and every name of a page.

use super::page::ratio;

/// Finds out most numbers that are not in a set, in a byte or two for each that is.
#[derive(Default, Debug)]
pub(super) struct Filter(Vec<u64>);

impl Filter {
    pub(super) fn new(count: usize) -> Filter {
        Filter(vec![0; count.div_ceil(8).next_power_of_two()])
    }

    pub(super) fn add(&mut self, number: u32) {
        let (place, bit) = self.place(number);
        if let Some(word) = self.0.get_mut(place) {
            *word |= bit;
        }
    }

    pub(super) fn may_have(&self, number: u32) -> bool {
        let (place, bit) = self.place(number);
        self.0.get(place).is_some_and(|word| word & bit != 0)
    }

    /// A word and a bit of it. There are as many words as a power of two.
    fn place(&self, number: u32) -> (usize, u64) {
        ((number >> 16) as usize & self.0.len().wrapping_sub(1), 1 << (number >> 10 & 63))
    }
}

#[derive(Default, Debug)]
pub(super) struct Set {
    sorted: Vec<u32>,
    filter: Filter,
}

impl Set {
    pub(super) fn of(mut numbers: Vec<u32>) -> Set {
        numbers.sort_unstable();
        numbers.dedup();
        let mut filter = Filter::new(numbers.len().max(128));
        for &number in &numbers {
            filter.add(number);
        }
        Set { sorted: numbers, filter }
    }

    pub(super) fn len(&self) -> usize {
        self.sorted.len()
    }

    /// The share of the numbers that the set holds.
    pub(super) fn share(&self, numbers: impl Iterator<Item = u32>) -> f32 {
        if self.sorted.is_empty() {
            return 0.0;
        }
        let (mut all, mut held) = (0, 0);
        for number in numbers {
            all += 1;
            let has = self.filter.may_have(number) && self.sorted.binary_search(&number).is_ok();
            held += u32::from(has);
        }
        ratio(held, all)
    }
}

#[cfg(test)]
mod tests {
    use super::Set;

    #[test]
    fn a_set_holds_what_it_was_made_of_and_nothing_else() {
        for count in [0, 1, 7, 100, 5000] {
            let held = |number: u32| number.wrapping_mul(0x9E37_79B1);
            let set = Set::of((0..count).chain(0..count / 2).map(held).collect());
            assert_eq!(set.len(), count as usize);
            let wanted = if count == 0 { 0.0 } else { 0.25 };
            assert!((set.share((0..count * 4).map(held)) - wanted).abs() < 1e-6);
        }
    }
}
