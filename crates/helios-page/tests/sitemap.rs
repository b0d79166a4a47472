//! Sitemaps: the cases of `shared/data/sitemaps`, and what the protocol and the wild have besides.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test that cannot go on must stop"
)]

mod common;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::ControlFlow;

use helios_page::date::Precision;
use helios_page::sitemap::{self, ChangeFrequency, Entry, Kind, Summary};
use serde_json::Value;

fn read(text: impl AsRef<[u8]>) -> (Summary, Vec<Entry>) {
    let mut entries = Vec::new();
    let summary = sitemap::read(text.as_ref(), None, |entry| {
        entries.push(entry);
        ControlFlow::Continue(())
    });
    (summary, entries)
}

fn locs(text: impl AsRef<[u8]>) -> Vec<String> {
    read(text).1.into_iter().map(|entry| entry.loc).collect()
}

fn base64(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u32> =
        text.bytes().filter(|&byte| byte != b'=').map(|byte| u32::from(digit(byte))).collect();
    let bytes = |four: &[u32]| {
        let bits = four.iter().fold(0, |bits, digit| bits << 6 | digit) << (6 * (4 - four.len()));
        bits.to_be_bytes()[1..four.len()].to_vec()
    };
    digits.chunks(4).flat_map(bytes).collect()
}

#[test]
fn every_case_gives_the_same_links_and_dates() {
    let Some(lines) =
        common::data("sitemaps").and_then(|data| common::unpacked(&data.join("cases.jsonl.xz")))
    else {
        return;
    };
    let cases =
        lines.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let mut asked = 0;
    for case in cases {
        let bytes = base64(case["b64"].as_str().unwrap());
        // Where others give up we may find more.
        if sitemap::looks_like_gzip(&bytes) || !case["error"].is_null() {
            continue;
        }
        asked += 1;
        let url = url::Url::parse(case["url"].as_str().unwrap()).unwrap();
        let folder = url.join(".").unwrap();
        let strict = case["strict_location"] == true && case["is_index"] == false;
        let mut found = BTreeMap::new();
        for entry in read(&bytes).1 {
            let mut loc = url.join(&entry.loc).unwrap();
            loc.set_fragment(None);
            if !strict || loc.as_str().starts_with(folder.as_str()) {
                found.insert(loc.to_string(), entry.lastmod.map(|moment| moment.millis));
            }
        }
        let wanted: Vec<_> = case["urls"].as_array().unwrap().iter().collect();
        let mut names: Vec<&str> = wanted.iter().map(|url| url["loc"].as_str().unwrap()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(found.keys().collect::<Vec<_>>(), names, "{}", case["name"]);
        for url in wanted {
            if let Some(millis) = url["lastmod_ms"].as_i64() {
                assert_eq!(found[url["loc"].as_str().unwrap()], Some(millis), "{}", case["name"]);
            }
        }
    }
    assert!(asked > 20, "{asked}");
}

#[test]
fn an_entry_has_all_that_was_said() {
    let (summary, entries) = read(
        r#"<urlset xmlns="x" xmlns:image="y" xmlns:xhtml="z"><url><loc> https://a.test/?a=1&amp;b=2 </loc>
        <lastmod>2026-03-09T12:30+01:00</lastmod><changefreq>Weekly</changefreq><priority>0.8</priority>
        <xhtml:link rel="alternate" hreflang="de" href="https://a.test/de"/>
        <image:image><image:loc>https://a.test/i.png</image:loc><image:title>I</image:title></image:image>
        <video:video><video:content_loc>https://a.test/v.mp4</video:content_loc><video:duration>60</video:duration></video:video>
        <news:news><news:publication><news:name>N</news:name><news:language>en</news:language></news:publication>
        <news:publication_date>2026-03-09</news:publication_date><news:title>T</news:title></news:news></url></urlset>"#,
    );
    assert_eq!((summary.kind, summary.entries, summary.cut_short), (Kind::Urls, 1, false));
    let entry = &entries[0];
    assert_eq!(entry.loc, "https://a.test/?a=1&b=2");
    assert_eq!(entry.lastmod.unwrap().millis, 1_773_055_800_000);
    assert_eq!(entry.changefreq, Some(ChangeFrequency::Weekly));
    assert_eq!(entry.priority, Some(0.8));
    assert_eq!(
        (entry.alternates[0].hreflang.as_str(), entry.alternates[0].href.as_str()),
        ("de", "https://a.test/de")
    );
    assert_eq!((entry.images[0].loc.as_str(), entry.images[0].title.as_str()), ("https://a.test/i.png", "I"));
    assert_eq!(entry.videos[0].duration_seconds, Some(60));
    let news = entry.news.as_ref().unwrap();
    assert_eq!((news.name.as_str(), news.title.as_str()), ("N", "T"));
    assert_eq!(news.published.unwrap().precision, Precision::Day);
}

#[test]
fn broken_sitemaps_give_what_can_be_read() {
    let table = [
        // Cut in the middle: the last location is not all of it.
        ("<urlset><url><loc>http://a.test/1</loc></url><url><loc>http://a.test/2", vec!["http://a.test/1"]),
        ("junk <urlset><url><loc>http://a.test/1</loc>", vec!["http://a.test/1"]),
        (
            "<url><loc>http://a.test/1</url><url><loc>http://a.test/2</loc></url>",
            vec!["http://a.test/1", "http://a.test/2"],
        ),
        ("<urlset><url><loc><![CDATA[http://a.test/?a&b]]></loc></url>", vec!["http://a.test/?a&b"]),
        ("<urlset><url><loc>http://a.test/?a&b=&copy;</loc></url>", vec!["http://a.test/?a&b=©"]),
        ("<URLSET><URL><LOC>http://a.test/1</LOC></URL></URLSET>", vec!["http://a.test/1"]),
        ("<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><urlset><url><loc>&e;</loc></url>", vec![]),
        ("<html><body><url><loc>http://a.test/1</loc></url>", vec![]),
        (
            "\u{feff}http://a.test/1\r\nnot a link\n\n  https://a.test/2  ",
            vec!["http://a.test/1", "https://a.test/2"],
        ),
        ("", vec![]),
    ];
    for (text, wanted) in table {
        assert_eq!(locs(text), wanted, "{text}");
    }
}

#[test]
fn utf16_is_read_and_feeds_are_sitemaps() {
    let text = "<urlset><url><loc>http://a.test/é</loc></url></urlset>";
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(locs(utf16), ["http://a.test/é"]);
    let (summary, entries) = read(
        "<rss version='2.0'><channel><item><link>http://a.test/1</link><pubDate>Mon, 9 Mar 26 12:30 GMT</pubDate></item></channel></rss>",
    );
    assert_eq!(summary.kind, Kind::Feed);
    assert_eq!(entries[0].lastmod.unwrap().millis, 1_773_059_400_000);
}

#[test]
fn limits_are_counted_and_the_caller_may_stop() {
    let mut text = String::from("<urlset>");
    for nth in 0..=sitemap::MOST_URLS {
        write!(text, "<url><loc>http://a.test/{nth}</loc></url>").unwrap();
    }
    assert_eq!(read(&text).0.entries, sitemap::MOST_URLS + 1);
    let mut asked = 0;
    let summary = sitemap::read(text.as_bytes(), None, |_| {
        asked += 1;
        if asked == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!((summary.entries, asked), (3, 3));
}

#[test]
fn hostile_sitemaps_end() {
    for part in [
        "<url>",
        "<loc>",
        "<",
        "<!--",
        "<![CDATA[",
        "<a b='",
        "&",
        "</url>",
        "<url><loc>http://a.test/",
        "<image:image>",
        "<!DOCTYPE [",
        "\0",
    ] {
        read(part.repeat(200_000));
        read(format!("<urlset>{}", part.repeat(200_000)));
    }
}
