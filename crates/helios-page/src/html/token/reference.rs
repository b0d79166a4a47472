//! Character references (WHATWG HTML §13.2.5.72 and on).

use memchr::{memchr, memchr2};

use super::super::tree::Span;
use super::Tokenizer;

/// Made by tools/entities.py: name, code points, `~` if it counts without a semicolon.
const LIST: &str = include_str!("references.txt");
const COUNT: usize = 2125;
static LINES: [u16; COUNT + 1] = lines();
/// Names that count without a semicolon are that long.
const SHORTEST: usize = 2;
const LONGEST_BARE: usize = 6;
const LONGEST: usize = 32;

#[allow(clippy::indexing_slicing, reason = "runs at compile time, where a panic is a compile error")]
const fn lines() -> [u16; COUNT + 1] {
    let mut starts = [0; COUNT + 1];
    let bytes = LIST.as_bytes();
    let (mut line, mut at) = (1, 0);
    while at < bytes.len() {
        if bytes[at] == b'\n' {
            starts[line] = (at + 1) as u16;
            line += 1;
        }
        at += 1;
    }
    assert!(line == COUNT + 1, "COUNT is the number of lines");
    starts
}

/// What C1 controls stand for: they are read as windows-1252.
const C1: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ";

type Chars = (char, Option<char>);

impl Tokenizer<'_> {
    /// The text between two places as a reader gets it: `references` decoded, and no NUL.
    pub(super) fn taken(&mut self, start: usize, end: usize, references: bool, in_attribute: bool) -> Span {
        if self.skims {
            self.taken_as_it_came(start, end, references, in_attribute)
        } else if self.has_nul {
            self.decode_without_nul(start, end, references, in_attribute)
        } else if references {
            self.decode(start, end, in_attribute)
        } else {
            Span::source(start, end)
        }
    }

    /// The text between two places with its references decoded.
    pub(super) fn decode(&mut self, start: usize, end: usize, in_attribute: bool) -> Span {
        let text = self.text.get(start..end).unwrap_or_default();
        let from = self.decoded.len();
        if decode_into(&mut self.decoded, text, in_attribute) {
            Span::decoded(from, self.decoded.len())
        } else {
            Span::source(start, end)
        }
    }

    /// The same, and every NUL becomes U+FFFD.
    pub(super) fn decode_without_nul(
        &mut self,
        start: usize,
        end: usize,
        references: bool,
        in_attribute: bool,
    ) -> Span {
        let span = if references { self.decode(start, end, in_attribute) } else { Span::source(start, end) };
        if memchr(0, self.str(span).as_bytes()).is_none() {
            return span;
        }
        let clean = self.str(span).replace('\0', "\u{FFFD}");
        let from = self.decoded.len();
        self.decoded.push_str(&clean);
        Span::decoded(from, self.decoded.len())
    }

    /// Of a text whose line ends are not yet one character each.
    fn taken_as_it_came(&mut self, start: usize, end: usize, references: bool, in_attribute: bool) -> Span {
        let text = self.text.get(start..end).unwrap_or_default();
        if memchr2(0, b'\r', text.as_bytes()).is_none() {
            return if references { self.decode(start, end, in_attribute) } else { Span::source(start, end) };
        }
        let plain = text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{FFFD}");
        let from = self.decoded.len();
        if !references || !decode_into(&mut self.decoded, &plain, in_attribute) {
            self.decoded.push_str(&plain);
        }
        Span::decoded(from, self.decoded.len())
    }
}

/// Adds a text with its references decoded; if it has none, nothing is added.
fn decode_into(out: &mut String, text: &str, in_attribute: bool) -> bool {
    let (mut done, mut at) = (0, 0);
    while let Some(found) = text.as_bytes().get(at..).and_then(|rest| memchr(b'&', rest)) {
        at += found + 1;
        let Some(((first, second), used)) = reference(text.get(at..).unwrap_or_default(), in_attribute)
        else {
            continue;
        };
        out.push_str(text.get(done..at - 1).unwrap_or_default());
        out.push(first);
        out.extend(second);
        at += used;
        done = at;
    }
    if done > 0 {
        out.push_str(text.get(done..).unwrap_or_default());
    }
    done > 0
}

/// The characters of a reference, given what follows its `&`, and how many bytes of that it takes.
fn reference(rest: &str, in_attribute: bool) -> Option<(Chars, usize)> {
    let bytes = rest.as_bytes();
    if bytes.first() == Some(&b'#') {
        return numeric(bytes).map(|(char, used)| ((char, None), used));
    }
    let run = bytes.iter().take(LONGEST).position(|byte| !byte.is_ascii_alphanumeric());
    let run = run.unwrap_or(bytes.len().min(LONGEST));
    if bytes.get(run) == Some(&b';')
        && let Some((chars, _)) = named(rest.get(..run)?)
    {
        return Some((chars, run + 1));
    }
    for length in (SHORTEST..=run.min(LONGEST_BARE)).rev() {
        if let Some((chars, true)) = named(rest.get(..length)?) {
            let next = bytes.get(length);
            let goes_on = next.is_some_and(|&byte| byte == b'=' || byte.is_ascii_alphanumeric());
            return (!in_attribute || !goes_on).then_some((chars, length));
        }
    }
    None
}

fn numeric(bytes: &[u8]) -> Option<(char, usize)> {
    let (base, digits_at) = if matches!(bytes.get(1), Some(b'x' | b'X')) { (16, 2) } else { (10, 1) };
    let (mut point, mut at) = (0u32, digits_at);
    while let Some(digit) = bytes.get(at).and_then(|&byte| char::from(byte).to_digit(base)) {
        point = point.saturating_mul(base).saturating_add(digit);
        at += 1;
    }
    let char = match point {
        _ if at == digits_at => return None,
        0 => '\u{FFFD}',
        0x80..=0x9F => C1.chars().nth(point as usize - 0x80).unwrap_or('\u{FFFD}'),
        _ => char::from_u32(point).unwrap_or('\u{FFFD}'),
    };
    Some((char, at + usize::from(bytes.get(at) == Some(&b';'))))
}

/// The characters of a name, and whether it counts without a semicolon.
fn named(name: &str) -> Option<(Chars, bool)> {
    match name {
        "amp" => return Some((('&', None), true)),
        "nbsp" => return Some((('\u{A0}', None), true)),
        "quot" => return Some((('"', None), true)),
        _ => {}
    }
    let (mut low, mut high) = (0, COUNT);
    while low < high {
        let middle = usize::midpoint(low, high);
        let (found, value) = line(middle)?.split_once(' ')?;
        match found.cmp(name) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
            std::cmp::Ordering::Equal => return chars(value),
        }
    }
    None
}

fn line(number: usize) -> Option<&'static str> {
    LIST.get(usize::from(*LINES.get(number)?)..usize::from(*LINES.get(number + 1)?))
}

/// `226B 20D2` or `26~`
fn chars(value: &str) -> Option<(Chars, bool)> {
    let value = value.trim_end();
    let (points, bare) = value.strip_suffix('~').map_or((value, false), |points| (points, true));
    let mut points =
        points.split(' ').filter_map(|point| char::from_u32(u32::from_str_radix(point, 16).ok()?));
    Some(((points.next()?, points.next()), bare))
}
