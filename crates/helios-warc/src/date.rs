//! Moments as WARC and CDXJ spell them.

/// Year, month, day, hour, minute, second.
struct Civil(i64, u32, u32, u32, u32, u32);

/// With milliseconds, which WARC 1.1 allows: two fetches of one second can be told apart.
pub fn iso8601(millis: u64) -> String {
    let Civil(year, month, day, hour, minute, second) = civil(millis);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", millis % 1000)
}

/// The fourteen digits of an index.
pub(crate) fn digits(millis: u64) -> String {
    let Civil(year, month, day, hour, minute, second) = civil(millis);
    format!("{year:04}{month:02}{day:02}{hour:02}{minute:02}{second:02}")
}

/// Days to a date by whole eras of 400 years, counted from a first of March, so that leap days come last.
fn civil(millis: u64) -> Civil {
    let seconds = millis / 1000;
    let (days, of_day) = ((seconds / 86_400).cast_signed() + 719_468, (seconds % 86_400) as u32);
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = (of_year - (153 * shifted + 2) / 5 + 1) as u32;
    let month = (if shifted < 10 { shifted + 3 } else { shifted - 9 }) as u32;
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    Civil(year, month, day, of_day / 3_600, of_day / 60 % 60, of_day % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_spelled_as_the_standard_has_them() {
        for (millis, iso, index) in [
            (0, "1970-01-01T00:00:00.000Z", "19700101000000"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z", "20000228235959"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z", "20000229000000"),
            (1_794_753_846_123, "2026-11-15T14:44:06.123Z", "20261115144406"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z", "21000301000000"),
        ] {
            assert_eq!((iso8601(millis).as_str(), digits(millis).as_str()), (iso, index), "{millis}");
        }
    }
}
