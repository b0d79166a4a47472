//! Text in which tags mean nothing: titles, styles, scripts.

use memchr::{memchr, memchr2};

use super::super::tag::Tag;
use super::super::tree::Span;
use super::{Raw, Tokenizer, is_space};

impl Tokenizer<'_> {
    /// The text up to the end tag, if there is any; ordinary markup follows.
    pub(super) fn raw_text(&mut self) -> Option<Span> {
        let start = self.at;
        let (end, references) = match self.raw {
            Raw::Data => return None,
            Raw::Plaintext => (self.bytes.len(), false),
            Raw::Rcdata(tag) => (self.raw_end(start, tag), true),
            Raw::Rawtext(tag) => (self.raw_end(start, tag), false),
            Raw::Script => (self.script_end(start), false),
        };
        self.raw = Raw::Data;
        self.at = end;
        if start == end {
            None
        } else if self.skims && !references {
            Some(Span::source(start, end)) // scripts and styles: nobody wants them
        } else {
            Some(self.taken(start, end, references, false))
        }
    }

    fn raw_end(&self, from: usize, tag: Tag) -> usize {
        let mut at = from;
        while let Some(found) = self.bytes.get(at..).and_then(|rest| memchr(b'<', rest)) {
            at += found;
            if self.bytes.get(at + 1) == Some(&b'/') && self.is_name(at + 2, tag) {
                return at;
            }
            at += 1;
        }
        self.bytes.len()
    }

    /// Is here this name, and does it end here?
    fn is_name(&self, at: usize, tag: Tag) -> bool {
        let name = self.names.name(tag).as_bytes();
        self.bytes.get(at..at + name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name))
            && self
                .bytes
                .get(at + name.len())
                .is_some_and(|&byte| is_space(byte) || matches!(byte, b'/' | b'>'))
    }

    /// Scripts hidden in comments may hold whole script elements (§13.2.5.16 and on).
    fn script_end(&self, from: usize) -> usize {
        let (mut at, mut escaped, mut twice) = (from, false, false);
        loop {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let found = if escaped { memchr2(b'<', b'-', rest) } else { memchr(b'<', rest) };
            let Some(found) = found else { return self.bytes.len() };
            at += found;
            let here = self.bytes.get(at..).unwrap_or_default();
            if here.starts_with(b"-->") {
                (escaped, twice) = (false, false);
                at += 3;
            } else if here.starts_with(b"</") && self.is_name(at + 2, Tag::SCRIPT) {
                if !twice {
                    return at;
                }
                twice = false;
                at += 8;
            } else if escaped && here.starts_with(b"<") && self.is_name(at + 1, Tag::SCRIPT) {
                twice = true;
                at += 7;
            } else if !escaped && here.starts_with(b"<!--") {
                escaped = true;
                at += 2;
            } else {
                at += 1;
            }
        }
    }
}
