//! The wire as bits, lowest first (RFC 7932 §1.5.1). A value that is handed on and back, so that it stays in registers.

/// The lowest bits of some.
#[inline(always)]
pub(crate) fn low(bits: u64, count: u32) -> u64 {
    bits & !(u64::MAX << (count & 63))
}

#[derive(Clone, Copy)]
pub(crate) struct Bits<'a> {
    wire: &'a [u8],
    /// What is to be loaded.
    rest: &'a [u8],
    /// Zeros that were loaded behind the end.
    zeros: u32,
    /// What is loaded. Above `count` there may be more of the wire, which is loaded again.
    held: u64,
    count: u32,
}

impl<'a> Bits<'a> {
    /// As many as are there after [`Self::refilled`], at least.
    pub(crate) const REFILL: u32 = 56;

    pub(crate) fn new(wire: &'a [u8]) -> Self {
        Self { wire, rest: wire, zeros: 0, held: 0, count: 0 }
    }

    /// With 56 bits or more to take. Nothing if more was taken than there is.
    #[inline(always)]
    pub(crate) fn refilled(mut self) -> Option<Self> {
        let Some(next) = self.rest.first_chunk() else {
            return self.refilled_at_the_end();
        };
        self.held |= u64::from_le_bytes(*next) << (self.count & 63);
        let loaded = (63 - self.count) as usize >> 3 & 7;
        self.rest = self.rest.get(loaded..).unwrap_or_default();
        self.count |= Self::REFILL;
        Some(self)
    }

    /// Zeros follow the last byte, until one of them is taken.
    #[cold]
    fn refilled_at_the_end(mut self) -> Option<Self> {
        while self.count < Self::REFILL {
            match self.rest.split_first() {
                Some((next, rest)) => {
                    self.held |= u64::from(*next) << self.count;
                    self.rest = rest;
                }
                None => self.zeros += 1,
            }
            self.count += 8;
        }
        self.is_within().then_some(self)
    }

    /// Not more was taken than there is.
    pub(crate) fn is_within(&self) -> bool {
        8 * self.zeros <= self.count
    }

    /// How many are loaded.
    #[inline(always)]
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// What comes next, as far as it is loaded.
    #[inline(always)]
    pub(crate) fn peek(&self) -> u64 {
        self.held
    }

    /// Of an entry of a table, all but the lowest six bits may be anything.
    #[inline(always)]
    pub(crate) fn skip(&mut self, count: u32) {
        let count = count & 63;
        self.held >>= count;
        self.count = self.count.wrapping_sub(count);
    }

    /// Up to 56, of those that are loaded.
    #[inline(always)]
    pub(crate) fn take(&mut self, count: u32) -> u64 {
        let taken = low(self.held, count);
        self.skip(count);
        taken
    }

    /// The same, up to 56, whatever is loaded.
    pub(crate) fn read(&mut self, count: u32) -> Option<u64> {
        *self = self.refilled()?;
        Some(self.take(count))
    }

    /// To the next byte; what is left of this one must be zeros.
    pub(crate) fn aligned(mut self) -> Option<Self> {
        let rest = self.count & 7;
        (self.take(rest) == 0 && self.is_within()).then_some(self)
    }

    /// The next bytes of an aligned wire.
    pub(crate) fn bytes(self, length: usize) -> Option<(&'a [u8], Self)> {
        let loaded = self.wire.len() - self.rest.len();
        let begin = loaded.checked_sub((self.count / 8).checked_sub(self.zeros)? as usize)?;
        let (bytes, rest) = self.wire.get(begin..)?.split_at_checked(length)?;
        Some((bytes, Self { wire: self.wire, rest, zeros: 0, held: 0, count: 0 }))
    }
}
