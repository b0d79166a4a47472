//! Pages → rows and links.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]

use arrow_array::cast::AsArray;
use helios_core::extract::{ExtractSettings, Pages, extract};
use helios_core::fetch::{Finished, Held, Outcome, Purpose, Response, Task, Timings, Validators};
use helios_core::robots::{Permit, RobotsRules};
use helios_core::url::CanonicalUrl;

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
        },
        outcome: Outcome::Fetched(response),
        started: 1_000,
        finished: 1_250,
        wire_bytes: 99,
        address: None,
        timings: Timings::default(),
        held: Held::default(),
        last: true,
    }
}

fn read(done: &[Finished]) -> Pages {
    extract(done, "helios", &ExtractSettings { max_links: 100, max_text_bytes: 1_000 }, 2).unwrap()
}

fn html(body: &str) -> Pages {
    read(&[fetched("http://a.test/dir/page", "text/html; charset=utf-8", &[], body.as_bytes())])
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
fn charset_by_header_then_meta_then_guess() {
    for (content_type, body, charset, text) in [
        ("text/html; charset=windows-1251", &b"\xcf\xf0\xe8"[..], "windows-1251", "При"),
        ("text/html", b"<meta charset=iso-8859-1>\xe9", "windows-1252", "é"),
        ("text/html", b"\xef\xbb\xbf<meta charset=iso-8859-1>\xc3\xa9", "UTF-8", "é"),
        ("text/html", b"\xc3\xa9", "UTF-8", "é"),
        ("text/html", b"caf\xe9", "windows-1252", "café"),
        ("text/html; charset=nonsense", b"plain", "UTF-8", "plain"),
    ] {
        let pages = read(&[fetched("http://a.test/", content_type, &[], body)]);
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
        let pages = read(&[fetched("http://a.test/", "text/html", header, body.as_bytes())]);
        assert_eq!((pages.rows.num_rows(), pages.links[0].len()), (rows, followed), "{meta} {header:?}");
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
    let pages = read(&done);
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
