//! Content codings that are broken, cut off, not what they say, or bombs.

use std::io::Write;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use helios_core::fetch::OutcomeKind::{self, Bomb, Broken, Fetched, TooLarge};

use serde_json::json;

use crate::asking::{Ended, ask, patient, with};
use crate::server::Server;

/// Of body, in bytes: enough that a bomb shows by how much it grows.
const MOST: u64 = 4_000_000;
const EVERY: [&str; 4] = ["gzip", "deflate", "br", "zstd"];

pub(crate) fn packed(coding: &str, text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    match coding {
        "gzip" => GzEncoder::new(&mut out, Compression::best()).write_all(text).unwrap(),
        "deflate" => ZlibEncoder::new(&mut out, Compression::best()).write_all(text).unwrap(),
        "raw" => DeflateEncoder::new(&mut out, Compression::best()).write_all(text).unwrap(),
        "br" => brotli::CompressorWriter::new(&mut out, 4_096, 5, 22).write_all(text).unwrap(),
        "zstd" => out = zstd::encode_all(text, 3).unwrap(),
        other => panic!("{other} is no coding"),
    }
    out
}

/// What becomes of a body that is said to be in these codings.
fn coded(codings: &str, body: &[u8], expected: OutcomeKind) -> Ended {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: {codings}\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let answer = [head.as_bytes(), body].concat();
    let server = Server::plain(move |mut line| {
        let answer = answer.clone();
        async move { while !line.request().await.is_empty() && line.say(&answer).await {} }
    });
    let settings = with(patient(), "fetch", json!({"max_body_bytes": MOST, "max_ratio": 100}));
    let ended = ask(&server, &settings);
    assert_eq!(ended.first().kind(), expected, "{codings}: {:?}", ended.first());
    ended
}

/// Words that do not pack well, so that a cut is in their middle.
fn words() -> Vec<u8> {
    (0..20_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect()
}

#[test]
fn every_coding_is_undone() {
    for coding in EVERY {
        assert_eq!(coded(coding, &packed(coding, b"yes"), Fetched).body(0), "yes", "{coding}");
    }
    assert_eq!(coded("deflate", &packed("raw", b"yes"), Fetched).body(0), "yes");
    assert_eq!(coded("gzip, br", &packed("br", &packed("gzip", b"yes")), Fetched).body(0), "yes");
    assert_eq!(coded("identity", b"yes", Fetched).body(0), "yes");
}

#[test]
fn noise_in_every_coding() {
    for coding in EVERY {
        coded(coding, &[0xA5; 1_000], Broken);
        coded(coding, b"<html>said to be packed, but is not</html>", Broken);
    }
}

#[test]
fn damage_in_the_middle() {
    // These have a sum that notices; the others may come to another text, as without any coding.
    for coding in ["gzip", "deflate"] {
        let mut body = packed(coding, &words());
        let middle = body.len() / 2;
        body[middle..middle + 64].fill(0xFF);
        coded(coding, &body, Broken);
    }
}

#[test]
fn every_coding_cut_off() {
    for coding in EVERY {
        let body = packed(coding, &words());
        for length in [1, 5, body.len() / 2, body.len() - 1] {
            coded(coding, &body[..length], Broken);
        }
    }
}

#[test]
fn gzip_with_a_wrong_sum() {
    let mut body = packed("gzip", b"yes");
    let end = body.len();
    body[end - 5] ^= 1;
    coded("gzip", &body, Broken);
}

#[test]
fn gzip_with_a_name_that_never_ends() {
    // FNAME is set; the name ends with a zero byte that does not come.
    let body = [b"\x1f\x8b\x08\x08\0\0\0\0\0\x03".as_slice(), &vec![b'n'; 900_000]].concat();
    coded("gzip", &body, Broken);
}

#[test]
fn several_gzip_members_are_one_body() {
    let body = [packed("gzip", b"ye"), packed("gzip", b"s")].concat();
    assert_eq!(coded("gzip", &body, Fetched).body(0), "yes");
}

#[test]
fn gzip_with_zeros_after_its_end() {
    // Some servers pad; every browser shows the page.
    let body = [packed("gzip", b"yes").as_slice(), &[0; 100]].concat();
    assert_eq!(coded("gzip", &body, Fetched).body(0), "yes");
}

#[test]
fn unknown_and_too_many_codings() {
    coded("rot13", b"yes", Broken);
    coded("gzip, rot13", &packed("gzip", b"yes"), Broken);
    let mut body = b"yes".to_vec();
    for _ in 0..20 {
        body = packed("gzip", &body);
    }
    coded(&["gzip"; 20].join(", "), &body, Broken);
}

#[test]
fn an_empty_body_is_empty_in_every_coding() {
    for coding in EVERY {
        assert_eq!(coded(coding, b"", Fetched).body(0), "");
    }
}

#[test]
fn bombs_in_every_coding() {
    let zeros = vec![0; 20_000_000];
    for coding in EVERY {
        coded(coding, &packed(coding, &zeros), Bomb);
    }
}

#[test]
fn bombs_within_bombs() {
    // What comes out of the first layer is small, and what comes out of the second is not.
    let zeros = vec![0; 50_000_000];
    for (outer, inner) in [("gzip", "gzip"), ("br", "gzip"), ("zstd", "deflate"), ("gzip", "br")] {
        let body = packed(outer, &packed(inner, &zeros));
        coded(&format!("{inner}, {outer}"), &body, Bomb);
    }
}

#[test]
fn a_window_larger_than_a_page_is_refused() {
    // RFC 9659: at most 8 MB for zstd on the web. A frame that says 1 GB and holds one byte: nothing may be reserved for it.
    let frame = b"\x28\xb5\x2f\xfd\x00\xa0\x09\x00\x00z";
    coded("zstd", frame, Broken);
    // The same with an ordinary window is a page.
    assert_eq!(coded("zstd", b"\x28\xb5\x2f\xfd\x00\x58\x09\x00\x00z", Fetched).body(0), "z");
}

#[test]
fn more_than_a_page_may_be_without_being_a_bomb() {
    // Packs less than a hundred times, and is over the limit all the same.
    for coding in EVERY {
        let text: Vec<u8> = (0..300_000_u32)
            .flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()[2..].to_vec())
            .collect();
        coded(coding, &packed(coding, &text.repeat(8)), TooLarge);
    }
}
