//! Words as numbers: those of the text, and those of which the names of classes are made.

/// The start of a hash.
pub(super) const SEED: u32 = 0x811c_9dc5;

pub(super) const fn mix(hash: u32, value: u32) -> u32 {
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

/// What nobody sees: places where a word may be parted at the end of a line, and marks of byte order.
pub(super) fn is_unseen(c: char) -> bool {
    may_part(c) || c == '\u{feff}'
}

/// Soft hyphens and spaces without width. The main text is without them, so that words are found; a reader view has them where the page has.
pub(super) fn may_part(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}')
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

/// Of each letter the small one; zero for all else.
static LOWER: [u8; 256] = small_letters();

#[allow(clippy::indexing_slicing, reason = "runs at compile time, where a panic is a compile error")]
const fn small_letters() -> [u8; 256] {
    let mut table = [0; 256];
    let mut letter = b'a';
    while letter <= b'z' {
        table[letter as usize] = letter;
        table[letter.to_ascii_uppercase() as usize] = letter;
        letter += 1;
    }
    table
}

/// Names as people make them: `entry-content__main2` gives the hashes of `entry`, `content`, `main` and of the whole.
pub(super) fn of_names(value: &str, mut found: impl FnMut(u32)) {
    const WHOLE: u32 = mix(SEED, b'=' as u32);
    let (mut whole, mut parts) = (WHOLE, 0);
    let (mut part, mut length) = (SEED, 0);
    let mut was_lower = false;
    // A space at the end ends the last name.
    for &byte in read_part(value).iter().chain(b" ") {
        let lower = LOWER.get(usize::from(byte)).copied().unwrap_or_default();
        if lower == 0 || (lower != byte && was_lower) {
            if length > 1 {
                found(part);
                parts += 1;
            }
            (part, length) = (SEED, 0);
        }
        was_lower = lower != 0 && lower == byte;
        if lower != 0 {
            part = mix(part, u32::from(lower));
            length += 1;
            whole = mix(whole, u32::from(lower));
        } else if byte.is_ascii_whitespace() {
            if parts > 1 {
                found(whole);
            }
            (whole, parts) = (WHOLE, 0);
        } else if !byte.is_ascii_digit() {
            whole = mix(whole, u32::from(b'-'));
        }
    }
}
