//! gzip (RFC 1952): members one after the other, each with its checksum; what follows the last one is ignored, as browsers do.

use flate2::{Crc, Decompress};

use super::stage::{Stage, inflate};

const EXTRA: u8 = 4;
const NAME: u8 = 8;
const COMMENT: u8 = 16;
const HEADER_CHECK: u8 = 2;
const RESERVED: u8 = 0xE0;

pub(super) struct Gzip {
    at: At,
    flags: u8,
    /// The length of the extra field, or the trailer, as it comes.
    number: u64,
    inflater: Decompress,
    check: Crc,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    /// Behind this many of the ten bytes that every header has.
    Fixed(u8),
    ExtraLength(u8),
    Extra,
    Name,
    Comment,
    HeaderCheck(u8),
    Data,
    Trailer(u8),
    /// Behind a member.
    Between,
    /// Behind a member and a byte that could begin another.
    Doubt,
    Over,
}

impl Gzip {
    pub(super) fn new() -> Self {
        Self { at: At::Fixed(0), flags: 0, number: 0, inflater: Decompress::new(false), check: Crc::new() }
    }

    /// Reads one byte outside the data.
    fn advance(&mut self, byte: u8) -> Result<(), String> {
        self.at = match (self.at, byte) {
            (At::Between, 0x1F) => At::Doubt,
            (At::Fixed(0), 0x1F) => At::Fixed(1),
            (At::Fixed(1) | At::Doubt, 0x8B) => At::Fixed(2),
            (At::Between | At::Doubt | At::Over, _) => At::Over,
            (At::Fixed(0 | 1), _) => return Err("no gzip at all".to_owned()),
            (At::Fixed(2), method) if method != 8 => return Err(format!("method {method}")),
            (At::Fixed(3), flags) => self.flagged(flags)?,
            (At::Fixed(9), _) => self.after(0),
            (At::Fixed(count), _) => At::Fixed(count + 1),
            (At::ExtraLength(count), byte) => self.extra_length(count, byte),
            (At::Extra, _) => self.extra(),
            (At::Name, 0) => self.after(NAME),
            (At::Comment, 0) => self.after(COMMENT),
            (At::HeaderCheck(0), _) => At::HeaderCheck(1),
            (At::HeaderCheck(_), _) => At::Data,
            (At::Trailer(count), byte) => self.trailer(count, byte)?,
            (at @ (At::Name | At::Comment | At::Data), _) => at,
        };
        Ok(())
    }

    fn flagged(&mut self, flags: u8) -> Result<At, String> {
        if flags & RESERVED != 0 {
            return Err("reserved flags".to_owned());
        }
        self.flags = flags;
        Ok(At::Fixed(4))
    }

    /// The next part of the header behind the part of this flag, by the flags that are set.
    fn after(&mut self, done: u8) -> At {
        self.number = 0;
        let has = |flag| self.flags & flag != 0;
        match done {
            0 if has(EXTRA) => At::ExtraLength(0),
            0 | EXTRA if has(NAME) => At::Name,
            0 | EXTRA | NAME if has(COMMENT) => At::Comment,
            _ if has(HEADER_CHECK) => At::HeaderCheck(0),
            _ => At::Data,
        }
    }

    fn extra_length(&mut self, count: u8, byte: u8) -> At {
        self.number |= u64::from(byte) << (8 * u32::from(count));
        match (count, self.number) {
            (0, _) => At::ExtraLength(1),
            (_, 0) => self.after(EXTRA),
            _ => At::Extra,
        }
    }

    fn extra(&mut self) -> At {
        self.number -= 1;
        if self.number == 0 { self.after(EXTRA) } else { At::Extra }
    }

    fn trailer(&mut self, count: u8, byte: u8) -> Result<At, String> {
        self.number |= u64::from(byte) << (8 * u32::from(count));
        if count < 7 {
            return Ok(At::Trailer(count + 1));
        }
        let found = u64::from(self.check.sum()) | u64::from(self.check.amount()) << 32;
        if self.number != found {
            return Err("wrong checksum".to_owned());
        }
        self.check.reset();
        self.inflater.reset(false);
        Ok(At::Between)
    }
}

impl Stage for Gzip {
    fn step(&mut self, input: &[u8], out: &mut [u8], made: &mut usize) -> Result<usize, String> {
        let mut taken = 0;
        while let Some((&byte, _)) = input.get(taken..).and_then(<[u8]>::split_first) {
            if self.at == At::Over {
                return Ok(input.len());
            }
            if self.at == At::Data {
                break;
            }
            self.advance(byte)?;
            taken += 1;
        }
        if self.at != At::Data {
            return Ok(taken);
        }
        let rest = input.get(taken..).unwrap_or_default();
        let (used, is_end) = inflate(&mut self.inflater, rest, out, made)?;
        self.check.update(out.get(..*made).unwrap_or_default());
        if is_end {
            self.number = 0;
            self.at = At::Trailer(0);
        }
        Ok(taken + used)
    }

    fn is_whole(&self) -> bool {
        matches!(self.at, At::Between | At::Doubt | At::Over)
    }
}
