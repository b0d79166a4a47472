//! Words with letters beyond ASCII, read letter by letter.

use std::sync::LazyLock;

use crate::mix::mix;
use crate::words::Batch;

/// The lower case of what UTF-8 writes in one or two bytes (Latin, Greek, Cyrillic, Hebrew, Arabic), 0 for what separates:
/// asking Unicode takes ten times as long.
static SMALL: LazyLock<[u32; 2048]> = LazyLock::new(|| {
    std::array::from_fn(|code| match code as u32 {
        0x5f => 0x7f, // as words of ASCII have it
        code => lower(code).unwrap_or(0),
    })
});

/// The lower case of a letter or digit. One whose lower case is several letters stays as it is.
fn lower(code: u32) -> Option<u32> {
    let letter = char::from_u32(code).filter(|letter| letter.is_alphanumeric())?;
    let mut lower = letter.to_lowercase();
    Some(lower.next().filter(|_| lower.next().is_none()).unwrap_or(letter) as u32)
}

/// Letters that are words by themselves, with the signs of their scripts.
fn stands_alone(code: u32) -> bool {
    matches!(code,
        0x0e00..=0x0eff         // Thai, Lao
        | 0x0f00..=0x109f       // Tibetan, Burmese
        | 0x1780..=0x17ff       // Khmer
        | 0x3041..=0x30ff       // kana
        | 0x31f0..=0x31ff
        | 0x3400..=0x4dbf       // Chinese characters
        | 0x4e00..=0x9fff
        | 0xf900..=0xfaff
        | 0x2_0000..=0x3_ffff)
}

/// Chinese characters and kana that need not be looked up: all of these are letters.
fn is_letter(code: u32) -> bool {
    matches!(code, 0x3041..=0x3096 | 0x30a1..=0x30fa | 0x3400..=0x4dbf | 0x4e00..=0x9fff)
        || char::from_u32(code).is_some_and(char::is_alphanumeric)
}

/// A word that is being read: eight bytes of its UTF-8 are hashed at a time.
#[derive(Clone, Copy, Default)]
struct Word {
    hash: u64,
    last: u64,
    length: u64,
}

impl Word {
    #[inline]
    fn byte(self, byte: u32) -> Self {
        let at = 8 * (self.length % 8);
        let full = at == 0 && self.length > 0;
        let (hash, last) = if full { (mix(self.hash, self.last), 0) } else { (self.hash, self.last) };
        Self { hash, last: last | u64::from(byte) << at, length: self.length.wrapping_add(1) }
    }

    #[inline]
    fn letter(self, code: u32) -> Self {
        let tail = |word: Self, shift: u32| word.byte(code >> shift & 0x3f | 0x80);
        match code {
            ..0x80 => self.byte(code),
            0x80..0x800 => tail(self.byte(code >> 6 | 0xc0), 0),
            0x800..0x1_0000 => tail(tail(self.byte(code >> 12 | 0xe0), 6), 0),
            0x1_0000.. => tail(tail(tail(self.byte(code >> 18 | 0xf0), 12), 6), 0),
        }
    }

    #[inline]
    fn end<F: FnMut(&[u64])>(self, batch: &mut Batch<F>) -> Self {
        if self.length > 0 {
            batch.push(mix(self.hash ^ self.last, self.length));
        }
        Self::default()
    }
}

/// The letter that begins with this byte of UTF-8, which is known to be whole.
#[inline]
fn rest_of_letter(first: u8, bytes: &mut std::slice::Iter<'_, u8>) -> u32 {
    let (more, begin) = match first {
        ..0xe0 => (1, first & 0x1f),
        0xe0..0xf0 => (2, first & 0x0f),
        0xf0.. => (3, first & 0x07),
    };
    bytes.by_ref().take(more).fold(u32::from(begin), |code, byte| code << 6 | u32::from(byte & 0x3f))
}

/// Reads a run of UTF-8 that no word goes beyond.
pub(crate) fn letters<F: FnMut(&[u64])>(run: &[u8], batch: &mut Batch<F>) {
    let small = &*SMALL;
    let (mut word, mut bytes) = (Word::default(), run.iter());
    while let Some(&byte) = bytes.next() {
        let code = if byte < 0x80 { u32::from(byte) } else { rest_of_letter(byte, &mut bytes) };
        word = match small.get(code as usize) {
            Some(0) => word.end(batch),
            Some(low) => word.letter(*low),
            None if stands_alone(code) && is_letter(code) => word.end(batch).letter(code).end(batch),
            None if stands_alone(code) => word.end(batch),
            None => match lower(code) {
                Some(low) => word.letter(low),
                None => word.end(batch),
            },
        };
    }
    word.end(batch);
}
