//! Blocks of one kind of symbols, which say which codes are in use, and for how many symbols (RFC 7932 §6).

use crate::bits::Bits;
use crate::code::Code;
use crate::context::read_count;
use crate::table::Group;

/// Where the lengths of blocks begin, and how many bits are added.
const LENGTHS: [(u16, u8); 26] = [
    (1, 2),
    (5, 2),
    (9, 2),
    (13, 2),
    (17, 3),
    (25, 3),
    (33, 3),
    (41, 3),
    (49, 4),
    (65, 4),
    (81, 4),
    (97, 4),
    (113, 5),
    (145, 5),
    (177, 5),
    (209, 5),
    (241, 6),
    (305, 6),
    (369, 7),
    (497, 8),
    (753, 9),
    (1265, 10),
    (2289, 11),
    (4337, 12),
    (8433, 13),
    (16625, 24),
];
/// More than a metablock has of anything.
const FOREVER: u32 = 1 << 30;

#[derive(Default)]
pub(crate) struct Blocks {
    /// How many types there are.
    pub(crate) types: usize,
    /// The one that is in use, and the one before.
    pub(crate) current: usize,
    before: usize,
    /// Symbols left in this block.
    pub(crate) left: u32,
    /// The codes of types and of lengths.
    codes: Group<u32, 256>,
}

impl Blocks {
    /// Reads how many types there are, and the length of the first block.
    pub(crate) fn read(&mut self, bits: &mut Bits<'_>, code: &mut Code) -> Option<()> {
        self.codes.clear();
        (self.current, self.before, self.left) = (0, 1, FOREVER);
        self.types = read_count(bits)?;
        if self.types > 1 {
            for alphabet in [self.types + 2, LENGTHS.len()] {
                code.read(bits, alphabet)?;
                self.codes.add(code, |symbol| u32::from(symbol) << 8)?;
            }
            *bits = self.read_length(*bits)?;
        }
        Some(())
    }

    /// Goes on to the next block, whose type becomes the current one.
    #[cold]
    pub(crate) fn switch<'a>(&mut self, bits: Bits<'a>) -> Option<Bits<'a>> {
        let mut bits = bits;
        let symbol = self.codes.read(0, &mut bits)? >> 8;
        let next = match symbol {
            0 => self.before,
            1 if self.current + 1 == self.types => 0,
            1 => self.current + 1,
            named => named as usize - 2,
        };
        (self.before, self.current) = (self.current, next);
        self.read_length(bits)
    }

    fn read_length<'a>(&mut self, bits: Bits<'a>) -> Option<Bits<'a>> {
        let mut bits = bits;
        let symbol = self.codes.read(1, &mut bits)? >> 8;
        let (base, width) = *LENGTHS.get(symbol as usize)?;
        self.left = u32::from(base) + bits.take(u32::from(width)) as u32;
        bits.refilled()
    }
}
