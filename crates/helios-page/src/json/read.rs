//! Reading JSON, and what was meant to be JSON.

use super::Value;

/// Deeper values are null.
const DEPTH: usize = 128;
/// Values of one text: behind that many, nothing more is read.
const VALUES: usize = 1_000_000;

/// The first value of a text; none if there is no object and no array.
pub(crate) fn first(text: &str) -> Option<Value> {
    all(text, 1).pop()
}

/// The objects and arrays of a text, one behind the other, at most so many.
pub(crate) fn all(text: &str, most: usize) -> Vec<Value> {
    let mut reading = Reading { bytes: text.as_bytes(), text, at: 0, values: 0 };
    let mut values = Vec::new();
    while values.len() < most {
        reading.junk();
        match reading.peek() {
            None => break,
            Some(b'{' | b'[') => values.push(reading.value(0)),
            // What stands before a value: a name it is given to, a CDATA mark, a semicolon.
            Some(b'"') => drop(reading.string(b'"')),
            Some(_) => reading.at += 1,
        }
    }
    values
}

struct Reading<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    values: usize,
}

impl Reading<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// White space of any kind, and comments.
    fn junk(&mut self) {
        loop {
            let rest = self.rest();
            match rest {
                [b' ' | b'\n' | b'\r' | b'\t' | 0x0b | 0x0c | 0, ..] => self.at += 1,
                // No-break spaces and byte order marks are pasted in.
                [0xc2, 0xa0, ..] => self.at += 2,
                [0xef, 0xbb, 0xbf, ..] => self.at += 3,
                [b'/', b'/', ..] => self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
                [b'/', b'*', ..] => {
                    let end = memchr::memmem::find(rest, b"*/").map_or(rest.len(), |end| end + 2);
                    self.at += end;
                }
                [b'<', b'!', b'-', b'-', ..] => self.at += 4,
                _ => break,
            }
        }
    }

    fn value(&mut self, depth: usize) -> Value {
        self.junk();
        self.values += 1;
        if self.values > VALUES {
            self.at = self.bytes.len();
        }
        match self.peek() {
            Some(b'{') if depth < DEPTH => self.object(depth),
            Some(b'[') if depth < DEPTH => self.array(depth),
            Some(b'{' | b'[') => {
                self.at += 1;
                Value::Null
            }
            Some(quote @ (b'"' | b'\'')) => Value::String(self.string(quote)),
            Some(_) => self.word(),
            None => Value::Null,
        }
    }

    fn array(&mut self, depth: usize) -> Value {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.junk();
            match self.peek() {
                None => break,
                Some(b']') => {
                    self.at += 1;
                    break;
                }
                // The end of what holds this array: its own end was forgotten.
                Some(b'}') if depth > 0 => break,
                Some(b',' | b';' | b':' | b'}') => self.at += 1,
                Some(_) => items.push(self.value(depth + 1)),
            }
        }
        Value::Array(items)
    }

    fn object(&mut self, depth: usize) -> Value {
        self.at += 1;
        let mut members: Vec<(String, Value)> = Vec::new();
        loop {
            self.junk();
            match self.peek() {
                None => break,
                Some(b'}') => {
                    self.at += 1;
                    break;
                }
                Some(b']') if depth > 0 => break,
                Some(b',' | b';' | b':' | b']' | b'{' | b'[') => self.at += 1,
                Some(_) => {
                    let name = self.name();
                    self.junk();
                    let value = if self.peek() == Some(b':') {
                        self.at += 1;
                        self.member(depth)
                    } else {
                        Value::Null
                    };
                    members.push((name, value));
                }
            }
        }
        Value::Object(members)
    }

    /// What follows a colon; nothing may.
    fn member(&mut self, depth: usize) -> Value {
        self.junk();
        match self.peek() {
            Some(b',' | b'}' | b']') | None => Value::Null,
            Some(_) => self.value(depth + 1),
        }
    }

    fn name(&mut self) -> String {
        match self.peek() {
            Some(quote @ (b'"' | b'\'')) => self.string(quote),
            _ => self.bare(|byte| matches!(byte, b':' | b',' | b'}' | b']')).trim().to_owned(),
        }
    }

    /// Everything up to a byte that ends it; at least one character.
    fn bare(&mut self, ends: impl Fn(u8) -> bool) -> &str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest.bytes().position(|byte| ends(byte) || byte == b'\n').unwrap_or(rest.len());
        let length = length.max(rest.chars().next().map_or(0, char::len_utf8));
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    fn word(&mut self) -> Value {
        let word = self.bare(|byte| matches!(byte, b',' | b'}' | b']' | b' ' | b'/')).trim();
        match word {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" | "undefined" | "NaN" | "" => Value::Null,
            _ if is_number(word) => Value::Number(word.to_owned()),
            _ => Value::String(word.to_owned()),
        }
    }

    /// A string up to its quote. One in the middle of a string that nothing like an end follows belongs to it.
    fn string(&mut self, quote: u8) -> String {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = self.rest();
            let plain = memchr::memchr2(quote, b'\\', rest).unwrap_or(rest.len());
            out.push_str(self.text.get(self.at..self.at + plain).unwrap_or_default());
            self.at += plain;
            match self.peek() {
                Some(b'\\') => self.escaped(&mut out),
                Some(_) if self.ends_string() => {
                    self.at += 1;
                    return out;
                }
                Some(byte) => {
                    out.push(char::from(byte));
                    self.at += 1;
                }
                None => return out,
            }
        }
    }

    /// Whether the quote here is followed by what may follow a string.
    fn ends_string(&self) -> bool {
        let behind = self.bytes.get(self.at + 1..).unwrap_or_default();
        let next = behind.iter().take(256).find(|byte| !byte.is_ascii_whitespace());
        next.is_none_or(|byte| matches!(byte, b',' | b':' | b'}' | b']' | b'/' | b'"' | b'\'' | b'<' | b';'))
            || behind.first().is_some_and(|byte| matches!(byte, b'\n' | b'\r'))
    }

    fn escaped(&mut self, out: &mut String) {
        let Some(&byte) = self.bytes.get(self.at + 1) else {
            self.at += 1;
            return;
        };
        self.at += 2;
        match byte {
            b'n' => out.push('\n'),
            b't' => out.push('\t'),
            b'r' => out.push('\r'),
            b'b' => out.push('\u{8}'),
            b'f' => out.push('\u{c}'),
            b'u' => self.unicode(out),
            b'"' | b'\\' | b'/' | b'\'' | b'\n' => out.push(char::from(byte)),
            _ => {
                // No escape: both stay.
                out.push('\\');
                self.at -= 1;
            }
        }
    }

    /// Four digits behind `\u`, and the other half of a pair.
    fn unicode(&mut self, out: &mut String) {
        let Some(first) = self.four() else {
            out.push_str("\\u");
            return;
        };
        let mut code = first;
        if (0xd800..0xdc00).contains(&first) && self.rest().starts_with(b"\\u") {
            self.at += 2;
            match self.four() {
                Some(second @ 0xdc00..=0xdfff) => {
                    code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                }
                Some(_) => self.at -= 6,
                None => self.at -= 2,
            }
        }
        out.push(char::from_u32(code).unwrap_or('\u{fffd}'));
    }

    fn four(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        let code = digits
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit())
            .then(|| u32::from_str_radix(digits, 16).ok())?;
        self.at += 4;
        code
    }
}

/// A number by the grammar of JSON.
fn is_number(word: &str) -> bool {
    let body = word.strip_prefix('-').unwrap_or(word);
    let (mantissa, exponent) = match body.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (body, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) =
        mantissa.split_once('.').map_or((mantissa, None), |(whole, part)| (whole, Some(part)));
    digits(whole)
        && (whole.len() == 1 || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|text| digits(text.strip_prefix(['+', '-']).unwrap_or(text)))
}
