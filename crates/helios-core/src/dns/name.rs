//! The text of a host → what it needs: nothing, because it is an address or special, or a look-up.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::DnsError;

/// RFC 1035 §2.3.4, without the last dot.
const LONGEST_NAME: usize = 253;
const LONGEST_LABEL: usize = 63;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Host<'a> {
    Address(IpAddr),
    /// `localhost` and what is below it (RFC 6761 §6.3): never asked for.
    Loopback,
    /// In lower case, without the last dot; never completed with a search domain.
    Name(Cow<'a, str>),
}

pub(super) fn read(text: &str) -> Result<Host<'_>, DnsError> {
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let looks_like_address = inner.starts_with(|c: char| c.is_ascii_digit()) || inner.contains(':');
    if looks_like_address && let Ok(address) = inner.parse() {
        return Ok(Host::Address(address));
    }
    let name = text.strip_suffix('.').unwrap_or(text);
    check(name)?;
    let name = if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    };
    let top = name.rsplit('.').next().unwrap_or_default();
    match top {
        "localhost" => Ok(Host::Loopback),
        // RFC 6761 §6.4, RFC 7686 §2: there are none, and nobody is asked.
        "invalid" | "onion" => Err(DnsError::NoSuchName),
        // 127.1 and 0x7f.1 are addresses to some programs. The URL parser has made them plain long before.
        _ if top.starts_with(|c: char| c.is_ascii_digit()) && is_number(top) => {
            Err(DnsError::Malformed("its last label is a number"))
        }
        _ => Ok(Host::Name(name)),
    }
}

fn is_number(label: &str) -> bool {
    let digits = label.strip_prefix("0x").unwrap_or(label);
    let radix = if digits.len() < label.len() { 16 } else { 10 };
    digits.chars().all(|c| c.is_digit(radix))
}

fn check(name: &str) -> Result<(), DnsError> {
    if name.is_empty() {
        return Err(DnsError::Malformed("it is empty"));
    }
    if name.len() > LONGEST_NAME {
        return Err(DnsError::Malformed("it is longer than 253 bytes"));
    }
    let mut label = 0;
    for byte in name.bytes() {
        match byte {
            b'.' if label == 0 => return Err(DnsError::Malformed("it has an empty label")),
            b'.' => label = 0,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => label += 1,
            _ => return Err(DnsError::Malformed("it has bytes that no host name has")),
        }
        if label > LONGEST_LABEL {
            return Err(DnsError::Malformed("it has a label longer than 63 bytes"));
        }
    }
    if label == 0 { Err(DnsError::Malformed("it has an empty label")) } else { Ok(()) }
}

pub(super) fn loopback() -> [IpAddr; 2] {
    [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)]
}
