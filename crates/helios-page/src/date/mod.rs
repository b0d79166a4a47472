//! Dates as people and programs write them: text in, a moment out.
//!
//! `iso` reads the forms of ISO 8601 that the web uses, `loose` reads everything else (RFC 822 with its sins, numbers with dots
//! or slashes, month names in many languages). Always: no clock is asked, a date that does not exist is none, and only the
//! first 128 bytes of a text are looked at. A time without a zone is taken for UTC.

mod iso;
mod loose;
mod names;

pub use iso::parse as parse_iso;

/// How much of a moment was written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precision {
    Year,
    Month,
    Day,
    Instant,
}

/// A point in time, with the zone and the precision in which it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Since 1970, in UTC.
    pub millis: i64,
    pub offset_minutes: i16,
    pub precision: Precision,
}

const DAY: i64 = 86_400_000;
const TEXT: usize = 128;

impl Moment {
    /// Year, month and day on the wall where it was written, not in UTC.
    pub fn day(&self) -> (i32, u32, u32) {
        civil((self.millis + i64::from(self.offset_minutes) * 60_000).div_euclid(DAY))
    }

    /// `2026-03-09`: the day as it was written.
    pub fn day_text(&self) -> String {
        let (year, month, day) = self.day();
        format!("{year:04}-{month:02}-{day:02}")
    }

    /// `2026-03-09T12:30:00Z`, in UTC.
    pub fn utc_text(&self) -> String {
        let (year, month, day) = civil(self.millis.div_euclid(DAY));
        let seconds = self.millis.rem_euclid(DAY) / 1000;
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}

/// Any date we can read: ISO 8601 first, then what else is written.
pub fn parse(text: &str) -> Option<Moment> {
    let text = text.trim();
    iso::parse(text).or_else(|| loose::parse(text))
}

/// What was written, before it is checked and counted.
#[derive(Clone, Copy, Default)]
struct Parts {
    year: Option<u32>,
    month: Option<u32>,
    day: Option<u32>,
    time: Option<Clock>,
    offset: i32,
}

#[derive(Clone, Copy, Default)]
struct Clock {
    hour: u32,
    minute: u32,
    second: u32,
    milli: u32,
}

impl Parts {
    fn moment(self) -> Option<Moment> {
        let year = self.year.filter(|year| (1..=9999).contains(year))?;
        let month = self.month.unwrap_or(1);
        let day = self.day.unwrap_or(1);
        if !(1..=12).contains(&month) || day == 0 || day > month_days(year, month) {
            return None;
        }
        let clock = self.time.unwrap_or_default();
        let full = clock.hour == 24 && clock.minute == 0 && clock.second == 0;
        if (clock.hour > 23 && !full) || clock.minute > 59 || clock.second > 60 || self.offset.abs() > 24 * 60
        {
            return None;
        }
        let precision = match self {
            Parts { time: Some(_), .. } => Precision::Instant,
            Parts { day: Some(_), .. } => Precision::Day,
            Parts { month: Some(_), .. } => Precision::Month,
            Parts { .. } => Precision::Year,
        };
        let seconds =
            i64::from(clock.hour) * 3600 + i64::from(clock.minute) * 60 + i64::from(clock.second.min(59));
        let millis = days(year, month, day) * DAY + seconds * 1000 + i64::from(clock.milli)
            - i64::from(self.offset) * 60_000;
        Some(Moment { millis, offset_minutes: self.offset as i16, precision })
    }
}

fn is_leap(year: u32) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn month_days(year: u32, month: u32) -> u32 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970 of a day in the Gregorian calendar, counted from March so that the leap day comes last.
fn days(year: u32, month: u32, day: u32) -> i64 {
    let (year, month, day) = (i64::from(year), i64::from(month), i64::from(day));
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// The inverse of `days`.
fn civil(days: i64) -> (i32, u32, u32) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year as i32, month as u32, day as u32)
}

/// The first bytes of a text, cut between characters.
fn head(text: &str) -> &str {
    let mut end = text.len().min(TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}
