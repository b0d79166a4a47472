//! What the first bytes of a page say about their encoding (HTML Standard §13.2.3.2, "prescan a byte stream").

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// `<meta charset>` or `<meta http-equiv=content-type>`, where a browser would see it without parsing.
pub(super) fn meta(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut rest = bytes;
    while let Some(at) = memchr::memchr(b'<', rest) {
        rest = rest.get(at + 1..)?;
        if let Some(comment) = rest.strip_prefix(b"!--") {
            // `<!-->` is a comment too.
            let from = memchr::memmem::find(rest.get(1..)?, b"-->").map(|end| end + 4);
            rest = from
                .and_then(|from| rest.get(from..))
                .unwrap_or_else(|| comment.get(comment.len()..).unwrap_or_default());
        } else if is_meta(rest) {
            let (found, after) = meta_tag(rest.get(4..)?);
            if found.is_some() {
                return found;
            }
            rest = after;
        } else if is_tag(rest) {
            rest = after_tag(rest);
        } else if matches!(rest.first(), Some(b'!' | b'/' | b'?')) {
            rest = rest.get(memchr::memchr(b'>', rest)? + 1..)?;
        }
    }
    None
}

fn is_meta(rest: &[u8]) -> bool {
    rest.get(..4).is_some_and(|name| name.eq_ignore_ascii_case(b"meta"))
        && rest.get(4).is_some_and(|&byte| is_space(byte) || byte == b'/')
}

fn is_tag(rest: &[u8]) -> bool {
    rest.strip_prefix(b"/").unwrap_or(rest).first().is_some_and(u8::is_ascii_alphabetic)
}

fn after_tag(rest: &[u8]) -> &[u8] {
    let end = rest.iter().position(|&byte| is_space(byte) || byte == b'>').unwrap_or(rest.len());
    let mut rest = rest.get(end..).unwrap_or_default();
    while let Some((_, _, after)) = attribute(rest) {
        rest = after;
    }
    rest.get(rest.iter().position(|&byte| byte == b'>').unwrap_or(rest.len())..).unwrap_or_default()
}

/// What the tag says, if it says enough, and what follows its attributes.
fn meta_tag(tag: &[u8]) -> (Option<&'static Encoding>, &[u8]) {
    let (mut rest, mut pragma, mut needs_pragma, mut charset) = (tag, false, None, None);
    let mut seen = Vec::new();
    while let Some((name, value, after)) = attribute(rest) {
        rest = after;
        // The first of a name counts; no tag needs more names than these.
        let known = [&b"http-equiv"[..], b"content", b"charset"].into_iter().position(|known| known == name);
        let Some(known) = known.filter(|known| !seen.contains(known)) else { continue };
        seen.push(known);
        match known {
            0 => pragma |= value == b"content-type",
            1 => {
                if let (None, Some(encoding)) = (charset, label_in(&value)) {
                    charset = Some(Some(encoding));
                    needs_pragma = Some(true);
                }
            }
            _ => {
                charset = Some(Encoding::for_label(&value));
                needs_pragma = Some(false);
            }
        }
    }
    let complete = needs_pragma.is_some_and(|needs| !needs || pragma);
    (charset.flatten().filter(|_| complete).map(as_declared), rest)
}

/// A page that says UTF-16 in ASCII letters is not UTF-16.
fn as_declared(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16BE || encoding == UTF_16LE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    }
}

/// Name and value in lower case, and what follows; nothing at the end of the tag.
fn attribute(bytes: &[u8]) -> Option<(Vec<u8>, Vec<u8>, &[u8])> {
    let start = bytes.iter().position(|&byte| !is_space(byte) && byte != b'/')?;
    let bytes = bytes.get(start..)?;
    if bytes.first() == Some(&b'>') {
        return None;
    }
    // An equals sign at the beginning belongs to the name.
    let ends = |&byte: &u8| is_space(byte) || matches!(byte, b'/' | b'>' | b'=');
    let length = 1 + bytes.get(1..)?.iter().position(ends).unwrap_or(bytes.len() - 1);
    let name = bytes.get(..length)?.to_ascii_lowercase();
    let rest = bytes.get(length..)?;
    let spaces = rest.iter().take_while(|&&byte| is_space(byte)).count();
    let Some(value) = rest.get(spaces..)?.strip_prefix(b"=") else {
        return Some((name, Vec::new(), rest.get(spaces..)?));
    };
    let value = value.get(value.iter().take_while(|&&byte| is_space(byte)).count()..)?;
    match value.first()? {
        quote @ (b'"' | b'\'') => {
            let inner = value.get(1..)?;
            let end = memchr::memchr(*quote, inner)?;
            Some((name, inner.get(..end)?.to_ascii_lowercase(), inner.get(end + 1..)?))
        }
        b'>' => Some((name, Vec::new(), value)),
        _ => {
            let end = value.iter().position(|&byte| is_space(byte) || byte == b'>').unwrap_or(value.len());
            Some((name, value.get(..end)?.to_ascii_lowercase(), value.get(end..)?))
        }
    }
}

/// "Extracting a character encoding from a meta element": `charset=…` somewhere in the text, which is in lower case.
fn label_in(text: &[u8]) -> Option<&'static Encoding> {
    let mut rest = text;
    loop {
        rest = rest.get(memchr::memmem::find(rest, b"charset")? + 7..)?;
        let Some(value) = rest.trim_ascii_start().strip_prefix(b"=") else { continue };
        let value = value.trim_ascii_start();
        let label = if let quote @ (b'"' | b'\'') = value.first()? {
            let inner = value.get(1..)?;
            inner.get(..memchr::memchr(*quote, inner)?)?
        } else {
            let ends = |&byte: &u8| byte.is_ascii_whitespace() || byte == b';';
            value.get(..value.iter().position(ends).unwrap_or(value.len()))?
        };
        return Encoding::for_label(label);
    }
}

/// `<?xml version="1.0" encoding="…"?>` at the very beginning.
pub(super) fn xml_declaration(bytes: &[u8]) -> Option<&'static Encoding> {
    let declaration = bytes.strip_prefix(b"<?xml")?;
    let declaration = declaration.get(..memchr::memchr(b'>', declaration)?)?;
    let value = declaration.get(memchr::memmem::find(declaration, b"encoding")? + 8..)?;
    let value = value.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let quote = *value.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let inner = value.get(1..)?;
    Encoding::for_label(inner.get(..memchr::memchr(quote, inner)?)?).map(as_declared)
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}
