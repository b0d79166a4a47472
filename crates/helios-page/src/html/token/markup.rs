//! Comments, doctypes and CDATA.

use memchr::{memchr, memchr2, memmem};

use super::super::tree::Span;
use super::{Doctype, Token, Tokenizer, is_space};

impl Tokenizer<'_> {
    /// At `<!`. Nothing if it is an empty CDATA section.
    pub(super) fn declaration(&mut self, foreign: bool) -> Option<Token> {
        let start = self.at + 2;
        let rest = self.bytes.get(start..).unwrap_or_default();
        if rest.starts_with(b"--") {
            return Some(self.comment(start + 2));
        }
        if rest.get(..7).is_some_and(|word| word.eq_ignore_ascii_case(b"doctype")) {
            self.at = start + 7;
            self.doctype = self.doctype();
            return Some(Token::Doctype);
        }
        if foreign && rest.starts_with(b"[CDATA[") {
            return self.cdata(start + 7);
        }
        Some(self.bogus_comment(start))
    }

    pub(super) fn cdata(&mut self, start: usize) -> Option<Token> {
        let rest = self.bytes.get(start..).unwrap_or_default();
        let length = memmem::find(rest, b"]]>");
        let end = start + length.unwrap_or(rest.len());
        self.at = end + length.map_or(0, |_| 3);
        (end > start).then_some(Token::Text(Span::source(start, end)))
    }

    fn clean(&mut self, start: usize, end: usize) -> Span {
        self.decode_without_nul(start, end, false, false)
    }

    pub(super) fn bogus_comment(&mut self, start: usize) -> Token {
        let end = self.find(b'>', start);
        self.at = (end + 1).min(self.bytes.len());
        Token::Comment(self.clean(start, end))
    }

    fn find(&self, byte: u8, from: usize) -> usize {
        let found = self.bytes.get(from..).and_then(|rest| memchr(byte, rest));
        found.map_or(self.bytes.len(), |found| from + found)
    }

    fn comment(&mut self, start: usize) -> Token {
        let rest = self.bytes.get(start..).unwrap_or_default();
        let (length, after) = if rest.starts_with(b">") {
            (0, 1)
        } else if rest.starts_with(b"->") {
            (0, 2)
        } else {
            comment_end(rest)
        };
        self.at = start + after;
        Token::Comment(self.clean(start, start + length))
    }

    fn skip_spaces(&mut self) {
        while self.bytes.get(self.at).is_some_and(|&byte| is_space(byte)) {
            self.at += 1;
        }
    }

    /// After the word `doctype` (§13.2.5.53 and on).
    fn doctype(&mut self) -> Doctype {
        let mut doctype = Doctype { quirks: true, ..Doctype::default() };
        self.skip_spaces();
        let start = self.at;
        let rest = self.bytes.get(start..).unwrap_or_default();
        let length = rest.iter().position(|&byte| byte == b'>' || is_space(byte)).unwrap_or(rest.len());
        if length > 0 {
            let from = self.decoded.len();
            let name = self.text.get(start..start + length).unwrap_or_default();
            self.decoded.push_str(&name.to_ascii_lowercase().replace('\0', "\u{FFFD}"));
            doctype.name = Some(Span::decoded(from, self.decoded.len()));
        }
        self.at += length;
        self.skip_spaces();
        let is_whole = self.identifiers(&mut doctype);
        doctype.quirks = !is_whole.unwrap_or(false) || doctype.name.is_none();
        self.at = (self.find(b'>', self.at) + 1).min(self.bytes.len());
        doctype
    }

    /// Whether the doctype is as it should be; nothing if the text ends.
    fn identifiers(&mut self, doctype: &mut Doctype) -> Option<bool> {
        if *self.bytes.get(self.at)? == b'>' {
            return Some(true);
        }
        let word = self.bytes.get(self.at..self.at + 6).unwrap_or_default();
        let is_public = word.eq_ignore_ascii_case(b"public");
        if !is_public && !word.eq_ignore_ascii_case(b"system") {
            return Some(false);
        }
        self.at += 6;
        if is_public {
            self.skip_spaces();
            if !self.quoted(&mut doctype.public)? {
                return Some(false);
            }
            self.skip_spaces();
            if *self.bytes.get(self.at)? == b'>' {
                return Some(true);
            }
        } else {
            self.skip_spaces();
        }
        let is_whole = self.quoted(&mut doctype.system)?;
        if is_whole {
            self.skip_spaces();
            self.bytes.get(self.at)?;
        }
        Some(is_whole)
    }

    /// Reads an identifier in quotes, which a `>` cuts short.
    fn quoted(&mut self, into: &mut Option<Span>) -> Option<bool> {
        let quote = *self.bytes.get(self.at)?;
        if quote != b'"' && quote != b'\'' {
            return Some(false);
        }
        let start = self.at + 1;
        let found = memchr2(quote, b'>', self.bytes.get(start..)?);
        let end = found.map_or(self.bytes.len(), |found| start + found);
        *into = Some(self.clean(start, end));
        self.at = end;
        let is_whole = *self.bytes.get(end)? == quote;
        self.at += usize::from(is_whole);
        Some(is_whole)
    }
}

/// The length of the comment, and the place after its end.
fn comment_end(rest: &[u8]) -> (usize, usize) {
    let mut at = 0;
    while let Some(found) = rest.get(at..).and_then(|rest| memmem::find(rest, b"--")) {
        at += found;
        match (rest.get(at + 2), rest.get(at + 3)) {
            (Some(b'>'), _) => return (at, at + 3),
            (Some(b'!'), Some(b'>')) => return (at, at + 4),
            _ => at += 1,
        }
    }
    let cut =
        [b"--!".as_slice(), b"--", b"-"].into_iter().find(|end| rest.ends_with(end)).unwrap_or_default();
    (rest.len() - cut.len(), rest.len())
}
