//! Any bytes are a page: no panic, one list of links, at most one row, limits kept.
#![no_main]

use helios_core::extract::{ExtractSettings, Extractor};
use helios_core::fetch::{Known, Finished, Held, Outcome, Purpose, Response, Task, Timings, Validators};
use helios_core::robots::{Permit, RobotsRules};
use helios_core::url::{CanonicalUrl, Normalise};

libfuzzer_sys::fuzz_target!(|input: (&str, &str, &[u8])| {
    let (content_type, robots_tag, body) = input;
    let url = CanonicalUrl::parse("http://a.test/dir/page?q").expect("a constant URL");
    let permit = Permit::under(&RobotsRules::allow_all(), &url).expect("all is allowed");
    let response = Response {
        status: 200,
        content_type: content_type.to_owned(),
        robots_tags: vec![robots_tag.to_owned()],
        body: bytes::Bytes::copy_from_slice(body),
        ..Response::default()
    };
    let done = [Finished {
        visit: 1,
        site: url.site(),
        task: Task { permit, purpose: Purpose::Page, depth: 0, fetch_number: 0, validators: Validators::default(), known: Known::default() },
        outcome: Outcome::Fetched(response),
        started: 0,
        finished: 1,
        wire_bytes: body.len() as u64,
        address: None,
        timings: Timings::default(),
        held: Held::default(),
        kept: None,
        last: true,
    }];
    let settings = ExtractSettings { max_links: 50, max_text_bytes: 1_000, ..ExtractSettings::default() };
    let extractor = Extractor::open(settings, "helios", Normalise::default(), None).expect("settings that do");
    let pages = extractor.extract(&done, 1).expect("one bad page never fails the batch");
    assert_eq!(pages.links.len(), 1);
    assert!(pages.links_found() <= 50 && pages.rows.num_rows() <= 1);
});
