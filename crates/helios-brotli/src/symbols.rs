//! What symbols of commands and distances mean, packed so that an entry of a table says all of it (RFC 7932 §4 and §5).

/// Where lengths of insertions begin, and how many bits are added.
const INSERTS: [(u16, u8); 24] = [
    (0, 0),
    (1, 0),
    (2, 0),
    (3, 0),
    (4, 0),
    (5, 0),
    (6, 1),
    (8, 1),
    (10, 2),
    (14, 2),
    (18, 3),
    (26, 3),
    (34, 4),
    (50, 4),
    (66, 5),
    (98, 5),
    (130, 6),
    (194, 7),
    (322, 8),
    (578, 9),
    (1090, 10),
    (2114, 12),
    (6210, 14),
    (22594, 24),
];
/// The same for copies.
const COPIES: [(u16, u8); 24] = [
    (2, 0),
    (3, 0),
    (4, 0),
    (5, 0),
    (6, 0),
    (7, 0),
    (8, 0),
    (9, 0),
    (10, 1),
    (12, 1),
    (14, 2),
    (18, 2),
    (22, 3),
    (30, 3),
    (38, 4),
    (54, 4),
    (70, 5),
    (102, 5),
    (134, 6),
    (198, 7),
    (326, 8),
    (582, 9),
    (1094, 10),
    (2118, 24),
];
/// The first codes of (insertion, copy) for each 64 commands.
const CELLS: [(usize, usize); 11] =
    [(0, 0), (0, 8), (0, 0), (0, 8), (8, 0), (8, 8), (0, 16), (16, 0), (8, 16), (16, 8), (16, 16)];

/// More bits than a refill gives, if those of the longest code behind it are counted, too.
const LONG: u64 = 1 << 63;

/// A command as an entry: all of its bits (8, those of the code are added), bits of its code (8, left out here), of the insertion (6) and of the copy (6), then
/// where their lengths begin (16 and 12), the context of the distance (2), whether there is one (1), and whether that is long (1).
#[allow(clippy::indexing_slicing, reason = "when it is compiled")]
pub(crate) static COMMANDS: [u64; 704] = {
    let mut commands = [0; 704];
    let mut symbol = 0;
    while symbol < 704 {
        let (insert, copy) = CELLS[symbol / 64];
        let (insert, insert_bits) = INSERTS[insert + (symbol >> 3 & 7)];
        let (copy, copy_bits) = COPIES[copy + (symbol & 7)];
        let context = if copy > 4 { 3 } else { copy as u64 - 2 };
        let has_distance = symbol >= 128;
        let is_long = insert_bits + copy_bits + 2 * 15 > 56;
        commands[symbol] = (insert_bits as u64 + copy_bits as u64)
            | (insert_bits as u64) << 16
            | (copy_bits as u64) << 22
            | (insert as u64) << 32
            | (copy as u64) << 48
            | context << 60
            | (has_distance as u64) << 62
            | if is_long { LONG } else { 0 };
        symbol += 1;
    }
    commands
};

#[derive(Clone, Copy)]
pub(crate) struct Command(pub(crate) u64);

impl Command {
    /// Bits of its code.
    #[inline(always)]
    pub(crate) fn code_bits(self) -> u32 {
        (self.0 >> 8) as u32 & 0x3F
    }

    #[inline(always)]
    pub(crate) fn insert_bits(self) -> u32 {
        (self.0 >> 16) as u32 & 0x3F
    }

    #[inline(always)]
    pub(crate) fn copy_bits(self) -> u32 {
        (self.0 >> 22) as u32 & 0x3F
    }

    #[inline(always)]
    pub(crate) fn insert(self) -> usize {
        (self.0 >> 32) as usize & 0xFFFF
    }

    #[inline(always)]
    pub(crate) fn copy(self) -> usize {
        (self.0 >> 48) as usize & 0xFFF
    }

    #[inline(always)]
    pub(crate) fn context(self) -> usize {
        (self.0 >> 60) as usize & 3
    }

    #[inline(always)]
    pub(crate) fn has_distance(self) -> bool {
        self.0 & 1 << 62 != 0
    }

    /// A refill must follow.
    #[inline(always)]
    pub(crate) fn is_long(self) -> bool {
        self.0 & LONG != 0
    }
}

/// How distances are coded in a metablock.
#[derive(Clone, Copy, Default)]
pub(crate) struct Distances {
    /// Lowest bits of a distance that are in its symbol.
    pub(crate) postfix: u32,
    /// Distances with a symbol of their own.
    pub(crate) direct: u32,
}

impl Distances {
    pub(crate) fn alphabet(self) -> usize {
        (16 + self.direct + (48 << self.postfix)) as usize
    }

    /// A distance as an entry: all of its bits (8, those of the code are added), bits of its code (8, left out here), bits that are added (6), which of the last distances it is
    /// counted from (2, the last is 3), whether it is from none (1), whether it is new to them (1), and a number to be added (32, with a sign).
    pub(crate) fn entry(self, symbol: u16) -> u64 {
        let symbol = u32::from(symbol);
        let pack = |number: u32| u64::from(number) << 32;
        match symbol {
            0 => LAST,
            1..=3 => u64::from(3 - symbol) << 22 | NEW,
            4..=15 => {
                let (which, step) = (3 - u64::from(symbol >= 10), (symbol - 4) % 6);
                let size = step / 2 + 1;
                which << 22 | NEW | pack(if step % 2 == 0 { size.wrapping_neg() } else { size })
            }
            _ if symbol < 16 + self.direct => IN_FULL | NEW | pack(symbol - 15),
            _ => {
                let coded = symbol - 16 - self.direct;
                let (high, low) = (coded >> self.postfix, coded & ((1 << self.postfix) - 1));
                let width = 1 + (high >> 1);
                let offset = ((2 + (high & 1)) << width) - 4;
                let number = (offset << self.postfix) + low + self.direct + 1;
                u64::from(width) | u64::from(width) << 16 | IN_FULL | NEW | pack(number)
            }
        }
    }
}

const IN_FULL: u64 = 1 << 24;
const NEW: u64 = 1 << 25;
/// The last distance again, by a command or by a symbol.
pub(crate) const LAST: u64 = 3 << 22;

#[derive(Clone, Copy)]
pub(crate) struct Distance(pub(crate) u64);

impl Distance {
    /// Bits of its code.
    #[inline(always)]
    pub(crate) fn code_bits(self) -> u32 {
        (self.0 >> 8) as u32 & 0x3F
    }

    #[inline(always)]
    pub(crate) fn extra_bits(self) -> u32 {
        (self.0 >> 16) as u32 & 0x3F
    }

    #[inline(always)]
    pub(crate) fn which(self) -> usize {
        (self.0 >> 22) as usize & 3
    }

    /// 4 if it is not counted from one of the last distances.
    #[inline(always)]
    pub(crate) fn in_full(self) -> usize {
        (self.0 >> 22) as usize & 4
    }

    #[inline(always)]
    pub(crate) fn is_new(self) -> usize {
        (self.0 >> 25) as usize & 1
    }

    #[inline(always)]
    pub(crate) fn number(self) -> i32 {
        (self.0 >> 32) as i32
    }
}
