//! Servers that take their time, or all of ours.

use std::time::Duration;

use helios_core::fetch::OutcomeKind::{Fetched, TimedOut, TooLarge};
use serde_json::json;
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use crate::asking::{ask, ask_for, hasty, patient, with};
use crate::server::{Server, runtime};

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
/// Between two bytes of a slow server: less than any timeout, and many of them are more than all.
pub(crate) const STEP: Duration = Duration::from_millis(20);

#[test]
fn slow_head() {
    let server = Server::plain(|mut line| async move {
        line.request().await;
        line.drip("HTTP/1.1 200 OK\r\nX-Slow: ".to_owned() + &"z".repeat(1_000), STEP).await;
    });
    ask(&server, &hasty()).timed_out(&["FirstByte", "Total"]);
}

#[test]
fn slow_body() {
    let server = Server::plain(|mut line| async move {
        line.request().await;
        line.say(format!("{HEAD}Content-Length: 1000\r\n\r\n")).await;
        line.drip([b'z'; 1_000], STEP).await;
    });
    ask(&server, &hasty()).timed_out(&["Total"]);
}

#[test]
fn slow_chunks() {
    let server = Server::plain(|mut line| async move {
        line.request().await;
        line.say(format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n")).await;
        line.drip("1\r\nz\r\n".repeat(1_000), STEP).await;
    });
    ask(&server, &hasty()).timed_out(&["Total"]);
}

#[test]
fn slow_body_of_an_answer_that_is_no_page() {
    let server = Server::plain(|mut line| async move {
        line.request().await;
        line.say("HTTP/1.1 404 Not Found\r\nContent-Length: 1000\r\n\r\n").await;
        line.drip([b'z'; 1_000], STEP).await;
    });
    // What it says is known; only its connection is lost. A site that stalls may also be left alone.
    ask(&server, &hasty()).is_any(&[TimedOut, helios_core::fetch::OutcomeKind::Missing]);
}

#[test]
fn silent_in_the_middle_of_a_body() {
    let server = Server::plain(|mut line| async move {
        line.request().await;
        line.say(format!("{HEAD}Content-Length: 1000\r\n\r\nzzz")).await;
        line.hold().await;
    });
    // The step between two bytes is over long before the page as a whole.
    let settings = with(hasty(), "fetch", json!({"total_timeout_ms": 8_000}));
    ask(&server, &settings).timed_out(&["Idle"]);
}

#[test]
fn no_answer_at_all() {
    let server = Server::plain(|mut line| async move { line.hold().await });
    ask(&server, &hasty()).timed_out(&["FirstByte"]);
}

#[test]
fn silent_in_the_middle_of_a_head() {
    let server = Server::plain(|mut line| async move {
        line.request().await;
        line.say("HTTP/1.1 200 OK\r\nContent-").await;
        line.hold().await;
    });
    ask(&server, &hasty()).timed_out(&["FirstByte", "Idle"]);
}

#[test]
fn body_without_end() {
    let server = Server::plain(|mut line| async move {
        line.request().await;
        line.say(format!("{HEAD}\r\n")).await;
        line.flood("endless ").await;
    });
    ask(&server, &patient()).is(TooLarge);
}

#[test]
fn chunks_without_end() {
    let server = Server::plain(|mut line| async move {
        line.request().await;
        line.say(format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n")).await;
        line.flood("7\r\nendless\r\n").await;
    });
    ask(&server, &patient()).is(TooLarge);
}

#[test]
fn body_without_end_of_an_answer_that_is_no_page() {
    let server = Server::plain(|mut line| async move {
        line.request().await;
        line.say("HTTP/1.1 404 Not Found\r\n\r\n").await;
        line.flood("endless ").await;
    });
    ask(&server, &patient()).is(helios_core::fetch::OutcomeKind::Missing);
}

#[test]
fn a_body_that_pauses_within_bounds_is_no_attack() {
    let server = Server::plain(|mut line| async move {
        line.request().await;
        line.say(format!("{HEAD}Content-Length: 20\r\n\r\n")).await;
        line.drip([b'z'; 20], Duration::from_millis(10)).await;
        line.request().await;
        line.answer("second").await;
    });
    ask(&server, &patient()).is(Fetched).second_is("second");
}

#[test]
fn a_port_that_never_accepts() {
    let _inside = runtime().enter();
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let full = socket.listen(1).unwrap();
    let address = full.local_addr().unwrap();
    // Strangers fill its queue until nobody gets in any more.
    let mut strangers = Vec::new();
    while let Ok(stranger) =
        runtime().block_on(async { timeout(Duration::from_millis(150), TcpStream::connect(address)).await })
    {
        strangers.push(stranger.unwrap());
        assert!(strangers.len() < 100, "this system has no full queues");
    }
    let urls = ["/1", "/2"].map(|path| format!("http://{address}{path}"));
    ask_for(&urls, &hasty()).timed_out(&["Connect"]);
}
