//! Bytes of XML to text: byte order mark, then the HTTP header, then the XML declaration, then what the bytes look like.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use memchr::memmem;

/// A declaration stands at the beginning.
const DECLARATION: usize = 1024;

/// The text of a document. `charset` is what the HTTP header said. Text that is UTF-8 is not copied.
pub(crate) fn decode<'a>(bytes: &'a [u8], charset: Option<&str>) -> Cow<'a, str> {
    if let Some(text) = utf32(bytes) {
        return Cow::Owned(text);
    }
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        return lossy(encoding, bytes.get(length..).unwrap_or_default());
    }
    if let Some(encoding) = utf16(bytes) {
        return lossy(encoding, bytes);
    }
    let labelled = charset.and_then(label).or_else(|| label(&declared(bytes)?));
    match labelled.filter(|&encoding| encoding != UTF_8) {
        // A single-byte label on what is UTF-8, and not plain ASCII, is a mistake of the server.
        Some(encoding) if encoding == WINDOWS_1252 => utf8(bytes).unwrap_or_else(|| lossy(encoding, bytes)),
        Some(encoding) => lossy(encoding, bytes),
        None => utf8(bytes).unwrap_or_else(|| broken(bytes)),
    }
}

fn utf8(bytes: &[u8]) -> Option<Cow<'_, str>> {
    std::str::from_utf8(bytes).ok().map(Cow::Borrowed)
}

/// A few broken sequences are damage; many are another encoding.
fn broken(bytes: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(bytes);
    let damage = text.chars().filter(|&letter| letter == '\u{fffd}').count();
    let foreign = text.chars().filter(|letter| !letter.is_ascii()).count();
    if damage * 4 > foreign { lossy(WINDOWS_1252, bytes) } else { text }
}

fn lossy<'a>(encoding: &'static Encoding, bytes: &'a [u8]) -> Cow<'a, str> {
    encoding.decode_without_bom_handling(bytes).0
}

/// UTF-16 without a mark is known by its first characters: `<?`, or `<` and a letter.
fn utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    match bytes {
        [b'<', 0, _, 0, ..] => Some(UTF_16LE),
        [0, b'<', 0, _, ..] => Some(UTF_16BE),
        _ => None,
    }
}

fn label(name: &str) -> Option<&'static Encoding> {
    let name = name.trim_matches(|letter: char| letter.is_ascii_whitespace() || matches!(letter, '"' | '\''));
    // The bytes are not UTF-16: that was looked at before.
    Encoding::for_label(name.as_bytes()).filter(|&encoding| encoding != UTF_16LE && encoding != UTF_16BE)
}

/// The encoding that the XML declaration names.
fn declared(bytes: &[u8]) -> Option<String> {
    let head = bytes.get(..bytes.len().min(DECLARATION))?;
    let start = memmem::find(head, b"<?xml")?;
    let declaration = head.get(start..)?;
    let declaration = declaration.get(..memmem::find(declaration, b"?>")?)?;
    let value = declaration.get(memmem::find(declaration, b"encoding")? + "encoding".len()..)?;
    let value = value.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (quote, value) = value.split_first()?;
    let length = value.iter().position(|byte| byte == quote)?;
    Some(String::from_utf8_lossy(value.get(..length)?).into_owned())
}

/// UTF-32, which browsers gave up and `encoding_rs` does not know.
fn utf32(bytes: &[u8]) -> Option<String> {
    let (little, skip) = match bytes {
        [0xff, 0xfe, 0, 0, ..] => (true, 4),
        [0, 0, 0xfe, 0xff, ..] => (false, 4),
        [b'<', 0, 0, 0, ..] => (true, 0),
        [0, 0, 0, b'<', ..] => (false, 0),
        _ => return None,
    };
    let letter = |four: &[u8]| {
        let four: [u8; 4] = four.try_into().ok()?;
        char::from_u32(if little { u32::from_le_bytes(four) } else { u32::from_be_bytes(four) })
    };
    let units = bytes.get(skip..)?.chunks_exact(4);
    Some(units.map(|four| letter(four).unwrap_or('\u{fffd}')).collect())
}
