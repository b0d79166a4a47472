//! Bytes → text: byte order mark, then header, then meta, then UTF-8 if it is valid, else windows-1252, as browsers do.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// How far into a page a meta charset is looked for (WHATWG HTML, prescan a byte stream).
const PRESCAN: usize = 1024;

/// The text, and the name of the encoding it was read in.
pub(super) fn decode<'a>(bytes: &'a [u8], content_type: &str) -> (Cow<'a, str>, &'static str) {
    let encoding = Encoding::for_bom(bytes)
        .map(|(encoding, _)| encoding)
        .or_else(|| label_in(content_type.as_bytes()))
        .or_else(|| from_meta(bytes))
        .unwrap_or_else(|| if std::str::from_utf8(bytes).is_ok() { UTF_8 } else { WINDOWS_1252 });
    let (text, used, _) = encoding.decode(bytes);
    (text, used.name())
}

/// A page that says UTF-16 in ASCII letters is not UTF-16.
fn from_meta(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..PRESCAN).unwrap_or(bytes).to_ascii_lowercase();
    let mut rest = head.as_slice();
    while let Some(at) = memchr::memmem::find(rest, b"<meta") {
        rest = rest.get(at + 5..)?;
        let tag = rest.get(..rest.iter().position(|&byte| byte == b'>')?)?;
        if let Some(encoding) = label_in(tag) {
            return Some(if encoding == UTF_16BE || encoding == UTF_16LE { UTF_8 } else { encoding });
        }
    }
    None
}

/// `charset=LABEL` with or without quotes.
fn label_in(text: &[u8]) -> Option<&'static Encoding> {
    let lower = text.to_ascii_lowercase();
    let after = lower.get(memchr::memmem::find(&lower, b"charset")? + 7..)?.trim_ascii_start();
    let value = after.strip_prefix(b"=")?.trim_ascii_start();
    let value = value.strip_prefix(b"\"").or_else(|| value.strip_prefix(b"'")).unwrap_or(value);
    let end = value.iter().position(|byte| b"\"'; \t\r\n/>".contains(byte)).unwrap_or(value.len());
    Encoding::for_label(value.get(..end)?)
}
