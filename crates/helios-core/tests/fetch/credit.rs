//! Credits in bytes: bodies that are being read or were not dropped yet stay under the ceiling, and all of them come.

use std::io::Write;
use std::time::Duration;

use helios_core::fetch::Finished;
use helios_core::fetch::OutcomeKind::Fetched;
use serde_json::json;

use crate::asking::{fetcher, patient, task, visit, with};
use crate::server::Server;
use crate::wire::saying;

const BODY: usize = 400_000;

/// One large page for each request; half of them do not say how long they are.
fn library() -> Server {
    Server::plain(|mut line| async move {
        let body = "x".repeat(BODY);
        let path = line.request().await;
        let length = if path.ends_with('0') { String::new() } else { format!("Content-Length: {BODY}\r\n") };
        line.say(format!("HTTP/1.1 200 OK\r\nConnection: close\r\n{length}\r\n{body}")).await;
        line.close().await;
    })
}

fn read_all(ceiling: u64, visits: u64, keep: usize) -> u64 {
    let server = library();
    let fetcher =
        fetcher(&with(patient(), "fetch", json!({"max_memory_bytes": ceiling, "total_timeout_ms": 60_000})));
    let tasks = |n: u64| vec![task(&server.url(&format!("/{n}0"))), task(&server.url(&format!("/{n}1")))];
    fetcher.submit((0..visits).map(|n| visit(n, tasks(n))).collect());
    let (mut count, mut peak) = (0, 0);
    let mut kept: Vec<Finished> = Vec::new();
    while fetcher.in_flight() > 0 {
        let done = fetcher.completed(Duration::from_secs(20), Duration::ZERO, 1).unwrap();
        peak = peak.max(fetcher.memory_held());
        assert!(!done.is_empty(), "stuck after {count}");
        assert!(done.iter().all(|finished| finished.outcome.kind() == Fetched), "{done:?}");
        count += done.len() as u64;
        kept.extend(done);
        kept.drain(..kept.len().saturating_sub(keep));
    }
    assert_eq!(count, 2 * visits);
    drop(kept);
    assert_eq!(fetcher.memory_held(), 0, "everything is given back");
    peak
}

#[test]
fn many_large_bodies_pass_under_a_small_ceiling() {
    let ceiling = 2_000_000;
    let peak = read_all(ceiling, 40, 2);
    assert!(peak <= ceiling + 1_024, "{peak}");
    assert!(peak > ceiling / 4, "{peak}: the ceiling is used, too");
}

#[test]
fn a_body_larger_than_the_ceiling_passes_alone() {
    read_all(1_000, 5, 0);
}

/// Numbers: they pack about three times.
fn numbers() -> Vec<u8> {
    (0_u32..).flat_map(|n| (n.wrapping_mul(2_654_435_761) >> 8).to_string().into_bytes()).take(BODY).collect()
}

#[test]
fn a_packed_body_is_counted_by_what_comes_out_of_it() {
    let mut gzip = Vec::new();
    flate2::write::GzEncoder::new(&mut gzip, flate2::Compression::fast()).write_all(&numbers()).unwrap();
    let mut brotli = Vec::new();
    brotli::CompressorWriter::new(&mut brotli, 4_096, 2, 20).write_all(&numbers()).unwrap();
    // Short enough to be undone at once, and too long for it.
    let long = [
        zstd::encode_all(numbers().as_slice(), 1).unwrap(),
        zstd::encode_all(numbers().as_slice(), 1).unwrap(),
    ];
    for (coding, wire, size) in
        [("gzip", gzip, BODY), ("br", brotli, BODY), ("zstd", long.concat().repeat(3), 6 * BODY)]
    {
        let head = format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Encoding: {coding}\r\n\r\n");
        let answer = [head.as_bytes(), &wire].concat();
        let server = saying(answer);
        let fetcher = fetcher(&with(patient(), "fetch", json!({"max_body_bytes": 10_000_000})));
        fetcher.submit(vec![visit(0, vec![task(&server.url("/"))])]);
        let done = fetcher.completed(Duration::from_secs(20), Duration::ZERO, 1).unwrap();
        assert!(done.iter().all(|finished| finished.outcome.kind() == Fetched), "{done:?}");
        let covered = fetcher.memory_held();
        assert!(covered >= size as u64 && covered < 2 * size as u64, "{coding}: {covered}");
        drop(done);
        assert_eq!(fetcher.memory_held(), 0);
    }
}

#[test]
fn a_page_that_was_read_holds_only_what_an_archive_needs() {
    let wire = zstd::encode_all(numbers().as_slice(), 1).unwrap();
    let head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Encoding: zstd\r\n\r\n";
    let answer = [head.as_bytes(), &wire].concat();
    for (keep_wire, most) in [(true, wire.len() + 10_000), (false, 0)] {
        let server = saying(answer.clone());
        let fetcher = fetcher(&with(patient(), "fetch", json!({"keep_wire": keep_wire})));
        fetcher.submit(vec![visit(0, vec![task(&server.url("/"))])]);
        let mut done = fetcher.completed(Duration::from_secs(20), Duration::ZERO, 1).unwrap();
        assert!(fetcher.memory_held() >= BODY as u64);
        done.iter_mut().for_each(Finished::let_go_of_body);
        let left = usize::try_from(fetcher.memory_held()).unwrap();
        assert!(left <= most, "{left} of {}", wire.len());
        let kept = done.first().and_then(|finished| finished.kept.as_ref());
        assert_eq!(kept.is_some_and(|kept| kept.body == wire), keep_wire);
    }
}
