//! Prefix codes by chance, and how they are written (RFC 7932 §3).

use super::{Chance, Wire};

const ORDER: [usize; 18] = [1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15];
/// How the lengths 0 to 5 are written: (bits, how many).
const LENGTHS: [(u64, u32); 6] = [(0, 2), (7, 4), (3, 3), (2, 2), (1, 2), (15, 4)];

/// A code of some symbols of an alphabet.
pub(crate) struct Code {
    alphabet: usize,
    /// Those that have a code, the shortest first.
    pub(crate) symbols: Vec<usize>,
    lengths: Vec<u32>,
    codes: Vec<u64>,
}

impl Code {
    /// A code of at least these symbols, and of up to `more` others.
    pub(crate) fn of(alphabet: usize, needed: &[usize], more: usize, chance: &mut Chance) -> Self {
        let mut symbols = needed.to_vec();
        symbols.extend((0..more).map(|_| chance.below(alphabet)));
        symbols.sort_unstable();
        symbols.dedup();
        Self::with_depths(alphabet, symbols, 15, chance)
    }

    /// A code of one symbol or many.
    pub(crate) fn any(alphabet: usize, chance: &mut Chance) -> Self {
        let more = chance.of(&[1, 2, 3, 4, 6, 30, 300, 2_000]);
        let one = chance.below(alphabet);
        Self::of(alphabet, &[one], more - 1, chance)
    }

    fn with_depths(alphabet: usize, mut symbols: Vec<usize>, deepest: u32, chance: &mut Chance) -> Self {
        let depths = depths(symbols.len(), deepest, chance);
        for at in (1..symbols.len()).rev() {
            symbols.swap(at, chance.below(at + 1));
        }
        let mut lengths = vec![0; alphabet];
        for (symbol, depth) in symbols.iter().zip(depths) {
            lengths[*symbol] = depth;
        }
        symbols.sort_unstable_by_key(|symbol| (lengths[*symbol], *symbol));
        let (mut codes, mut next, mut before) = (vec![0; alphabet], 0_u64, 0);
        for symbol in &symbols {
            let length = lengths[*symbol];
            next <<= length - before;
            before = length;
            codes[*symbol] = if length == 0 { 0 } else { next.reverse_bits() >> (64 - length) };
            next += 1;
        }
        Self { alphabet, symbols, lengths, codes }
    }

    pub(crate) fn put_symbol(&self, wire: &mut Wire, symbol: usize) {
        assert!(self.symbols.contains(&symbol));
        wire.put(self.codes[symbol], self.lengths[symbol]);
    }

    pub(crate) fn put(&self, wire: &mut Wire, chance: &mut Chance) {
        if self.symbols.len() == 1 || self.symbols.len() <= 4 && chance.once_in(2) {
            return self.put_simple(wire);
        }
        let tokens = self.tokens(chance);
        let mut kinds: Vec<usize> = tokens.iter().map(|token| token.0).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let code = Self::with_depths(18, kinds, 5, chance);
        code.put_lengths(wire, chance);
        for (symbol, added) in tokens {
            code.put_symbol(wire, symbol);
            wire.put(added, [2, 3].get(symbol.wrapping_sub(16)).copied().unwrap_or_default());
        }
    }

    fn put_simple(&self, wire: &mut Wire) {
        let count = self.symbols.len();
        wire.put(1 | (count as u64 - 1) << 2, 4);
        let width = (self.alphabet - 1).ilog2() + 1;
        self.symbols.iter().for_each(|symbol| wire.put(*symbol as u64, width));
        if count == 4 {
            wire.put(u64::from(self.lengths[self.symbols[0]] == 1), 1);
        }
    }

    /// The lengths, and repetitions of them with what is added to those.
    fn tokens(&self, chance: &mut Chance) -> Vec<(usize, u64)> {
        let end = self.symbols.iter().max().unwrap() + 1;
        let (mut tokens, mut at, mut before) = (Vec::new(), 0, 8);
        // The kind of the repetition right before, and how long it is.
        let mut run = (0, 0);
        let saves = chance.of(&[1, 2, 4]);
        while at < end {
            let length = self.lengths[at];
            let same = self.lengths[at..end].iter().take_while(|other| **other == length).count();
            let (kind, width) = if length == 0 { (17, 3) } else { (16, 2) };
            let begun = if run.0 == kind { run.1 } else { 0 };
            let added = chance.below(1 << width);
            let longer = if begun > 0 { (begun - 2) << width } else { 0 } + 3 + added;
            if (length == 0 || length == before) && longer - begun <= same && chance.once_in(saves) {
                tokens.push((kind, added as u64));
                at += longer - begun;
                run = (kind, longer);
                continue;
            }
            tokens.push((length as usize, 0));
            before = if length > 0 { length } else { before };
            (at, run) = (at + 1, (0, 0));
        }
        tokens
    }

    /// The lengths of the code of lengths.
    fn put_lengths(&self, wire: &mut Wire, chance: &mut Chance) {
        let lengths: Vec<u32> = if self.symbols.len() == 1 {
            let length = 1 + chance.below(5) as u32;
            (0..18).map(|symbol| if self.symbols[0] == symbol { length } else { 0 }).collect()
        } else {
            self.lengths.clone()
        };
        let zeros = ORDER.iter().take_while(|symbol| lengths[**symbol] == 0).count();
        let skips: &[usize] = match zeros {
            0 | 1 => &[0],
            2 => &[0, 2],
            _ => &[0, 2, 3],
        };
        let skip = chance.of(skips);
        wire.put(skip as u64, 2);
        let mut space = 32;
        for symbol in &ORDER[skip..] {
            let (bits, count) = LENGTHS[lengths[*symbol] as usize];
            wire.put(bits, count);
            space -= if lengths[*symbol] > 0 { 32 >> lengths[*symbol] } else { 0 };
            if space == 0 {
                break;
            }
        }
    }
}

/// The depths of the leaves of a tree.
fn depths(leaves: usize, deepest: u32, chance: &mut Chance) -> Vec<u32> {
    let mut depths = vec![0];
    let is_deep = chance.once_in(3);
    while depths.len() < leaves {
        let at = if is_deep && !chance.once_in(4) { depths.len() - 1 } else { chance.below(depths.len()) };
        if depths[at] < deepest {
            depths[at] += 1;
            depths.push(depths[at]);
        } else {
            depths.rotate_right(1);
        }
    }
    depths
}
