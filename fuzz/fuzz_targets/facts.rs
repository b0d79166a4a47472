//! Any text is a page: no panic, and structured data is JSON.
#![no_main]

use helios_page::facts;
use helios_page::html::Tree;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let found = facts::read(&Tree::parse(text), "http://a.test/2026/03/09/", &|href| Some(format!("http://a.test/{href}")));
    let data = found.structured;
    for json in [data.json_ld, data.microdata, data.rdfa, data.microformats].into_iter().flatten() {
        serde_json::from_str::<serde_json::Value>(&json).expect("we write JSON");
    }
});
