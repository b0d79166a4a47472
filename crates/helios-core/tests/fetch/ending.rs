//! Draining and closing: nothing is left behind.

use std::time::Duration;

use helios_core::clock;
use helios_core::fetch::OutcomeKind::{Abandoned, Fetched};
use helios_core::fetch::Visit;

use crate::asking::{fetcher, patient, run, task, visit};
use crate::server::Server;

fn honest() -> Server {
    Server::plain(
        |mut line| async move { while !line.request().await.is_empty() && line.answer("page").await {} },
    )
}

#[test]
fn draining_wakes_visits_that_wait_out_their_delay() {
    let server = honest();
    let fetcher = fetcher(&patient());
    let visit = visit(1, vec![task(&server.url("/1")), task(&server.url("/2"))]);
    fetcher.submit(vec![Visit { delay: Duration::from_secs(3_600), ..visit }]);
    let first = fetcher.completed(Duration::from_secs(10), Duration::ZERO, 1).unwrap();
    assert_eq!(first[0].outcome.kind(), Fetched);
    fetcher.drain();
    let second = fetcher.completed(Duration::from_secs(10), Duration::ZERO, 1).unwrap();
    assert_eq!((second[0].outcome.kind(), second[0].last), (Abandoned, true));
    assert_eq!(fetcher.in_flight(), 0);
}

#[test]
fn closing_wakes_whoever_waits() {
    let server = Server::plain(|mut line| async move { line.hold().await });
    let fetcher = fetcher(&patient());
    fetcher.submit(vec![visit(1, vec![task(&server.url("/1"))])]);
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| fetcher.completed(Duration::from_secs(3_600), Duration::ZERO, 1));
        fetcher.close();
        assert!(waiting.join().unwrap().unwrap().is_empty());
    });
}

/// Sockets and files that this process has open, of whichever test.
#[test]
fn a_closed_fetcher_leaves_no_descriptor_and_no_thread_behind() {
    if !std::path::Path::new("/proc/self/fd").exists() {
        return; // Only Linux tells.
    }
    // In a process of its own: other tests open and close theirs.
    let child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "ending::child_that_is_counted", "--ignored", "--nocapture"])
        .output()
        .unwrap();
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stderr));
}

#[test]
#[ignore = "runs alone, started by the test above"]
fn child_that_is_counted() {
    let (slow, good) = (Server::plain(|mut line| async move { line.hold().await }), honest());
    let count = |what: &str| std::fs::read_dir(format!("/proc/self/{what}")).unwrap().count();
    // The first one loads what is loaded once.
    run(&fetcher(&patient()), visit(1, vec![task(&good.url("/"))]));
    let counts = || (count("fd"), count("task"));
    let idle = counts();
    let fetcher = fetcher(&patient());
    fetcher.submit((0..100).map(|n| visit(n, vec![task(&slow.url(&format!("/{n}")))])).collect());
    while slow.connections() < 100 {
        fetcher.completed(Duration::from_millis(1), Duration::ZERO, 1).unwrap();
    }
    assert!(count("fd") >= idle.0 + 200);
    fetcher.close();
    assert!(count("fd") < idle.0 + 120, "the connections are gone at once");
    drop(fetcher);
    // The server's halves end when it hears of it.
    let until = clock::now() + 5_000;
    while (counts().0 > idle.0 || counts().1 > idle.1) && clock::now() < until {
        std::thread::yield_now();
    }
    assert!(counts().0 <= idle.0 && counts().1 <= idle.1, "{:?} after {idle:?}", counts());
}
