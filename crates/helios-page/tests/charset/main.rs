//! Bytes become text: as browsers do where something is said, by their looks where nothing is.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test that cannot go on must stop"
)]

mod archive;
mod hostile;

use archive::{data, files};
use encoding_rs::Encoding;
use helios_page::charset::{Found, MimeType, decode};
use serde_json::Value;

#[test]
fn whatwg_the_surest_sign_decides() {
    let page = "<meta charset=koi8-r><p>привет".as_bytes();
    for (bytes, header, encoding, found) in [
        (&b"\xEF\xBB\xBFa"[..], "text/html; charset=koi8-r", "UTF-8", Found::ByteOrderMark),
        (b"\xFF\xFEa\0", "text/html; charset=koi8-r", "UTF-16LE", Found::ByteOrderMark),
        (page, "text/html; charset=windows-1251", "windows-1251", Found::Header),
        (page, "text/html; charset=\"windows-1251\"", "windows-1251", Found::Header),
        (page, "text/html; charset=unheard-of", "KOI8-R", Found::Meta),
        (page, "text/html", "KOI8-R", Found::Meta),
        (page, "application/xhtml+xml", "UTF-8", Found::Utf8),
        (b"<?xml version='1.0' encoding='euc-kr'?><rss/>", "text/xml", "EUC-KR", Found::XmlDeclaration),
        (b"<?xml encoding='euc-kr'?><meta charset=big5>", "text/html", "Big5", Found::Meta),
        (b"<meta charset=utf-16>", "", "UTF-8", Found::Meta),
        (b"<meta charset=utf-7>+ADw-script", "", "UTF-8", Found::Utf8),
        (b"plain", "", "UTF-8", Found::Utf8),
        (b"", "", "UTF-8", Found::Utf8),
        (b"<\0p\0>\0a\0<\0/\0p\0>\0", "", "UTF-16LE", Found::Zeros),
        (b"\0\0\0<\0\0\0p\0\0\0>", "", "UTF-32BE", Found::Zeros),
        (b"\xFF\xFE\0\0a\0\0\0", "", "UTF-32LE", Found::ByteOrderMark),
    ] {
        let decoded = decode(bytes, header, None);
        assert_eq!((decoded.encoding, decoded.found), (encoding, found), "{header:?} {bytes:?}");
    }
}

#[test]
fn a_page_that_was_cut_or_glued_is_still_utf8() {
    let cut = &"größer".as_bytes()[..4];
    assert_eq!(decode(cut, "", None).encoding, "UTF-8");
    let glued = [&"Größe und Wärme. ".repeat(100).into_bytes()[..], b"caf\xE9"].concat();
    assert_eq!(decode(&glued, "", None).encoding, "UTF-8");
    assert_eq!(decode(b"caf\xE9 au lait, d\xE9j\xE0 vu", "", None).encoding, "windows-1252");
}

#[test]
fn a_late_meta_counts_where_the_bytes_are_not_utf8() {
    let page = [&b"<!-- ".repeat(400)[..], b"--><meta charset=iso-8859-2>\xB1\xE6"].concat();
    let decoded = decode(&page, "text/html", None);
    assert_eq!((decoded.encoding, decoded.found), ("ISO-8859-2", Found::Meta));
}

#[test]
fn where_bytes_do_not_tell_the_country_does() {
    let page = "Łódź".chars().map(|letter| match letter {
        'Ł' => 0xA3,
        'ó' => 0xF3,
        'ź' => 0x9F,
        _ => letter as u8,
    });
    let page: Vec<u8> = page.collect();
    assert_eq!(decode(&page, "", Some("pl")).text, "Łódź");
    // Names that the detector would stumble over.
    for tld in ["PL", "", "рф", "xn--p1ai", "a.b"] {
        decode(&page, "", Some(tld));
    }
}

#[test]
fn whatwg_the_prescan_finds_what_browsers_find() {
    let files = files("html5lib/encoding.tar.xz");
    // Nobody but a script could know what a script will write.
    for (file, bytes) in files.iter().filter(|(file, _)| !file.starts_with("scripted/")) {
        for test in split(bytes, b"#data\n") {
            let parts = split(test, b"\n#encoding\n");
            let [page, rest] = parts[..] else { continue };
            let label = rest.split(|&byte| byte == b'\n').next().unwrap();
            let decoded = decode(page, "", None);
            let said = matches!(decoded.found, Found::Meta | Found::ByteOrderMark);
            let found = if said { decoded.encoding } else { "windows-1252" };
            let expected = Encoding::for_label(label).unwrap().name();
            assert_eq!(found, expected, "{file}: {}", String::from_utf8_lossy(page));
        }
    }
}

fn split<'a>(bytes: &'a [u8], by: &[u8]) -> Vec<&'a [u8]> {
    let mut parts = Vec::new();
    let mut rest = bytes;
    while let Some(at) = rest.windows(by.len()).position(|window| window == by) {
        parts.push(&rest[..at]);
        rest = &rest[at + by.len()..];
    }
    parts.push(rest);
    parts
}

#[test]
fn whatwg_content_types_are_read_and_written_as_browsers_do() {
    let Some(folder) = data("mime-types") else { return };
    let text = std::fs::read(folder.join("mime-types.json")).unwrap();
    for case in serde_json::from_slice::<Vec<Value>>(&text).unwrap() {
        let Some(input) = case["input"].as_str() else { continue };
        let mime = MimeType::parse(input);
        assert_eq!(mime.as_ref().map(ToString::to_string).as_deref(), case["output"].as_str(), "{case}");
        if let Some(expected) = case["encoding"].as_str() {
            let label = mime.as_ref().and_then(|mime| mime.get("charset")).unwrap();
            assert_eq!(Encoding::for_label(label.as_bytes()).unwrap().name(), expected, "{case}");
        }
    }
}

#[test]
fn whatwg_the_last_of_several_content_types_counts() {
    for (header, expected) in [
        ("text/html", "text/html"),
        ("text/html, text/html", "text/html"),
        ("text/plain,text/html", "text/html"),
        ("text/html, ", "text/html"),
        (", text/html, nonsense", "text/html"),
        ("text/html, */*", "text/html"),
        ("text/html;charset=gbk, text/html", "text/html;charset=gbk"),
        ("text/html, text/html;charset=gbk", "text/html;charset=gbk"),
        ("text/html;charset=gbk, text/html;charset=big5", "text/html;charset=big5"),
        ("text/html;charset=gbk, text/html;charset=big5, text/html", "text/html;charset=gbk"),
        ("text/plain;charset=gbk, text/html", "text/html"),
        ("text/html;charset=gbk, text/plain, text/html", "text/html"),
        (r#"text/html;x="a\", text/plain""#, r#"text/html;x="a\", text/plain""#),
        ("text/html;\", text/plain", "text/html"),
    ] {
        assert_eq!(MimeType::extract(header).unwrap().to_string(), expected, "{header}");
    }
    for nothing in ["", ",", "*/*", "html, */*;charset=gbk"] {
        assert_eq!(MimeType::extract(nothing), None, "{nothing:?}");
    }
}

/// Files that we read otherwise, and why.
const NOT_OURS: [(&str, &str); 4] = [
    ("Johab/hlpro-readme.txt", "no browser and no web page knows Johab"),
    ("Johab/mdir-doc.txt", "no browser and no web page knows Johab"),
    ("MacRoman/ioreg_output.txt", "four apostrophes in a printout; no browser guesses MacRoman"),
    ("windows-1252/_mozilla_bug421271_text.html", "one pound sign, which is Ł in windows-1250"),
];

/// What the folder says: an encoding, and a language perhaps.
fn truth(folder: &str, bytes: &[u8]) -> Option<String> {
    let mut label = folder.to_ascii_lowercase();
    while Encoding::for_label(label.as_bytes()).is_none() {
        label.truncate(label.rfind('-')?);
    }
    let encoding = Encoding::for_label(label.as_bytes())?;
    Some(encoding.decode(bytes).0.into_owned()).filter(|_| encoding.name() != "replacement")
}

#[test]
fn unlabelled_files_become_the_text_that_was_meant() {
    let files = files("charset/files.tar.xz");
    let mut wrong = Vec::new();
    for (name, bytes) in &files {
        let folder = name.split('/').next().unwrap();
        let decoded = decode(bytes, "", None);
        let right = match folder {
            "CP932" => decoded.encoding == "Shift_JIS",
            "CP949" => decoded.encoding == "EUC-KR",
            "MacRoman" => decoded.encoding == "macintosh",
            "MacCyrillic" => decoded.encoding == "x-mac-cyrillic",
            "utf-8-sig" => decoded.encoding == "UTF-8",
            // The Encoding Standard does not know these.
            "IBM855" | "Johab" | "iso-2022-kr" => decoded.encoding.eq_ignore_ascii_case(folder),
            "UTF-32" | "UTF-32LE" | "UTF-32BE" => decoded.encoding.starts_with("UTF-32"),
            _ => truth(folder, bytes).as_deref() == Some(&decoded.text),
        };
        if !right {
            wrong.push(name.as_str());
        }
    }
    let listed: Vec<&str> =
        if files.is_empty() { Vec::new() } else { NOT_OURS.map(|(name, _)| name).to_vec() };
    wrong.sort_unstable();
    assert_eq!(wrong, listed, "{} of {}", files.len() - wrong.len(), files.len());
}
