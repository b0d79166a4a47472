//! Prefix codes made ready for looking up (RFC 7932 §3): the next bits of the wire lead to an entry that says what they mean and how many they are.
//!
//! A table has a root of `SIZE` entries for the next bits; where a code is longer, its entry leads on to a branch. All branches of a group of tables are together.

use crate::bits::{Bits, low};
use crate::code::{Code, MOST_BITS};

/// An entry that leads on to a branch.
const LEADS_ON: u32 = 0x80;

/// What a table says of some bits. The lowest byte is their number, with those that belong to them but not to their code; the rest is what they mean.
pub(crate) trait Entry: Copy + Default {
    /// The lowest bits of it.
    fn low(self) -> u32;
    fn with_length(self, length: usize) -> Self;
    /// To a branch for so many bits more.
    fn to_branch(at: usize, bits: usize) -> Option<Self>;
    fn branch(self) -> usize;
}

impl Entry for u32 {
    #[inline(always)]
    fn low(self) -> u32 {
        self
    }

    fn with_length(self, length: usize) -> Self {
        self + length as u32
    }

    fn to_branch(at: usize, bits: usize) -> Option<Self> {
        Some(u32::from(u16::try_from(at).ok()?) << 16 | (bits as u32) << 8 | LEADS_ON)
    }

    #[inline(always)]
    fn branch(self) -> usize {
        (self >> 16) as usize
    }
}

impl Entry for u64 {
    #[inline(always)]
    fn low(self) -> u32 {
        self as u32
    }

    fn with_length(self, length: usize) -> Self {
        self + (length as u64 | (length as u64) << 8)
    }

    fn to_branch(at: usize, bits: usize) -> Option<Self> {
        Some(u64::from(u32::try_from(at).ok()?) << 32 | (bits as u64) << 8 | u64::from(LEADS_ON))
    }

    #[inline(always)]
    fn branch(self) -> usize {
        (self >> 32) as usize
    }
}

pub(crate) struct Group<E, const SIZE: usize> {
    /// Those behind `count` are left of another metablock.
    roots: Vec<[E; SIZE]>,
    count: usize,
    branches: Vec<E>,
}

impl<E, const SIZE: usize> Default for Group<E, SIZE> {
    fn default() -> Self {
        Self { roots: Vec::new(), count: 0, branches: Vec::new() }
    }
}

impl<E: Entry, const SIZE: usize> Group<E, SIZE> {
    const BITS: usize = SIZE.ilog2() as usize;

    pub(crate) fn clear(&mut self) {
        self.count = 0;
        self.branches.clear();
    }

    /// The room that it takes, also of what was there before.
    pub(crate) fn bytes(&self) -> usize {
        self.roots.capacity() * size_of::<[E; SIZE]>() + self.branches.capacity() * size_of::<E>()
    }

    pub(crate) fn roots(&self) -> &[[E; SIZE]] {
        self.roots.get(..self.count).unwrap_or_default()
    }

    /// The entry for the next bits; fifteen are enough.
    #[inline(always)]
    #[allow(clippy::indexing_slicing, reason = "the index has as many bits as the root")]
    pub(crate) fn look(&self, root: &[E; SIZE], next: u64) -> Option<E> {
        let entry = root[next as usize & (SIZE - 1)];
        if entry.low() & LEADS_ON == 0 {
            return Some(entry);
        }
        let more = low(next >> Self::BITS, entry.low() >> 8 & 15);
        self.branches.get(entry.branch() + more as usize).copied()
    }

    /// Reads a symbol of one of the codes; what it means.
    pub(crate) fn read(&self, which: usize, bits: &mut Bits<'_>) -> Option<E> {
        *bits = bits.refilled()?;
        let entry = self.look(self.roots().get(which)?, bits.peek())?;
        bits.skip(entry.low());
        Some(entry)
    }

    /// The table of a code. The meaning of a symbol leaves the lowest byte empty.
    pub(crate) fn add(&mut self, code: &Code, meaning: impl Fn(u16) -> E) -> Option<()> {
        if self.count == self.roots.len() {
            self.roots.push([E::default(); SIZE]);
        }
        let root = self.roots.get_mut(self.count)?;
        self.count += 1;
        if let [symbol] = code.symbols() {
            *root = [meaning(*symbol); SIZE];
            return Some(());
        }
        fill(root, &mut self.branches, code, meaning)
    }
}

/// Every sequence of bits begins with a code, so every entry gets its meaning, whatever was there.
fn fill<E: Entry, const SIZE: usize>(
    root: &mut [E; SIZE],
    branches: &mut Vec<E>,
    code: &Code,
    meaning: impl Fn(u16) -> E,
) -> Option<()> {
    let root_bits = SIZE.ilog2() as usize;
    let mut symbols = code.symbols().iter();
    // Codes are counted up with their first bit as the highest; here they are the other way round, as they come.
    let mut next = 0;
    for length in 1..=root_bits {
        let half = 1 << (length - 1);
        // What is said of shorter codes is so with either next bit.
        root.copy_within(..half, half);
        for symbol in symbols.by_ref().take(usize::from(*code.counts.get(length)?)) {
            *root.get_mut(next)? = meaning(*symbol).with_length(length);
            next = after(next, length);
        }
    }
    let mut left = code.counts;
    let mut branch = (usize::MAX, 0);
    for length in root_bits + 1..=MOST_BITS {
        for symbol in symbols.by_ref().take(usize::from(*code.counts.get(length)?)) {
            let place = next & (SIZE - 1);
            if branch.0 != place {
                let bits = branch_bits(&left, length, root_bits);
                *root.get_mut(place)? = E::to_branch(branches.len(), bits)?;
                branch = (place, branches.len());
                branches.resize(branches.len() + (1 << bits), E::default());
            }
            let meaning = meaning(*symbol).with_length(length);
            let entries = branches.get_mut(branch.1..)?;
            for entry in entries.iter_mut().skip(next >> root_bits).step_by(1 << (length - root_bits)) {
                *entry = meaning;
            }
            *left.get_mut(length)? -= 1;
            next = after(next, length);
        }
    }
    Some(())
}

/// How many bits a branch has that begins with a code of this length: as many as the codes that are `left` fill up.
fn branch_bits(left: &[u16; MOST_BITS + 1], length: usize, root_bits: usize) -> usize {
    let mut open = 1 << (length - root_bits);
    for (longer, count) in left.iter().enumerate().skip(length) {
        open -= i32::from(*count);
        if open <= 0 {
            return longer - root_bits;
        }
        open *= 2;
    }
    MOST_BITS - root_bits
}

/// The code that follows, of the same length; both reversed.
fn after(code: usize, length: usize) -> usize {
    let zeros = !code & ((1 << length) - 1);
    match zeros.checked_ilog2() {
        Some(highest) => code & ((1 << highest) - 1) | 1 << highest,
        None => 0,
    }
}
