//! Text of two or four bytes a letter. Browsers know UTF-16 by its mark alone; of UTF-32 they know nothing, and show rubbish.

use std::borrow::Cow;

use encoding_rs::{UTF_16BE, UTF_16LE};

use super::{Decoded, Found, read};

/// Zeros are counted in so many bytes.
const SAMPLE: usize = 4_096;

pub(super) fn decode_marked(bytes: &[u8]) -> Option<Decoded<'_>> {
    let (rest, little) = match bytes {
        [0xFF, 0xFE, 0, 0, rest @ ..] => (rest, true),
        [0, 0, 0xFE, 0xFF, rest @ ..] => (rest, false),
        _ => return None,
    };
    Some(utf32(rest, little, Found::ByteOrderMark))
}

/// Markup is ASCII, so that wide text without a mark has zeros at every second place, or at three of four.
pub(super) fn decode_unmarked(bytes: &[u8]) -> Option<Decoded<'_>> {
    let sample = bytes.get(..SAMPLE).unwrap_or(bytes);
    // Most pages leave here.
    memchr::memchr(0, sample)?;
    let mut zeros = [0_usize; 4];
    for (at, _) in sample.iter().enumerate().filter(|(_, byte)| **byte == 0) {
        if let Some(count) = zeros.get_mut(at % 4) {
            *count += 1;
        }
    }
    let units = sample.len() / 4;
    let [a, b, c, d] = zeros.map(|count| units > 0 && count * 10 >= units * 4);
    let [no_a, no_b, no_c, no_d] = zeros.map(|count| count * 20 <= units);
    match (a, b, c, d) {
        (_, true, true, true) if no_a => Some(utf32(bytes, true, Found::Zeros)),
        (true, true, true, _) if no_d => Some(utf32(bytes, false, Found::Zeros)),
        (_, true, _, true) if no_a && no_c => Some(read(bytes, UTF_16LE, Found::Zeros)),
        (true, _, true, _) if no_b && no_d => Some(read(bytes, UTF_16BE, Found::Zeros)),
        _ => None,
    }
}

fn utf32(bytes: &[u8], little: bool, found: Found) -> Decoded<'static> {
    let (units, cut) = bytes.as_chunks::<4>();
    let mut text = String::with_capacity(units.len());
    for &unit in units {
        let number = if little { u32::from_le_bytes(unit) } else { u32::from_be_bytes(unit) };
        text.push(char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    if !cut.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    Decoded { text: Cow::Owned(text), encoding: if little { "UTF-32LE" } else { "UTF-32BE" }, found }
}
