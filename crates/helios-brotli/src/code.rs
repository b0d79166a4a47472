//! Prefix codes as they are written: the lengths of the codes of an alphabet (RFC 7932 §3.2 to §3.5).

use crate::bits::Bits;

/// The longest code.
pub(crate) const MOST_BITS: usize = 15;
/// The largest alphabet, that of commands.
pub(crate) const MOST_SYMBOLS: usize = 704;
/// In which order the lengths of the codes of lengths come.
const ORDER: [u8; 18] = [1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15];
/// Four bits, and the length that they begin with: (length, bits).
const LENGTHS: [(u8, u8); 16] = [
    (0, 2),
    (4, 2),
    (3, 2),
    (2, 3),
    (0, 2),
    (4, 2),
    (3, 2),
    (1, 4),
    (0, 2),
    (4, 2),
    (3, 2),
    (2, 3),
    (0, 2),
    (4, 2),
    (3, 2),
    (5, 4),
];
/// A length has so many bits, at most, those of a repetition included.
const LENGTH_BITS: u32 = 8;
/// "The same length as before", and "none", both several times.
const AGAIN: u8 = 16;
const NONE: u8 = 17;

/// The symbols of one code, those with the shortest codes first, and those with codes of one length in their order.
pub(crate) struct Code {
    symbols: [u16; MOST_SYMBOLS],
    count: usize,
    /// How many codes there are of each length. None if there is only one symbol: nothing need be said then.
    pub(crate) counts: [u16; MOST_BITS + 1],
}

impl Default for Code {
    fn default() -> Self {
        Self { symbols: [0; MOST_SYMBOLS], count: 0, counts: [0; MOST_BITS + 1] }
    }
}

impl Code {
    pub(crate) fn symbols(&self) -> &[u16] {
        self.symbols.get(..self.count).unwrap_or_default()
    }

    /// Reads the code of an alphabet. It is complete, or there is none.
    pub(crate) fn read(&mut self, bits: &mut Bits<'_>, alphabet: usize) -> Option<()> {
        self.counts = [0; MOST_BITS + 1];
        match bits.read(2)? {
            1 => self.read_simple(bits, alphabet),
            skipped => self.read_complex(bits, alphabet, skipped as usize),
        }
    }

    /// Up to four symbols (§3.4).
    fn read_simple(&mut self, bits: &mut Bits<'_>, alphabet: usize) -> Option<()> {
        let count = bits.read(2)? as usize + 1;
        let width = (alphabet - 1).checked_ilog2().map_or(0, |highest| highest + 1);
        let symbols = self.symbols.get_mut(..count)?;
        for symbol in symbols.iter_mut() {
            *symbol = bits.read(width)? as u16;
        }
        let deep = count == 4 && bits.read(1)? == 1;
        let (counts, sorted_from): (&[u16], usize) = match (count, deep) {
            (1, _) => (&[], 0),
            (2, _) => (&[0, 2], 0),
            (3, _) => (&[0, 1, 2], 1),
            (_, false) => (&[0, 0, 4], 0),
            (_, true) => (&[0, 1, 1, 2], 2),
        };
        self.counts.get_mut(..counts.len())?.copy_from_slice(counts);
        symbols.get_mut(sorted_from..)?.sort_unstable();
        self.count = count;
        let is_twice = |(at, symbol): (usize, &u16)| symbols.iter().skip(at + 1).any(|other| other == symbol);
        let is_good = symbols.iter().all(|symbol| usize::from(*symbol) < alphabet);
        (is_good && !symbols.iter().enumerate().any(is_twice)).then_some(())
    }

    /// Any number of symbols: the lengths of their codes are coded themselves (§3.5).
    fn read_complex(&mut self, bits: &mut Bits<'_>, alphabet: usize, skipped: usize) -> Option<()> {
        let table = table_of_lengths(bits, skipped)?;
        let mut found = [Coded::default(); MOST_SYMBOLS];
        let count = read_lengths(bits, &table, found.get_mut(..alphabet)?, &mut self.counts)?;
        self.sort(found.get(..count)?)
    }

    fn sort(&mut self, found: &[Coded]) -> Option<()> {
        self.counts[0] = 0;
        self.count = found.len();
        let mut places = [0; MOST_BITS + 1];
        let mut sum = 0;
        for (place, count) in places.iter_mut().zip(&self.counts) {
            *place = sum;
            sum += usize::from(*count);
        }
        for coded in found {
            let place = places.get_mut(coded.length())?;
            *self.symbols.get_mut(*place)? = coded.symbol();
            *place += 1;
        }
        Some(())
    }
}

/// A symbol that has a code, and the length of it.
#[derive(Clone, Copy, Default)]
struct Coded(u16);

impl Coded {
    fn new(symbol: usize, length: u8) -> Self {
        Self((symbol as u16) << 4 | u16::from(length))
    }

    fn symbol(self) -> u16 {
        self.0 >> 4
    }

    fn length(self) -> usize {
        usize::from(self.0 & 15)
    }
}

/// What five bits mean for a length: (length or repetition, bits).
fn table_of_lengths(bits: &mut Bits<'_>, skipped: usize) -> Option<[(u8, u8); 32]> {
    let mut codes = [0_u8; 18];
    let (mut space, mut count) = (32_i32, 0);
    for symbol in ORDER.iter().skip(skipped) {
        *bits = bits.refilled()?;
        let (length, taken) = *LENGTHS.get(bits.peek() as usize & 15)?;
        bits.skip(u32::from(taken));
        *codes.get_mut(usize::from(*symbol))? = length;
        if length > 0 {
            space -= 32 >> length;
            count += 1;
        }
        if space <= 0 {
            break;
        }
    }
    let mut table = [(0, 0); 32];
    if count == 1 {
        let only = codes.iter().position(|length| *length > 0)?;
        return Some([(only as u8, 0); 32]);
    }
    let mut next = 0_usize;
    for length in 1..=5_u8 {
        for (symbol, _) in codes.iter().enumerate().filter(|(_, other)| **other == length) {
            // Counted up with the first bit as the highest, of five bits in all.
            let reversed = (next as u8).reverse_bits() >> 3;
            for entry in table.iter_mut().skip(usize::from(reversed)).step_by(1 << length) {
                *entry = (symbol as u8, length);
            }
            next += 32 >> length;
        }
    }
    (space == 0).then_some(table)
}

/// Reads lengths until every sequence of bits begins with a code. How many symbols have one; those are `found`, in their order.
///
/// Whether a symbol has a code is as good as chance, so no branch asks: each is written down, and the next takes the place of one that has none.
fn read_lengths(
    bits: &mut Bits<'_>,
    table: &[(u8, u8); 32],
    found: &mut [Coded],
    counts: &mut [u16; MOST_BITS + 1],
) -> Option<usize> {
    let alphabet = found.len();
    let (mut symbol, mut count, mut space) = (0, 0, 1_u32 << MOST_BITS);
    let (mut before, mut repeated, mut repetition) = (8, 0, 0_usize);
    while space > 0 && symbol < alphabet {
        if bits.count() < LENGTH_BITS {
            *bits = bits.refilled()?;
        }
        let (length, taken) = *table.get(bits.peek() as usize & 31)?;
        bits.skip(u32::from(taken));
        if length < AGAIN {
            *found.get_mut(count)? = Coded::new(symbol, length);
            *counts.get_mut(usize::from(length))? += 1;
            let has_code = length > 0;
            count += usize::from(has_code);
            before = if has_code { length } else { before };
            space = space.checked_sub(if has_code { 1 << MOST_BITS >> length } else { 0 })?;
            symbol += 1;
            repetition = 0;
            continue;
        }
        // One repetition right behind another of its kind makes it longer.
        if repeated != length {
            (repeated, repetition) = (length, 0);
        }
        let width = if length == NONE { 3 } else { 2 };
        let longer =
            if repetition > 0 { (repetition - 2) << width } else { 0 } + 3 + bits.take(width) as usize;
        let more = longer - repetition;
        repetition = longer;
        if more > alphabet - symbol {
            return None;
        }
        if length == AGAIN {
            let places = found.get_mut(count..count + more)?;
            places.iter_mut().zip(symbol..).for_each(|(place, symbol)| *place = Coded::new(symbol, before));
            count += more;
            *counts.get_mut(usize::from(before))? += more as u16;
            space = space.checked_sub((more as u32) << MOST_BITS >> before)?;
        }
        symbol += more;
    }
    (space == 0).then_some(count)
}
