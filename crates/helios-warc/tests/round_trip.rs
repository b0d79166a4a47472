//! What is written is read back to the byte, whatever it is; and the same exchange is always the same bytes.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]

use std::net::IpAddr;

use helios_warc::{
    Algorithm, Answer, Digests, Exchange, IndexLine, Limits, Packing, Protocol, Reader, Record, Settings,
    Truncated, Writer,
};
use proptest::prelude::*;

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n";
const REQUEST: &[u8] = b"GET /a HTTP/1.1\r\nHost: example.com\r\nAuthorization: Basic c2VjcmV0\r\n\r\n";

fn exchange<'a>(body: &'a [u8], notes: &'a [(&'a str, String)]) -> Exchange<'a> {
    Exchange {
        url: "http://example.com/a",
        page: 7,
        fetch_number: 2,
        at: 1_794_753_846_123,
        address: Some(IpAddr::from([192, 0, 2, 1])),
        request: REQUEST,
        answer: Answer {
            status: 200,
            protocol: Protocol::Http11,
            head: HEAD,
            body,
            truncated: None,
            content_type: "text/html; charset=utf-8",
            not_modified: false,
            is_coded: false,
        },
        notes,
    }
}

fn settings(packing: Packing) -> Settings {
    Settings { packing, algorithm: Algorithm::Sha1 }
}

fn written(packing: Packing, exchanges: &[Exchange<'_>]) -> (Vec<u8>, Vec<IndexLine>) {
    let mut writer = Writer::new(Vec::new(), settings(packing)).unwrap();
    writer.warcinfo("a.warc.gz", 0, &[("software", "test\r\nX: y")]).unwrap();
    let lines = exchanges
        .iter()
        .map(|exchange| {
            let digests = Digests::of(Algorithm::Sha1, &[exchange.answer]);
            writer.exchange(exchange, &digests[0], None).unwrap()
        })
        .collect();
    let length = writer.written();
    let bytes = writer.into_inner();
    assert_eq!(length, bytes.len() as u64);
    (bytes, lines)
}

fn records(bytes: &[u8]) -> Vec<Record> {
    Reader::new(bytes, Limits::default()).collect::<Result<_, _>>().unwrap()
}

const PACKINGS: [Packing; 4] = [Packing::Plain, Packing::Gzip(1), Packing::Gzip(6), Packing::Zstd(3)];

proptest! {
    #[test]
    fn bodies_come_back_to_the_byte(body in proptest::collection::vec(any::<u8>(), 0..5_000)) {
        for packing in PACKINGS {
            let notes = [("fetchTimeMs", "12".to_owned())];
            let (bytes, lines) = written(packing, &[exchange(&body, &notes), exchange(b"", &[])]);
            let records = records(&bytes);
            let kinds: Vec<_> = records.iter().map(Record::kind).collect();
            prop_assert_eq!(kinds, ["warcinfo", "response", "request", "metadata", "response", "request"]);
            prop_assert_eq!(records[1].http().unwrap().1, &body[..]);
            // A record is read from its place alone.
            let (from, to) = (lines[0].offset as usize, (lines[0].offset + lines[0].length) as usize);
            let alone = self::records(&bytes[from..to]);
            prop_assert_eq!(&alone[0].block, &records[1].block);
            prop_assert_eq!(alone.len(), 1);
        }
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        for head in [&b""[..], b"WARC/1.0\r\n", b"\x1f\x8b\x08\0", b"\x28\xb5\x2f\xfd"] {
            let whole = [head, &bytes].concat();
            Reader::new(&whole[..], Limits::default()).for_each(drop);
        }
    }
}

#[test]
fn the_same_exchange_is_always_the_same_bytes() {
    for packing in PACKINGS {
        let notes = [("via", "http://example.com/".to_owned())];
        assert_eq!(written(packing, &[exchange(b"x", &notes)]), written(packing, &[exchange(b"x", &notes)]));
    }
}

#[test]
fn a_transfer_coding_that_was_undone_is_said_and_a_password_is_not() {
    let (bytes, _) = written(Packing::Plain, &[exchange(b"body", &[])]);
    let records = records(&bytes);
    let (head, _) = records[1].http().unwrap();
    assert!(String::from_utf8_lossy(head).contains("X-Orig-Transfer-Encoding: chunked"));
    assert!(!String::from_utf8_lossy(&bytes).contains("c2VjcmV0"));
    assert_eq!(String::from_utf8_lossy(&records[0].block), "software: test X: y\r\n");
}

#[test]
fn a_payload_that_is_there_already_is_referred_to() {
    let mut writer = Writer::new(Vec::new(), settings(Packing::Gzip(4))).unwrap();
    let first = exchange(b"same", &[]);
    let [digests] = &Digests::of(Algorithm::Sha1, &[first.answer])[..] else { panic!("one each") };
    writer.exchange(&first, digests, None).unwrap();
    let later = Exchange { url: "http://example.com/b", page: 8, at: first.at + 5, ..first };
    let line = writer.exchange(&later, digests, Some(&first.as_original(&digests.payload))).unwrap();
    let records = records(&writer.into_inner());
    let revisit = &records[2];
    assert_eq!((revisit.kind(), line.mime.as_str()), ("revisit", "warc/revisit"));
    assert_eq!(revisit.http().unwrap().1, b"", "no payload");
    assert_eq!(revisit.field("WARC-Refers-To"), records[0].field("WARC-Record-ID"));
    assert_eq!(revisit.field("WARC-Refers-To-Target-URI"), Some("http://example.com/a"));
    assert_eq!(revisit.field("WARC-Refers-To-Date"), records[0].field("WARC-Date"));
    assert_eq!(revisit.field("WARC-Payload-Digest"), records[0].field("WARC-Payload-Digest"));
    assert!(revisit.field("WARC-Profile").unwrap().ends_with("identical-payload-digest"));
}

#[test]
fn not_modified_is_a_revisit_and_a_cut_body_says_so() {
    let head = b"HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n";
    let mut one = exchange(b"", &[]);
    one.answer = Answer { status: 304, head, not_modified: true, ..one.answer };
    let mut cut = exchange(b"beginning", &[]);
    cut.answer.truncated = Some(Truncated::Length);
    let (bytes, _) = written(Packing::Plain, &[one, cut]);
    let records = records(&bytes);
    assert!(records[1].field("WARC-Profile").unwrap().ends_with("server-not-modified"));
    assert_eq!(records[1].field("WARC-Payload-Digest"), None);
    assert_eq!(records[3].field("WARC-Truncated"), Some("length"));
}

#[test]
fn claims_of_a_record_cost_nothing_until_the_bytes_come() {
    let huge = b"WARC/1.1\r\nContent-Length: 99999999999999\r\n\r\nfew";
    let error = Reader::new(&huge[..], Limits::default()).next().unwrap().unwrap_err();
    assert!(error.to_string().contains("bytes early"), "{error}");
    let endless = [&b"WARC/1.1\r\n"[..], &b"X: y\r\n".repeat(100_000)].concat();
    let error = Reader::new(&endless[..], Limits::default()).next().unwrap().unwrap_err();
    assert!(error.to_string().contains("header of more than"), "{error}");
    let limits = Limits { block: 3, ..Limits::default() };
    let (bytes, _) = written(Packing::Gzip(1), &[exchange(&b"x".repeat(100_000), &[])]);
    let records: Vec<_> = Reader::new(&bytes[..], limits).collect::<Result<_, _>>().unwrap();
    assert!(records.iter().all(|record| record.block.len() <= 3) && records[1].length > 100_000);
}
