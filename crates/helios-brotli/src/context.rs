//! What a literal's place says of it: two bytes before it, in one of four ways (RFC 7932 §7.1), and the maps that choose a code by that (§7.3).

use crate::bits::Bits;
use crate::code::Code;
use crate::table::Group;
use crate::trees::{Effort, MAP_PLACE};

/// Contexts of a literal, and of a distance.
pub(crate) const LITERAL: usize = 64;
pub(crate) const DISTANCE: usize = 4;

/// What each byte adds to the context of the byte behind it (the low half), and of the one after that, in each mode.
#[allow(clippy::indexing_slicing, reason = "when it is compiled")]
pub(crate) static SHARES: [[u16; 256]; 4] = {
    let mut shares = [[0; 256]; 4];
    let mut byte = 0;
    while byte < 256 {
        let value = byte as u16;
        shares[0][byte] = value & 63;
        shares[1][byte] = value >> 2;
        shares[2][byte] = text_before(byte as u8) | text_two_before(byte as u8) << 8;
        shares[3][byte] = magnitude(byte as u8) << 3 | magnitude(byte as u8) << 8;
        byte += 1;
    }
    shares
};

/// Mode UTF8, the byte before: for ASCII four times a class, else what kind of byte of UTF-8 it is.
const fn text_before(byte: u8) -> u16 {
    match byte {
        b'\t' | b'\n' | b'\r' => 4,
        b' ' => 8,
        b'"' | b'\'' => 16,
        b'%' => 20,
        b'(' | b'<' | b'[' | b'{' => 24,
        b')' | b'>' | b']' | b'}' => 28,
        b',' | b':' | b';' => 32,
        b'.' => 36,
        b'=' => 40,
        b'0'..=b'9' => 44,
        b'A' | b'E' | b'I' | b'O' | b'U' => 48,
        b'A'..=b'Z' => 52,
        b'a' | b'e' | b'i' | b'o' | b'u' => 56,
        b'a'..=b'z' => 60,
        b'!'..=b'~' => 12,
        0..=127 => 0,
        128..=191 => byte as u16 & 1,
        192..=255 => 2 | byte as u16 & 1,
    }
}

/// The same for the byte before that one.
const fn text_two_before(byte: u8) -> u16 {
    match byte {
        b'a'..=b'z' => 3,
        b'0'..=b'9' | b'A'..=b'Z' | 224..=255 => 2,
        b'!'..=b'~' => 1,
        0..=223 => 0,
    }
}

/// Mode Signed: how large the byte is as a number with a sign.
const fn magnitude(byte: u8) -> u16 {
    match byte {
        0 => 0,
        1..=15 => 1,
        16..=63 => 2,
        64..=127 => 3,
        128..=191 => 4,
        192..=239 => 5,
        240..=254 => 6,
        255 => 7,
    }
}

/// Reads a number from 1 to 256 (§9.2).
pub(crate) fn read_count(bits: &mut Bits<'_>) -> Option<usize> {
    if bits.read(1)? == 0 {
        return Some(1);
    }
    let width = bits.read(3)? as u32;
    Some((1 << width) + bits.read(width)? as usize + 1)
}

/// Reads a map: which of how many codes each context has.
pub(crate) fn read_map(
    bits: &mut Bits<'_>,
    map: &mut Vec<u8>,
    size: usize,
    effort: &mut Effort,
) -> Option<usize> {
    map.clear();
    let codes = read_count(bits)?;
    if codes == 1 {
        map.resize(size, 0);
        return Some(1);
    }
    effort.spend(size * MAP_PLACE)?;
    let longest_run = match bits.read(1)? {
        0 => 0,
        _ => bits.read(4)? as u16 + 1,
    };
    let (mut code, mut table) = (Code::default(), Group::<u32, 256>::default());
    code.read(bits, codes + usize::from(longest_run))?;
    table.add(&code, |symbol| u32::from(symbol) << 8)?;
    while map.len() < size {
        let symbol = (table.read(0, bits)? >> 8) as u16;
        if symbol > longest_run {
            map.push((symbol - longest_run) as u8);
            continue;
        }
        // A run of zeros; one zero is a run, too.
        let run = (1 << symbol) + bits.take(u32::from(symbol)) as usize;
        if run > size - map.len() {
            return None;
        }
        map.resize(map.len() + run, 0);
    }
    if bits.read(1)? == 1 {
        undo_move_to_front(map);
    }
    Some(codes)
}

fn undo_move_to_front(map: &mut [u8]) {
    let mut recent: [u8; 256] = std::array::from_fn(|at| at as u8);
    for value in map {
        let at = usize::from(*value);
        if let Some(moved) = recent.get_mut(..=at) {
            moved.rotate_right(1);
        }
        *value = recent[0];
    }
}
