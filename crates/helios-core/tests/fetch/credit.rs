//! Credits in bytes: bodies that are being read or were not dropped yet stay under the ceiling, and all of them come.

use std::time::Duration;

use helios_core::fetch::Finished;
use helios_core::fetch::OutcomeKind::Fetched;
use serde_json::json;

use crate::asking::{fetcher, patient, task, visit, with};
use crate::server::Server;

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
