//! Short texts in boxes of a fixed size: copied with a few moves instead of a call, which is what an answer consists of.

/// A text of at most `ROOM` bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Short<const ROOM: usize = 24> {
    bytes: [u8; ROOM],
    len: usize,
}

impl<const ROOM: usize> Short<ROOM> {
    /// As much of a text as goes in, cut between characters.
    pub(crate) fn cut(text: &str) -> Self {
        let len = (0..=ROOM.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let mut bytes = [0; ROOM];
        for (to, from) in bytes.iter_mut().zip(text.bytes().take(len)) {
            *to = from;
        }
        Self { bytes, len }
    }

    /// `before`, `word` and `after` in one box.
    #[allow(clippy::indexing_slicing, reason = "runs at compile time, where a panic is a compile error")]
    pub(crate) const fn new(before: &str, word: &str, after: &str) -> Self {
        let mut bytes = [0; ROOM];
        let mut len = 0;
        let parts = [before.as_bytes(), word.as_bytes(), after.as_bytes()];
        let mut part = 0;
        while part < parts.len() {
            let mut at = 0;
            while at < parts[part].len() {
                bytes[len] = parts[part][at];
                len += 1;
                at += 1;
            }
            part += 1;
        }
        Self { bytes, len }
    }

    /// Each word of a list between `before` and `after`.
    #[allow(clippy::indexing_slicing, reason = "runs at compile time, where a panic is a compile error")]
    pub(crate) const fn list<const N: usize>(before: &str, words: &[&str; N], after: &str) -> [Self; N] {
        let mut list = [Self { bytes: [0; ROOM], len: 0 }; N];
        let mut at = 0;
        while at < N {
            list[at] = Self::new(before, words[at], after);
            at += 1;
        }
        list
    }

    #[inline]
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let end = out.len() + self.len;
        out.extend_from_slice(&self.bytes);
        out.truncate(end);
    }
}

/// A number in decimal.
#[inline]
pub(crate) fn number(out: &mut Vec<u8>, value: u64) {
    let mut digits = [0; 20];
    let count = value.checked_ilog10().map_or(1, |log| log as usize + 1);
    let mut rest = value;
    for digit in digits.iter_mut().take(count).rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    let end = out.len() + count;
    out.extend_from_slice(&digits);
    out.truncate(end);
}
