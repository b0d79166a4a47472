//! Bytes → text: byte order mark, header, meta, XML declaration, then UTF-8 if it is that, else what the bytes look like.
//!
//! Always: what a page or its server says is believed, as browsers believe it; no bytes are refused; the text is at most three
//! times as long as the bytes. `mime` reads the header, `prescan` the first bytes, `detect` guesses.

mod cyrillic;
mod detect;
mod korean;
mod mime;
mod prescan;
mod wide;

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

pub use mime::MimeType;

/// How far a browser looks for a meta tag before it begins to parse.
const PRESCAN: usize = 1_024;
/// How far we look where that found nothing: a browser that meets a late one while parsing begins again.
const LATE: usize = 64 * 1_024;

/// A page as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded<'a> {
    pub text: Cow<'a, str>,
    /// The name that the Encoding Standard gives it; `UTF-32LE`, `UTF-32BE`, `IBM855`, `ISO-2022-KR` besides.
    pub encoding: &'static str,
    pub found: Found,
}

/// What told the encoding, the surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    ByteOrderMark,
    Header,
    Meta,
    XmlDeclaration,
    /// Nothing said so, but the bytes are valid (or but for a few, or but for the end).
    Utf8,
    /// Every second byte, or three of four, are zero.
    Zeros,
    Detected,
    /// Nothing is known: windows-1252, as browsers do.
    Fallback,
}

impl Found {
    pub fn name(self) -> &'static str {
        match self {
            Self::ByteOrderMark => "bom",
            Self::Header => "header",
            Self::Meta => "meta",
            Self::XmlDeclaration => "xml",
            Self::Utf8 => "utf-8",
            Self::Zeros => "zeros",
            Self::Detected => "detected",
            Self::Fallback => "fallback",
        }
    }
}

/// `content_type` is the value of the header, empty where there was none. `tld` is the last label of the page's host in lower
/// case: where bytes alone do not tell, what is usual there decides.
pub fn decode<'a>(bytes: &'a [u8], content_type: &str, tld: Option<&str>) -> Decoded<'a> {
    if let Some(decoded) = wide::decode_marked(bytes) {
        return decoded;
    }
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return read(bytes, encoding, Found::ByteOrderMark);
    }
    let mime = MimeType::parse(content_type);
    let labelled = mime.as_ref().and_then(|mime| mime.get("charset")).and_then(for_label);
    if let Some(encoding) = labelled {
        return read(bytes, encoding, Found::Header);
    }
    let is_xml = mime.is_some_and(|mime| mime.is_xml());
    if let Some((encoding, found)) = declared(bytes, is_xml) {
        return read(bytes, encoding, found);
    }
    undeclared(bytes, tld)
}

fn for_label(label: &str) -> Option<&'static Encoding> {
    Encoding::for_label(label.as_bytes())
}

fn declared(bytes: &[u8], is_xml: bool) -> Option<(&'static Encoding, Found)> {
    let head = bytes.get(..PRESCAN).unwrap_or(bytes);
    let meta = || prescan::meta(head).map(|encoding| (encoding, Found::Meta));
    let xml = || prescan::xml_declaration(head).map(|encoding| (encoding, Found::XmlDeclaration));
    if is_xml { xml() } else { meta().or_else(xml) }
}

fn undeclared<'a>(bytes: &'a [u8], tld: Option<&str>) -> Decoded<'a> {
    // Wide text of ASCII letters is valid UTF-8 too, full of zeros.
    if let Some(decoded) = wide::decode_unmarked(bytes) {
        return decoded;
    }
    // ISO-2022-JP is ASCII with escapes.
    let valid = std::str::from_utf8(bytes).ok().filter(|_| memchr::memchr(0x1B, bytes).is_none());
    let utf8 = |text| Decoded { text: Cow::Borrowed(text), encoding: UTF_8.name(), found: Found::Utf8 };
    if let Some(text) = valid.filter(|text| !text.is_ascii()) {
        return utf8(text);
    }
    if let Some(encoding) = prescan::meta(bytes.get(..LATE).unwrap_or(bytes)) {
        return read(bytes, encoding, Found::Meta);
    }
    if let Some(text) = valid {
        return utf8(text);
    }
    if let Some(decoded) = korean::decode(bytes) {
        return decoded;
    }
    if detect::is_nearly_utf8(bytes) {
        return read(bytes, UTF_8, Found::Utf8);
    }
    let sample = detect::sample(bytes);
    let Some(encoding) = detect::guess(sample, tld) else {
        return read(bytes, WINDOWS_1252, Found::Fallback);
    };
    cyrillic::decode(bytes, sample, encoding).unwrap_or_else(|| read(bytes, encoding, Found::Detected))
}

fn read<'a>(bytes: &'a [u8], encoding: &'static Encoding, found: Found) -> Decoded<'a> {
    let (text, used, _) = encoding.decode(bytes);
    Decoded { text, encoding: used.name(), found }
}
