//! Reads the texts of a page: white space as a browser shows it, and what words and letters there are.

use super::kind::inside;
use super::outline::Namer;
use super::walk::Walk;
use super::words::{SEED, is_unseen, is_word_alone, lower, may_part, mix};
use crate::html::NodeId;

/// Of each letter and digit the small one; zero for all else.
static LOWER: [u8; 256] = small_letters();

#[allow(clippy::indexing_slicing, reason = "runs at compile time, where a panic is a compile error")]
const fn small_letters() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        if byte.is_ascii_alphanumeric() {
            table[byte as usize] = byte.to_ascii_lowercase();
        }
        byte += 1;
    }
    table
}

/// White space of ASCII, as `char::is_whitespace` has it.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}

impl<N: Namer> Walk<'_, N> {
    pub(super) fn read(&mut self, node: NodeId) {
        let inside = self.out.element(self.at).inside;
        let text = self.tree.text(node);
        let (from, words) = (self.out.text.len(), self.block.words);
        let mut rest = text;
        while let Some(&byte) = rest.as_bytes().first() {
            let length = if byte.is_ascii_graphic() {
                self.run(rest)
            } else if is_blank(byte) && inside & inside::PRE == 0 {
                self.space = true;
                rest.bytes().take_while(|&byte| is_blank(byte)).count()
            } else {
                let Some(c) = rest.chars().next() else { break };
                self.letter(c, inside);
                c.len_utf8()
            };
            rest = rest.get(length..).unwrap_or_default();
        }
        if self.out.text.len() == from {
            return;
        }
        let read = self.block.words - words;
        if inside & inside::LINK != 0 {
            self.block.link_words += read;
        }
        if inside & inside::STRONG != 0 {
            self.block.strong_words += read;
        }
        let first = self.block.nodes.map_or(node, |(first, _)| first);
        self.block.nodes = Some((first, node));
    }

    fn letter(&mut self, c: char, inside: u32) {
        if c.is_whitespace() {
            self.blank(c, inside & inside::PRE != 0);
            return;
        }
        if is_unseen(c) {
            if self.only.is_some() && may_part(c) && self.in_word() {
                self.out.text.push(c);
            }
            return;
        }
        self.part();
        self.out.text.push(c);
        self.count(c);
        self.before = c;
    }

    /// Is there something that could be parted? Else a line of nothing but marks would be one.
    fn in_word(&self) -> bool {
        self.has_text() && !self.space && !self.line && !self.out.text.ends_with(char::is_whitespace)
    }

    /// Writes the space or the line break that was read before.
    fn part(&mut self) {
        if (self.line || self.space) && self.has_text() {
            self.out.text.push(if self.line { '\n' } else { ' ' });
            self.before = ' ';
            self.end_word();
        }
        (self.space, self.line, self.broken) = (false, false, false);
    }

    /// Reads the ASCII with which the text begins, up to what is not copied as it is, and says how much: the same as one `letter` after the
    /// other. Most of most texts is such runs: words with one space between.
    fn run(&mut self, text: &str) -> usize {
        self.part();
        let bytes = text.as_bytes();
        let mut at = 0;
        loop {
            at += self.ascii_word(bytes.get(at..).unwrap_or_default());
            match (bytes.get(at), bytes.get(at + 1)) {
                (Some(&mark), _) if mark.is_ascii_graphic() => {
                    self.count(char::from(mark));
                    self.before = char::from(mark);
                    at += 1;
                }
                (Some(b' '), Some(next)) if next.is_ascii_graphic() => {
                    self.before = ' ';
                    self.end_word();
                    at += 1;
                }
                _ => break,
            }
        }
        self.out.text.push_str(text.get(..at).unwrap_or_default());
        at
    }

    /// Reads the letters and digits with which the text begins, and says how many.
    fn ascii_word(&mut self, text: &[u8]) -> usize {
        let (mut length, mut digits, mut upper) = (0_u32, 0_u32, 0_u32);
        let mut hash = self.word.unwrap_or(SEED);
        let mut last = 0;
        for &byte in text {
            let lower = LOWER.get(usize::from(byte)).copied().unwrap_or_default();
            if lower == 0 {
                break;
            }
            length += 1;
            digits += u32::from(byte <= b'9');
            upper += u32::from(byte != lower);
            hash = mix(hash, u32::from(lower));
            last = byte;
        }
        let Some(first) = text.first().filter(|_| length > 0) else { return 0 };
        let starts_capital = first.is_ascii_uppercase() && !self.before.is_alphanumeric();
        self.block.words += u32::from(self.begins_word());
        let letters = &mut self.block.letters;
        letters.all += length;
        letters.digits += digits;
        letters.alphabetic += length - digits;
        letters.upper += upper;
        letters.capitals += u32::from(starts_capital);
        self.word = Some(hash);
        self.before = char::from(last);
        length as usize
    }

    /// Would a letter begin a word here? Not after an apostrophe.
    fn begins_word(&self) -> bool {
        self.word.is_none() && self.before != '\'' && self.before != '’'
    }

    /// White space: kept as it is in code, else one space, and none at the start.
    fn blank(&mut self, c: char, code: bool) {
        if !code || (c == '\n' && !self.has_text()) {
            self.space = true;
            return;
        }
        if self.line && self.has_text() {
            self.out.text.push('\n');
        }
        (self.line, self.space, self.broken, self.before) = (false, false, false, ' ');
        self.out.text.push(c);
        self.end_word();
    }

    pub(super) fn end_word(&mut self) {
        self.out.hashes.extend(self.word.take());
    }

    fn count(&mut self, c: char) {
        let begins = self.begins_word();
        let letters = &mut self.block.letters;
        letters.all += 1;
        if c.is_alphanumeric() {
            if c.is_ascii_digit() {
                letters.digits += 1;
            } else {
                letters.alphabetic += 1;
                if c.is_uppercase() {
                    letters.upper += 1;
                    letters.capitals += u32::from(!self.before.is_alphanumeric());
                }
            }
            self.block.words += u32::from(begins);
            let hash = lower(self.word.unwrap_or(SEED), c);
            self.word = Some(hash);
            if is_word_alone(c) {
                self.end_word();
            }
            return;
        }
        match c {
            '.' | '!' | '?' | ';' | ':' | '。' | '！' | '？' | '।' | '…' => letters.stops += 1,
            ',' | '，' | '、' | '،' => letters.commas += 1,
            '|' | '©' | '»' | '›' | '•' | '·' | '→' | '>' | '/' | '«' => letters.bars += 1,
            '$' | '€' | '£' | '¥' | '₹' | '%' => letters.money += 1,
            _ => {}
        }
        self.end_word();
    }
}
