//! How long a body is and whether the connection can be kept after it (RFC 9112 §6.3, §9.3).

use http::{StatusCode, Version};

use super::Trouble;
use super::fields::Fields;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Length {
    Exactly(u64),
    Chunked,
    UntilClose,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Framing {
    pub(crate) length: Length,
    pub(crate) keeps: bool,
}

/// The framing of a final answer to GET. `strict`: nothing in its head was read with leniency so far.
pub(super) fn of(
    status: StatusCode,
    version: Version,
    fields: &Fields,
    strict: bool,
) -> Result<Framing, Trouble> {
    let coded = chunking(fields)?;
    let declared = declared_length(fields)?;
    let announced = coded.is_some() || declared.is_some_and(|(length, _)| length > 0);
    let keeps = strict && wants_to_stay(version, fields);
    if matches!(status, StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED) {
        // A 304 speaks of the body that it does not send; a 204 has none to speak of.
        let honest = status == StatusCode::NOT_MODIFIED || !announced;
        return Ok(Framing { length: Length::Exactly(0), keeps: keeps && honest });
    }
    Ok(match (coded, declared) {
        (Some(Chunking { chunked: true, plain }), beside) => {
            let proper = plain && beside.is_none() && version == Version::HTTP_11;
            Framing { length: Length::Chunked, keeps: keeps && proper }
        }
        (identity, Some((length, once))) => {
            Framing { length: Length::Exactly(length), keeps: keeps && once && identity.is_none() }
        }
        (_, None) => Framing { length: Length::UntilClose, keeps: false },
    })
}

struct Chunking {
    chunked: bool,
    /// Named once, and nothing else beside it.
    plain: bool,
}

/// What Transfer-Encoding says, if anything. We asked for no coding (TE), so only `chunked` can come, and `identity` of old servers.
fn chunking(fields: &Fields) -> Result<Option<Chunking>, Trouble> {
    let mut names = 0;
    let mut chunked = false;
    for name in list(fields, "transfer-encoding") {
        match name {
            name if name.eq_ignore_ascii_case(b"chunked") => chunked = true,
            name if name.eq_ignore_ascii_case(b"identity") && !chunked => {}
            name => {
                return Err(Trouble::Broken(format!("transfer coding {:?}", String::from_utf8_lossy(name))));
            }
        }
        names += 1;
    }
    Ok((names > 0).then_some(Chunking { chunked, plain: names == 1 }))
}

/// The one length that is declared, and whether it is declared once.
fn declared_length(fields: &Fields) -> Result<Option<(u64, bool)>, Trouble> {
    let mut seen: Option<(u64, bool)> = None;
    for text in list(fields, "content-length") {
        let length = number(text)
            .ok_or_else(|| Trouble::Broken(format!("Content-Length {:?}", String::from_utf8_lossy(text))))?;
        seen = match seen {
            None => Some((length, true)),
            Some((other, _)) if other == length => Some((length, false)),
            Some((other, _)) => {
                return Err(Trouble::Broken(format!("Content-Length of {other} and of {length}")));
            }
        };
    }
    Ok(seen)
}

/// Digits alone: no sign, no blank inside, no overflow.
fn number(text: &[u8]) -> Option<u64> {
    let is_number = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    is_number.then(|| std::str::from_utf8(text).ok()?.parse().ok()).flatten()
}

fn wants_to_stay(version: Version, fields: &Fields) -> bool {
    let says = |word: &[u8]| list(fields, "connection").any(|name| name.eq_ignore_ascii_case(word));
    !says(b"close") && (version == Version::HTTP_11 || says(b"keep-alive"))
}

/// The elements of a list header, over all its lines.
fn list<'a>(fields: &'a Fields, name: &'a str) -> impl Iterator<Item = &'a [u8]> {
    fields.all(name).flat_map(|line| line.split(|&byte| byte == b',')).map(trimmed)
}

/// Without the whitespace of HTTP around it: space and tab only.
fn trimmed(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = text {
        text = rest;
    }
    text
}
