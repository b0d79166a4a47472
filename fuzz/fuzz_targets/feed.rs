//! Any bytes are a feed or none: no panic, and texts are not much longer than what they were read from.
#![no_main]

use helios_page::feed;

libfuzzer_sys::fuzz_target!(|input: (Option<&str>, &[u8])| {
    let (charset, bytes) = input;
    feed::sniff(bytes);
    let Some(found) = feed::read(bytes, charset) else { return };
    let texts = found.entries.iter().flat_map(|entry| [&entry.title, &entry.summary, &entry.content]);
    let length: usize = texts.flatten().map(|text| text.value.len()).sum();
    // Escaping makes six bytes of one, decoding makes three.
    assert!(length <= bytes.len() * 18 + 64);
});
