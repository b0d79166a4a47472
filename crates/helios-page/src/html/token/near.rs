//! The first of some bytes, where it is near, as it mostly is within markup: eight bytes are looked at as one number. To begin a search as memchr does takes
//! longer than most tags are long.

use memchr::memchr;

/// Every byte is 1.
const ONES: u64 = u64::MAX / 255;
/// The highest bit of every byte.
const TOPS: u64 = ONES << 7;
/// Bytes that are looked at before memchr is asked.
const NEAR: usize = 16;

/// As memchr.
#[inline]
pub(super) fn find(byte: u8, text: &[u8]) -> Option<usize> {
    if let Some(near) = text.first_chunk::<NEAR>() {
        let (words, _) = near.as_chunks();
        for (at, word) in words.iter().enumerate() {
            if let Some(place) = place(hits(*word, byte)) {
                return Some(8 * at + place);
            }
        }
    }
    memchr(byte, text)
}

/// As memchr2, for what is not far.
#[inline]
pub(super) fn find_either(one: u8, other: u8, text: &[u8]) -> Option<usize> {
    let (words, rest) = text.as_chunks();
    for (at, word) in words.iter().enumerate() {
        if let Some(place) = place(hits(*word, one) | hits(*word, other)) {
            return Some(8 * at + place);
        }
    }
    let found = rest.iter().position(|&byte| byte == one || byte == other)?;
    Some(text.len() - rest.len() + found)
}

/// The length of a value up to its quote, unless there is a reference in it, or one of the first sixteen controls, NUL and line ends among them.
pub(super) fn plain_value(quote: u8, text: &[u8]) -> Option<usize> {
    let (words, _) = text.as_chunks();
    for (at, word) in words.iter().enumerate() {
        let controls = controls(*word);
        if let Some(place) = place(hits(*word, quote) | hits(*word, b'&') | controls) {
            return (word.get(place) == Some(&quote)).then_some(8 * at + place);
        }
    }
    None
}

/// As `hits`, of bytes below 16.
fn controls(word: [u8; 8]) -> u64 {
    let word = u64::from_le_bytes(word);
    word.wrapping_sub(ONES << 4) & !word & TOPS
}

/// The top bit of each byte that is `byte`. Above the first of them there may be more, which mean nothing.
fn hits(word: [u8; 8], byte: u8) -> u64 {
    let differences = u64::from_le_bytes(word) ^ (ONES * u64::from(byte));
    differences.wrapping_sub(ONES) & !differences & TOPS
}

fn place(hits: u64) -> Option<usize> {
    (hits != 0).then(|| hits.trailing_zeros() as usize / 8)
}

#[cfg(test)]
mod tests {
    use memchr::memchr2;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_first_of_some_bytes_is_found_as_memchr_finds_it(text in proptest::collection::vec(0_u8..6, 0..80)) {
            // Bytes that differ by one from what is looked for are what the numbers could take for it.
            for text in [text.clone(), text.iter().map(|byte| byte.wrapping_add(0x7E)).collect()] {
                for byte in [0, 1, 3, 0x7F, 0x80, 0x81] {
                    prop_assert_eq!(find(byte, &text), memchr(byte, &text));
                    prop_assert_eq!(find_either(byte, 2, &text), memchr2(byte, 2, &text));
                }
            }
        }

        #[test]
        fn a_value_is_plain_up_to_its_quote_and_not_beyond_an_odd_byte(
            text in proptest::collection::vec(proptest::sample::select(b"ab\"'&\0\r\n\x0E\x0F\x10\x1F%!#(\x80\xFF".as_slice()), 0..40),
        ) {
            for quote in [b'"', b'\''] {
                let end = text.iter().position(|byte| *byte == quote || *byte == b'&' || *byte < 16);
                let expected = end.filter(|at| text.get(*at) == Some(&quote));
                // What is behind the last eight is not looked at.
                let found = plain_value(quote, &text);
                prop_assert!(found == expected || found.is_none() && end.is_none_or(|at| at >= text.len() / 8 * 8));
            }
        }
    }
}
