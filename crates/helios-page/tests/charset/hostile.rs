//! Bytes that nobody would write: nothing is refused, and nothing grows.

use helios_page::charset::{MimeType, decode};
use proptest::prelude::*;

const LONG: usize = 50 << 20;

#[test]
fn fifty_megabytes_of_anything_become_text_of_a_few_times_that() {
    let patterns: [&[u8]; 10] = [
        b"a",
        b"\0",
        b"\xFF",
        b"\xE9 ",
        b"<meta ",
        b"<!--",
        b"\x1B$)C\x0E",
        b"\xD8\0",
        b"\x81\x30",
        b"<meta charset=",
    ];
    for pattern in patterns {
        let bytes = pattern.repeat(LONG / pattern.len());
        let decoded = decode(&bytes, "", Some("com"));
        assert!(decoded.text.len() <= 3 * bytes.len() + 16, "{pattern:?}: {}", decoded.text.len());
    }
}

#[test]
fn a_header_without_end_is_read_in_time() {
    let header = format!("text/html{}", ";a=\"b\\\"".repeat(1 << 20));
    assert_eq!(MimeType::parse(&header).unwrap().essence(), "text/html");
    let many = (0..200_000).fold(String::new(), |text, number| text + &format!(";p{number}=1"));
    decode(b"a", &format!("text/html{many};charset=koi8-r"), None);
}

#[test]
fn lone_surrogates_are_replaced_in_every_wide_encoding() {
    for (bytes, expected) in [
        (&b"\xFF\xFE\x00\xD8a\x00"[..], "\u{FFFD}a"),
        (b"\xFE\xFF\xDC\x00\x00a", "\u{FFFD}a"),
        (b"\xFF\xFE\x00\x00\x00\xD8\x00\x00a\x00\x00\x00", "\u{FFFD}a"),
        (b"\xFF\xFE\x00\x00\xFF\xFF\xFF\xFFab", "\u{FFFD}\u{FFFD}"),
        (b"\xEF\xBB\xBF\xED\xA0\x80", "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ] {
        assert_eq!(decode(bytes, "", None).text, expected, "{bytes:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn any_bytes_become_text_and_the_same_each_time(
        pieces in prop::collection::vec(
            prop_oneof![
                prop::sample::select(vec![
                    &b"<meta "[..], b"charset=", b"content=", b"http-equiv=content-type", b"'", b"\"", b">", b"/", b"=", b" ",
                    b"utf-8", b"koi8-r", b"<!--", b"-->", b"<?xml encoding=", b"?>", b"\xFF\xFE", b"\0\0\xFE\xFF", b"\x1B$B",
                ]).prop_map(<[u8]>::to_vec),
                prop::collection::vec(any::<u8>(), 0..6),
            ],
            0..20,
        ),
        header in "[a-z/;=\" ]{0,20}",
    ) {
        let bytes = pieces.concat();
        let decoded = decode(&bytes, &header, Some("ru"));
        prop_assert!(decoded.text.len() <= 3 * bytes.len() + 16);
        prop_assert_eq!(&decoded, &decode(&bytes, &header, Some("ru")));
    }
}
