//! Streams that no encoder writes, each with its body: all that RFC 7932 allows is chosen by chance (`metablock`), or so that it is much work (`hostile`).

mod body;
mod codes;
pub(crate) mod hostile;
mod metablock;

use body::Body;
use metablock::Metablock;

/// Chance that a number stands for.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// Once in so many times.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// A number of up to so many bits, small ones as often as large ones.
    pub(crate) fn bits(&mut self, most: u32) -> u64 {
        let width = self.below(most as usize + 1) as u32;
        self.next() & !(u64::MAX << width)
    }
}

/// Bits, lowest first.
#[derive(Default, Clone)]
pub(crate) struct Wire {
    bits: Vec<bool>,
}

impl Wire {
    pub(crate) fn put(&mut self, value: u64, count: u32) {
        self.bits.extend((0..count).map(|at| value.checked_shr(at).unwrap_or_default() & 1 == 1));
    }

    pub(crate) fn align(&mut self) {
        self.bits.resize(self.bits.len().next_multiple_of(8), false);
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let byte = |bits: &[bool]| bits.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
        self.bits.chunks(8).map(byte).collect()
    }

    /// A number from 1 to 256.
    pub(crate) fn put_count(&mut self, count: usize) {
        let Some(width) = (count - 1).checked_ilog2() else { return self.put(0, 1) };
        self.put(1 | u64::from(width) << 1, 4);
        self.put(count as u64 - 1 - (1 << width), width);
    }

    fn put_window(&mut self, bits: u64) {
        match bits {
            16 => self.put(0, 1),
            17 => self.put(1, 7),
            18.. => self.put(1 | (bits - 17) << 1, 4),
            _ => self.put(1 | (bits - 8) << 4, 7),
        }
    }

    /// The length of a metablock that is not the last.
    fn put_length(&mut self, length: usize) {
        self.put(0, 1);
        let length = length as u64 - 1;
        let nibbles = (0..6).filter(|nibble| length >> (4 * nibble) > 0).count().max(4) as u32;
        self.put(u64::from(nibbles - 4), 2);
        self.put(length, 4 * nibbles);
    }
}

/// A stream and its body.
pub(crate) struct Made {
    pub(crate) wire: Vec<u8>,
    pub(crate) body: Vec<u8>,
}

pub(crate) fn stream(seed: u64) -> Made {
    let mut chance = Chance::new(seed);
    let mut wire = Wire::default();
    let window = if chance.once_in(2) { 10 } else { 10 + chance.below(15) };
    wire.put_window(window as u64);
    let mut body = Body::new((1 << window) - 16);
    for _ in 0..=chance.below(4) {
        match chance.below(8) {
            0 => put_metadata(&mut wire, &mut chance),
            1 => put_plain(&mut wire, &mut chance, &mut body.bytes),
            _ => Metablock::new(&mut chance).put(&mut wire, &mut body, &mut chance),
        }
    }
    wire.put(3, 2);
    wire.align();
    Made { wire: wire.bytes(), body: body.bytes }
}

fn put_metadata(wire: &mut Wire, chance: &mut Chance) {
    wire.put(6, 4);
    let length = chance.of(&[0, 1, 2, 256, 257, 70_000]);
    let bytes = [0, 1, 257, 65_537].iter().filter(|least| length >= **least).count() as u32 - 1;
    wire.put(u64::from(bytes), 2);
    wire.put((length as u64).saturating_sub(1), 8 * bytes);
    wire.align();
    (0..length).for_each(|_| wire.put(chance.next(), 8));
}

fn put_plain(wire: &mut Wire, chance: &mut Chance, body: &mut Vec<u8>) {
    let length = chance.of(&[1, 2, 1_007, 1_008, 1_009, 65_536, 65_537]);
    wire.put_length(length);
    wire.put(1, 1);
    wire.align();
    for _ in 0..length {
        let byte = chance.next() as u8;
        wire.put(u64::from(byte), 8);
        body.push(byte);
    }
}
