//! Dates of HTTP (RFC 9110 §5.6.7, the form that must be sent), as Retry-After may carry one.

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// `Sun, 06 Nov 1994 08:49:37 GMT` as seconds since 1970.
pub(super) fn unix_secs(text: &str) -> Option<u64> {
    let mut words = text.split_once(", ")?.1.split(' ');
    let day: u64 = words.next()?.parse().ok()?;
    let month_name = words.next()?;
    let month = MONTHS.iter().position(|name| *name == month_name)? as u64 + 1;
    let year: u64 = words.next()?.parse().ok().filter(|year| (1970..10_000).contains(year))?;
    let mut clock = words.next()?.splitn(3, ':').map(|part| part.parse::<u64>().ok());
    let seconds = clock.next()?? * 3_600 + clock.next()?? * 60 + clock.next()??;
    // Days since 0000-03-01, counting years from March so that the leap day comes last.
    let (from_march, year) = if month > 2 { (month - 3, year) } else { (month + 9, year - 1) };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (from_march * 153 + 2) / 5 + day - 1;
    Some((days - 719_468) * 86_400 + seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rfc9110_dates() {
        let cases = [
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(784_111_777)),
            ("Thu, 01 Jan 1970 00:00:00 GMT", Some(0)),
            ("Thu, 29 Feb 2024 23:59:59 GMT", Some(1_709_251_199)),
            ("120", None),
            ("Sun, 06 Foo 1994 08:49:37 GMT", None),
        ];
        for (text, expected) in cases {
            assert_eq!(unix_secs(text), expected, "{text}");
        }
    }
}
