//! XML as it is found: text in, tags and text out, whatever is wrong with it.
//!
//! A strict reader stops at the first bare ampersand, and feeds in the wild are full of them. This one never stops: what
//! cannot be a tag is text, what cannot be a reference is an ampersand, an end without a beginning is handed out for the caller
//! to ignore. Always: one pass, no recursion, nothing is fetched, and entities that a document declares are not expanded
//! (so that nothing can be made to grow). `decode` makes text of bytes, `escape` knows the references.

mod decode;
mod escape;

pub(crate) use decode::decode;
pub(crate) use escape::{push_escaped, unescape};

use memchr::{memchr, memchr_iter, memmem};

#[derive(Clone, Copy, Debug)]
pub(crate) enum Event<'a> {
    Open(Element<'a>),
    /// The name, as written.
    Close(&'a str),
    /// Still escaped.
    Text(&'a str),
    Cdata(&'a str),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Element<'a> {
    pub(crate) name: &'a str,
    /// Everything between the name and the end of the tag.
    inside: &'a str,
    /// `<a/>`: nothing follows that would close it.
    pub(crate) empty: bool,
}

impl<'a> Element<'a> {
    /// Names as written, values still escaped.
    pub(crate) fn attributes(&self) -> Attributes<'a> {
        Attributes { rest: self.inside }
    }

    /// The first attribute of this name, which is compared without its prefix and its case.
    pub(crate) fn attribute(&self, wanted: &str) -> Option<String> {
        let mut all = self.attributes();
        let (_, value) = all.find(|(name, _)| local(name).eq_ignore_ascii_case(wanted))?;
        Some(unescape(value).into_owned())
    }
}

/// A name without its prefix.
pub(crate) fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

/// The prefix of a name; empty if it has none.
pub(crate) fn prefix(name: &str) -> &str {
    name.rsplit_once(':').map_or("", |(prefix, _)| prefix)
}

pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str) -> Reader<'a> {
        Reader { text, at: 0 }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The text up to `end`, which is stepped over; all that is left where it does not come.
    fn until(&mut self, end: &str) -> &'a str {
        let rest = self.rest();
        let length = memmem::find(rest.as_bytes(), end.as_bytes());
        self.at += length.map_or(rest.len(), |length| length + end.len());
        rest.get(..length.unwrap_or(rest.len())).unwrap_or_default()
    }

    /// Everything up to the next thing that looks like a tag. A `<` before anything else is text.
    fn text(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let starts = |at: usize| {
            let next = rest.as_bytes().get(at + 1).copied();
            next.is_some_and(|byte| byte.is_ascii_alphabetic() || byte >= 0x80 || b"/!?_:".contains(&byte))
        };
        let length = memchr_iter(b'<', rest.as_bytes()).find(|&at| starts(at)).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).filter(|text| !text.is_empty())
    }

    /// A declaration of a document type, with what it holds in brackets.
    fn doctype(&mut self) {
        let rest = self.rest().as_bytes();
        let end = memchr(b'>', rest).unwrap_or(rest.len());
        match rest.get(..end).and_then(|head| memchr(b'[', head)) {
            Some(_) => {
                self.until("]");
                self.until(">");
            }
            None => self.at += (end + 1).min(rest.len()),
        }
    }

    fn markup(&mut self) -> Option<Event<'a>> {
        let rest = self.rest();
        if let Some(body) = rest.strip_prefix("<!--") {
            self.at += rest.len() - body.len();
            self.until("-->");
            None
        } else if rest.starts_with("<![CDATA[") {
            self.at += "<![CDATA[".len();
            Some(Event::Cdata(self.until("]]>")))
        } else if rest.starts_with("<!") {
            self.doctype();
            None
        } else if rest.starts_with("<?") {
            self.until(">");
            None
        } else if rest.starts_with("</") {
            self.at += 2;
            let name = self.until(">");
            Some(Event::Close(name.split_ascii_whitespace().next().unwrap_or_default()))
        } else {
            self.open()
        }
    }

    /// A tag up to its `>`, which may stand between quotes; none if the document ends in it.
    fn open(&mut self) -> Option<Event<'a>> {
        let body = self.rest().get(1..).unwrap_or_default();
        let end = tag_end(body.as_bytes()).or_else(|| memchr(b'>', body.as_bytes()));
        let Some(end) = end else {
            self.at = self.text.len();
            return None;
        };
        self.at += end + 2;
        let tag = body.get(..end).unwrap_or_default();
        let (tag, empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let length =
            tag.find(|letter: char| letter.is_ascii_whitespace() || letter == '/').unwrap_or(tag.len());
        let (name, inside) = tag.split_at_checked(length)?;
        Some(Event::Open(Element { name, inside, empty }))
    }
}

impl<'a> Iterator for Reader<'a> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        while self.at < self.text.len() {
            if let Some(text) = self.text() {
                return Some(Event::Text(text));
            }
            if let Some(event) = self.markup() {
                return Some(event);
            }
        }
        None
    }
}

/// Where a tag ends. Quotes count only behind an equals sign, so that a stray one swallows nothing. None if a value is not closed:
/// that can happen once for each kind of quote, for behind the last quote of its kind there is no other.
fn tag_end(body: &[u8]) -> Option<usize> {
    let mut at = 0;
    let mut after_equals = false;
    while let Some(&byte) = body.get(at) {
        match byte {
            b'>' => return Some(at),
            b'"' | b'\'' if after_equals => at += 1 + memchr(byte, body.get(at + 1..)?)?,
            _ => {}
        }
        after_equals = byte == b'=' || (after_equals && byte.is_ascii_whitespace());
        at += 1;
    }
    None
}

pub(crate) struct Attributes<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<(&'a str, &'a str)> {
        let space = |letter: char| letter.is_ascii_whitespace();
        let rest =
            self.rest.trim_start_matches(|letter| space(letter) || matches!(letter, '/' | '=' | '"' | '\''));
        let length = rest.find(|letter| space(letter) || letter == '=').unwrap_or(rest.len());
        let (name, rest) = rest.split_at_checked(length).filter(|(name, _)| !name.is_empty())?;
        let Some(rest) = rest.trim_start_matches(space).strip_prefix('=') else {
            self.rest = rest;
            return Some((name, ""));
        };
        let rest = rest.trim_start_matches(space);
        let quote = rest.chars().next().filter(|letter| matches!(letter, '"' | '\''));
        let (value, rest) = match quote {
            Some(quote) => {
                let body = rest.get(1..).unwrap_or_default();
                body.split_once(quote).unwrap_or((body, ""))
            }
            None => rest.split_at_checked(rest.find(space).unwrap_or(rest.len()))?,
        };
        self.rest = rest;
        Some((name, value))
    }
}
