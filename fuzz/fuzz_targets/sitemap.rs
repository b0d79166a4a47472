//! Any bytes are a sitemap: no panic, every entry has a location without white space, and as many are counted as were handed out.
#![no_main]

use std::ops::ControlFlow;

use helios_page::sitemap;

libfuzzer_sys::fuzz_target!(|input: (Option<&str>, &[u8])| {
    let (charset, bytes) = input;
    let mut handed = 0;
    let summary = sitemap::read(bytes, charset, |entry| {
        assert!(!entry.loc.is_empty() && !entry.loc.contains(['\n', ' ']));
        handed += 1;
        ControlFlow::Continue(())
    });
    assert_eq!(summary.entries, handed);
});
