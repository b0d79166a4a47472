//! The words that are looked at: three stretches of the text, so that a menu at the top does not decide alone.

/// Letters of one stretch.
const STRETCH: usize = 250;
/// A longer text is looked at in three places.
const SHORT: usize = 3 * STRETCH;
/// Longer words are addresses, or no words.
const LONGEST_WORD: usize = 40;

/// Words in small letters, each with a space before and after it, one after the other.
pub(super) struct Words {
    letters: Vec<char>,
    /// Where each word begins and ends, with its spaces.
    ends: Vec<(u32, u32)>,
}

#[derive(Clone, Copy)]
pub(super) struct Word<'w>(&'w [char]);

impl Words {
    /// `count` is told each letter of the sample.
    pub(super) fn of(text: &str, mut count: impl FnMut(char)) -> Self {
        let mut words = Self { letters: Vec::with_capacity(2 * SHORT), ends: Vec::with_capacity(SHORT / 4) };
        if text.len() <= 2 * SHORT {
            words.read(text, SHORT, &mut count);
        } else {
            for part in 0..3 {
                let third = text.len() / 3 * part;
                // A letter has at most four bytes.
                let from = (third..third + 4).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
                words.read(text.get(from..).unwrap_or_default(), STRETCH, &mut count);
            }
        }
        words
    }

    fn read(&mut self, text: &str, most: usize, count: &mut impl FnMut(char)) {
        let mut start = self.letters.len();
        self.letters.push(' ');
        let mut seen = 0;
        // What is no letter counts for little, but a text of nothing else must end too.
        for letter in text.chars().take(8 * most) {
            let small = small(letter);
            if is_letter(small) {
                count(small);
                seen += 1;
                self.letters.push(small);
                continue;
            }
            // Accents that stand alone break no word.
            if ('\u{300}'..='\u{36F}').contains(&small) {
                continue;
            }
            start = self.end_word(start);
            if seen >= most {
                return;
            }
        }
        self.end_word(start);
    }

    /// Where the next word begins.
    fn end_word(&mut self, start: usize) -> usize {
        let length = self.letters.len() - start - 1;
        if length == 0 {
            return start;
        }
        self.letters.push(' ');
        if length <= LONGEST_WORD {
            self.ends.push((start as u32, self.letters.len() as u32));
        }
        // Two words share the space between them.
        self.letters.len() - 1
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Word<'_>> {
        self.ends.iter().filter_map(|&(start, end)| self.letters.get(start as usize..end as usize).map(Word))
    }
}

impl<'w> Word<'w> {
    /// With the spaces.
    pub(super) fn letters(self) -> &'w [char] {
        self.0
    }

    /// Without them.
    pub(super) fn bare(self) -> &'w [char] {
        self.0.get(1..self.0.len().saturating_sub(1)).unwrap_or_default()
    }

    pub(super) fn is(self, known: &str) -> bool {
        self.bare().iter().copied().eq(known.chars())
    }

    pub(super) fn ends_with(self, ending: &str) -> bool {
        self.bare().iter().rev().copied().zip(ending.chars().rev()).filter(|(a, b)| a == b).count()
            == ending.chars().count()
    }
}

fn small(letter: char) -> char {
    if letter.is_ascii() {
        letter.to_ascii_lowercase()
    } else {
        letter.to_lowercase().next().unwrap_or(letter)
    }
}

/// The vowel signs of Indian scripts are no letters to Unicode, but part of words.
fn is_letter(letter: char) -> bool {
    letter.is_ascii_lowercase()
        || !letter.is_ascii() && (letter.is_alphabetic() || ('\u{900}'..='\u{DFF}').contains(&letter))
}
