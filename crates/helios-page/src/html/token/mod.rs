//! A text in, tokens out (WHATWG HTML §13.2.5). Line ends are already `\n`, but where a text is only skimmed: there is no time to look at
//! all of it first, so they are mended in what is taken out of it, and so are NULs.
//!
//! Tokens are ranges; what has to be decoded goes to one string. The tree builder asks for the next token and says which kind of
//! text it expects. Attributes of a tag stay in the list only if the builder keeps them before it asks again.

mod cut;
mod markup;
mod near;
mod pass;
mod raw;
mod reference;
mod tags;

use memchr::{memchr, memchr2};

use super::names::Names;
use super::tag::Tag;
use super::tree::{Attr, Span};

pub use cut::{Cut, cut, cut_from};

#[derive(Clone, Copy, Debug)]
pub(super) enum Token {
    Text(Span),
    Start(StartTag),
    End(Tag),
    Comment(Span),
    /// Its parts are in [`Tokenizer::doctype`].
    Doctype,
    Eof,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct StartTag {
    pub(super) tag: Tag,
    /// A range of [`Tokenizer::attrs`].
    pub(super) attrs: Span,
    pub(super) self_closing: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Doctype {
    pub(super) name: Option<Span>,
    pub(super) public: Option<Span>,
    pub(super) system: Option<Span>,
    pub(super) quirks: bool,
}

/// What the text is until the next end tag of that name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Raw {
    Data,
    Rcdata(Tag),
    Rawtext(Tag),
    Script,
    Plaintext,
}

#[derive(Debug)]
pub(super) struct Tokenizer<'s> {
    pub(super) text: &'s str,
    bytes: &'s [u8],
    at: usize,
    pub(super) raw: Raw,
    pub(super) decoded: String,
    pub(super) attrs: Vec<Attr>,
    pub(super) names: Names,
    pub(super) doctype: Doctype,
    /// Not known where a text is only skimmed.
    pub(super) has_nul: bool,
    /// Texts are not wanted, nor the attributes of most elements.
    skims: bool,
    /// How long attributes and decoded text were before the tag that nobody keeps so far, and decoded text after it.
    unkept: Option<(usize, usize, usize)>,
    /// Names of the attributes of one tag by hash, once there are many.
    many: std::collections::HashMap<u64, u32>,
}

impl<'s> Tokenizer<'s> {
    pub(super) fn new(text: &'s str) -> Tokenizer<'s> {
        let has_nul = memchr(0, text.as_bytes()).is_some();
        Tokenizer { has_nul, skims: false, ..Tokenizer::with(text, text.len() / 64) }
    }

    pub(super) fn skimming(text: &'s str) -> Tokenizer<'s> {
        Tokenizer::with(text, text.len() / 256)
    }

    fn with(text: &'s str, attrs: usize) -> Tokenizer<'s> {
        Tokenizer {
            text,
            bytes: text.as_bytes(),
            at: 0,
            raw: Raw::Data,
            decoded: String::new(),
            attrs: Vec::with_capacity(attrs),
            names: Names::default(),
            doctype: Doctype::default(),
            has_nul: false,
            skims: true,
            unkept: None,
            many: std::collections::HashMap::new(),
        }
    }

    pub(super) fn str(&self, span: Span) -> &str {
        span.of(self.text, &self.decoded)
    }

    /// The attributes of the last tag belong to the tree from now on.
    pub(super) fn keep(&mut self) {
        self.unkept = None;
    }

    fn forget(&mut self) {
        if let Some((attrs, before, after)) = self.unkept.take() {
            self.attrs.truncate(attrs);
            if self.decoded.len() == after {
                self.decoded.truncate(before);
            }
        }
    }

    /// The next token; `foreign` says that the current node is not HTML, where `<![CDATA[` means something.
    pub(super) fn next(&mut self, foreign: bool) -> Token {
        self.forget();
        if self.raw != Raw::Data
            && let Some(text) = self.raw_text()
        {
            return Token::Text(text);
        }
        loop {
            if self.skims && !foreign {
                self.pass_over();
            }
            let from = self.at;
            let (start, references) = self.text_end(from);
            self.at = start;
            if start > from && !self.skims {
                return Token::Text(if references {
                    self.decode(from, start, false)
                } else {
                    Span::source(from, start)
                });
            }
            match self.bytes.get(start + 1) {
                None => return Token::Eof,
                Some(b'/') => match self.bytes.get(start + 2) {
                    Some(letter) if letter.is_ascii_alphabetic() => return self.end_tag(),
                    Some(b'>') => self.at = start + 3,
                    _ => return self.bogus_comment(start + 2),
                },
                Some(b'!') => {
                    if let Some(token) = self.declaration(foreign) {
                        return token;
                    }
                }
                Some(b'?') => return self.bogus_comment(start + 1),
                Some(_) => return self.start_tag(),
            }
        }
    }

    /// Where the text that starts here ends, and whether it has an ampersand.
    fn text_end(&self, start: usize) -> (usize, bool) {
        // Nobody asks for references in what is passed over.
        let (mut at, mut references) = (start, self.skims);
        loop {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let found = if references { memchr(b'<', rest) } else { memchr2(b'<', b'&', rest) };
            let Some(found) = found else { return (self.bytes.len(), references) };
            at += found;
            if self.bytes.get(at) == Some(&b'&') {
                references = true;
            } else if self.is_markup(at) {
                return (at, references);
            }
            at += 1;
        }
    }

    /// Does this `<` begin a tag, a comment or a declaration?
    fn is_markup(&self, at: usize) -> bool {
        match self.bytes.get(at + 1) {
            Some(b'/') => at + 2 < self.bytes.len(),
            Some(b'!' | b'?') => true,
            Some(byte) => byte.is_ascii_alphabetic(),
            None => false,
        }
    }
}

/// White space as HTML has it. Carriage returns are line ends that were not made `\n` first.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | b'\x0C')
}
