//! Hosts: names, addresses, and what the standard calls opaque hosts (URL Standard §3.5).

use std::borrow::Cow;
use std::fmt::Write as _;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::ops::RangeInclusive;

use crate::encode::{CONTROL, PLAIN_HOST, class, escaped, push_encoded};
use crate::error::Fault;

/// No letters live here, yet the tables of `idna` let some pass.
const NEVER_ASSIGNED: RangeInclusive<char> = '\u{33480}'..='\u{DFFFF}';

/// Writes the host in its one spelling.
pub(crate) fn push_host(out: &mut String, text: &str, special: bool) -> Result<(), Fault> {
    if let Some(inner) = text.strip_prefix('[') {
        let inner = inner.strip_suffix(']').ok_or(Fault::Ipv6)?;
        push_ipv6(out, inner.parse().map_err(|_| Fault::Ipv6)?);
        return Ok(());
    }
    if !special {
        return push_opaque(out, text);
    }
    if text.bytes().all(|byte| class(byte) & PLAIN_HOST != 0) && !ends_in_a_number(text) {
        out.push_str(text);
        return Ok(());
    }
    let decoded = percent_decoded(text);
    let name = to_ascii(&decoded)?;
    if ends_in_a_number(&name) {
        let address = ipv4(&name).ok_or(Fault::Ipv4)?;
        return write!(out, "{address}").map_err(|_| Fault::Ipv4);
    }
    out.push_str(&name);
    Ok(())
}

fn percent_decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escape = if byte == b'%' { escaped(bytes, at) } else { None };
        decoded.push(escape.unwrap_or(byte));
        at += if escape.is_some() { 3 } else { 1 };
    }
    Cow::Owned(String::from_utf8_lossy(&decoded).into_owned())
}

/// A name of ASCII letters alone is not checked for bad punycode: the standard lets it pass, and so do browsers.
fn to_ascii(name: &str) -> Result<Cow<'_, str>, Fault> {
    let ascii = if name.is_ascii() {
        Cow::Owned(name.to_ascii_lowercase())
    } else if name.chars().any(|letter| NEVER_ASSIGNED.contains(&letter)) {
        return Err(Fault::International);
    } else {
        idna::domain_to_ascii_cow(name.as_bytes(), idna::AsciiDenyList::URL)
            .map_err(|_| Fault::International)?
    };
    if ascii.is_empty() {
        return Err(Fault::International);
    }
    if ascii.bytes().any(is_forbidden_in_domain) {
        return Err(Fault::DomainCharacter);
    }
    Ok(ascii)
}

fn is_forbidden(byte: u8) -> bool {
    matches!(
        byte,
        0 | b'\t'
            | b'\n'
            | b'\r'
            | b' '
            | b'#'
            | b'/'
            | b':'
            | b'<'
            | b'>'
            | b'?'
            | b'@'
            | b'['
            | b'\\'
            | b']'
            | b'^'
            | b'|'
    )
}

fn is_forbidden_in_domain(byte: u8) -> bool {
    is_forbidden(byte) || matches!(byte, 0..0x20 | b'%' | 0x7F)
}

fn push_opaque(out: &mut String, text: &str) -> Result<(), Fault> {
    if text.bytes().any(is_forbidden) {
        return Err(Fault::DomainCharacter);
    }
    push_encoded(out, text, CONTROL);
    Ok(())
}

fn ends_in_a_number(name: &str) -> bool {
    let last = name.strip_suffix('.').unwrap_or(name).rsplit('.').next().unwrap_or_default();
    let begins = last.bytes().next().is_some_and(|byte| byte.is_ascii_digit());
    begins && (last.bytes().all(|byte| byte.is_ascii_digit()) || number(last).is_some())
}

/// Decimal, octal after `0`, hexadecimal after `0x`.
fn number(part: &str) -> Option<u64> {
    let hex = part.strip_prefix("0x").or_else(|| part.strip_prefix("0X"));
    let (digits, radix) = match (hex, part.strip_prefix('0')) {
        (Some(hex), _) => (hex, 16),
        (None, Some(octal)) if !octal.is_empty() => (octal, 8),
        _ => (part, 10),
    };
    if part.is_empty() {
        return None;
    }
    digits.chars().try_fold(0_u64, |sum, digit| {
        let digit = u64::from(digit.to_digit(radix)?);
        Some(sum.saturating_mul(u64::from(radix)).saturating_add(digit))
    })
}

fn ipv4(name: &str) -> Option<Ipv4Addr> {
    let name = name.strip_suffix('.').unwrap_or(name);
    let (leading, last) = name.rsplit_once('.').map_or((None, name), |(leading, last)| (Some(leading), last));
    let mut address = 0_u64;
    let mut count = 0;
    for part in leading.into_iter().flat_map(|leading| leading.split('.')) {
        let value = number(part).filter(|&value| value < 256)?;
        count += 1;
        if count > 3 {
            return None;
        }
        address |= value << (32 - 8 * count);
    }
    let room = 32 - 8 * count;
    let value = number(last).filter(|&value| value < 1 << room)?;
    u32::try_from(address | value).ok().map(Ipv4Addr::from)
}

/// The first longest run of two or more zero pieces is left out; never a dotted tail.
fn push_ipv6(out: &mut String, address: Ipv6Addr) {
    let pieces = address.segments();
    let (gap, gap_length) = longest_gap(pieces);
    out.push('[');
    for (at, piece) in pieces.iter().enumerate() {
        if gap_length > 1 && (gap..gap + gap_length).contains(&at) {
            if at == gap {
                out.push_str(if at == 0 { "::" } else { ":" });
            }
            continue;
        }
        // Writing into a text does not fail.
        let _written = write!(out, "{piece:x}");
        if at < 7 {
            out.push(':');
        }
    }
    out.push(']');
}

fn longest_gap(pieces: [u16; 8]) -> (usize, usize) {
    let (mut best, mut run) = ((0, 0), 0);
    for (at, &piece) in pieces.iter().enumerate() {
        run = if piece == 0 { run + 1 } else { 0 };
        if run > best.1 {
            best = (at + 1 - run, run);
        }
    }
    best
}
