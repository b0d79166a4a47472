//! One pattern against one path, octet by octet after both are written alike (RFC 9309 §2.2.2, §2.2.3).

use std::borrow::Cow;

use memchr::{memchr, memmem};

/// Octets that are written as they are: unreserved and reserved ones (RFC 3986 §2.2, §2.3), but not `*` and `$`, which mean
/// something in a pattern, nor `%`, which begins an escape.
const PLAIN: [bool; 256] = {
    let plain = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#[]@!&'()+,;=";
    let mut table = [false; 256];
    let mut at = 0;
    while at < plain.len() {
        #[allow(clippy::indexing_slicing, reason = "evaluated by the compiler")]
        {
            table[plain[at] as usize] = true;
        }
        at += 1;
    }
    table
};

/// A path and query as patterns are compared with. A `*` or `$` in it is no wildcard: a rule names it as `%2A` or `%24`.
pub(super) fn normal_target(target: &str) -> Cow<'_, [u8]> {
    let bytes = target.as_bytes();
    let rooted = bytes.first() == Some(&b'/');
    if rooted && bytes.iter().copied().all(is_plain) {
        return Cow::Borrowed(bytes);
    }
    let mut out = Vec::with_capacity(bytes.len() + 16);
    if !rooted {
        out.push(b'/');
    }
    push_normal(&mut out, bytes, false);
    Cow::Owned(out)
}

/// Writes a rule's value as it is compared. Only a last `$` stays: it marks the end of the path.
pub(super) fn push_pattern(out: &mut Vec<u8>, value: &[u8]) {
    let (body, end) = value.strip_suffix(b"$").map_or((value, false), |body| (body, true));
    push_normal(out, body, true);
    out.extend(end.then_some(b'$'));
}

/// Escapes of unreserved characters become what they stand for; all else that is not plain becomes an upper-case `%XX`.
fn push_normal(out: &mut Vec<u8>, text: &[u8], stars: bool) {
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if is_plain(byte) || (stars && byte == b'*') {
            out.push(byte);
        } else if byte != b'%' {
            push_escape(out, byte);
        } else if let Some(value) = hex_pair(after) {
            rest = after.get(2..).unwrap_or_default();
            if value.is_ascii_alphanumeric() || matches!(value, b'-' | b'.' | b'_' | b'~') {
                out.push(value);
            } else {
                push_escape(out, value);
            }
        } else {
            out.push(byte);
        }
    }
}

fn is_plain(byte: u8) -> bool {
    PLAIN.get(usize::from(byte)).copied().unwrap_or(false)
}

fn hex_pair(bytes: &[u8]) -> Option<u8> {
    let digit = |at: usize| bytes.get(at).and_then(|&byte| char::from(byte).to_digit(16));
    Some((digit(0)? * 16 + digit(1)?) as u8)
}

fn push_escape(out: &mut Vec<u8>, byte: u8) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    out.push(b'%');
    out.extend([byte >> 4, byte & 15].iter().filter_map(|&nibble| HEX.get(usize::from(nibble))));
}

/// Is `pattern` a match for `path`, both normal? Each piece between stars is taken at its first place after the one before,
/// which is enough for a prefix match; only an anchored last piece must stand at the very end. So nothing is tried twice,
/// and the work is at most the length of both.
pub(super) fn matches(pattern: &[u8], path: &[u8]) -> bool {
    let (body, anchored) = anchor(pattern);
    let Some((head, mut rest)) = cut(body) else {
        return if anchored { path == body } else { path.starts_with(body) };
    };
    let Some(mut left) = path.strip_prefix(head) else { return false };
    while let Some((piece, after)) = cut(rest) {
        let Some(at) = find(left, piece) else { return false };
        left = left.get(at + piece.len()..).unwrap_or_default();
        rest = after;
    }
    if anchored { left.ends_with(rest) } else { find(left, rest).is_some() }
}

/// The pattern without its `$`, and whether it had one.
pub(super) fn anchor(pattern: &[u8]) -> (&[u8], bool) {
    pattern.strip_suffix(b"$").map_or((pattern, false), |body| (body, true))
}

fn cut(body: &[u8]) -> Option<(&[u8], &[u8])> {
    let star = memchr(b'*', body)?;
    Some((body.get(..star)?, body.get(star + 1..)?))
}

fn find(left: &[u8], piece: &[u8]) -> Option<usize> {
    match piece {
        [] => Some(0),
        [byte] => memchr(*byte, left),
        _ => memmem::find(left, piece),
    }
}
