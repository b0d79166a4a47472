//! The URL parser of the standard (§4.4), state for state, but over slices instead of one letter at a time.

mod authority;
mod file;
mod path;

use std::borrow::Cow;

use encoding_rs::{Encoding, ISO_2022_JP, UTF_8};

use crate::encode::{CONTROL, FRAGMENT, QUERY, SPECIAL_QUERY, push_encoded, push_escape, push_in_encoding};
use crate::error::Fault;
use crate::url::{Marks, Url};

pub(crate) fn parse(input: &str, base: Option<&Url>) -> Result<Url, Fault> {
    parse_into(String::new(), input, base, None)
}

/// The same, into room that is there, an empty text. On a page in `encoding` what is not ASCII in a query is sent in it.
pub(crate) fn parse_into(
    mut text: String,
    input: &str,
    base: Option<&Url>,
    encoding: Option<&'static Encoding>,
) -> Result<Url, Fault> {
    let input = without_line_breaks(input.trim_matches(|letter| letter <= ' '));
    text.reserve(input.len() + base.map_or(0, |base| base.text.len()) + 8);
    let mut parser = Parser { text, marks: Marks::default(), kind: Kind::Other, encoding };
    parser.any(&input, base)?;
    Ok(Url { text: parser.text, marks: parser.marks })
}

/// Tabs and line breaks count for nothing, wherever they are.
fn without_line_breaks(text: &str) -> Cow<'_, str> {
    if memchr::memchr3(b'\t', b'\n', b'\r', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter(|letter| !matches!(letter, '\t' | '\n' | '\r')).collect())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// http, https, ws, wss, ftp: always a host, and `\` is `/`.
    Special,
    /// Special too, with drive letters.
    File,
    Other,
}

fn kind_of(scheme: &str) -> Kind {
    match scheme {
        "http" | "https" | "ws" | "wss" | "ftp" => Kind::Special,
        "file" => Kind::File,
        _ => Kind::Other,
    }
}

/// The path, behind its slash, if what follows the scheme names the base's own host to the letter, as most links with a host do: there is
/// nothing to read in it then.
fn within<'i>(rest: &'i str, base: &Url) -> Option<&'i str> {
    let place = base.text.get(base.marks.scheme_end + 1..base.authority_end())?;
    let (start, _) = base.marks.host?;
    let is_plain = kind_of(base.scheme()) == Kind::Special && start == base.marks.scheme_end + "://".len();
    rest.strip_prefix(place).filter(|_| is_plain)?.strip_prefix('/')
}

fn default_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" | "ws" => Some(80),
        "https" | "wss" => Some(443),
        "ftp" => Some(21),
        _ => None,
    }
}

/// `text` is the URL so far. What a function returns is the part of the input that it has left.
struct Parser {
    text: String,
    marks: Marks,
    kind: Kind,
    encoding: Option<&'static Encoding>,
}

impl Parser {
    fn any(&mut self, input: &str, base: Option<&Url>) -> Result<(), Fault> {
        if let Some((scheme, rest)) = split_scheme(input) {
            self.text.push_str(scheme);
            self.text.make_ascii_lowercase();
            self.kind = kind_of(&self.text);
            self.marks.scheme_end = self.text.len();
            let alike = base.filter(|base| base.scheme() == self.text);
            self.text.push(':');
            return self.absolute(rest, alike);
        }
        let base = base.ok_or(Fault::NoBase)?;
        self.kind = kind_of(base.scheme());
        if base.marks.opaque {
            if !input.starts_with('#') {
                return Err(Fault::OpaqueBase);
            }
            self.copy(base, base.query_end());
            self.marks = Marks { fragment: None, ..base.marks };
            self.tail(input);
            return Ok(());
        }
        if self.kind == Kind::File {
            self.copy(base, base.marks.scheme_end + 1);
            self.file(input, Some(base))
        } else {
            self.relative(input, base)
        }
    }

    /// `alike` is the base if it has the scheme that the input names.
    fn absolute(&mut self, rest: &str, alike: Option<&Url>) -> Result<(), Fault> {
        if let Some((base, path)) = alike.and_then(|base| Some((base, within(rest, base)?))) {
            self.text.clear();
            self.on_host_of(base, path);
            return Ok(());
        }
        match (self.kind, alike) {
            (Kind::File, alike) => self.file(rest, alike),
            (Kind::Special, Some(base)) if !rest.starts_with("//") => {
                self.text.clear();
                self.relative(rest, base)
            }
            (Kind::Special, _) => self.authority(rest.trim_start_matches(['/', '\\'])),
            (Kind::Other, _) => match (rest.strip_prefix("//"), rest.strip_prefix('/')) {
                (Some(rest), _) => self.authority(rest),
                (None, Some(rest)) => {
                    self.marks.path = self.text.len();
                    self.path_and_tail(rest);
                    Ok(())
                }
                (None, None) => {
                    self.opaque_path(rest);
                    Ok(())
                }
            },
        }
    }

    /// A path, behind its slash, on the base's own host.
    fn on_host_of(&mut self, base: &Url, path: &str) {
        self.marks = Marks { query: None, fragment: None, ..base.marks };
        self.copy(base, base.authority_end());
        self.marks.path = self.text.len();
        self.path_and_tail(path);
    }

    fn relative(&mut self, input: &str, base: &Url) -> Result<(), Fault> {
        self.marks = Marks { query: None, fragment: None, ..base.marks };
        if let Some(rest) = self.strip_slash(input) {
            if self.kind == Kind::Special && rest.starts_with(['/', '\\']) {
                self.copy(base, base.marks.scheme_end + 1);
                return self.authority(rest.trim_start_matches(['/', '\\']));
            }
            if let (Kind::Other, Some(rest)) = (self.kind, rest.strip_prefix('/')) {
                self.copy(base, base.marks.scheme_end + 1);
                return self.authority(rest);
            }
            self.on_host_of(base, rest);
            return Ok(());
        }
        self.copy(base, base.authority_end());
        self.marks.path = self.text.len();
        self.text.push_str(base.path());
        match input.as_bytes().first() {
            Some(b'?') => self.tail(input),
            None | Some(b'#') => {
                self.copy_query(base);
                self.tail(input);
            }
            Some(_) => {
                self.shorten();
                self.path_and_tail(input);
                return Ok(());
            }
        }
        self.keep_path_apart();
        Ok(())
    }

    fn copy(&mut self, base: &Url, end: usize) {
        self.marks.scheme_end = base.marks.scheme_end;
        self.text.push_str(base.text.get(..end).unwrap_or_default());
    }

    fn copy_query(&mut self, base: &Url) {
        if let Some(query) = base.query() {
            self.marks.query = Some(self.text.len());
            self.text.push('?');
            self.text.push_str(query);
        }
    }

    fn strip_slash<'i>(&self, input: &'i str) -> Option<&'i str> {
        input.strip_prefix('/').or_else(|| input.strip_prefix('\\').filter(|_| self.kind != Kind::Other))
    }

    fn opaque_path(&mut self, rest: &str) {
        self.marks.path = self.text.len();
        self.marks.opaque = true;
        let (path, tail) = rest.split_at(rest.find(['?', '#']).unwrap_or(rest.len()));
        // A space before the query would be trimmed when it is gone.
        let bare = path.strip_suffix(' ').filter(|_| !tail.is_empty());
        push_encoded(&mut self.text, bare.unwrap_or(path), CONTROL);
        if bare.is_some() {
            push_escape(&mut self.text, b' ');
        }
        self.tail(tail);
    }

    /// `?query#fragment`, either or neither.
    fn tail(&mut self, rest: &str) {
        let (query, fragment) = rest.split_at(memchr::memchr(b'#', rest.as_bytes()).unwrap_or(rest.len()));
        if let Some(query) = query.strip_prefix('?') {
            self.marks.query = Some(self.text.len());
            self.text.push('?');
            let set = if self.kind == Kind::Other { QUERY } else { SPECIAL_QUERY };
            let http = self.kind == Kind::Special && !self.text.starts_with("ws");
            // ASCII is itself in all of them but one.
            let same = |encoding| encoding == UTF_8 || query.is_ascii() && encoding != ISO_2022_JP;
            match self.encoding.filter(|encoding| http && !same(*encoding)) {
                Some(encoding) => push_in_encoding(&mut self.text, query, set, encoding),
                None => push_encoded(&mut self.text, query, set),
            }
        }
        if let Some(fragment) = fragment.strip_prefix('#') {
            self.marks.fragment = Some(self.text.len());
            self.text.push('#');
            push_encoded(&mut self.text, fragment, FRAGMENT);
        }
    }
}

/// The scheme as written, and what follows its colon.
fn split_scheme(input: &str) -> Option<(&str, &str)> {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let end = input.bytes().position(|byte| !is_letter(&byte))?;
    let (scheme, rest) = input.split_at(end);
    let rest = rest.strip_prefix(':')?;
    scheme.starts_with(|letter: char| letter.is_ascii_alphabetic()).then_some((scheme, rest))
}
