//! Dates of microformats that are written in parts: a day here, a time there (the value class pattern).

/// One moment of its parts: the first day, the first time, the first zone.
pub(super) fn joined(parts: &[String]) -> String {
    let parts: Vec<&str> = parts.iter().map(|part| part.trim()).collect();
    let day = parts.iter().find(|part| is_day(part));
    let clock = parts.iter().find_map(|part| clock(part));
    let zone = parts.iter().find(|part| is_zone(part)).map(|zone| without_colon(zone));
    match (day, clock) {
        (Some(day), Some(clock)) => format!("{day} {clock}{}", zone.unwrap_or_default()),
        (Some(day), None) => (*day).to_owned(),
        (None, Some(clock)) => clock + &zone.unwrap_or_default(),
        (None, None) => parts.concat(),
    }
}

/// `2026-03-09`, `2026-068`; with a time behind it, it is all there is to say.
fn is_day(part: &str) -> bool {
    let mut pieces = part.splitn(2, '-');
    let year =
        pieces.next().is_some_and(|year| year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit()));
    year && pieces.next().is_some()
}

fn is_zone(part: &str) -> bool {
    part == "Z"
        || (part.starts_with(['+', '-'])
            && part.bytes().skip(1).all(|byte| byte.is_ascii_digit() || byte == b':'))
}

fn without_colon(zone: &str) -> String {
    zone.replace(':', "")
}

/// A time of day in 24 hours, with its zone.
fn clock(part: &str) -> Option<String> {
    let lower = part.to_ascii_lowercase().replace('.', "");
    let end = lower.find(|letter: char| !letter.is_ascii_digit() && letter != ':').unwrap_or(lower.len());
    let (time, rest) = lower.split_at_checked(end)?;
    let half = rest
        .strip_prefix("am")
        .map(|rest| (0, rest))
        .or_else(|| rest.strip_prefix("pm").map(|rest| (12, rest)));
    let (hour, behind) = time.split_once(':').map_or((time, None), |(hour, behind)| (hour, Some(behind)));
    let hour: u32 = hour.parse().ok().filter(|hour| *hour <= 24)?;
    if behind.is_none() && half.is_none() {
        return None;
    }
    let hour = half.map_or(hour, |(more, _)| hour % 12 + more);
    let zone = half.map_or(rest, |(_, rest)| rest).trim().to_ascii_uppercase();
    Some(format!("{hour:02}:{}{}", behind.unwrap_or("00"), without_colon(&zone)))
}
