//! Connections between two visits of a site: who goes on with them, and when they are closed.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use helios_core::clock;
use helios_core::fetch::OutcomeKind::{Busy, Fetched};
use helios_core::fetch::{Fetcher, Purpose, Task, Visit};
use serde_json::{Value, json};

use crate::asking::{Ended, fetcher, patient, run, task, visit, with};
use crate::authority::{Authority, Leaf};
use crate::http2;
use crate::line::Wire;
use crate::server::Server;

/// Answers for ever, and counts the connections that have ended.
struct Counting {
    server: Server,
    ended: Arc<AtomicUsize>,
}

impl Counting {
    fn new(answer: &'static str) -> Self {
        let ended = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&ended);
        let server = Server::plain(move |mut line| {
            let count = Arc::clone(&count);
            async move {
                while !line.request().await.is_empty() && line.say(answer).await {}
                count.fetch_add(1, Ordering::SeqCst);
            }
        });
        Self { server, ended }
    }

    /// Waits until so many connections have ended.
    fn has_lost(&self, count: usize, fetcher: &Fetcher) {
        let until = clock::now() + 5_000;
        while self.ended.load(Ordering::SeqCst) < count {
            assert!(
                clock::now() < until,
                "{} of {count} connections ended",
                self.ended.load(Ordering::SeqCst)
            );
            fetcher.completed(Duration::from_millis(5), Duration::ZERO, 1).unwrap();
            std::thread::yield_now();
        }
    }

    fn is_visited_at(&self, host: &str, fetcher: &Fetcher) -> Ended {
        run(fetcher, visit(1, vec![task(&self.server.url_at(host, "/"))]))
    }

    fn is_visited(&self, fetcher: &Fetcher) -> Ended {
        self.is_visited_at("127.0.0.1", fetcher)
    }
}

const PAGE: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\npage";

fn keeping(changes: Value) -> Fetcher {
    fetcher(&with(patient(), "fetch", changes))
}

#[test]
fn the_next_visit_of_a_site_goes_on_with_the_connection_of_the_last() {
    let (site, fetcher) = (Counting::new(PAGE), keeping(json!({})));
    assert!(site.is_visited(&fetcher).is(Fetched).0[0].timings.connect > 0);
    let timings = site.is_visited(&fetcher).is(Fetched).0[0].timings;
    assert_eq!((site.server.connections(), timings.connect), (1, 0));
}

#[test]
fn without_time_to_wait_each_visit_has_a_connection_of_its_own() {
    for nothing in [json!({"keep_open_ms": 0}), json!({"most_kept_open": 0})] {
        let (site, fetcher) = (Counting::new(PAGE), keeping(nothing));
        site.is_visited(&fetcher).is(Fetched);
        site.has_lost(1, &fetcher);
        site.is_visited(&fetcher).is(Fetched);
        assert_eq!(site.server.connections(), 2);
    }
}

#[test]
fn a_connection_that_nobody_comes_for_is_closed_in_time() {
    let (site, fetcher) = (Counting::new(PAGE), keeping(json!({"keep_open_ms": 50})));
    site.is_visited(&fetcher).is(Fetched);
    site.has_lost(1, &fetcher);
}

#[test]
fn a_server_in_trouble_is_left_alone() {
    let busy = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n";
    let (site, fetcher) = (Counting::new(busy), keeping(json!({})));
    site.is_visited(&fetcher).is(Busy);
    site.has_lost(1, &fetcher);
}

#[test]
fn another_origin_of_the_site_closes_what_waits() {
    let [one, other] = [Counting::new(PAGE), Counting::new(PAGE)]; // one address is one site, whatever the port
    let fetcher = keeping(json!({}));
    one.is_visited(&fetcher).is(Fetched);
    other.is_visited(&fetcher).is(Fetched);
    one.has_lost(1, &fetcher);
    one.is_visited(&fetcher).is(Fetched);
    assert_eq!((one.server.connections(), other.server.connections()), (2, 1));
}

#[test]
fn of_too_many_that_wait_the_oldest_is_closed() {
    keeps_the_last(2, 3, json!({"most_kept_open": 2}));
}

#[test]
fn one_address_is_not_held_by_more_than_eight() {
    keeps_the_last(8, 10, json!({}));
}

/// Visits sites of one address one after the other, twice.
fn keeps_the_last(kept: usize, of: usize, changes: Value) {
    let (names, fetcher) = named(of, changes);
    let site = Counting::new(PAGE);
    for name in &names {
        site.is_visited_at(name, &fetcher).is(Fetched);
    }
    site.has_lost(of - kept, &fetcher);
    for name in names.iter().skip(of - kept) {
        site.is_visited_at(name, &fetcher).is(Fetched);
    }
    assert_eq!(site.server.connections(), of, "the last {kept} were kept");
}

#[test]
fn nothing_waits_when_the_crawl_ends() {
    let (site, fetcher) = (Counting::new(PAGE), keeping(json!({})));
    site.is_visited(&fetcher).is(Fetched);
    fetcher.drain();
    site.has_lost(1, &fetcher);
}

#[test]
fn http2_goes_on_with_the_next_visit_unless_an_answer_was_left_before_its_end() {
    let authority = Authority::new();
    let server = Server::tls(authority.config(Leaf::Good, &["h2", "http/1.1"]), http2::serve);
    let fetcher = fetcher(&with(authority.trusted(patient()), "robots", json!({"max_bytes": 1_000})));
    let ask =
        |path: &str, purpose| run(&fetcher, visit(1, vec![Task { purpose, ..task(&server.url(path)) }]));
    ask("/1", Purpose::Page).is(Fetched);
    ask("/2", Purpose::Page).is(Fetched);
    assert_eq!(server.connections(), 1);
    // Only its first thousand bytes count. Nobody would tell the server that it may stop, until the next visit.
    ask("/large", Purpose::RobotsTxt).is(Fetched);
    ask("/3", Purpose::Page).is(Fetched);
    assert_eq!(server.connections(), 2);
}

/// Sites of one address, by name, and a fetcher that knows them.
fn named(count: usize, changes: Value) -> (Vec<String>, Fetcher) {
    let names: Vec<String> = (0..count).map(|n| format!("site{n}.test")).collect();
    let file = std::env::temp_dir().join(format!("helios-waiting-{count}-{}", std::process::id()));
    std::fs::write(&file, format!("127.0.0.1 {}\n", names.join(" "))).unwrap();
    let settings = with(with(patient(), "fetch", changes), "dns", json!({"hosts_file": file}));
    let fetcher = fetcher(&settings);
    std::fs::remove_file(file).unwrap();
    (names, fetcher)
}

#[test]
fn a_connection_that_ended_while_it_waited_is_not_asked() {
    let server = Server::plain(|mut line| async move {
        line.request().await;
        line.say(PAGE).await;
        line.close().await;
    });
    let fetcher = keeping(json!({}));
    for id in 0..2 {
        run(&fetcher, visit(id, vec![task(&server.url("/"))])).is(Fetched);
    }
    assert_eq!((server.connections(), server.requests().len()), (2, 2), "nothing was sent into the void");
}

#[test]
fn http2_that_said_goodbye_while_it_waited_is_not_asked() {
    let authority = Authority::new();
    let server = Server::tls(authority.config(Leaf::Good, &["h2"]), |line| async move {
        let Wire::Tls(stream) = line.wire else { return };
        let mut connection = h2::server::handshake(*stream).await.unwrap();
        if let Some(Ok((_, mut respond))) = connection.accept().await {
            respond.send_response(http::Response::new(()), true).unwrap();
        }
        connection.graceful_shutdown();
        while connection.accept().await.is_some() {}
    });
    let fetcher = fetcher(&authority.trusted(patient()));
    for id in 0..2 {
        run(&fetcher, visit(id, vec![task(&server.url("/"))])).is(Fetched);
    }
    assert_eq!(server.connections(), 2);
}

#[test]
fn nothing_is_kept_for_a_site_that_rests_longer_than_a_connection_may_wait() {
    let (site, fetcher) = (Counting::new(PAGE), keeping(json!({"keep_open_ms": 10_000})));
    let asked = visit(1, vec![task(&site.server.url("/"))]);
    run(&fetcher, Visit { delay: Duration::from_secs(10), ..asked }).is(Fetched);
    site.has_lost(1, &fetcher);
}
