//! Pages → rows and links.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]

use std::collections::HashMap;

use arrow_array::cast::AsArray;
use helios_core::extract::{Duplicates, ExtractSettings, Extractor, FieldRule, Pages};
use helios_core::fetch::{Finished, Held, Known, Outcome, Purpose, Response, Task, Timings, Validators};
use helios_core::frontier::Hint;
use helios_core::robots::{Permit, RobotsRules};
use helios_core::url::{CanonicalUrl, Normalise};

fn fetched(url: &str, content_type: &str, robots_tags: &[&str], body: &[u8]) -> Finished {
    let url = CanonicalUrl::parse(url).unwrap();
    let response = Response {
        status: 200,
        content_type: content_type.into(),
        robots_tags: robots_tags.iter().map(ToString::to_string).collect(),
        validators: Validators::default(),
        body: bytes::Bytes::copy_from_slice(body),
        ..Response::default()
    };
    Finished {
        visit: 1,
        site: url.site(),
        task: Task {
            permit: Permit::under(&RobotsRules::allow_all(), &url).unwrap(),
            purpose: Purpose::Page,
            depth: 0,
            fetch_number: 0,
            validators: Validators::default(),
            known: Known::default(),
        },
        outcome: Outcome::Fetched(response),
        started: 1_000,
        finished: 1_250,
        wire_bytes: 99,
        address: None,
        timings: Timings::default(),
        held: Held::default(),
        kept: None,
        last: true,
    }
}

fn settings() -> ExtractSettings {
    ExtractSettings { max_links: 100, max_text_bytes: 1_000, ..ExtractSettings::default() }
}

fn read_with(settings: ExtractSettings, done: &mut [Finished]) -> Pages {
    Extractor::open(settings, "helios", Normalise::default(), None).unwrap().extract(done, 2).unwrap()
}

fn read(done: &mut [Finished]) -> Pages {
    read_with(settings(), done)
}

fn html(body: &str) -> Pages {
    read(&mut [fetched("http://a.test/dir/page", "text/html; charset=utf-8", &[], body.as_bytes())])
}

fn links(pages: &Pages) -> Vec<&str> {
    pages.links[0].iter().map(CanonicalUrl::as_str).collect()
}

fn column<'a>(pages: &'a Pages, name: &str) -> &'a str {
    let column = pages.rows.column_by_name(name).unwrap();
    column.as_string_opt::<i32>().map_or_else(|| column.as_string::<i64>().value(0), |texts| texts.value(0))
}

#[test]
fn links_are_resolved_deduplicated_and_only_real_ones() {
    let pages = html(
        "<a href='x'>1</a><a href='/y#z'>2</a><A HREF=\"?q=1&amp;r=2\">3</A><a href=x>again</a><area href=//b.test/>\
         <!-- <a href=/comment> --><script>'<a href=/script>'</script><a data-href=/data>4</a>\
         <a rel='external nofollow' href=/nofollow>5</a><a href='mailto:a@b'>6</a><a href='javascript:void(0)'>7</a>\
         <textarea><a href=/textarea></textarea><meta http-equiv=refresh content=\"5; URL='/refresh'\">",
    );
    assert_eq!(
        links(&pages),
        [
            "http://a.test/dir/x",
            "http://a.test/y",
            "http://a.test/dir/page?q=1&r=2",
            "http://b.test/",
            "http://a.test/refresh"
        ]
    );
}

#[test]
fn whatwg_the_first_base_counts() {
    let pages = html("<base href=/one/><base href=/two/><a href=x>");
    assert_eq!(links(&pages), ["http://a.test/one/x"]);
}

#[test]
fn text_is_what_a_reader_sees() {
    let pages = html(
        "<html lang=en><title> A  &amp; B </title><meta name=description content=short><nav>menu</nav>\
         <h1>Head</h1><p>One <b>bold</b>ness\n two</p><script>no()</script><p>Three</p><footer>foot</footer>",
    );
    assert_eq!(column(&pages, "title"), "A & B");
    assert_eq!(column(&pages, "text"), "Head\nOne boldness two\nThree");
    assert_eq!(column(&pages, "description"), "short");
    assert_eq!(column(&pages, "language"), "en");
}

#[test]
fn a_refresh_in_the_head_is_a_link_as_in_a_meta() {
    for (refresh, tags, leads_to) in [
        ("0; url=/x", [""], &["http://a.test/y", "http://a.test/x"][..]),
        ("5;URL='y'", [""], &["http://a.test/y"]),
        ("5", [""], &["http://a.test/y"]),
        ("0; url=mailto:a@b", [""], &["http://a.test/y"]),
        ("0; url=/x", ["nofollow"], &[]),
    ] {
        let mut page = fetched("http://a.test/", "text/html", &tags, b"<a href=/y>1</a>");
        let Outcome::Fetched(response) = &mut page.outcome else { panic!("a page") };
        response.refresh = Some(refresh.into());
        assert_eq!(links(&read(&mut [page])), leads_to, "{refresh}");
    }
}

#[test]
fn a_page_without_any_text_is_a_row_of_no_type() {
    for empty in ["", " \n", "<html><head></head><body></body></html>", "<img src=/a.png>"] {
        let pages = read(&mut [fetched("http://a.test/forum/", "text/html", &[], empty.as_bytes())]);
        assert_eq!((column(&pages, "page_type"), column(&pages, "text")), ("", ""), "{empty:?}");
    }
    let pages = read(&mut [fetched("http://a.test/", "text/html", &[], b"<p>a word")]);
    assert_ne!(column(&pages, "page_type"), "");
}

#[test]
fn a_picture_is_a_row_without_text() {
    let picture = b"\x89PNG\r\n\x1a\n <a href=/no>no text</a>";
    for (content_type, is_file) in [
        ("image/png", true),
        ("application/octet-stream", true),
        ("application/zip", true),
        ("application/xhtml+xml", false),
        ("", false),
    ] {
        let pages = read(&mut [fetched("http://a.test/", content_type, &[], picture)]);
        assert_eq!(column(&pages, "page_type") == "file", is_file, "{content_type}");
        assert_eq!(column(&pages, "text").is_empty() && pages.links[0].is_empty(), is_file, "{content_type}");
    }
}

#[test]
fn charset_by_header_then_meta_then_guess() {
    for (content_type, body, charset, text) in [
        ("text/html; charset=windows-1251", &b"\xcf\xf0\xe8"[..], "windows-1251", "При"),
        ("text/html", b"<meta charset=iso-8859-1>\xe9", "windows-1252", "é"),
        ("text/html", b"\xef\xbb\xbf<meta charset=iso-8859-1>\xc3\xa9", "UTF-8", "é"),
        ("text/html", b"\xc3\xa9", "UTF-8", "é"),
        ("text/html", b"caf\xe9", "windows-1252", "café"),
        ("text/html; charset=nonsense", b"plain", "UTF-8", "plain"),
    ] {
        let pages = read(&mut [fetched("http://a.test/", content_type, &[], body)]);
        assert_eq!((column(&pages, "charset"), column(&pages, "text")), (charset, text), "{content_type}");
    }
}

#[test]
fn directives_of_meta_and_header_are_obeyed() {
    for (meta, header, rows, followed) in [
        ("", &[][..], 1, 1),
        ("<meta name=robots content=noindex>", &[], 0, 1),
        ("<meta name=ROBOTS content='NoFollow, noarchive'>", &[], 1, 0),
        ("<meta name=helios content=none>", &[], 0, 0),
        ("<meta name=otherbot content=none>", &[], 1, 1),
        ("", &["noindex"], 0, 1),
        ("", &["otherbot: noindex, nofollow"], 1, 1),
        ("", &["otherbot: nofollow", "noindex"], 0, 1),
        ("", &["otherbot: noindex, helios: nofollow"], 1, 0),
        ("", &["max-snippet: 5, none"], 0, 0),
        ("", &["unavailable_after: Friday, 25-Jun-2010 15:00:00 GMT, noindex"], 0, 1),
        ("", &["unavailable_after: Friday, 25-Jun-2010 15:00:00 GMT"], 1, 1),
        ("", &["unavailable_after: 1 Jan 1970 00:00:01 GMT"], 0, 1),
        ("", &["otherbot: unavailable_after: 1 Jan 1970 00:00:01 GMT, helios: nofollow"], 1, 0),
        ("<meta name=robots content='unavailable_after: 1970-01-01T00:00:01Z'>", &[], 0, 1),
    ] {
        let body = format!("{meta}<a href=/x>");
        let pages = read(&mut [fetched("http://a.test/", "text/html", header, body.as_bytes())]);
        assert_eq!((pages.rows.num_rows(), pages.links[0].len()), (rows, followed), "{meta} {header:?}");
        assert_eq!(pages.unkept[0].is_some(), rows == 0, "{meta} {header:?}");
    }
}

#[test]
fn every_finished_fetch_has_its_own_links_in_order() {
    let mut done: Vec<_> = (0..7)
        .map(|n| {
            fetched(&format!("http://s{n}.test/"), "text/html", &[], format!("<a href=/{n}>").as_bytes())
        })
        .collect();
    done[3].outcome = Outcome::Missing { status: 404 };
    let pages = read(&mut done);
    assert_eq!(pages.rows.num_rows(), 6);
    for (n, links) in pages.links.iter().enumerate() {
        let expected = if n == 3 { vec![] } else { vec![format!("http://s{n}.test/{n}")] };
        assert_eq!(links.iter().map(ToString::to_string).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn text_is_cut_at_a_character() {
    let pages = html(&"é".repeat(2_000));
    assert_eq!(column(&pages, "text"), "é".repeat(500));
}

#[test]
fn a_page_made_to_be_slow_or_large_is_neither() {
    let nested = "<nav>".repeat(200_000) + &"</b>".repeat(200_000);
    assert_eq!(html(&nested).rows.num_rows(), 1);
    let long = format!("<base href='http://a.test/{}/'>", "x".repeat(100_000)) + &"<a href=y>".repeat(2_000);
    assert_eq!(links(&html(&long)), ["http://a.test/dir/y"], "a base that is too long is none");
    let titled = html(&format!("<title>{}</title>", "t".repeat(1_000_000)));
    assert_eq!(column(&titled, "title").len(), 10_000);
}

const STORY: &str = "The council met on Tuesday to talk about the old bridge over the river, which has been closed since \
    the flood of last autumn. Engineers said that two of its pillars had moved by a hand's breadth and that repairs would \
    take until the spring. Shop owners on the far bank, who have lost half of their customers, asked for a ferry meanwhile; \
    the mayor promised an answer within a week.";

fn story(url: &str, first: &str) -> Finished {
    let body = format!(
        "<title>Bridge</title><article><h1>Bridge</h1><p>{first}</p><p>{STORY}</p></article><a href=/next>"
    );
    fetched(url, "text/html; charset=utf-8", &[], body.as_bytes())
}

#[test]
fn a_page_like_another_says_of_which_it_is_a_duplicate() {
    let mut done =
        [story("http://a.test/1", "One."), story("http://b.test/2", "One."), story("http://c.test/3", "")];
    let pages = read(&mut done);
    assert_eq!(pages.duplicates, [false, true, true]);
    let originals = pages.rows.column_by_name("duplicate_of").unwrap().as_string::<i32>();
    let ids = pages.rows.column_by_name("id").unwrap().as_string::<i32>();
    assert_eq!(originals.iter().collect::<Vec<_>>(), [None, Some(ids.value(0)), Some(ids.value(0))]);
}

#[test]
fn duplicates_are_stored_whole_without_text_or_not_at_all() {
    let mut done = [story("http://a.test/1", "One."), story("http://b.test/2", "One.")];
    for (policy, rows, text_left, followed) in [
        (Duplicates::Store, 2, true, true),
        (Duplicates::Facts, 2, false, true),
        (Duplicates::Skip, 1, false, false),
        (Duplicates::Ignore, 2, true, true),
    ] {
        let pages = read_with(
            ExtractSettings { duplicates: policy, follow_duplicates: followed, ..ExtractSettings::default() },
            &mut done,
        );
        assert_eq!(pages.rows.num_rows(), rows, "{policy:?}");
        let texts = pages.rows.column_by_name("text").unwrap().as_string::<i64>();
        assert_eq!(rows == 2 && !texts.value(1).is_empty(), text_left, "{policy:?}");
        assert_eq!(!pages.links[1].is_empty(), followed, "{policy:?}");
    }
}

#[test]
fn a_page_fetched_again_is_no_duplicate_of_itself() {
    let extractor = Extractor::open(settings(), "helios", Normalise::default(), None).unwrap();
    for _ in 0..2 {
        let pages = extractor.extract(&mut [story("http://a.test/1", "One.")], 1).unwrap();
        assert_eq!(pages.duplicates, [false]);
    }
}

#[test]
fn duplicates_are_found_across_runs_if_the_first_was_committed() {
    let folder = std::env::temp_dir().join(format!("helios-fingerprints-{}", std::process::id()));
    for (url, duplicate) in [("http://a.test/1", false), ("http://b.test/2", true)] {
        let extractor = Extractor::open(settings(), "helios", Normalise::default(), Some(&folder)).unwrap();
        assert_eq!(extractor.extract(&mut [story(url, "One.")], 1).unwrap().duplicates, [duplicate]);
        extractor.commit().unwrap();
    }
    std::fs::remove_file(folder).unwrap();
}

#[test]
fn users_fields_are_chosen_by_selectors() {
    let rule =
        |name: &str, selector: &str, many| FieldRule { name: name.into(), selector: selector.into(), many };
    let fields = vec![
        rule("price", ".price::text", false),
        rule("pictures", "img::attr(src)", true),
        rule("absent", "video", false),
    ];
    let body = b"<p class=price> 3.50 </p><p class=price>4</p><img src=a.png><img src=b.png>";
    let mut done = [fetched("http://a.test/", "text/html", &[], body)];
    let pages = read_with(ExtractSettings { fields, ..ExtractSettings::default() }, &mut done);
    assert_eq!(column(&pages, "fields"), r#"{"absent":null,"pictures":["a.png","b.png"],"price":"3.50"}"#);
    let wrong = ExtractSettings { fields: vec![rule("x", "p[", false)], ..ExtractSettings::default() };
    let error = Extractor::open(wrong, "helios", Normalise::default(), None).err().unwrap().to_string();
    assert!(error.starts_with("extract.fields.x: "), "{error}");
}

#[test]
fn sitemaps_and_feeds_are_links_and_no_pages() {
    let sitemap = "<urlset><url><loc>http://a.test/1</loc></url><url><loc>/2</loc></url></urlset>";
    let named = format!("<?xml version='1.0'?><!-- made by hand -->\n{sitemap}");
    let feed = "<rss><channel><item><link>http://a.test/3</link></item></channel></rss>";
    let mut packed = Vec::new();
    std::io::Read::read_to_end(
        &mut flate2::read::GzEncoder::new(sitemap.as_bytes(), flate2::Compression::fast()),
        &mut packed,
    )
    .unwrap();
    for (content_type, body, leads_to) in [
        ("application/xml", sitemap.as_bytes(), &["http://a.test/1", "http://a.test/2"][..]),
        ("application/gzip", &packed, &["http://a.test/1", "http://a.test/2"]),
        ("application/octet-stream", &packed, &["http://a.test/1", "http://a.test/2"]),
        ("text/html", sitemap.as_bytes(), &["http://a.test/1", "http://a.test/2"]),
        ("text/plain", named.as_bytes(), &["http://a.test/1", "http://a.test/2"]),
        ("application/rss+xml", feed.as_bytes(), &["http://a.test/3"]),
    ] {
        let pages = read(&mut [fetched("http://a.test/sitemap.xml", content_type, &[], body)]);
        assert_eq!((pages.rows.num_rows(), links(&pages)), (0, leads_to.to_vec()), "{content_type}");
    }
}

#[test]
fn a_page_about_sitemaps_is_a_page() {
    for body in [
        "<!doctype html><p>A sitemap begins with <urlset>",
        "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><body><pre><urlset></pre></body></html>",
    ] {
        assert_eq!(html(body).rows.num_rows(), 1, "{body}");
    }
}

#[test]
fn a_sitemap_hands_on_dates_priorities_and_what_it_is() {
    let map = "<urlset><url><loc>/1</loc><lastmod>1970-01-02</lastmod><priority>0.8</priority></url>\
               <url><loc>/2</loc><changefreq>daily</changefreq></url><url><loc>/3</loc></url></urlset>";
    let index = "<sitemapindex><sitemap><loc>/a.xml</loc></sitemap></sitemapindex>";
    let json =
        r#"{"version": "https://jsonfeed.org/version/1", "items": [{"id": "1", "url": "http://a.test/j"}]}"#;
    let mut done = [
        fetched("http://a.test/map.xml", "text/xml", &[], map.as_bytes()),
        fetched("http://a.test/index.xml", "text/xml", &[], index.as_bytes()),
        fetched("http://a.test/feed.json", "application/feed+json", &[], json.as_bytes()),
        fetched("http://a.test/list.txt", "text/plain", &[], b"http://a.test/x\nhttp://a.test/y\n"),
        fetched("http://a.test/prose.txt", "text/plain", &[], b"http://a.test/x is a page\nand more\n"),
        fetched("http://a.test/data.xml", "text/xml", &[], b"<prices/>"),
    ];
    let pages = read(&mut done);
    let hints = &pages.listings[0].as_ref().unwrap().hints;
    assert_eq!(hints[0], Hint { modified: Some(86_400_000), priority: Some(80), change: None });
    assert_eq!((hints[1].change, hints[2]), (Some(63), Hint::default()));
    let kinds: Vec<_> = pages.listings.iter().map(|list| list.as_ref().map(|list| list.index)).collect();
    assert_eq!(kinds, [Some(false), Some(true), Some(false), Some(false), None, None]);
    assert_eq!(pages.links.iter().map(Vec::len).collect::<Vec<_>>(), [3, 1, 1, 2, 0, 0]);
    assert_eq!(pages.rows.num_rows(), 1, "the prose");
}

#[test]
fn facts_and_markdown_are_kept() {
    let page = "<title>Bread - Baker</title><meta property=og:site_name content=Baker>\
         <script type=application/ld+json>{\"@type\": \"Article\", \"author\": {\"name\": \"Ann Lee\"}, \
         \"datePublished\": \"2024-03-05T10:00:00Z\"}</script>\
         <article><h1>Bread</h1><p>Flour, water, salt and time make <b>good</b> bread, as every baker will tell you.</p></article>";
    let pages = html(page);
    assert_eq!(column(&pages, "site_name"), "Baker");
    assert_eq!(column(&pages, "title"), "Bread");
    assert!(column(&pages, "markdown").contains("make **good** bread"), "{}", column(&pages, "markdown"));
    assert!(column(&pages, "facts").contains(r#""json_ld":["#), "{}", column(&pages, "facts"));
    let authors = pages.rows.column_by_name("authors").unwrap().as_list::<i32>().value(0);
    assert_eq!(authors.as_string::<i32>().value(0), "Ann Lee");
    let mut done = [fetched("http://a.test/dir/page", "text/html; charset=utf-8", &[], page.as_bytes())];
    let lean = read_with(ExtractSettings { facts: false, ..settings() }, &mut done);
    for (field, column) in pages.rows.schema().fields().iter().zip(lean.rows.columns()) {
        let same = Some(column) == pages.rows.column_by_name(field.name());
        assert_eq!(same, field.name() != "facts", "{}", field.name());
    }
}

#[test]
fn a_body_that_nobody_wants_afterwards_is_gone_and_its_row_is_the_same() {
    let all = || {
        let page = |n| fetched(&format!("http://a.test/{n}"), "text/html", &[], format!("<p>{n}").as_bytes());
        (0..5).map(page).collect::<Vec<_>>()
    };
    let extractor = Extractor::open(settings(), "helios", Normalise::default(), None).unwrap();
    let (mut kept, mut let_go) = (all(), all());
    let rows = extractor.extract_with(&mut kept, &HashMap::new(), 2, false).unwrap().rows;
    assert_eq!(extractor.extract_with(&mut let_go, &HashMap::new(), 2, true).unwrap().rows, rows);
    for (finished, is_there) in
        kept.iter().map(|one| (one, true)).chain(let_go.iter().map(|one| (one, false)))
    {
        let Outcome::Fetched(response) = &finished.outcome else { panic!("{:?}", finished.outcome) };
        assert_eq!(response.body.is_empty(), !is_there);
    }
}
