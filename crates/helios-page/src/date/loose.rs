//! Dates that are not year first: a few numbers and words, each taken for the one part of a date that it can be.

use super::{Clock, Moment, Parts, head, names};

/// More than any date needs.
const TOKENS: usize = 24;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Token<'a> {
    /// Its value, and how many digits it has.
    Number(u32, usize),
    Word(&'a str),
    Sign(char),
}

/// A moment written in any order that is not in doubt. In `3/4/2026` the day comes first, as in most countries.
pub(super) fn parse(text: &str) -> Option<Moment> {
    let lower = head(text).to_lowercase();
    let tokens = tokens(&lower);
    let mut reading = Reading { tokens: &tokens, at: 0, parts: Parts::default() };
    while reading.at < reading.tokens.len() {
        reading.step();
    }
    let parts = reading.parts;
    (parts.month.is_some() && parts.year.is_some()).then(|| parts.moment()).flatten()
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if found.len() == TOKENS {
            break;
        }
        let length = if first.is_ascii_digit() {
            let length = rest.bytes().take_while(u8::is_ascii_digit).count();
            let value = rest.get(..length).and_then(|digits| digits.parse().ok()).unwrap_or(u32::MAX);
            found.push(Token::Number(value, length));
            length
        } else if first.is_alphabetic() {
            let length = rest.find(|letter: char| !letter.is_alphabetic()).unwrap_or(rest.len());
            found.push(Token::Word(rest.get(..length).unwrap_or_default()));
            length
        } else {
            if !first.is_whitespace() {
                found.push(Token::Sign(first));
            }
            first.len_utf8()
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    found
}

struct Reading<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
    parts: Parts,
}

impl Reading<'_> {
    fn peek(&self, ahead: usize) -> Option<Token<'_>> {
        self.tokens.get(self.at + ahead).copied()
    }

    fn sign(&self, ahead: usize) -> Option<char> {
        match self.peek(ahead) {
            Some(Token::Sign(sign)) => Some(sign),
            Some(Token::Number(..) | Token::Word(_)) | None => None,
        }
    }

    fn number(&self, ahead: usize) -> Option<(u32, usize)> {
        match self.peek(ahead) {
            Some(Token::Number(value, digits)) => Some((value, digits)),
            Some(Token::Word(_) | Token::Sign(_)) | None => None,
        }
    }

    fn step(&mut self) {
        match self.peek(0) {
            Some(Token::Number(value, digits)) => {
                if !(self.clock() || self.numeric_date() || self.counted()) {
                    self.alone(value, digits);
                }
            }
            Some(Token::Word(word)) => {
                if self.parts.month.is_none() {
                    let month = names::month(word);
                    self.parts.month = month;
                }
                self.at += 1;
            }
            Some(Token::Sign(_)) | None => self.at += 1,
        }
    }

    /// `12:30`, `12:30:05.3`, `9 pm`, and the zone behind it.
    fn clock(&mut self) -> bool {
        let (Some((hour, hour_digits)), Some(':'), Some((minute, 2))) =
            (self.number(0), self.sign(1), self.number(2))
        else {
            return false;
        };
        if self.parts.time.is_some() || hour_digits > 2 {
            return false;
        }
        let mut clock = Clock { hour, minute, ..Clock::default() };
        self.at += 3;
        if let (Some(':'), Some((second, 1 | 2))) = (self.sign(0), self.number(1)) {
            clock.second = second;
            self.at += 2;
            if let (Some('.' | ','), Some(_)) = (self.sign(0), self.number(1)) {
                self.at += 2;
            }
        }
        match self.peek(0) {
            Some(Token::Word("pm" | "p")) => {
                clock.hour += if clock.hour < 12 { 12 } else { 0 };
                self.at += 1;
            }
            Some(Token::Word("am" | "a")) => {
                clock.hour %= 12;
                self.at += 1;
            }
            _ => {}
        }
        self.parts.time = Some(clock);
        self.zone();
        true
    }

    fn zone(&mut self) {
        let mut offset = None;
        if let Some(Token::Word(word)) = self.peek(0) {
            offset = names::zone(word);
            self.at += usize::from(offset.is_some());
        }
        if let (Some(sign @ ('+' | '-')), Some((value, digits))) = (self.sign(0), self.number(1)) {
            let minutes = match (digits, self.sign(2), self.number(3)) {
                (1 | 2, Some(':'), Some((minutes, 2))) => {
                    self.at += 2;
                    Some(value * 60 + minutes)
                }
                (1 | 2, _, _) => Some(value * 60),
                (4, _, _) => Some(value / 100 * 60 + value % 100),
                _ => None,
            };
            if let Some(minutes) = minutes.filter(|minutes| *minutes <= 15 * 60) {
                self.at += 2;
                let east = if sign == '+' { 1 } else { -1 };
                offset = Some(offset.unwrap_or(0) + east * minutes.cast_signed());
            }
        }
        self.parts.offset = offset.unwrap_or(0);
    }

    /// `9.3.2026`, `9/3/26`, `9-3-2026`, `2026.3.9`.
    fn numeric_date(&mut self) -> bool {
        let (Some(first), Some(one), Some(second), Some(two), Some(third)) =
            (self.number(0), self.sign(1), self.number(2), self.sign(3), self.number(4))
        else {
            return false;
        };
        if one != two
            || !matches!(one, '.' | '/' | '-')
            || self.parts.month.is_some()
            || self.parts.year.is_some()
        {
            return false;
        }
        let (year, month, day) = match (first.1, second.1, third.1) {
            (4, 1 | 2, 1 | 2) => (first.0, second.0, third.0),
            (1 | 2, 1 | 2, 4) => (third.0, second.0, first.0),
            (1 | 2, 1 | 2, 2) => (century(third.0), second.0, first.0),
            _ => return false,
        };
        let (month, day) = if month > 12 && day <= 12 { (day, month) } else { (month, day) };
        (self.parts.year, self.parts.month, self.parts.day) = (Some(year), Some(month), Some(day));
        self.at += 5;
        true
    }

    /// `2026年3月9日`, and the same in Korean.
    fn counted(&mut self) -> bool {
        let (Some((value, _)), Some(Token::Word(word))) = (self.number(0), self.peek(1)) else {
            return false;
        };
        let part = match word.chars().next() {
            Some('年' | '년') => &mut self.parts.year,
            Some('月' | '월') => &mut self.parts.month,
            Some('日' | '일' | '号') => &mut self.parts.day,
            _ => return false,
        };
        if part.is_none() {
            *part = Some(value);
        }
        self.at += 2;
        true
    }

    fn alone(&mut self, value: u32, digits: usize) {
        self.at += 1;
        let parts = &mut self.parts;
        match digits {
            4 if parts.year.is_none() && (1900..2200).contains(&value) => parts.year = Some(value),
            1 | 2 if parts.day.is_none() && (1..=31).contains(&value) => parts.day = Some(value),
            2 if parts.day.is_some() && parts.month.is_some() && parts.year.is_none() => {
                parts.year = Some(century(value));
            }
            _ => {}
        }
    }
}

/// RFC 822 wrote years with two digits; what is 90 or above was before 2000.
fn century(year: u32) -> u32 {
    if year < 90 { 2000 + year } else { 1900 + year }
}
