//! ISO 8601 as the web writes it: `2026`, `2026-03`, `2026-03-09`, `20260309`, `2026-068`, each with a time and a zone or without.

use super::{Clock, Moment, Parts, days, head, is_leap, names};

/// A moment written year first. What follows the zone is not looked at, unless it is another digit.
pub fn parse(text: &str) -> Option<Moment> {
    let mut rest = Rest(head(text.trim_start()).as_bytes());
    let mut parts = Parts { year: Some(rest.digits(4)?), ..Parts::default() };
    date(&mut rest, &mut parts)?;
    if let Some(clock) = time(&mut rest) {
        parts.time = Some(clock);
        parts.offset = zone(&mut rest).unwrap_or(0);
    }
    if rest.0.first().is_some_and(u8::is_ascii_digit) {
        return None;
    }
    parts.moment()
}

fn date(rest: &mut Rest<'_>, parts: &mut Parts) -> Option<()> {
    let sign = rest.0.first().copied().filter(|byte| b"-/.".contains(byte));
    if let Some(sign) = sign {
        rest.skip(1);
        match rest.leading_digits() {
            3 => return ordinal(rest, parts),
            1 | 2 => parts.month = Some(rest.up_to(2)?),
            _ => return None,
        }
        if rest.0.first() == Some(&sign) {
            rest.skip(1);
            parts.day = Some(rest.up_to(2)?);
        }
        // A slash or a dot between year and month alone is more likely a fraction or a path.
        return (sign == b'-' || parts.day.is_some()).then_some(());
    }
    match rest.leading_digits() {
        0 => Some(()),
        3 => ordinal(rest, parts),
        4 | 8 | 10 => {
            parts.month = Some(rest.digits(2)?);
            parts.day = Some(rest.digits(2)?);
            Some(())
        }
        _ => None,
    }
}

fn ordinal(rest: &mut Rest<'_>, parts: &mut Parts) -> Option<()> {
    let (year, nth) = (parts.year?, rest.digits(3)?);
    if nth == 0 || nth > 365 + u32::from(is_leap(year)) {
        return None;
    }
    let (_, month, day) = super::civil(days(year, 1, 1) + i64::from(nth) - 1);
    (parts.month, parts.day) = (Some(month), Some(day));
    Some(())
}

/// A time of day after `T`, white space, or nothing at all where digits run on.
fn time(rest: &mut Rest<'_>) -> Option<Clock> {
    let before = rest.0;
    if rest.0.first().is_some_and(|byte| matches!(byte, b'T' | b't' | b'_')) {
        rest.skip(1);
    }
    rest.spaces();
    let clock = clock(rest);
    if clock.is_none() {
        rest.0 = before;
    }
    clock
}

fn clock(rest: &mut Rest<'_>) -> Option<Clock> {
    let mut clock = Clock { hour: rest.up_to(2)?, ..Clock::default() };
    match rest.0.first() {
        Some(b':') => rest.skip(1),
        Some(byte) if byte.is_ascii_digit() => {}
        _ => return None,
    }
    clock.minute = rest.digits(2)?;
    let colon = rest.0.first() == Some(&b':');
    if colon || rest.leading_digits() >= 2 {
        rest.skip(usize::from(colon));
        clock.second = rest.up_to(2)?;
        if rest.0.first().is_some_and(|byte| matches!(byte, b'.' | b',')) {
            rest.skip(1);
            clock.milli = rest.thousandths();
        }
    }
    let before = rest.0;
    rest.spaces();
    match rest.0.get(..2).map(<[u8]>::to_ascii_lowercase).as_deref() {
        Some(b"pm") if clock.hour < 12 => clock.hour += 12,
        Some(b"am") if clock.hour == 12 => clock.hour = 0,
        Some(b"am" | b"pm") => {}
        _ => {
            rest.0 = before;
            return Some(clock);
        }
    }
    rest.skip(2);
    Some(clock)
}

/// Minutes east of Greenwich.
fn zone(rest: &mut Rest<'_>) -> Option<i32> {
    rest.spaces();
    let word = rest.0.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let named = rest.0.get(..word).and_then(|name| names::zone(std::str::from_utf8(name).ok()?));
    if named.is_some() {
        rest.skip(word);
    }
    let sign = match rest.0.first() {
        Some(b'+') => 1,
        Some(b'-') => -1,
        _ => return named,
    };
    rest.skip(1);
    let hours = rest.up_to(2)?;
    if rest.0.first() == Some(&b':') {
        rest.skip(1);
    }
    let minutes = if rest.leading_digits() >= 2 { rest.digits(2)? } else { 0 };
    Some(named.unwrap_or(0) + sign * (hours * 60 + minutes).cast_signed())
}

struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn skip(&mut self, count: usize) {
        self.0 = self.0.get(count..).unwrap_or_default();
    }

    fn spaces(&mut self) {
        self.0 = self.0.trim_ascii_start();
    }

    fn leading_digits(&self) -> usize {
        self.0.iter().take_while(|byte| byte.is_ascii_digit()).count()
    }

    fn digits(&mut self, count: usize) -> Option<u32> {
        (self.leading_digits() >= count).then(|| self.number(count))
    }

    fn up_to(&mut self, most: usize) -> Option<u32> {
        let count = self.leading_digits().min(most);
        (count > 0).then(|| self.number(count))
    }

    fn number(&mut self, count: usize) -> u32 {
        let value =
            self.0.iter().take(count).fold(0, |sum, byte| sum * 10 + u32::from(byte.wrapping_sub(b'0')));
        self.skip(count);
        value
    }

    /// The digits of a fraction, however many, as thousandths.
    fn thousandths(&mut self) -> u32 {
        let count = self.leading_digits();
        let value = (0..3).fold(0, |sum, at| {
            let digit = self.0.get(at).filter(|_| at < count).map_or(0, |byte| u32::from(byte - b'0'));
            sum * 10 + digit
        });
        self.skip(count);
        value
    }
}
