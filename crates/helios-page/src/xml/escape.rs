//! References in text: the five of XML, numbers, and the names of HTML, which feeds use without declaring them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use memchr::memchr;

/// Longer names than this are not references.
const NAME: usize = 32;

/// Text with its references resolved; what is none stays as it is.
pub(crate) fn unescape(text: &str) -> Cow<'_, str> {
    let Some(first) = memchr(b'&', text.as_bytes()) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len());
    let (before, mut rest) = text.split_at_checked(first).unwrap_or((text, ""));
    out.push_str(before);
    while let Some(body) = rest.strip_prefix('&') {
        let resolved = memchr(b';', body.as_bytes().get(..body.len().min(NAME)).unwrap_or_default())
            .and_then(|end| Some((body.get(..end)?, body.get(end + 1..)?)))
            .filter(|(name, _)| resolve(name, &mut out));
        let behind = resolved.map_or(body, |(_, behind)| behind);
        if resolved.is_none() {
            out.push('&');
        }
        let next = memchr(b'&', behind.as_bytes()).unwrap_or(behind.len());
        let (plain, next) = behind.split_at_checked(next).unwrap_or((behind, ""));
        out.push_str(plain);
        rest = next;
    }
    Cow::Owned(out)
}

/// Writes what a reference stands for; false if it is none.
fn resolve(name: &str, out: &mut String) -> bool {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => number.parse().ok(),
        };
        let Some(letter) = code.and_then(letter) else { return false };
        out.push(letter);
        return true;
    }
    let plain = match name {
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "quot" => "\"",
        "apos" => "'",
        _ => return named(name, out),
    };
    out.push_str(plain);
    true
}

/// Numbers of the C1 controls mean Windows-1252, as in HTML.
fn letter(code: u32) -> Option<char> {
    match code {
        0x80..=0x9f => {
            let byte = [code as u8];
            let (text, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&byte);
            text.chars().next()
        }
        _ => char::from_u32(code).filter(|&letter| letter != '\0'),
    }
}

/// The names of HTML (see `html::token::reference`).
fn named(name: &str, out: &mut String) -> bool {
    let Some(point) = NAMES.get(name) else { return false };
    out.extend(point.split(' ').filter_map(|point| char::from_u32(u32::from_str_radix(point, 16).ok()?)));
    true
}

/// Made of the list that HTML is read with, when the first such name is met.
static NAMES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let list = include_str!("../html/token/references.txt");
    list.lines().filter_map(|line| line.trim_end_matches('~').split_once(' ')).collect()
});

/// Appends text so that it reads back as itself in markup.
pub(crate) fn push_escaped(text: &str, out: &mut String) {
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(letter),
        }
    }
}
