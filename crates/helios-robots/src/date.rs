//! Dates as people write them into X-Robots-Tag: RFC 822, RFC 850 or ISO 8601, more or less.

use super::Millis;

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Hours that North American zones are behind UTC, the only ones that RFC 822 names.
const ZONES: [(&str, i64); 8] =
    [("est", 5), ("edt", 4), ("cst", 6), ("cdt", 5), ("mst", 7), ("mdt", 6), ("pst", 8), ("pdt", 7)];

#[derive(Default)]
struct Read {
    year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    /// Of the day, in seconds.
    seconds: i64,
    /// To be added in order to get to UTC, in seconds.
    offset: i64,
}

/// Since 1970. None if there is no whole date in the text, or one before 1970.
pub(super) fn milliseconds_of(text: &str) -> Option<Millis> {
    let lower = text.to_ascii_lowercase();
    let mut read = Read::default();
    for word in lower.split(|letter: char| letter.is_whitespace() || letter == ',') {
        read.word(word);
    }
    let days = days_since_1970(read.year?, read.month?, read.day?);
    let seconds = days * 86_400 + read.seconds + read.offset;
    u64::try_from(seconds).ok().map(|seconds| seconds * 1_000)
}

impl Read {
    fn word(&mut self, word: &str) {
        if let Some((date, time)) =
            word.split_once('t').filter(|(date, _)| date.len() == 10 && date.contains('-'))
        {
            self.date(date);
            self.time(time);
        } else if word.contains(':') {
            self.time(word);
        } else if let Some(hours) = ZONES.iter().find(|zone| zone.0 == word).map(|zone| zone.1) {
            self.offset = hours * 3_600;
        } else if word.starts_with('+') || (word.starts_with('-') && word.len() > 1) {
            self.zone(word);
        } else {
            self.date(word);
        }
    }

    /// `2025-12-31`, `31-dec-2025` or one part of such.
    fn date(&mut self, word: &str) {
        for part in word.split(['-', '/']) {
            let number = part.parse::<u16>().ok().map(i64::from);
            match number {
                Some(number) if part.len() == 4 => self.year = Some(number),
                Some(number) if self.year.is_some() && self.month.is_none() => self.month = month(number),
                Some(number) if self.day.is_none() => self.day = (1..=31).contains(&number).then_some(number),
                Some(number) => {
                    self.year = self.year.or(Some(number + if number < 70 { 2_000 } else { 1_900 }));
                }
                None => self.named_month(part),
            }
        }
    }

    fn named_month(&mut self, part: &str) {
        let name = part.get(..3).unwrap_or_default();
        let named = MONTHS.iter().zip(1..).find(|(month, _)| **month == name);
        self.month = named.map(|(_, number)| number).or(self.month);
    }

    /// `15:00`, `15:00:00`, `15:00:00.5z`, `15:00:00+01:00`
    fn time(&mut self, word: &str) {
        let end = word.find(['z', '+', '-', '.']).unwrap_or(word.len());
        let (clock, rest) = word.split_at(end);
        let number = |part: &str| part.parse::<u8>().map_or(0, i64::from);
        self.seconds = clock.split(':').zip([3_600, 60, 1]).map(|(part, unit)| number(part) * unit).sum();
        if let Some(at) = rest.find(['+', '-']) {
            self.zone(rest.get(at..).unwrap_or_default());
        }
    }

    /// `+0100`, `-01:00`
    fn zone(&mut self, word: &str) {
        let digits: String = word.chars().filter(char::is_ascii_digit).collect();
        let number =
            |from: usize| digits.get(from..from + 2).and_then(|two| two.parse().ok()).unwrap_or(0_i64);
        let ahead = number(0) * 3_600 + number(2) * 60;
        self.offset = if word.starts_with('-') { ahead } else { -ahead };
    }
}

fn month(number: i64) -> Option<i64> {
    (1..=12).contains(&number).then_some(number)
}

/// Of the Gregorian calendar, with years that begin in March, so that a leap day is the last one.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leaps + (month * 153 + 2) / 5 + day - 719_469
}

#[cfg(test)]
mod tests {
    use super::milliseconds_of;

    #[test]
    fn dates_are_read_as_people_write_them() {
        for text in [
            "25 Jun 2010 15:00:00 GMT",
            "Fri, 25 Jun 2010 15:00:00 +0000",
            " 25-Jun-2010 15:00:00 UTC",
            "25-Jun-10 15:00:00",
            "25 June 2010 07:00:00 PST",
            "2010-06-25T15:00:00Z",
            "2010-06-25T17:00+02:00",
            "2010-06-25 15:00",
        ] {
            assert_eq!(milliseconds_of(text), Some(1_277_478_000_000), "{text}");
        }
        assert_eq!(milliseconds_of("2000-02-29"), Some(951_782_400_000));
        for text in ["", "tomorrow", "2010", "15:00", "June 2010", "31/12/1969", "99-99-9999"] {
            assert_eq!(milliseconds_of(text), None, "{text}");
        }
    }
}
