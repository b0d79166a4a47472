//! Paths: segments, dot segments, and the drive letters of `file:`.

use super::{Kind, Parser};
use crate::encode::{PATH, PATH_END, class, push_encoded};

impl Parser {
    /// `rest` begins after the slash, if there was one.
    pub(super) fn path_and_tail(&mut self, rest: &str) {
        let rest = match self.plain_path(rest) {
            Some(rest) => rest,
            None => self.segments(rest),
        };
        self.keep_path_apart();
        self.tail(rest);
    }

    /// Most paths are written as they stand: nothing to escape, no dot segments, no backslashes, no drives.
    fn plain_path<'i>(&mut self, rest: &'i str) -> Option<&'i str> {
        if self.kind != Kind::Special {
            return None;
        }
        let mut before = b'/';
        let mut end = rest.len();
        for (at, &byte) in rest.as_bytes().iter().enumerate() {
            if class(byte) & (PATH | PATH_END) != 0 {
                if !matches!(byte, b'?' | b'#') {
                    return None;
                }
                end = at;
                break;
            }
            // Whatever is a dot segment, in any spelling, begins so.
            if before == b'/' && matches!(byte, b'.' | b'%') {
                return None;
            }
            before = byte;
        }
        let (path, tail) = rest.split_at(end);
        self.text.push('/');
        self.text.push_str(path);
        Some(tail)
    }

    fn segments<'i>(&mut self, rest: &'i str) -> &'i str {
        let backslash = self.kind != Kind::Other;
        let mut rest = rest;
        loop {
            let ends = |&byte: &u8| matches!(byte, b'/' | b'?' | b'#') || byte == b'\\' && backslash;
            let end = rest.as_bytes().iter().position(ends).unwrap_or(rest.len());
            let (segment, after) = rest.split_at(end);
            let slash = self.strip_slash(after);
            match dots(segment) {
                0 => self.push_segment(segment),
                count => {
                    if count == 2 {
                        self.shorten();
                    }
                    if slash.is_none() {
                        self.text.push('/');
                    }
                }
            }
            let Some(next) = slash else { return after };
            rest = next;
        }
    }

    fn push_segment(&mut self, segment: &str) {
        let first = self.text.len() == self.marks.path;
        self.text.push('/');
        if first && self.kind == Kind::File && is_drive(segment) {
            self.text.push_str(segment.get(..1).unwrap_or_default());
            self.text.push(':');
        } else {
            push_encoded(&mut self.text, segment, PATH);
        }
    }

    /// Takes the last segment away; a drive stays.
    pub(super) fn shorten(&mut self) {
        let path = self.text.get(self.marks.path..).unwrap_or_default();
        if self.kind == Kind::File && path.strip_prefix('/').is_some_and(is_normal_drive) {
            return;
        }
        if let Some(at) = path.rfind('/') {
            self.text.truncate(self.marks.path + at);
        }
    }

    /// Where no host is, a path that begins with two slashes would be read as one.
    pub(super) fn keep_path_apart(&mut self) {
        let looks_like_host = self.text.get(self.marks.path..).is_some_and(|path| path.starts_with("//"));
        if self.marks.host.is_none() && looks_like_host {
            self.text.insert_str(self.marks.path, "/.");
            self.marks.path += 2;
            self.marks.query = self.marks.query.map(|at| at + 2);
            self.marks.fragment = self.marks.fragment.map(|at| at + 2);
        }
    }
}

/// 1 for `.`, 2 for `..`, in any of their spellings; 0 for everything else.
fn dots(segment: &str) -> usize {
    if segment.len() > 6 || !segment.starts_with(['.', '%']) {
        return 0;
    }
    let mut rest = segment;
    for count in 0..=2 {
        if rest.is_empty() {
            return count;
        }
        let escape =
            || rest.get(..3).filter(|three| three.eq_ignore_ascii_case("%2e")).and_then(|_| rest.get(3..));
        match rest.strip_prefix('.').or_else(escape) {
            Some(after) => rest = after,
            None => return 0,
        }
    }
    0
}

/// `C:` or `C|`.
pub(super) fn is_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

pub(super) fn is_normal_drive(text: &str) -> bool {
    is_drive(text) && text.ends_with(':')
}
