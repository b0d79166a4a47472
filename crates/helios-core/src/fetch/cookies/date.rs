//! Cookie dates (RFC 6265 §5.1.1): hardly any server writes the one format that is right.

use crate::clock::Millis;

/// The moment, or none if the text is no date. A moment before 1970 is 1970: it is over, too.
pub(super) fn parse(text: &[u8]) -> Option<Millis> {
    let (mut time, mut day, mut month, mut year) = (None, None, None, None);
    for token in text.split(|byte| is_delimiter(*byte)).filter(|token| !token.is_empty()) {
        if time.is_none()
            && let Some(found) = time_of(token)
        {
            time = Some(found);
        } else if day.is_none()
            && let Some((found, _)) = number(token, 1, 2)
        {
            day = Some(found);
        } else if month.is_none()
            && let Some(found) = month_of(token)
        {
            month = Some(found);
        } else if year.is_none()
            && let Some((found, _)) = number(token, 2, 4)
        {
            year = Some(found);
        }
    }
    let (hour, minute, second) = time?;
    let year = match year? {
        short @ 70..=99 => short + 1900,
        short @ 0..=69 => short + 2000,
        full => full,
    };
    let (month, day) = (month?, day?);
    if year < 1601 || hour > 23 || minute > 59 || second > 59 || !(1..=days_of(year, month)).contains(&day) {
        return None;
    }
    let days = days_since_1970(i64::from(year), i64::from(month), i64::from(day));
    let seconds = days * 86_400 + i64::from(hour * 3_600 + minute * 60 + second);
    Some(u64::try_from(seconds).unwrap_or(0) * 1_000)
}

fn is_delimiter(byte: u8) -> bool {
    matches!(byte, 0x09 | 0x20..=0x2F | 0x3B..=0x40 | 0x5B..=0x60 | 0x7B..=0x7E)
}

/// A number of `least` to `most` digits that no digit follows, and the rest.
fn number(text: &[u8], least: usize, most: usize) -> Option<(u32, &[u8])> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits < least || digits > most {
        return None;
    }
    let (number, rest) = text.split_at(digits);
    Some((number.iter().fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0')), rest))
}

fn time_of(token: &[u8]) -> Option<(u32, u32, u32)> {
    let (hour, rest) = number(token, 1, 2)?;
    let (minute, rest) = number(rest.strip_prefix(b":")?, 1, 2)?;
    let (second, _) = number(rest.strip_prefix(b":")?, 1, 2)?;
    Some((hour, minute, second))
}

fn month_of(token: &[u8]) -> Option<u32> {
    let months: [&[u8]; 12] =
        [b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec"];
    let start = token.get(..3)?.to_ascii_lowercase();
    months.iter().zip(1..).find(|(name, _)| **name == start).map(|(_, number)| number)
}

fn days_of(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 in the proleptic Gregorian calendar, by counting from March so that a leap day comes last.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + of_year - 719_468
}
