//! Reading the characters of a selector.

use super::SelectorError;

pub(super) struct Scan<'s> {
    text: &'s str,
    pub(super) at: usize,
}

impl<'s> Scan<'s> {
    pub(super) fn new(text: &'s str) -> Scan<'s> {
        Scan { text, at: 0 }
    }

    pub(super) fn error<T>(&self, reason: &'static str) -> Result<T, SelectorError> {
        Err(SelectorError { at: self.at, reason })
    }

    pub(super) fn rest(&self) -> &'s str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.at += char.len_utf8();
        Some(char)
    }

    pub(super) fn eat(&mut self, prefix: &str) -> bool {
        let found = self.rest().starts_with(prefix);
        if found {
            self.at += prefix.len();
        }
        found
    }

    /// Whether there was white space.
    pub(super) fn spaces(&mut self) -> bool {
        let before = self.at;
        self.at += self.rest().len() - self.rest().trim_ascii_start().len();
        self.at > before
    }

    /// A name, with escapes.
    pub(super) fn name(&mut self) -> Result<String, SelectorError> {
        let mut name = String::new();
        while let Some(char) = self.peek() {
            if char == '\\' {
                self.at += 1;
                name.push(self.escaped()?);
            } else if char.is_ascii_alphanumeric() || matches!(char, '-' | '_') || !char.is_ascii() {
                name.push(char);
                self.at += char.len_utf8();
            } else {
                break;
            }
        }
        if name.is_empty() { self.error("a name is missing") } else { Ok(name) }
    }

    /// What follows a backslash: a code point in hexadecimal, or a character as it is.
    fn escaped(&mut self) -> Result<char, SelectorError> {
        let digits = self.rest().chars().take(6).take_while(char::is_ascii_hexdigit).count();
        if digits == 0 {
            return self.next().map_or_else(|| self.error("an escape is cut off"), Ok);
        }
        let point = self.rest().get(..digits).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        self.at += digits;
        if self.peek().is_some_and(|char| char.is_ascii_whitespace()) {
            self.at += 1;
        }
        Ok(point.and_then(char::from_u32).filter(|&char| char != '\0').unwrap_or('\u{FFFD}'))
    }

    /// A string in quotes.
    pub(super) fn quoted(&mut self) -> Result<String, SelectorError> {
        let quote = self.next();
        let mut text = String::new();
        loop {
            match self.next() {
                None => return self.error("a quote is not closed"),
                char if char == quote => return Ok(text),
                Some('\\') if self.eat("\n") => {}
                Some('\\') => text.push(self.escaped()?),
                Some(char) => text.push(char),
            }
        }
    }

    /// A name or a string.
    pub(super) fn value(&mut self) -> Result<String, SelectorError> {
        if matches!(self.peek(), Some('"' | '\'')) { self.quoted() } else { self.name() }
    }

    /// All up to the closing bracket or the word `of`, for numbers.
    pub(super) fn formula(&mut self) -> &'s str {
        let rest = self.rest();
        let end = rest.find(')').unwrap_or(rest.len());
        let inside = rest.get(..end).unwrap_or_default();
        let end = inside.find(" of ").unwrap_or(end);
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }
}
