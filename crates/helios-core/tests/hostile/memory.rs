//! Things without end, and bombs of 10 GB: what they may cost us, measured in a process of its own.

use std::io::Write;
use std::process::Command;

use flate2::write::GzEncoder;
use flate2::{Compression, FlushCompress};
use helios_core::fetch::OutcomeKind::{Bomb, Broken, TimedOut, TooLarge, Unreachable};
use serde_json::json;

use crate::asking::{ask, patient, with};
use crate::frames::{CONTINUATION, DATA, END_HEADERS, HEADERS, OK, field, frame, http2};
use crate::server::Server;

/// How much the highest mark may rise, in KiB: a few bodies of the largest size, and room for the servers beside us.
const ROOM: u64 = 64 << 10;
const MOST: u64 = 4_000_000;

#[test]
fn nothing_that_a_server_sends_fills_our_memory() {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "memory::child_that_is_measured", "--ignored", "--nocapture"])
        .output()
        .unwrap();
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stderr));
}

#[test]
#[ignore = "runs alone, started by the test above"]
fn child_that_is_measured() {
    if peak().is_none() {
        return; // Only Linux tells.
    }
    bombs();
    endless_answers();
    endless_heads_of_http2();
}

/// The highest that this process ever was, in KiB.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Asks a server and looks at what that cost.
fn within_bounds(what: &str, server: &Server, settings: &serde_json::Value) {
    let before = peak().unwrap();
    let settings = with(settings.clone(), "fetch", json!({"max_body_bytes": MOST, "max_ratio": 1_000_000}));
    let ended = ask(server, &settings);
    ended.is_any(&[TooLarge, Bomb, Broken, TimedOut, Unreachable]);
    let rise = peak().unwrap() - before;
    assert!(rise < ROOM, "{what} cost {rise} KiB");
}

/// 10 GB of zeros, packed to 10 MB, are the same piece again and again: it is made once, and sent a thousand times.
fn bombs() {
    let piece = piece();
    let gzip = b"\x1f\x8b\x08\0\0\0\0\0\0\x03";
    within_bounds("a bomb", &sent("gzip", gzip, piece.clone()), &patient());
    within_bounds("a raw bomb", &sent("deflate", b"", piece.clone()), &patient());
    // Packed once more: the first layer unpacks to the bomb above, which is small beside what is in it.
    let inner = [gzip.as_slice(), &piece.repeat(1_000)].concat();
    let mut outer = GzEncoder::new(Vec::new(), Compression::best());
    outer.write_all(&inner).unwrap();
    let nested = outer.finish().unwrap();
    drop(inner);
    within_bounds("a nested bomb", &sent("gzip, gzip", &nested, Vec::new()), &patient());
}

/// Deflate of 10 MB that neither ends nor refers to what came before, so that it can be repeated.
fn piece() -> Vec<u8> {
    let mut packer = flate2::Compress::new(Compression::best(), false);
    let mut out = Vec::with_capacity(100_000);
    packer.compress_vec(&vec![0; 10_000_000], &mut out, FlushCompress::Full).unwrap();
    out
}

/// A body in a coding: a beginning, then a piece a thousand times over.
fn sent(coding: &'static str, beginning: &[u8], piece: Vec<u8>) -> Server {
    let beginning = beginning.to_vec();
    Server::plain(move |mut line| {
        let (beginning, piece) = (beginning.clone(), piece.clone());
        async move {
            line.request().await;
            line.say(format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: {coding}\r\n\r\n"
            ))
            .await;
            line.say(&beginning).await;
            for _ in 0..1_000 {
                if !line.say(&piece).await {
                    return;
                }
            }
            line.close().await;
        }
    })
}

fn endless_answers() {
    let chunks = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (what, beginning, rest) in [
        ("a body", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n".to_owned(), "endless "),
        ("a field", "HTTP/1.1 200 OK\r\nX-Endless: ".to_owned(), "yes"),
        ("fields", "HTTP/1.1 200 OK\r\n".to_owned(), "X-Endless: yes\r\n"),
        ("interim answers", String::new(), "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
        ("chunks", chunks.to_owned(), "1\r\nz\r\n"),
        ("a chunk extension", format!("{chunks}3;"), "endless"),
        ("trailers", format!("{chunks}0\r\n"), "X-Endless: yes\r\n"),
    ] {
        let server = Server::plain(move |mut line| {
            let beginning = beginning.clone();
            async move {
                line.request().await;
                line.say(&beginning).await;
                line.flood(rest).await;
            }
        });
        within_bounds(what, &server, &crate::asking::hasty());
    }
}

fn endless_heads_of_http2() {
    for (what, kind) in [("a head", CONTINUATION), ("a body of padding", DATA)] {
        let (server, authority) = http2(move |mut line| async move {
            line.preface().await;
            let stream = line.stream().await;
            let more = if kind == DATA {
                line.say(frame(HEADERS, END_HEADERS, stream, OK)).await;
                frame(DATA, 8, stream, [0; 1])
            } else {
                line.say(frame(HEADERS, 0, stream, OK)).await;
                frame(CONTINUATION, 0, stream, field("x-more", "and more").repeat(100))
            };
            line.flood(more).await;
        });
        within_bounds(what, &server, &authority.trusted(crate::asking::hasty()));
    }
}
