//! Dated navigation: URLs whose end is a day or a month, as the pages of a calendar have them.
//!
//! A dated article is none: `/2024/05/12/what-happened` goes on after its date, `/what-happened-on-that-day/2024/05` has a
//! title before it.

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
    fn of(text: &str) -> Option<Self> {
        let digits = text.len();
        let known = (1..=8).contains(&digits) && text.bytes().all(|byte| byte.is_ascii_digit());
        known.then(|| text.parse().ok().map(|value| Self { value, digits })).flatten()
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
pub(super) fn in_path(segments: &[&str]) -> Option<Date> {
    let (last, before) = segments.split_last()?;
    // Most URLs leave here.
    if !last.starts_with(|letter: char| letter.is_ascii_digit()) {
        return None;
    }
    let last = last.split('.').next().unwrap_or_default();
    if last.len() >= 6 {
        let dated = before.iter().any(|folder| is_folder(folder));
        return in_text(last, dated).filter(|_| !ends_with_title(before));
    }
    let last = Number::of(last)?;
    let (second, before) = before.split_last()?;
    let second = Number::of(second)?;
    let dated = before.iter().any(|folder| is_folder(folder));
    let (third, titled) = match before.split_last() {
        Some((third, before)) => (Number::of(third), ends_with_title(before)),
        None => (None, false),
    };
    let day = third.filter(|_| last.is_day()).and_then(|year| date(year, second, dated));
    if day.is_some() {
        return day.filter(|_| !titled);
    }
    let month = date(second, last, dated).or_else(|| date(last, second, false));
    month.filter(|_| !ends_with_title(before))
}

fn is_folder(segment: &str) -> bool {
    FOLDERS.iter().any(|folder| folder.eq_ignore_ascii_case(segment))
}

fn ends_with_title(segments: &[&str]) -> bool {
    let hyphens = |text: &&str| text.bytes().filter(|byte| matches!(byte, b'-' | b'_')).count();
    segments.last().is_some_and(|last| hyphens(last) >= TITLE_HYPHENS)
}

/// 2024-05, 2024-05-12, 05-2024, 12-05-2024, 202405, 20240512.
fn in_text(text: &str, dated: bool) -> Option<Date> {
    let mut parts = text.split(['-', '_']).map(Number::of);
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
    pub(super) fn take(&mut self, name: &str, value: &str) {
        if !value.starts_with(|letter: char| letter.is_ascii_digit()) || value.len() > 13 {
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
    fn of(name: &str) -> Option<Self> {
        let ends = |word: &str| {
            let tail = name.len().checked_sub(word.len()).and_then(|at| name.as_bytes().get(at..));
            tail.is_some_and(|tail| tail.eq_ignore_ascii_case(word.as_bytes()))
        };
        if ends("month") || name == "m" {
            Some(Self::Month)
        } else if ends("year") || name == "y" {
            Some(Self::Year)
        } else if ends("date") || ends("day") || ends("week") || ends("cal") || ends("calendar") {
            Some(Self::Other)
        } else {
            None
        }
    }
}

/// Seconds or milliseconds since 1970: a day that a program counted.
fn moment(unit: Unit, value: &str) -> Option<Date> {
    let is_moment = unit == Unit::Other && matches!(value.len(), 9 | 10 | 12 | 13);
    (is_moment && value.bytes().all(|byte| byte.is_ascii_digit())).then_some(Date { plausible: true })
}
