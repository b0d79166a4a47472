//! One `Set-Cookie` line (RFC 6265 §5.2).

use super::date;
use crate::clock::Millis;

/// Longer names and values together are ignored.
const MOST_PAIR: usize = 4_096;

/// Longer values of attributes are ignored.
const MOST_ATTRIBUTE: usize = 1_024;

/// No cookie lives longer, whatever it says: 400 days.
const LONGEST_LIFE: Millis = 400 * 86_400_000;

/// As the line says it, before anyone asks whether the sender may.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Line<'a> {
    pub(super) name: &'a [u8],
    pub(super) value: &'a [u8],
    /// In lower case and without a leading dot.
    pub(super) domain: Option<String>,
    pub(super) path: Option<&'a [u8]>,
    pub(super) secure: bool,
    /// None: as long as the fetcher lives.
    pub(super) expires: Option<Millis>,
}

pub(super) fn parse(text: &[u8], now: Millis) -> Option<Line<'_>> {
    if text.iter().any(|&byte| byte != b'\t' && byte.is_ascii_control()) {
        return None;
    }
    let mut parts = text.split(|&byte| byte == b';');
    let (name, value) = pair(parts.next()?)?;
    if name.is_empty() || name.len() + value.len() > MOST_PAIR {
        return None;
    }
    let mut line = Line { name, value, ..Line::default() };
    let (mut max_age, mut expires) = (None, None);
    for part in parts {
        let (key, value) = pair(part).unwrap_or((part.trim_ascii(), b""));
        if value.len() > MOST_ATTRIBUTE {
            continue;
        }
        match key.to_ascii_lowercase().as_slice() {
            b"expires" => expires = date::parse(value).or(expires),
            b"max-age" => max_age = age(value).or(max_age),
            b"domain" if !value.is_empty() => {
                let domain = value.strip_prefix(b".").unwrap_or(value);
                line.domain = Some(String::from_utf8_lossy(domain).to_ascii_lowercase());
            }
            b"path" => line.path = Some(value).filter(|path| path.starts_with(b"/")),
            b"secure" => line.secure = true,
            _ => {}
        }
    }
    // Max-Age has the last word (§5.3, step 3).
    let at = max_age
        .map(|age| if age <= 0 { 0 } else { now.saturating_add(age.unsigned_abs().saturating_mul(1_000)) });
    line.expires = at.or(expires).map(|at| at.min(now + LONGEST_LIFE));
    Some(line)
}

fn pair(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = text.iter().position(|&byte| byte == b'=')?;
    let (name, value) = text.split_at(at);
    Some((name.trim_ascii(), value.get(1..).unwrap_or_default().trim_ascii()))
}

/// Seconds; a number that is too large is merely large.
fn age(text: &[u8]) -> Option<i64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number =
        digits.iter().fold(0i64, |sum, digit| sum.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
    Some(if text.starts_with(b"-") { -1 } else { number })
}
