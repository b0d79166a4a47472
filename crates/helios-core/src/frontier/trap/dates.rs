//! Dated navigation: URLs whose end is a day or a month, as the pages of a calendar have them.
//!
//! A dated article is none: `/2024/05/12/what-happened` goes on after its date, `/what-happened-on-that-day/2024/05` has a
//! title before it.

use super::path::Segments;
use super::query::split_once;

/// A date that a URL ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Date {
    /// Of a year in which pages were written.
    pub(super) plausible: bool,
}

/// Folders whose numbers are dates, however far from now.
const FOLDERS: [&str; 18] = [
    "calendar",
    "calendario",
    "calendrier",
    "kalender",
    "cal",
    "agenda",
    "event",
    "events",
    "eventos",
    "evenements",
    "veranstaltungen",
    "termine",
    "schedule",
    "diary",
    "month",
    "week",
    "day",
    "date",
];
/// A segment with so many hyphens is a title.
const TITLE_HYPHENS: usize = 3;

/// A number as it stands in a URL.
#[derive(Clone, Copy)]
struct Number {
    value: u32,
    digits: usize,
}

impl Number {
    fn of(text: &[u8]) -> Option<Self> {
        let digits = text.len();
        let known = (1..=8).contains(&digits) && text.iter().all(u8::is_ascii_digit);
        let value = || text.iter().fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
        known.then(|| Self { value: value(), digits })
    }

    /// Of a year that pages are written in.
    fn is_recent(self) -> bool {
        (1_970..2_100).contains(&self.value) && self.digits == 4
    }

    fn is_month(self) -> bool {
        (1..=12).contains(&self.value) && self.digits <= 2
    }

    fn is_day(self) -> bool {
        (1..=31).contains(&self.value) && self.digits <= 2
    }
}

/// Year and month, if they are: any month of a recent year, two digits of a month beside another year, and anything at all
/// where `dated` says that dates are meant.
fn date(year: Number, month: Number, dated: bool) -> Option<Date> {
    let plausible = year.is_recent();
    let far = (1_000..3_000).contains(&year.value) && year.digits == 4 && month.digits == 2;
    let is_date = month.is_month() && (plausible || far || (dated && year.digits <= 6));
    is_date.then_some(Date { plausible })
}

/// The date that a path ends with: /2024/05, /2024/05/12, /05/2024, /2024-05-12, /20240512.
pub(super) fn in_path(segments: &Segments<'_>) -> Option<Date> {
    let last = segments.last(0)?;
    // Most URLs leave here.
    if !last.first()?.is_ascii_digit() {
        return None;
    }
    let dated = || segments.iter().any(is_folder);
    let titled = |number: usize| segments.last(number).is_some_and(is_title);
    let last = split_once(last, b'.').0;
    if last.len() >= 6 {
        return in_text(last, dated()).filter(|_| !titled(1));
    }
    let (last, second) = (Number::of(last)?, Number::of(segments.last(1)?)?);
    let third = segments.last(2).and_then(Number::of).filter(|_| last.is_day());
    match third.and_then(|year| date(year, second, dated())) {
        Some(day) => Some(day).filter(|_| !titled(3)),
        None => date(second, last, dated()).or_else(|| date(last, second, false)).filter(|_| !titled(2)),
    }
}

fn is_folder(segment: &[u8]) -> bool {
    FOLDERS.iter().any(|folder| folder.as_bytes().eq_ignore_ascii_case(segment))
}

fn is_title(segment: &[u8]) -> bool {
    segment.iter().filter(|byte| matches!(byte, b'-' | b'_')).count() >= TITLE_HYPHENS
}

/// 2024-05, 2024-05-12, 05-2024, 12-05-2024, 202405, 20240512.
fn in_text(text: &[u8], dated: bool) -> Option<Date> {
    let mut parts = text.split(|byte| matches!(byte, b'-' | b'_')).map(Number::of);
    let (first, second, third) = (parts.next()??, parts.next(), parts.next());
    if parts.next().is_some() {
        return None;
    }
    match (second, third) {
        (None, _) => compact(first),
        (Some(second), None) => date(first, second?, dated).or_else(|| date(second?, first, dated)),
        (Some(second), Some(third)) => {
            let (second, third) = (second?, third?);
            let (year, day) = if third.digits > 2 { (third, first) } else { (first, third) };
            // 12-05-2024 and 05-12-2024: one of the two is a month.
            let month = if second.is_month() { second } else { day };
            let fits = day.is_day() && second.is_day();
            date(year, month, dated).filter(|_| fits)
        }
    }
}

fn compact(number: Number) -> Option<Date> {
    let month = match number.digits {
        6 => number.value,
        8 if (1..=31).contains(&(number.value % 100)) => number.value / 100,
        _ => return None,
    };
    let recent = (1_970..2_100).contains(&(month / 100)) && (1..=12).contains(&(month % 100));
    recent.then_some(Date { plausible: true })
}

/// Dates in a query: in one parameter (`date=2024-05-12`), or in two (`year=2024&month=5`).
#[derive(Default)]
pub(super) struct Parts {
    whole: Option<Date>,
    year: Option<Number>,
    month: Option<Number>,
}

impl Parts {
    pub(super) fn take(&mut self, name: &[u8], value: &[u8]) {
        if !value.first().is_some_and(u8::is_ascii_digit) || value.len() > 13 {
            return;
        }
        let Some(unit) = Unit::of(name) else { return };
        self.whole = self.whole.or_else(|| in_text(value, true)).or_else(|| moment(unit, value));
        match unit {
            Unit::Year => self.year = Number::of(value).filter(|year| year.digits <= 6),
            Unit::Month => self.month = Number::of(value).filter(|month| month.is_month()),
            Unit::Other => {}
        }
    }

    pub(super) fn date(self) -> Option<Date> {
        self.whole.or_else(|| date(self.year?, self.month?, true))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Year,
    Month,
    Other,
}

impl Unit {
    /// By how the name ends: eventDate, start_month, tribe-bar-date.
    fn of(name: &[u8]) -> Option<Self> {
        let ends = |word: &str| {
            let tail = name.len().checked_sub(word.len()).and_then(|at| name.get(at..));
            tail.is_some_and(|tail| tail.eq_ignore_ascii_case(word.as_bytes()))
        };
        if ends("month") || name == b"m" {
            Some(Self::Month)
        } else if ends("year") || name == b"y" {
            Some(Self::Year)
        } else if ends("date") || ends("day") || ends("week") || ends("cal") || ends("calendar") {
            Some(Self::Other)
        } else {
            None
        }
    }
}

/// Seconds or milliseconds since 1970: a day that a program counted.
fn moment(unit: Unit, value: &[u8]) -> Option<Date> {
    let is_moment = unit == Unit::Other && matches!(value.len(), 9 | 10 | 12 | 13);
    (is_moment && value.iter().all(u8::is_ascii_digit)).then_some(Date { plausible: true })
}
