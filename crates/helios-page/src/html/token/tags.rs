//! Start tags, end tags and their attributes.

use std::hash::{DefaultHasher, Hash, Hasher};

use memchr::{memchr, memchr2};

use super::super::names::{hashed, mix};
use super::super::skim::is_wanted;
use super::super::tag::Tag;
use super::super::tree::{Attr, Span};
use super::near::plain_value;
use super::pass::is_of_link;
use super::{StartTag, Token, Tokenizer, is_space};

/// Attributes of one tag that are compared one by one with a new one.
const FEW: usize = 16;

/// Ends a tag name.
pub(super) const NAME_END: u8 = 1;
/// Ends the name of an attribute.
const ATTR_END: u8 = 2;
/// Must be changed in a name: capitals and NUL.
const ODD: u8 = 4;
/// Ends a value without quotes.
pub(super) const BARE_END: u8 = 8;
static CLASSES: [u8; 256] = classes();

#[allow(clippy::indexing_slicing, reason = "runs at compile time, where a panic is a compile error")]
const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b' ' | b'\n' | b'\r' | b'\t' | b'\x0C' | b'>' => NAME_END | ATTR_END | BARE_END,
            b'/' => NAME_END | ATTR_END,
            b'=' => ATTR_END,
            b'A'..=b'Z' | 0 => ODD,
            _ => 0,
        };
        byte += 1;
    }
    table
}

pub(super) fn class(byte: u8) -> u8 {
    CLASSES.get(byte as usize).copied().unwrap_or_default()
}

impl Tokenizer<'_> {
    /// At `<` and a letter.
    pub(super) fn start_tag(&mut self) -> Token {
        self.unkept = Some((self.attrs.len(), self.decoded.len(), self.decoded.len()));
        let from = self.attrs.len();
        let tag = self.tag_name(self.at + 1);
        let passes_over = self.skims && !is_wanted(tag);
        let ended = match tag {
            _ if passes_over => self.pass_attributes(),
            Tag::A | Tag::AREA if self.skims => self.attributes(from, is_of_link),
            _ => self.attributes(from, |_| true),
        };
        let Some(self_closing) = ended else { return self.cut_short() };
        self.unkept = self.unkept.map(|(attrs, before, _)| (attrs, before, self.decoded.len()));
        let attrs = Span { at: from as u32, len: (self.attrs.len() - from) as u32 };
        Token::Start(StartTag { tag, attrs, self_closing })
    }

    /// At `</` and a letter.
    pub(super) fn end_tag(&mut self) -> Token {
        let (attrs, decoded) = (self.attrs.len(), self.decoded.len());
        let tag = self.tag_name(self.at + 2);
        if self.bytes.get(self.at) == Some(&b'>') {
            self.at += 1;
        } else {
            let ended = self.attributes(attrs, |_| true);
            self.attrs.truncate(attrs);
            self.decoded.truncate(decoded);
            if ended.is_none() {
                return self.cut_short();
            }
        }
        Token::End(tag)
    }

    /// The text ends within a tag, which is dropped.
    fn cut_short(&mut self) -> Token {
        self.at = self.bytes.len();
        Token::Eof
    }

    fn tag_name(&mut self, from: usize) -> Tag {
        let rest = self.bytes.get(from..).unwrap_or_default();
        let (mut hash, mut odd, mut length) = (0, 0, 0);
        for &byte in rest {
            let class = class(byte);
            if class & NAME_END != 0 {
                break;
            }
            odd |= class;
            hash = mix(hash, byte);
            length += 1;
        }
        self.at = from + length;
        if let Some(tag) = hashed(rest.get(..length).unwrap_or_default(), hash) {
            return tag;
        }
        let name = self.text.get(from..from + length).unwrap_or_default();
        if odd & ODD == 0 {
            return self.names.intern(name);
        }
        self.names.intern(&name.to_ascii_lowercase().replace('\0', "\u{FFFD}"))
    }

    /// Whether the tag closes itself; nothing if the text ends first. Attributes that nobody asks for are passed over.
    #[inline]
    fn attributes(&mut self, from: usize, is_asked: impl Fn(&[u8]) -> bool) -> Option<bool> {
        let mut at = self.at;
        loop {
            match *self.bytes.get(at)? {
                b'>' => {
                    self.at = at + 1;
                    return Some(false);
                }
                b'/' if self.bytes.get(at + 1) == Some(&b'>') => {
                    self.at = at + 2;
                    return Some(true);
                }
                b'/' => at += 1,
                byte if is_space(byte) => at += 1,
                _ => at = self.attribute(at, from, &is_asked)?,
            }
        }
    }

    /// Reads one attribute; gives the place after it.
    fn attribute(&mut self, start: usize, from: usize, is_asked: impl Fn(&[u8]) -> bool) -> Option<usize> {
        let mut odd = class(*self.bytes.get(start)?);
        let mut at = start + 1;
        loop {
            let class = class(*self.bytes.get(at)?);
            if class & ATTR_END != 0 {
                break;
            }
            odd |= class;
            at += 1;
        }
        let end = at;
        while is_space(*self.bytes.get(at)?) {
            at += 1;
        }
        if !is_asked(self.bytes.get(start..end)?) {
            return if self.bytes.get(at) == Some(&b'=') { self.pass_value(at + 1) } else { Some(at) };
        }
        let name = if odd & ODD == 0 { Span::source(start, end) } else { self.lowered(start, end) };
        let mut value = Span::default();
        if self.bytes.get(at) == Some(&b'=') {
            at += 1;
            while is_space(*self.bytes.get(at)?) {
                at += 1;
            }
            (value, at) = self.value(at)?;
        }
        if !self.is_repeated(from, name) {
            self.attrs.push(Attr { name, value });
        }
        Some(at)
    }

    fn lowered(&mut self, start: usize, end: usize) -> Span {
        let from = self.decoded.len();
        for char in self.text.get(start..end).unwrap_or_default().chars() {
            self.decoded.push(if char == '\0' { '\u{FFFD}' } else { char.to_ascii_lowercase() });
        }
        Span::decoded(from, self.decoded.len())
    }

    /// The value that starts here, and the place after it.
    fn value(&mut self, at: usize) -> Option<(Span, usize)> {
        match *self.bytes.get(at)? {
            b'>' => Some((Span::default(), at)),
            quote @ (b'"' | b'\'') => {
                let start = at + 1;
                let rest = self.bytes.get(start..)?;
                if let Some(length) = plain_value(quote, rest) {
                    return Some((Span::source(start, start + length), start + length + 1));
                }
                let mut length = memchr2(quote, b'&', rest)?;
                let references = rest.get(length) == Some(&b'&');
                if references {
                    length += memchr(quote, rest.get(length..)?)?;
                }
                let end = start + length;
                Some((self.taken(start, end, references, true), end + 1))
            }
            _ => {
                let rest = self.bytes.get(at..)?;
                let length = rest.iter().position(|&byte| class(byte) & BARE_END != 0)?;
                let references = memchr(b'&', rest.get(..length)?).is_some();
                Some((self.taken(at, at + length, references, true), at + length))
            }
        }
    }

    /// Only the first attribute of a name counts.
    fn is_repeated(&mut self, from: usize, name: Span) -> bool {
        let Some(earlier) = self.attrs.get(from..) else { return false };
        if earlier.len() < FEW {
            return earlier
                .iter()
                .any(|attr| attr.name.len == name.len && self.str(attr.name) == self.str(name));
        }
        if earlier.len() == FEW {
            self.many =
                (from..).zip(earlier).map(|(at, attr)| (hash(self.str(attr.name)), at as u32)).collect();
        }
        let hash = hash(self.str(name));
        if let Some(&at) = self.many.get(&hash) {
            return self.attrs.get(at as usize).is_some_and(|attr| self.str(attr.name) == self.str(name));
        }
        self.many.insert(hash, self.attrs.len() as u32);
        false
    }
}

fn hash(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}
