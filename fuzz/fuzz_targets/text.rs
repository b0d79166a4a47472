//! Any text is a page: its main text, its reader view and their markdown are made without a panic, and are not longer than it allows.
#![no_main]

use helios_page::content;
use helios_page::html::Tree;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let tree = Tree::parse(text);
    for way in [content::read, content::read_as_reader] {
        let main = way(&tree, Some("http://a.test/2026/03/09/a-page.html"));
        let (full, kept) = (main.full_text(), main.text());
        assert!(full.len() <= 8 * text.len() + 64, "{} bytes of {}", full.len(), text.len());
        assert!(kept.len() <= 8 * text.len() + 64, "{} bytes of {}", kept.len(), text.len());
        drop(main.markdown());
        assert!(main.words() as usize <= text.len());
        assert!(!main.kind().name().is_empty());
    }
});
