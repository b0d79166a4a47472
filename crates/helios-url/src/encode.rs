//! Percent-encoding: which bytes of which part of a URL are written as `%XX` (URL Standard §1.3).

use std::fmt::Write as _;

use encoding_rs::{EncoderResult, Encoding};

pub(crate) const CONTROL: u8 = 1;
pub(crate) const FRAGMENT: u8 = 2;
pub(crate) const QUERY: u8 = 4;
pub(crate) const SPECIAL_QUERY: u8 = 8;
pub(crate) const PATH: u8 = 16;
pub(crate) const USERINFO: u8 = 32;
/// Ends a path, or a segment of one where the scheme is special: `?`, `#`, `\`.
pub(crate) const PATH_END: u8 = 64;
/// Lower-case letters, digits, hyphen and dot: what a host is made of that needs no work.
pub(crate) const PLAIN_HOST: u8 = 128;

static CLASSES: [u8; 256] = classes();

#[inline]
pub(crate) fn class(byte: u8) -> u8 {
    CLASSES.get(usize::from(byte)).copied().unwrap_or(0)
}

const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0_usize;
    while byte < 256 {
        #[allow(clippy::indexing_slicing, reason = "evaluated by the compiler, which would refuse")]
        {
            table[byte] = class_of(byte as u8);
        }
        byte += 1;
    }
    table
}

const fn class_of(byte: u8) -> u8 {
    let mut class = match byte {
        0..0x20 | 0x7F..=0xFF => CONTROL | FRAGMENT | QUERY | SPECIAL_QUERY | PATH | USERINFO,
        b' ' | b'"' | b'<' | b'>' => FRAGMENT | QUERY | SPECIAL_QUERY | PATH | USERINFO,
        b'`' => FRAGMENT | PATH | USERINFO,
        b'#' => QUERY | SPECIAL_QUERY | PATH | USERINFO,
        b'\'' => SPECIAL_QUERY,
        b'?' | b'^' | b'{' | b'}' => PATH | USERINFO,
        b'/' | b':' | b';' | b'=' | b'@' | b'[' | b'\\' | b']' | b'|' => USERINFO,
        _ => 0,
    };
    if matches!(byte, b'?' | b'#' | b'\\') {
        class |= PATH_END;
    }
    if matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.') {
        class |= PLAIN_HOST;
    }
    class
}

const HEX: &[u8; 16] = b"0123456789ABCDEF";

pub(crate) fn push_escape(out: &mut String, byte: u8) {
    let digit = |value: u8| HEX.get(usize::from(value & 15)).copied().map_or('0', char::from);
    out.push('%');
    out.push(digit(byte >> 4));
    out.push(digit(byte));
}

/// Every byte above ASCII is in every set, so that runs begin and end between characters.
pub(crate) fn push_encoded(out: &mut String, text: &str, set: u8) {
    let mut from = 0;
    for (at, &byte) in text.as_bytes().iter().enumerate() {
        if class(byte) & set != 0 {
            out.push_str(text.get(from..at).unwrap_or_default());
            push_escape(out, byte);
            from = at + 1;
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
}

/// A query in the encoding of the page it stands on; what the encoding lacks becomes `&#number;`, escaped.
pub(crate) fn push_in_encoding(out: &mut String, text: &str, set: u8, encoding: &'static Encoding) {
    let mut encoder = encoding.output_encoding().new_encoder();
    let mut rest = text;
    let mut buffer = [0_u8; 1024];
    loop {
        let (result, read, written) = encoder.encode_from_utf8_without_replacement(rest, &mut buffer, true);
        for &byte in buffer.get(..written).unwrap_or_default() {
            if class(byte) & set != 0 || !byte.is_ascii() {
                push_escape(out, byte);
            } else {
                out.push(char::from(byte));
            }
        }
        rest = rest.get(read..).unwrap_or_default();
        match result {
            EncoderResult::InputEmpty => return,
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(letter) => {
                // Writing into a text does not fail.
                let _written = write!(out, "%26%23{}%3B", u32::from(letter));
            }
        }
    }
}

pub(crate) fn hex_value(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}

/// The byte that `text` escapes at `at`, where a `%` stands.
pub(crate) fn escaped(text: &[u8], at: usize) -> Option<u8> {
    let high = hex_value(*text.get(at + 1)?)?;
    let low = hex_value(*text.get(at + 2)?)?;
    Some(high << 4 | low)
}
