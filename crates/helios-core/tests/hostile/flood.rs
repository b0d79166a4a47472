//! Many hostile servers at once: none keeps another, or an ordinary site, from its turn.

use std::collections::HashMap;
use std::time::Duration;

use helios_core::clock;
use helios_core::fetch::OutcomeKind::{
    self, Abandoned, Broken, Fetched, Missing, TimedOut, TooLarge, Unreachable,
};

use crate::asking::{fetcher, hasty, serves_others, task, visit};
use crate::server::Server;
use crate::slow::STEP;

/// Visits of each kind.
const EACH: u64 = 40;

/// What a path of the server does, and what must become of it.
const TRICKS: [(&str, OutcomeKind); 8] = [
    ("/good", Fetched),
    ("/missing", Missing),
    ("/silent", TimedOut),
    ("/slow", TimedOut),
    ("/endless", TooLarge),
    ("/garbage", Broken),
    ("/short", Broken),
    ("/reset", Unreachable),
];

fn tricks() -> Server {
    Server::plain(|mut line| async move {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
        match line.request().await.as_str() {
            "/good" => drop(line.answer("good").await),
            "/missing" => drop(line.say("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n").await),
            "/silent" => line.hold().await,
            "/slow" => {
                line.drip(format!("{head}Content-Length: 9999\r\n\r\n{}", "z".repeat(9_999)), STEP).await;
            }
            "/endless" => {
                line.say(format!("{head}\r\n")).await;
                line.flood("endless ").await;
            }
            "/garbage" => drop(line.say("neither head nor body\r\n\r\n").await),
            "/short" => drop(line.say(format!("{head}Content-Length: 99\r\n\r\nshort")).await),
            "/reset" => return line.reset(),
            _ => {}
        }
        line.close().await;
    })
}

#[test]
fn every_visit_comes_back_once_and_as_it_should() {
    let (server, settings) = (tricks(), hasty());
    let fetcher = fetcher(&settings);
    let begun = clock::now();
    let visits = (0..EACH * 8).map(|id| {
        let (path, _) = TRICKS[id as usize % TRICKS.len()];
        visit(id, vec![task(&server.url(path)); 2])
    });
    fetcher.submit(visits.collect());
    let mut reported: HashMap<u64, Vec<(OutcomeKind, bool)>> = HashMap::new();
    while fetcher.in_flight() > 0 {
        for finished in fetcher.completed(Duration::from_millis(100), Duration::ZERO, 1_000).unwrap() {
            let tasks = reported.entry(finished.visit).or_default();
            tasks.push((finished.outcome.kind(), finished.last));
        }
        assert!(clock::now() < begun + 10_000, "{} of {} came back", reported.len(), EACH * 8);
    }
    assert_eq!(reported.len() as u64, EACH * 8);
    let mut right = 0;
    for (id, tasks) in reported {
        let (path, expected) = TRICKS[id as usize % TRICKS.len()];
        assert_eq!(tasks.iter().map(|(_, last)| *last).collect::<Vec<_>>(), [false, true], "{path}");
        // With so many at once on a busy machine a fast trick may itself run out of time.
        assert!(
            tasks.iter().all(|(kind, _)| [expected, TimedOut, Abandoned].contains(kind)),
            "{path}: {tasks:?}"
        );
        right += u64::from(tasks[0].0 == expected);
    }
    assert!(right > EACH * 4, "most end as they should, not by running out of time: {right}");
    serves_others(&fetcher);
    fetcher.close();
}

#[test]
fn a_drained_fetcher_gives_everything_back() {
    let server = Server::plain(|mut line| async move { line.hold().await });
    let fetcher = fetcher(&hasty());
    fetcher.submit((0..100).map(|id| visit(id, vec![task(&server.url("/")); 3])).collect());
    fetcher.drain();
    let (begun, mut count) = (clock::now(), 0);
    while fetcher.in_flight() > 0 {
        count += fetcher.completed(Duration::from_millis(100), Duration::ZERO, 1_000).unwrap().len();
        assert!(clock::now() < begun + 10_000);
    }
    assert_eq!(count, 300);
    fetcher.close();
}

#[test]
fn a_fetcher_can_be_closed_in_the_middle_of_everything() {
    let server = tricks();
    let fetcher = fetcher(&hasty());
    fetcher
        .submit((0..100).map(|id| visit(id, vec![task(&server.url(TRICKS[id as usize % 8].0))])).collect());
    drop(fetcher.completed(Duration::from_millis(50), Duration::ZERO, 10).unwrap());
    fetcher.close();
}
