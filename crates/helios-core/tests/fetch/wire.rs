//! What an archive gets: requests and answers to the byte.

use std::io::Write as _;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use helios_core::fetch::OutcomeKind::{Fetched, Missing, NotModified, Redirected, TooLarge, UnwantedType};
use helios_core::fetch::{Cut, HttpVersion, Kept, Task, Validators};
use helios_core::warc::{Algorithm, Archivist, Limits, Packing, Reader, Record, Settings};
use serde_json::{Value, json};

use crate::asking::{Ended, ask_for, ask_visit, patient, task, visit, with};
use crate::authority::{Authority, Leaf};
use crate::line::{Line, Wire};
use crate::server::Server;

fn keeping() -> Value {
    with(patient(), "fetch", json!({"keep_wire": true, "max_body_bytes": 10_000}))
}

/// Says these bytes to every request, and closes.
pub(crate) fn saying(answer: Vec<u8>) -> Server {
    Server::plain(move |mut line| {
        let answer = answer.clone();
        async move {
            line.request().await;
            line.say(&answer).await;
            line.close().await;
        }
    })
}

fn kept(ended: &Ended) -> &Kept {
    ended.0[0].kept.as_deref().unwrap()
}

fn zipped(text: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(text).unwrap();
    packer.finish().unwrap()
}

fn records(ended: &Ended, allowed: bool) -> Vec<Record> {
    let settings = Settings { packing: Packing::Gzip(4), algorithm: Algorithm::Sha1 };
    let mut bytes = Vec::new();
    let allowed = vec![allowed; ended.0.len()];
    let lines = Archivist::new(settings, 100).unwrap().write(&ended.0, &allowed, 2, &mut bytes).unwrap();
    for line in &lines {
        let place = &bytes[line.offset as usize..(line.offset + line.length) as usize];
        let alone = Reader::new(place, Limits::default()).next().unwrap().unwrap();
        assert_eq!(alone.field("WARC-Target-URI"), Some(line.url.as_str()));
    }
    Reader::new(&bytes[..], Limits::default()).collect::<Result<_, _>>().unwrap()
}

#[test]
fn nothing_is_kept_unless_asked_for() {
    let server = saying(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx".to_vec());
    assert!(ask_for(&[server.url("/")], &patient()).0[0].kept.is_none());
}

#[test]
fn a_coded_and_chunked_body_is_kept_as_it_came_without_its_chunks() {
    let coded = zipped(&b"page ".repeat(300));
    let (one, two) = coded.split_at(20);
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n";
    let chunks =
        [&b"14\r\n"[..], one, format!("\r\n{:x}\r\n", two.len()).as_bytes(), two, b"\r\n0\r\n\r\n"].concat();
    let server = saying([head.as_bytes(), &chunks].concat());
    let ended = ask_for(&[server.url("/a?b")], &keeping());
    ended.is(Fetched);
    let kept = kept(&ended);
    assert_eq!((&kept.body[..], &kept.head[..]), (&coded[..], head.as_bytes()));
    assert_eq!((kept.status, kept.is_coded, kept.cut), (200, true, None));
    let said = String::from_utf8_lossy(&kept.request);
    assert!(said.starts_with("GET /a?b HTTP/1.1\r\nHost: 127.0.0.1"), "{said}");
    assert!(said.ends_with("\r\n\r\n"), "{said}");
    assert_eq!(ended.body(0).len(), 1_500, "the page itself is decoded");
}

#[test]
fn a_plain_body_is_kept_once() {
    let server =
        saying([&b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n"[..], &b"x".repeat(5_000)].concat());
    let ended = ask_for(&[server.url("/")], &keeping());
    let helios_core::fetch::Outcome::Fetched(page) = &ended.0[0].outcome else { panic!() };
    assert_eq!(page.body.as_ptr(), kept(&ended).body.as_ptr(), "the same bytes in memory");
}

#[test]
fn answers_that_are_no_pages_are_kept_too() {
    for (answer, kind, cut) in [
        ("404 Not Found\r\nContent-Length: 4\r\n\r\ngone", Missing, None),
        ("302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n", Redirected, None),
        (
            "200 OK\r\nContent-Type: application/pdf\r\nContent-Length: 9\r\n\r\n",
            UnwantedType,
            Some(Cut::Unwanted),
        ),
        ("200 OK\r\nContent-Length: 10001\r\n\r\n", TooLarge, Some(Cut::Length)),
    ] {
        let server = saying(format!("HTTP/1.1 {answer}").into_bytes());
        let ended = ask_for(&[server.url("/")], &keeping());
        ended.is(kind);
        let kept = kept(&ended);
        let whole = [&kept.head[..], &kept.body[..]].concat();
        assert_eq!(
            (String::from_utf8_lossy(&whole).as_ref(), kept.cut),
            (format!("HTTP/1.1 {answer}").as_str(), cut)
        );
        let records = records(&ended, true);
        assert_eq!(records[0].kind(), "response");
        assert_eq!(records[0].field("WARC-IP-Address"), Some("127.0.0.1"));
        assert_eq!(records[0].field("WARC-Truncated").is_some(), cut.is_some());
    }
}

#[test]
fn not_modified_becomes_a_revisit() {
    let server = saying(b"HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n".to_vec());
    let validators = Validators { etag: Some("\"x\"".into()), last_modified: None };
    let task = Task { validators, ..task(&server.url("/")) };
    let ended = ask_visit(visit(1, vec![task]), &keeping());
    ended.is(NotModified);
    assert_eq!(records(&ended, true)[0].kind(), "revisit");
}

#[test]
fn a_payload_that_came_twice_is_written_once_and_a_page_that_forbids_it_never() {
    let body = "same ".repeat(200);
    let server = Server::plain(move |mut line| {
        let body = body.clone();
        async move { while !line.request().await.is_empty() && line.answer(&body).await {} }
    });
    let ended = ask_for(&[server.url("/1"), server.url("/2")], &keeping());
    let records = records(&ended, true);
    let kinds: Vec<_> = records.iter().map(Record::kind).collect();
    assert_eq!(kinds, ["response", "request", "metadata", "revisit", "request", "metadata"]);
    assert_eq!(records[3].field("WARC-Refers-To-Target-URI"), Some(server.url("/1").as_str()));
    assert!(self::records(&ended, false).is_empty());
}

#[test]
fn http2_is_kept_as_text() {
    async fn serve(line: Line) {
        let Wire::Tls(stream) = line.wire else { return };
        let mut connection = h2::server::handshake(*stream).await.unwrap();
        while let Some(Ok((_, mut respond))) = connection.accept().await {
            let answer = http::Response::builder().header("content-type", "text/html").body(()).unwrap();
            let mut sending = respond.send_response(answer, false).unwrap();
            sending.send_data(Bytes::from_static(b"<p>page"), true).unwrap();
        }
    }
    let authority = Authority::new();
    let server = Server::tls(authority.config(Leaf::Good, &["h2"]), serve);
    let ended = ask_for(&[server.url("/a?b")], &authority.trusted(keeping()));
    ended.is(Fetched);
    let kept = kept(&ended);
    assert_eq!((kept.version, &kept.body[..]), (HttpVersion::Http2, &b"<p>page"[..]));
    let said = String::from_utf8_lossy(&kept.request);
    assert!(said.starts_with("GET /a?b HTTP/1.1\r\nHost: 127.0.0.1:"), "{said}");
    let records = records(&ended, true);
    assert_eq!(records[0].block, b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n<p>page");
    assert_eq!(records[0].field("WARC-Protocol"), Some("h2"));
}
