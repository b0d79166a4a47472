//! What came of a body is counted, whatever became of it, and never one byte over what the visit may take.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use helios_core::fetch::OutcomeKind::{self, Bomb, Broken, Missing, Redirected, TimedOut, TooLarge};
use helios_core::fetch::{Finished, Purpose, Visit};
use serde_json::{Value, json};

use crate::asking::{ask_visit, hasty, patient, task, visit, with};
use crate::server::Server;

const PAGE: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";

/// Says this once and then nothing.
fn saying(answer: impl Into<Vec<u8>>, is_closed: bool) -> Server {
    let answer = answer.into();
    Server::plain(move |mut line| {
        let answer = answer.clone();
        async move {
            line.request().await;
            line.say(&answer).await;
            if is_closed {
                line.close().await;
            } else {
                line.hold().await;
            }
        }
    })
}

fn endless(fields: &'static str) -> Server {
    Server::plain(move |mut line| async move {
        line.request().await;
        line.say(format!("{PAGE}{fields}\r\n")).await;
        line.flood(if fields.contains("chunked") { "4\r\nzzzz\r\n" } else { "zzzz" }).await;
    })
}

/// What came of a page that the visit may have so many bytes of.
fn asked(server: &Server, settings: &Value, most: Option<u64>) -> Finished {
    let visit = Visit { max_body_bytes: most, ..visit(1, vec![task(&server.url("/"))]) };
    ask_visit(visit, settings).0.remove(0)
}

fn brings(finished: &Finished, kind: OutcomeKind, bytes: u64) {
    assert_eq!((finished.outcome.kind(), finished.wire_bytes), (kind, bytes), "{:?}", finished.outcome);
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    GzEncoder::new(&mut packed, Compression::best()).write_all(bytes).unwrap();
    packed
}

fn packed_page(packed: &[u8]) -> Vec<u8> {
    let head = format!("{PAGE}Content-Encoding: gzip\r\nContent-Length: {}\r\n\r\n", packed.len());
    [head.as_bytes(), packed].concat()
}

#[test]
fn a_body_that_broke_off_is_counted_as_far_as_it_came() {
    let half = "z".repeat(500_000);
    for (fields, sent) in [
        ("Content-Length: 900000\r\n", half.clone()),
        ("Transfer-Encoding: chunked\r\n", format!("{:x}\r\n{half}\r\n", half.len())),
        ("Content-Encoding: gzip\r\nContent-Length: 900000\r\n", half.clone()),
    ] {
        let server = saying(format!("{PAGE}{fields}\r\n{sent}"), true);
        brings(&asked(&server, &patient(), None), Broken, 500_000);
    }
}

#[test]
fn a_body_that_stands_still_is_counted_as_far_as_it_came() {
    let server = saying(format!("{PAGE}Content-Length: 900\r\n\r\n{}", "z".repeat(500)), false);
    brings(&asked(&server, &hasty(), None), TimedOut, 500);
}

#[test]
fn an_endless_body_is_counted_up_to_the_limit_and_not_beyond() {
    for fields in ["", "Transfer-Encoding: chunked\r\n"] {
        let server = endless(fields);
        brings(&asked(&server, &patient(), None), TooLarge, 1_000_000);
        brings(&asked(&server, &patient(), Some(70_001)), TooLarge, 70_001);
    }
}

#[test]
fn a_body_that_is_known_to_be_too_long_is_not_read() {
    let server = saying(format!("{PAGE}Content-Length: 2000000\r\n\r\nzzzz"), false);
    brings(&asked(&server, &patient(), None), TooLarge, 0);
}

#[test]
fn a_bomb_and_a_wrong_sum_are_counted_as_they_came() {
    let bomb = gzip(&vec![0; 20_000_000]);
    let settings = with(patient(), "fetch", json!({"max_body_bytes": 10_000_000}));
    brings(&asked(&saying(packed_page(&bomb), false), &settings, None), Bomb, bomb.len() as u64);
    // Longer than what is waited for before decoding begins: this one is undone as it comes.
    let noise: Vec<u8> = (0..500_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    let mut damaged = gzip(&noise);
    let sum = damaged.len() - 6;
    damaged[sum] ^= 1;
    brings(&asked(&saying(packed_page(&damaged), false), &settings, None), Broken, damaged.len() as u64);
}

#[test]
fn bodies_of_answers_that_are_no_pages_are_counted_within_what_the_visit_may_take() {
    for (head, kind) in [("404 Not Found", Missing), ("302 Found\r\nLocation: /x", Redirected)] {
        let server =
            saying(format!("HTTP/1.1 {head}\r\nContent-Length: 30000\r\n\r\n{}", "z".repeat(30_000)), false);
        brings(&asked(&server, &patient(), None), kind, 30_000);
        brings(&asked(&server, &patient(), Some(999)), kind, 999);
    }
}

#[test]
fn a_robots_txt_that_broke_off_is_counted() {
    let server = saying("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nUser-agent: *\n", true);
    let mut robots = task(&server.url("/robots.txt"));
    robots.purpose = Purpose::RobotsTxt;
    brings(&ask_visit(visit(1, vec![robots]), &patient()).0[0], Broken, 14);
}
