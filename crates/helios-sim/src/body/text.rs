//! The main text of a page: sentences picked by hash from a pool, in paragraphs, lists, tables and code.
//!
//! In: the chance that the text belongs to, and for near-duplicates the chance of the page and the share to change.
//! Out: HTML inside an article. Always: equal keys give equal text, whatever page it stands on.

use std::sync::OnceLock;

use super::short::{Short, number};
use super::words::{LANGUAGES, Language};
use crate::chance::{Chance, For, positive};

/// Half-sentences of each kind and language: two of them make a sentence, so there are 4 M sentences.
const HALVES: usize = 2_048;
const PHRASES: usize = 512;

/// A language with its pool of half-sentences.
#[derive(Debug)]
pub(crate) struct Voice {
    pub(crate) language: &'static Language,
    first: Halves,
    second: Halves,
    phrases: Vec<String>,
    captions: Vec<Short<48>>,
    /// Mean bytes of a sentence.
    mean: usize,
}

/// Half-sentences end to end in one buffer: a sentence costs two misses of the cache, not four.
#[derive(Debug)]
struct Halves {
    text: Vec<u8>,
    ends: Vec<u32>,
}

impl Halves {
    fn new(halves: &[String], end: &str) -> Self {
        let (mut text, mut ends) = (Vec::new(), vec![0]);
        for half in halves {
            text.extend_from_slice(half.as_bytes());
            text.extend_from_slice(end.as_bytes());
            ends.push(text.len() as u32);
        }
        Self { text, ends }
    }

    #[inline]
    fn write(&self, out: &mut Vec<u8>, bits: u64) {
        let index = bits as usize % HALVES;
        if let Some(&[begin, end]) = self.ends.get(index..index + 2) {
            out.extend_from_slice(self.text.get(begin as usize..end as usize).unwrap_or_default());
        }
    }
}

/// All voices, in the order of `LANGUAGES`; the same for every web.
pub(crate) fn voices() -> &'static [Voice] {
    static VOICES: OnceLock<Vec<Voice>> = OnceLock::new();
    VOICES.get_or_init(|| LANGUAGES.iter().enumerate().map(|(i, l)| Voice::new(l, i as u64)).collect())
}

impl Voice {
    fn new(language: &'static Language, index: u64) -> Self {
        let grammar = Grammar::new(language);
        let root = Chance::new(0x0077_6f72_6473).at(index);
        let pool = |kind: u64, count: usize, words: (u64, u64)| -> Vec<String> {
            (0..count)
                .map(|i| {
                    let chance = root.at(kind).at(i as u64);
                    grammar.clause(chance, chance.of(For::Size).between(words.0, words.1), kind != 1)
                })
                .collect()
        };
        let first = Halves::new(&pool(0, HALVES, (5, 11)), language.comma);
        let second = Halves::new(&pool(1, HALVES, (4, 10)), language.stop);
        let mean = (first.text.len() + second.text.len()) / HALVES;
        let phrases = pool(2, PHRASES, (2, 5));
        let captions = phrases.iter().map(|phrase| Short::cut(phrase)).collect();
        Self { language, first, second, phrases, captions, mean }
    }

    /// A few words: a title, a heading, an anchor.
    pub(crate) fn phrase(&self, bits: u64) -> &str {
        self.phrases.get(bits as usize % PHRASES).map_or("", String::as_str)
    }

    /// What a page is called in lists of links: a phrase, short.
    #[inline]
    pub(crate) fn caption(&self, out: &mut Vec<u8>, bits: u64) {
        if let Some(caption) = self.captions.get(bits as usize % PHRASES) {
            caption.write(out);
        }
    }

    fn sentence(&self, out: &mut Vec<u8>, bits: u64) {
        self.first.write(out, bits);
        self.second.write(out, bits >> 24);
    }
}

/// Splits a language's lists once.
struct Grammar {
    spaced: bool,
    small: Vec<&'static str>,
    roots: Vec<&'static str>,
    endings: Vec<&'static str>,
}

impl Grammar {
    fn new(language: &Language) -> Self {
        let list = |words: &'static str| words.split(' ').collect();
        Self {
            spaced: language.spaced,
            small: list(language.small),
            roots: list(language.roots),
            endings: list(language.endings),
        }
    }

    fn clause(&self, chance: Chance, words: u64, capital: bool) -> String {
        let mut out = String::new();
        for index in 0..words {
            if index > 0 && self.spaced {
                out.push(' ');
            }
            let draw = chance.at(index);
            if draw.happens(0.45) && index + 1 < words {
                out.push_str(zipf(draw.of(For::Text), &self.small));
            } else {
                out.push_str(draw.of(For::Head).choose::<&str>(&self.roots));
                if draw.of(For::Fault).happens(0.25) {
                    out.push_str(draw.of(For::Links).choose::<&str>(&self.roots));
                }
                out.push_str(zipf(draw.of(For::Kind), &self.endings));
            }
        }
        match out.chars().next() {
            Some(letter) if capital => letter.to_uppercase().chain(out.chars().skip(1)).collect(),
            _ => out,
        }
    }
}

/// A word whose frequency falls with its rank.
fn zipf<'a>(chance: Chance, words: &[&'a str]) -> &'a str {
    let rank = positive((words.len() as f64).powf(chance.unit())) as usize - 1;
    words.get(rank).copied().unwrap_or_default()
}

/// Which text a page carries.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextKey {
    /// Of the page that had the text first.
    pub(crate) source: Chance,
    /// Of this page: where changed sentences come from.
    pub(crate) own: Chance,
    /// Share of sentences changed.
    pub(crate) change: f64,
    /// Wanted bytes of text.
    pub(crate) bytes: usize,
}

/// Where a text may carry a link in a paragraph; the writer gets the words of the anchor.
pub(crate) type Anchor<'a> = &'a mut dyn FnMut(&mut Vec<u8>, &str);

impl TextKey {
    /// Bits of one sentence: those of the source, or our own where this copy differs.
    fn sentence_bits(&self, index: u64) -> u64 {
        if self.change > 0.0 && self.own.at(index).happens(self.change) {
            return self.own.of(For::Change).at(index).bits();
        }
        self.source.at(index).bits()
    }

    pub(crate) fn title_bits(&self) -> u64 {
        self.source.of(For::Head).bits()
    }

    pub(crate) fn description(&self, out: &mut Vec<u8>, voice: &Voice) {
        voice.sentence(out, self.source.of(For::Head).at(1).bits());
    }

    /// The article: headings, paragraphs, and now and then a list, a table, a quotation or code.
    pub(crate) fn write(&self, out: &mut Vec<u8>, voice: &Voice, anchor: Anchor<'_>) {
        let sentences = (self.bytes / voice.mean.max(1)).max(3) as u64;
        let shape = self.source.of(For::Text);
        let (mut done, mut block) = (0, 0);
        while done < sentences {
            let draw = shape.at(block).bits();
            if block % 4 == 3 {
                tagged(out, "h2", voice.phrase(draw >> 8));
            }
            let count = 3 + draw % 4;
            match (draw >> 32) % 32 {
                0 | 1 => self.list(out, voice, done, count),
                2 => self.table(out, voice, done, count),
                3 => self.quotation(out, voice, done, count),
                4 if block > 0 => code(out, draw),
                _ => self.paragraph(out, voice, (done, count), anchor),
            }
            done += count;
            block += 1;
        }
    }

    fn paragraph(&self, out: &mut Vec<u8>, voice: &Voice, (begin, count): (u64, u64), anchor: Anchor<'_>) {
        out.extend_from_slice(b"<p>");
        for index in begin..begin + count {
            let bits = self.sentence_bits(index);
            voice.sentence(out, bits);
            if index % 6 == 5 {
                anchor(out, voice.phrase(bits >> 40));
                out.extend_from_slice(voice.language.stop.as_bytes());
            }
        }
        out.extend_from_slice(b"</p>\n");
    }

    fn list(&self, out: &mut Vec<u8>, voice: &Voice, begin: u64, count: u64) {
        out.extend_from_slice(b"<ul class=\"list list--plain\">\n");
        for index in begin..begin + count {
            out.extend_from_slice(b"<li>");
            voice.sentence(out, self.sentence_bits(index));
            out.extend_from_slice(b"</li>\n");
        }
        out.extend_from_slice(b"</ul>\n");
    }

    fn table(&self, out: &mut Vec<u8>, voice: &Voice, begin: u64, count: u64) {
        out.extend_from_slice(b"<table><tbody>\n");
        for index in begin..begin + count {
            let bits = self.sentence_bits(index);
            out.extend_from_slice(b"<tr><th>");
            out.extend_from_slice(voice.phrase(bits).as_bytes());
            out.extend_from_slice(b"</th><td>");
            number(out, bits >> 50);
            out.extend_from_slice(b"</td></tr>\n");
        }
        out.extend_from_slice(b"</tbody></table>\n");
    }

    fn quotation(&self, out: &mut Vec<u8>, voice: &Voice, begin: u64, count: u64) {
        out.extend_from_slice(b"<blockquote><p>");
        for index in begin..begin + count {
            voice.sentence(out, self.sentence_bits(index));
        }
        out.extend_from_slice(b"</p></blockquote>\n");
    }
}

fn tagged(out: &mut Vec<u8>, tag: &str, text: &str) {
    for part in ["<", tag, ">", text, "</", tag, ">\n"] {
        out.extend_from_slice(part.as_bytes());
    }
}

fn code(out: &mut Vec<u8>, bits: u64) {
    out.extend_from_slice(b"<pre><code>let total = ");
    number(out, bits & 0xffff);
    out.extend_from_slice(b";\nfor (const item of items) {\n  total += item.size * ");
    number(out, (bits >> 16) & 0xff);
    out.extend_from_slice(b";\n}\n</code></pre>\n");
}
