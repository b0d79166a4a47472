//! Escapes in one spelling: upper-case digits, and no escape for what needs none (RFC 3986 §6.2.2.1, §6.2.2.2).

use std::borrow::Cow;

use crate::encode::{escaped, push_escape};

pub(super) fn normal(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let Some(mut at) = memchr::memchr_iter(b'%', bytes).find(|&at| must_change(bytes, at)) else {
        return Cow::Borrowed(text);
    };
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    while let Some(next) = memchr::memchr(b'%', bytes.get(at..).unwrap_or_default()) {
        at += next;
        let Some(byte) = escaped(bytes, at) else {
            at += 1;
            continue;
        };
        out.push_str(text.get(from..at).unwrap_or_default());
        if is_unreserved(byte) && !completes_an_escape(&out, byte) {
            out.push(char::from(byte));
        } else {
            push_escape(&mut out, byte);
        }
        at += 3;
        from = at;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(out)
}

fn must_change(bytes: &[u8], at: usize) -> bool {
    let digits = bytes.get(at + 1..at + 3).unwrap_or_default();
    escaped(bytes, at).is_some_and(|byte| is_unreserved(byte) || digits.iter().any(u8::is_ascii_lowercase))
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// `%%34%31` must not become `%41`, which would be `A` when read again.
fn completes_an_escape(before: &str, byte: u8) -> bool {
    let bare = match before.as_bytes() {
        [.., b'%'] => true,
        [.., b'%', digit] => digit.is_ascii_hexdigit(),
        _ => false,
    };
    bare && byte.is_ascii_hexdigit()
}
