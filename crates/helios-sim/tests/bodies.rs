//! Bodies: every coding decodes to the same bytes, sizes and links follow the measured web, copies are copies.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]

mod common;

use std::collections::HashSet;
use std::time::Duration;

use common::{ALL, ask, decoded, every_page, header, hrefs, page_text, small_mix, web};
use helios_sim::reply::{Ask, HostId};
use helios_sim::settings::WebSettings;
use helios_sim::web::{PageKind, Spot, Web};

fn median(mut values: Vec<usize>) -> usize {
    values.sort_unstable();
    values[values.len() / 2]
}

fn sound_pages(web: &Web) -> impl Iterator<Item = (HostId, u32)> {
    every_page(web).filter(|&(host, page)| web.page_facts(host, page, Duration::ZERO).kind == PageKind::Html)
}

#[test]
fn every_coding_decodes_to_the_plain_bytes() {
    for (brotli, gzip, zstd, token) in
        [(1.0, 0.0, 0.0, "br"), (0.0, 1.0, 0.0, "gzip"), (0.0, 0.0, 1.0, "zstd")]
    {
        let settings = WebSettings { brotli, gzip, zstd, charsets: 0.1, ..WebSettings::fast() };
        let web = web(WebSettings { hosts: 60, seeds: 6, max_pages: 50, ..settings });
        for (host, page) in every_page(&web).step_by(9) {
            let target = web.target(host, Spot::Page(page));
            let plain = web.answer(&ask(host, &target));
            let coded = web.answer(&Ask { accept: ALL, ..ask(host, &target) });
            assert_eq!(header(&coded, "content-encoding"), Some(token));
            assert_eq!(header(&plain, "content-encoding"), None);
            assert!(decoded(&coded) == plain.body_bytes(), "{token} {target}");
        }
    }
}

#[test]
fn pages_with_more_fresh_bytes_than_a_block_carries_decode_as_well() {
    for (brotli, gzip, zstd) in [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)] {
        let settings = WebSettings {
            brotli,
            gzip,
            zstd,
            links: 2_000.0,
            links_sigma: 0.0,
            max_links: 2_000,
            ..WebSettings::calm()
        };
        let web = web(WebSettings { robots_huge: 0.5, ..settings });
        for (host, target) in (0..web.host_count()).flat_map(|host| [(host, "/"), (host, "/robots.txt")]) {
            let plain = web.answer(&ask(host, target));
            assert!(target != "/" || plain.body_len() > 80_000);
            let coded = web.answer(&Ask { accept: ALL, ..ask(host, target) });
            assert!(decoded(&coded) == plain.body_bytes(), "{target}");
        }
    }
}

#[test]
fn sizes_links_and_compression_follow_the_measured_web() {
    let web = web(WebSettings { hosts: 400, seeds: 40, ..WebSettings::fast() });
    let (mut sizes, mut anchors, mut distinct, mut outside) = (Vec::new(), Vec::new(), 0, 0);
    let (mut raw, mut sent) = (0, 0);
    for (host, page) in every_page(&web).step_by(11) {
        let target = web.target(host, Spot::Page(page));
        let plain = web.answer(&ask(host, &target));
        let coded = web.answer(&Ask { accept: ALL, ..ask(host, &target) });
        sizes.push(plain.body_len());
        if header(&coded, "content-encoding").is_some() {
            (raw, sent) = (raw + plain.body_len(), sent + coded.body_len());
        }
        if page % 3 == 0 {
            let found = hrefs(&decoded(&plain));
            outside += found
                .iter()
                .filter(|href| href.contains("://") && !href.starts_with(&web.origin(host)))
                .count();
            distinct += found.iter().collect::<HashSet<_>>().len();
            anchors.push(found.len());
        }
    }
    let all: usize = anchors.iter().sum();
    let within = |value: f64, low: f64, high: f64, what: &str| {
        assert!((low..high).contains(&value), "{what}: {value}");
    };
    within(median(sizes) as f64, 120e3, 155e3, "median size");
    within(median(anchors) as f64, 105.0, 150.0, "median anchors");
    within(outside as f64 / all as f64, 0.08, 0.16, "external share");
    within(1.0 - distinct as f64 / all as f64, 0.4, 0.65, "repeated share");
    within(raw as f64 / f64::from(sent as u32), 4.3, 6.5, "compression");
}

#[test]
fn host_sizes_follow_a_power_law_and_addresses_are_shared() {
    let web = web(WebSettings { hosts: 2_000, ..WebSettings::default() });
    let sizes: Vec<u32> = (0..2_000).map(|host| web.page_count(host)).collect();
    let mean = f64::from(sizes.iter().sum::<u32>()) / 2_000.0;
    assert!((40.0..60.0).contains(&mean), "mean {mean}");
    let tiny = sizes.iter().filter(|&&size| size <= 2).count();
    assert!((700..900).contains(&tiny), "tiny {tiny}");
    assert!(*sizes.iter().max().unwrap() > 2_000, "largest {:?}", sizes.iter().max());
    let domains: HashSet<u32> = (0..2_000).map(|host| web.host(host).site).collect();
    let per_site = 2_000.0 / domains.len() as f64;
    assert!((1.15..1.3).contains(&per_site), "{per_site}");
    let crowd =
        |host: HostId| (0..2_000).filter(|&other| web.host(other).address == web.host(host).address).count();
    let shared = (0..2_000).filter(|&host| crowd(host) >= 10).count();
    assert!((300..500).contains(&shared), "{shared}");
    assert!((0..2_000).all(|host| crowd(host) <= 20));
    assert!((0..2_000).all(|host| web.host(host).address.octets()[1] >= 1));
}

#[test]
fn outcomes_come_in_the_measured_mix() {
    let web = web(WebSettings { hosts: 1_000, ..small_mix() });
    let (mut all, mut counts) = (0.0, [0.0; 5]);
    for (host, page) in every_page(&web) {
        all += 1.0;
        let slot = match web.page_facts(host, page, Duration::ZERO).kind {
            PageKind::Redirect => 0,
            PageKind::NotFound | PageKind::Gone => 1,
            PageKind::Silent => 2,
            PageKind::File(_) => 3,
            PageKind::Html
            | PageKind::ServerError
            | PageKind::NoFollow
            | PageKind::Private(_)
            | PageKind::SitemapOnly => 4,
        };
        counts[slot] += 1.0;
    }
    for (slot, low, high) in
        [(0, 0.07, 0.11), (1, 0.04, 0.07), (2, 0.002, 0.009), (3, 0.008, 0.02), (4, 0.75, 0.88)]
    {
        assert!((low..high).contains(&(counts[slot] / all)), "{slot}: {}", counts[slot] / all);
    }
}

#[test]
fn copies_share_their_text_and_other_pages_do_not() {
    let web = web(WebSettings {
        links: 60.0,
        page_bytes: 40_000.0,
        charsets: 0.0,
        charset_in_meta: 0.0,
        ..small_mix()
    });
    let sentences = |host, page| -> HashSet<String> {
        let text = page_text(&web, host, page, Duration::ZERO);
        let plain: String = strip_tags(&text);
        plain.split(['.', '。']).map(|one| one.trim().to_owned()).filter(|one| one.len() > 20).collect()
    };
    let (mut exact, mut near, mut last) = (0, 0, None);
    for (host, page) in sound_pages(&web).step_by(3) {
        let facts = web.page_facts(host, page, Duration::ZERO);
        let own = sentences(host, page);
        let Some((other_host, other)) = facts.duplicate_of else {
            if let Some((before, earlier)) = last.replace(((host, page), own.clone())) {
                let shared = own.intersection(&earlier).count() as f64 / own.len().max(1) as f64;
                assert!(shared < 0.2, "{host} {page} shares {shared} with {before:?}");
            }
            continue;
        };
        let source = sentences(other_host, other);
        let shared = own.intersection(&source).count() as f64 / own.len().max(1) as f64;
        if facts.change == 0.0 {
            assert!((shared - 1.0).abs() < 1e-9, "{host} {page}: {shared}");
            exact += 1;
        } else {
            assert!(shared > 0.75, "{host} {page}: {shared} at {}", facts.change);
            near += 1;
        }
    }
    assert!(exact > 50 && near > 50, "{exact} {near}");
}

fn strip_tags(html: &str) -> String {
    html.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect()
}

#[test]
fn files_begin_with_their_magic_bytes() {
    let web = web(WebSettings { files: 0.5, ..small_mix() });
    let mut kinds = HashSet::new();
    for (host, page) in every_page(&web) {
        if !matches!(web.page_facts(host, page, Duration::ZERO).kind, PageKind::File(_)) {
            continue;
        }
        let reply = web.answer(&ask(host, &web.target(host, Spot::Page(page))));
        let kind = header(&reply, "content-type").unwrap();
        let magic: &[u8] = match kind {
            "application/pdf" => b"%PDF-",
            "image/png" => b"\x89PNG",
            "application/zip" => b"PK\x03\x04",
            "application/json" => b"[{",
            "application/rss+xml; charset=utf-8" => b"<?xml",
            _ => b"",
        };
        assert!(reply.body_bytes().starts_with(magic), "{kind}");
        kinds.insert(kind.to_owned());
    }
    assert_eq!(kinds.len(), 6);
}

#[test]
fn other_charsets_are_labelled_in_the_header_or_in_a_meta_element() {
    let settings =
        WebSettings { charsets: 0.4, charset_in_meta: 0.3, charset_wrong: 0.0, xhtml: 0.0, ..small_mix() };
    let web = web(WebSettings { duplicates: 0.0, near_duplicates: 0.0, ..settings });
    let (mut in_header, mut in_meta) = (0, 0);
    for (host, page) in sound_pages(&web).step_by(5) {
        let reply = web.answer(&ask(host, &web.target(host, Spot::Page(page))));
        let body = reply.body_bytes();
        let ascii = String::from_utf8_lossy(&body[..200]).into_owned();
        let meta = ascii.split("charset=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        let label =
            header(&reply, "content-type").unwrap().split("charset=").nth(1).unwrap_or(&meta).to_owned();
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
        let (text, _, broken) = encoding.decode(&body);
        assert!(!broken && !text.contains('\u{fffd}'), "{label}");
        if encoding != encoding_rs::UTF_8 {
            if header(&reply, "content-type").unwrap().contains("charset") {
                in_header += 1;
            } else {
                in_meta += 1;
            }
        }
    }
    assert!(in_header > 20 && in_meta > 20, "{in_header} {in_meta}");
}

#[test]
fn a_corpus_is_served_with_the_links_of_the_model() {
    let folder = std::env::temp_dir().join(format!("helios-sim-corpus-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("deep")).unwrap();
    let filler = "<p>Real text with <b>markup</b> in it.</p>\n".repeat(200);
    let page = format!(
        "<html><head><base href='http://old.example/'><meta name=\"robots\" content=\"noindex\"><link rel=canonical href=http://old.example/x></head><body><a class=x href='http://old.example/1'>one</a>{filler}<a href=http://old.example/2>two</a>{filler}<A HREF=\"http://old.example/3\">three</A> 1 < 2 <b title=\"a > b\"href=x></b><a title='>' id=y href = \"http://old.example/4\">four</a><SCRIPT>'</body>'</SCRIPT></body><a href=http://old.example/5>five</a></html>"
    );
    std::fs::write(folder.join("deep/one.html"), &page).unwrap();
    let web = web(WebSettings { corpus: Some(folder.clone()), ..WebSettings::calm() });
    std::fs::remove_dir_all(&folder).unwrap();
    for (host, page) in every_page(&web) {
        let target = web.target(host, Spot::Page(page));
        let plain = web.answer(&ask(host, &target));
        let coded = web.answer(&Ask { accept: ALL, ..ask(host, &target) });
        assert!(decoded(&coded) == plain.body_bytes());
        let text = String::from_utf8(plain.body_bytes()).unwrap();
        assert!(!text.contains("old.example") && !text.contains("noindex") && text.contains("Real text"));
        let own = format!("{}{target}", web.origin(host));
        let anchors = hrefs(text.replace("<A HREF", "<a href").as_bytes());
        let written: HashSet<String> =
            anchors.iter().filter(|href| *href != "#").map(|href| common::resolve(&own, href)).collect();
        assert_eq!(written, common::meant(&web, host, page), "{own}");
    }
}
