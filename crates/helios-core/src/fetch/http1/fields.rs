//! The header lines of an answer, as places in its head: few are ever looked at, so none is copied, hashed or named.

use std::ops::Range;

use bytes::Bytes;

#[derive(Debug, Default)]
pub(crate) struct Fields {
    /// The whole head, from the status line to the empty line, as it was sent.
    raw: Bytes,
    /// The same with spaces for the line ends inside values, if it has such (obs-fold, RFC 9112 §5.2).
    unfolded: Option<Box<[u8]>>,
    lines: Vec<Line>,
}

#[derive(Debug)]
pub(super) struct Line {
    name: Range<u32>,
    value: Range<u32>,
}

impl Line {
    /// Where a name and a value lie in the head that they are parts of.
    pub(super) fn within(raw: &[u8], name: &[u8], value: &[u8]) -> Self {
        Self { name: place(raw, name), value: place(raw, value) }
    }
}

impl Fields {
    /// `folded`: some of its values may go on in the next line.
    pub(super) fn new(raw: Bytes, lines: Vec<Line>, folded: bool) -> Self {
        let is_folded = |line: &Line| memchr::memchr2(b'\r', b'\n', part(&raw, &line.value)).is_some();
        let unfolded = (folded && lines.iter().any(is_folded)).then(|| unfolded(&raw, &lines));
        Self { raw, unfolded, lines }
    }

    /// Lines that came otherwise, written down behind a first line of our own.
    pub(crate) fn written<'a>(first: &str, lines: impl Iterator<Item = (&'a str, &'a [u8])>) -> Self {
        let mut raw = first.as_bytes().to_vec();
        let mut places = Vec::new();
        let mut push = |part: &[u8]| {
            let start = raw.len() as u32;
            raw.extend_from_slice(part);
            start..raw.len() as u32
        };
        push(b"\r\n");
        for (name, value) in lines {
            let name = push(name.as_bytes());
            push(b": ");
            let value = push(value);
            push(b"\r\n");
            places.push(Line { name, value });
        }
        push(b"\r\n");
        Self { raw: raw.into(), unfolded: None, lines: places }
    }

    pub(crate) fn raw(&self) -> &Bytes {
        &self.raw
    }

    pub(crate) fn into_raw(self) -> Bytes {
        self.raw
    }

    /// The values of all lines of this name, which is given in small letters.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl DoubleEndedIterator<Item = &'a [u8]> {
        let text = self.text();
        let is_it = move |line: &&Line| {
            line.name.len() == name.len() && part(text, &line.name).eq_ignore_ascii_case(name.as_bytes())
        };
        self.lines.iter().filter(is_it).map(move |line| part(text, &line.value))
    }

    /// The first of them.
    pub(crate) fn first<'a>(&'a self, name: &'a str) -> Option<&'a [u8]> {
        self.all(name).next()
    }

    /// Names as they were sent, and values.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (&[u8], &[u8])> {
        let text = self.text();
        self.lines.iter().map(move |line| (part(text, &line.name), part(text, &line.value)))
    }

    fn text(&self) -> &[u8] {
        self.unfolded.as_deref().unwrap_or(&self.raw)
    }
}

fn part<'a>(text: &'a [u8], place: &Range<u32>) -> &'a [u8] {
    text.get(place.start as usize..place.end as usize).unwrap_or_default()
}

/// An empty part may lie anywhere.
fn place(whole: &[u8], part: &[u8]) -> Range<u32> {
    let start = part.as_ptr().addr().saturating_sub(whole.as_ptr().addr());
    if part.is_empty() { 0..0 } else { start as u32..(start + part.len()) as u32 }
}

fn unfolded(raw: &[u8], lines: &[Line]) -> Box<[u8]> {
    let mut text = Box::<[u8]>::from(raw);
    for line in lines {
        let value = text.get_mut(line.value.start as usize..line.value.end as usize).unwrap_or_default();
        for byte in value.iter_mut().filter(|byte| matches!(**byte, b'\r' | b'\n')) {
            *byte = b' ';
        }
    }
    text
}
