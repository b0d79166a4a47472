//! What a session id looks like: a name that says so, and a value that nobody would type.

use super::path::Segments;
use super::query::split_once;
use crate::url::{is_hex, is_random};

/// Whatever these hold is a session.
const SURE: [&str; 10] = [
    "jsessionid",
    "phpsessid",
    "sessionid",
    "session_id",
    "sessid",
    "oscsid",
    "xtcsid",
    "zenid",
    "cfid",
    "cftoken",
];
/// These may also name a section, a story or a season.
const MAYBE: [&str; 3] = ["sid", "session", "sess"];
/// Shorter values are numbers of things, not of visitors.
const LEAST: usize = 8;

pub(super) fn is_session(name: &[u8], value: &[u8]) -> bool {
    // Most names leave here.
    let begins = |first: &u8| matches!(first | 0x20, b'c' | b'j' | b'o' | b'p' | b's' | b'x' | b'z');
    if value.len() < LEAST || name.len() > "session_id".len() || !name.first().is_some_and(begins) {
        return false;
    }
    let is_one_of = |names: &[&str]| names.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()));
    match name.len() {
        // vBulletin; elsewhere what is searched for.
        1 => name == b"s" && value.len() == 32 && is_hex(value),
        _ => is_one_of(&SURE) || (is_one_of(&MAYBE) && is_random(value)),
    }
}

/// What holds a session id in the path: `jsessionid` of `/shop;jsessionid=0AB…`, `s` of `/s/8c1f03d2/shop`.
pub(super) fn in_path<'u>(path: &'u str, segments: &Segments<'u>) -> Option<&'u [u8]> {
    if let Some(at) = memchr::memchr2(b';', b'(', path.as_bytes())
        && let Some(holder) = in_marked_path(path.as_bytes().get(at..)?, segments)
    {
        return Some(holder);
    }
    // An id at the end is that of a thing; a session goes on with the path of a page.
    let folders = segments.count().saturating_sub(if path.ends_with('/') { 1 } else { 2 });
    let mut pairs = (0..folders).map(|at| (segments.get(at), segments.get(at + 1)));
    pairs.find(|(name, value)| is_folder(name, value)).map(|(name, _)| name)
}

/// `marked` begins with `;` or `(`.
fn in_marked_path<'u>(marked: &'u [u8], segments: &Segments<'u>) -> Option<&'u [u8]> {
    for parameter in marked.split(|&byte| byte == b';').skip(1) {
        let end = parameter.iter().position(|&byte| byte == b'/').unwrap_or(parameter.len());
        let (name, value) = split_once(parameter.get(..end)?, b'=');
        if is_session(name, value) {
            return Some(name);
        }
    }
    // ASP.NET without cookies: /(S(lit3py55t21z5v55vlm25s55))/page.aspx
    let is_cookieless = |segment: &[u8]| segment.starts_with(b"(") && segment.ends_with(b"))");
    let mut candidates = segments.iter().filter(|segment| is_cookieless(segment));
    candidates.any(|segment| memchr::memmem::find(segment, b"S(").is_some()).then_some(b"(S(")
}

/// `/s/` is also the folder of shared files, stories and searches: there, only hexadecimal will do.
fn is_folder(name: &[u8], value: &[u8]) -> bool {
    match name {
        b"s" => value.len() >= LEAST && is_hex(value),
        _ => name.len() > 1 && is_session(name, value),
    }
}
