//! Words as numbers: those of the text, and those of which the names of classes are made.

/// The start of a hash.
pub(super) const SEED: u32 = 0x811c_9dc5;

pub(super) fn mix(hash: u32, value: u32) -> u32 {
    (hash ^ value).wrapping_mul(0x0100_0193)
}

/// Two numbers into one, in this order.
pub(super) fn pair(first: u32, second: u32) -> u32 {
    (first.rotate_left(7) ^ second).wrapping_mul(0x9E37_79B1)
}

/// Scripts that write words without spaces: each character counts as a word.
pub(super) fn is_word_alone(c: char) -> bool {
    matches!(u32::from(c), 0x0e00..=0x0eff | 0x3040..=0x30ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff)
}

/// The hashes of the words of a text, in lower case.
pub(super) fn hashes(text: &str) -> Vec<u32> {
    let mut found = Vec::new();
    let mut hash = None;
    for c in text.chars() {
        if c.is_alphanumeric() {
            let next = lower(hash.unwrap_or(SEED), c);
            hash = if is_word_alone(c) {
                found.push(next);
                None
            } else {
                Some(next)
            };
        } else {
            found.extend(hash.take());
        }
    }
    found.extend(hash);
    found
}

/// The hash with one more letter.
pub(super) fn lower(hash: u32, c: char) -> u32 {
    if c.is_ascii() {
        mix(hash, u32::from(c.to_ascii_lowercase()))
    } else {
        c.to_lowercase().fold(hash, |hash, c| mix(hash, u32::from(c)))
    }
}

/// At most this much of a list of classes is read, so that a page cannot make us read it again and again.
const LONGEST: usize = 400;

/// The part of a value that is read.
pub(super) fn read_part(value: &str) -> &[u8] {
    value.as_bytes().get(..LONGEST).unwrap_or(value.as_bytes())
}

/// Names as people make them: `entry-content__main2` gives the hashes of `entry`, `content`, `main` and of the whole.
pub(super) fn of_names(value: &str, mut found: impl FnMut(u32)) {
    for name in read_part(value).split(u8::is_ascii_whitespace) {
        let mut whole = mix(SEED, u32::from(b'='));
        let (mut part, mut length, mut parts) = (SEED, 0, 0);
        let mut was_lower = false;
        for &byte in name {
            let starts = !byte.is_ascii_alphabetic() || (byte.is_ascii_uppercase() && was_lower);
            if starts {
                if length > 1 {
                    found(part);
                    parts += 1;
                }
                (part, length) = (SEED, 0);
            }
            was_lower = byte.is_ascii_lowercase();
            if byte.is_ascii_alphabetic() {
                part = mix(part, u32::from(byte.to_ascii_lowercase()));
                length += 1;
                whole = mix(whole, u32::from(byte.to_ascii_lowercase()));
            } else if !byte.is_ascii_digit() {
                whole = mix(whole, u32::from(b'-'));
            }
        }
        if length > 1 {
            found(part);
            parts += 1;
        }
        if parts > 1 {
            found(whole);
        }
    }
}
