//! Dates as HTTP writes them (RFC 9110, 5.6.7), from and to seconds since 1970.

const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// `Thu, 01 Jan 2026 00:00:00 GMT`
pub(crate) fn format(secs: u64) -> String {
    let (days, rest) = (secs / 86_400, secs % 86_400);
    let (year, month, day) = civil(days);
    let name = |list: &[&'static str], index: u64| list.get(index as usize).copied().unwrap_or_default();
    format!(
        "{}, {day:02} {} {year} {:02}:{:02}:{:02} GMT",
        name(&DAYS, days % 7),
        name(&MONTHS, month - 1),
        rest / 3_600,
        rest / 60 % 60,
        rest % 60
    )
}

/// `2026-01-01`
pub(crate) fn day(secs: u64) -> String {
    let (year, month, day) = civil(secs / 86_400);
    format!("{year}-{month:02}-{day:02}")
}

/// Seconds since 1970 of a date in the preferred form; nothing for others.
pub(crate) fn parse(date: &str) -> Option<u64> {
    let mut words = date.split([' ', ':']);
    let (_, day, month, year) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let month = MONTHS.iter().position(|name| *name == month)? as u64 + 1;
    let mut clock = words.map(str::parse::<u64>);
    let (hour, minute, second) = (clock.next()?.ok()?, clock.next()?.ok()?, clock.next()?.ok()?);
    let days = days_from_civil(year.parse().ok()?, month, day.parse().ok()?)?;
    Some(days * 86_400 + hour * 3_600 + minute * 60 + second)
}

/// Year, month and day of a count of days since 1970 (era arithmetic of the proleptic Gregorian calendar).
const fn civil(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let era_day = shifted % 146_097;
    let era_year = (era_day - era_day / 1_460 + era_day / 36_524 - era_day / 146_096) / 365;
    let year_day = era_day - (365 * era_year + era_year / 4 - era_year / 100);
    let shifted_month = (5 * year_day + 2) / 153;
    let day = year_day - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = era_year + shifted / 146_097 * 400;
    (if month <= 2 { year + 1 } else { year }, month, day)
}

fn days_from_civil(year: u64, month: u64, day: u64) -> Option<u64> {
    let year = if month <= 2 { year.checked_sub(1)? } else { year };
    let era_year = year % 400;
    let shifted_month = if month > 2 { month - 3 } else { month + 9 };
    let year_day = (153 * shifted_month + 2) / 5 + day.checked_sub(1)?;
    let era_day = era_year * 365 + era_year / 4 - era_year / 100 + year_day;
    (year / 400 * 146_097 + era_day).checked_sub(719_468)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rfc9110_dates_round_trip() {
        for (secs, text) in [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (1_767_225_600, "Thu, 01 Jan 2026 00:00:00 GMT"),
            (1_709_208_000, "Thu, 29 Feb 2024 12:00:00 GMT"),
        ] {
            assert_eq!(format(secs), text);
            assert_eq!(parse(text), Some(secs));
        }
    }
}
