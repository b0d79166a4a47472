//! Any bytes under any header become text, which is no longer than it may be.
#![no_main]

use helios_page::charset::{MimeType, decode};

libfuzzer_sys::fuzz_target!(|input: (&str, &[u8])| {
    let (header, bytes) = input;
    let decoded = decode(bytes, header, Some("com"));
    assert!(decoded.text.len() <= 3 * bytes.len() + 16);
    if let Some(mime) = MimeType::parse(header) {
        let written = mime.to_string();
        assert_eq!(MimeType::parse(&written), Some(mime), "{written}");
    }
});
