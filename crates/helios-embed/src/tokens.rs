//! Text as tokens: words, and words as pieces of the vocabulary (WordPiece, the longest piece first).

use std::ops::Range;

use crate::letters::Kind;
use crate::model::Model;

/// Letters of a word above which it is not looked up.
const LONGEST_WORD: usize = 100;

/// Cuts texts; keeps its memory from one to the next.
pub(crate) struct Tokens<'a> {
    model: &'a Model,
    word: String,
    letters: usize,
    from: usize,
    pieces: Vec<u32>,
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(model: &'a Model) -> Self {
        Self { model, word: String::new(), letters: 0, from: 0, pieces: Vec::new() }
    }

    /// Calls `each` with the place of every word and its tokens.
    pub(crate) fn of(&mut self, text: &str, mut each: impl FnMut(Range<usize>, &[u32])) {
        let model = self.model;
        for (at, letter) in text.char_indices() {
            match model.letters.get(letter) {
                (Kind::Dropped, _) => {}
                (Kind::Space, _) => self.end(at, &mut each),
                (Kind::Letter, plain) => self.push(at, letter, plain),
                (Kind::Alone, plain) => {
                    self.end(at, &mut each);
                    self.push(at, letter, plain);
                    self.end(at + letter.len_utf8(), &mut each);
                }
            }
        }
        self.end(text.len(), &mut each);
    }

    #[inline]
    fn push(&mut self, at: usize, letter: char, plain: Option<&[u8]>) {
        if self.letters == 0 {
            self.from = at;
        }
        self.letters += 1;
        if self.letters > LONGEST_WORD {
            return;
        }
        match plain {
            None => self.word.push(letter),
            Some(&[byte]) => self.word.push(char::from(byte)),
            Some(plain) => self.word.push_str(std::str::from_utf8(plain).unwrap_or_default()),
        }
    }

    #[inline]
    fn end(&mut self, at: usize, each: &mut impl FnMut(Range<usize>, &[u32])) {
        if self.letters == 0 {
            return;
        }
        self.pieces.clear();
        if self.letters > LONGEST_WORD || self.cut().is_none() {
            self.pieces.clear();
            self.pieces.push(self.model.unknown);
        }
        each(self.from..at, &self.pieces);
        self.word.clear();
        self.letters = 0;
    }

    /// None: a part of the word is in no piece.
    fn cut(&mut self) -> Option<()> {
        let mut rest = self.word.as_str();
        while !rest.is_empty() {
            let (piece, length) = self.model.vocabulary.longest(rest, rest.len() < self.word.len())?;
            self.pieces.push(piece);
            rest = rest.get(length..)?;
        }
        Some(())
    }
}
