//! Streams that cost little wire, and much time for each byte of it.

use super::codes::Code;
use super::{Chance, Made, Wire};

/// Inserts one byte, and more than a metablock of one byte has.
const INSERT_ONE: usize = 8;
/// Inserts 2,114 bytes, and as many more as twelve bits say.
const INSERT_MANY: usize = 488;

/// A code of one symbol, which has no bits then.
fn put_one(wire: &mut Wire, alphabet: usize, symbol: usize) {
    Code::of(alphabet, &[symbol], 0, &mut Chance::new(0)).put(wire, &mut Chance::new(0));
}

/// So many types of blocks, and a first block: the next type each time, and always the lengths of this symbol.
fn put_blocks(wire: &mut Wire, types: usize, length: usize) {
    wire.put_count(types);
    put_one(wire, types + 2, 1);
    put_one(wire, 26, length);
}

/// The codes of commands and distances, one each.
fn put_codes(wire: &mut Wire, command: usize) {
    put_one(wire, 704, command);
    put_one(wire, 64, 0);
}

fn ended(mut wire: Wire, length: usize) -> Made {
    wire.put(3, 2);
    wire.align();
    Made { wire: wire.bytes(), body: vec![b'A'; length] }
}

/// A block for each literal, which is two bits of wire. From 2,114 literals to 6,209.
pub(crate) fn blocks(literals: usize) -> Made {
    let mut wire = Wire::default();
    wire.put_window(16);
    wire.put_length(literals);
    wire.put(0, 1);
    put_blocks(&mut wire, 2, 0);
    wire.put(0, 2);
    // One type of the other blocks, plain distances, the first mode for both types, one code of each kind.
    wire.put(0, 2 + 6 + 4 + 2);
    put_one(&mut wire, 256, usize::from(b'A'));
    put_codes(&mut wire, INSERT_MANY);
    wire.put(literals as u64 - 2_114, 12);
    wire.put(0, 2 * (literals as u32 - 1));
    ended(wire, literals)
}

/// Metablocks of one byte, each with as large a map as there is, whose places have no bits.
pub(crate) fn maps(metablocks: usize) -> Made {
    let mut wire = Wire::default();
    wire.put_window(16);
    for _ in 0..metablocks {
        wire.put_length(1);
        wire.put(0, 1);
        put_blocks(&mut wire, 256, 25);
        wire.put(0, 24);
        wire.put(0, 2 + 6 + 256 * 2);
        wire.put_count(2);
        wire.put(0, 1);
        put_one(&mut wire, 2, 1);
        wire.put(0, 1 + 1);
        put_one(&mut wire, 256, usize::from(b'B'));
        put_one(&mut wire, 256, usize::from(b'A'));
        put_codes(&mut wire, INSERT_ONE);
    }
    ended(wire, metablocks)
}
