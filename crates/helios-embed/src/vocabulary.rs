//! From pieces of words to their numbers: a hash table without a copy of its keys for each question.

use xxhash_rust::xxh3::xxh3_64_with_seed;

const EMPTY: u32 = u32::MAX;

#[derive(Default)]
pub(crate) struct Vocabulary {
    /// All pieces, one after the other; where each begins, and whether it continues a word.
    texts: Vec<u8>,
    pieces: Vec<(u32, bool)>,
    /// Numbers of pieces, at the place that their hash says or after it. A quarter is in use, at most.
    slots: Vec<u32>,
    longest: usize,
}

impl Vocabulary {
    /// Pieces come in the order of their numbers.
    pub(crate) fn add(&mut self, text: &str) {
        let continued = text.strip_prefix("##").filter(|rest| !rest.is_empty());
        let piece = continued.unwrap_or(text);
        self.pieces.push((self.texts.len() as u32, continued.is_some()));
        self.texts.extend(piece.bytes());
        self.longest = self.longest.max(piece.len());
    }

    pub(crate) fn finish(&mut self) {
        self.slots = vec![EMPTY; (self.pieces.len() * 4).next_power_of_two()];
        for number in (0..self.pieces.len() as u32).rev() {
            let Some((piece, continued)) = self.piece(number) else { continue };
            let mut at = self.place(piece, continued);
            while self.slots.get(at).is_some_and(|slot| *slot != EMPTY) {
                at = (at + 1) % self.slots.len();
            }
            if let Some(slot) = self.slots.get_mut(at) {
                *slot = number;
            }
        }
    }

    fn piece(&self, number: u32) -> Option<(&[u8], bool)> {
        let (from, continued) = *self.pieces.get(number as usize)?;
        let to = self.pieces.get(number as usize + 1).map_or(self.texts.len(), |next| next.0 as usize);
        Some((self.texts.get(from as usize..to)?, continued))
    }

    fn place(&self, piece: &[u8], continued: bool) -> usize {
        xxh3_64_with_seed(piece, u64::from(continued)) as usize & (self.slots.len() - 1)
    }

    #[inline]
    fn find(&self, piece: &[u8], continued: bool) -> Option<u32> {
        let mut at = self.place(piece, continued);
        loop {
            let number = self.slots.get(at).copied().filter(|number| *number != EMPTY)?;
            if self.piece(number) == Some((piece, continued)) {
                return Some(number);
            }
            at = (at + 1) % self.slots.len();
        }
    }

    /// The longest piece that a text begins with, and its length.
    pub(crate) fn longest(&self, text: &str, continued: bool) -> Option<(u32, usize)> {
        let mut ends = (1..=text.len().min(self.longest)).rev().filter(|end| text.is_char_boundary(*end));
        ends.find_map(|end| self.find(text.as_bytes().get(..end)?, continued).map(|number| (number, end)))
    }
}
