//! Connections that are torn down at every stage, by RST and by FIN.

use std::time::Duration;

use helios_core::fetch::OutcomeKind::{self, Broken, Fetched, Unreachable};

use crate::asking::{ask, ask_for, ask_visit, patient, task, visit};
use crate::server::Server;

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n";

/// Says the beginning of an answer after the request, then goes away, by FIN and by RST.
fn breaks_off(beginning: &'static str, expected: OutcomeKind) {
    for by_reset in [false, true] {
        let server = Server::plain(move |mut line| async move {
            line.request().await;
            line.say(beginning).await;
            if by_reset { line.reset() } else { line.close().await }
        });
        // A system may throw away with the RST what came before it: then there was no answer.
        let or = if by_reset { Unreachable } else { expected };
        ask(&server, &patient()).is_any(&[expected, or]);
    }
}

#[test]
fn reset_when_accepted() {
    let server = Server::plain(|line| async move { line.reset() });
    ask(&server, &patient()).is(Unreachable).is_abandoned_after(1);
}

#[test]
fn closed_when_accepted() {
    let server = Server::plain(|line| async move { line.close().await });
    ask(&server, &patient()).is(Unreachable).is_abandoned_after(1);
}

#[test]
fn torn_after_the_request() {
    breaks_off("", Unreachable);
}

#[test]
fn torn_within_the_status_line() {
    breaks_off("HTTP/1.1 2", Broken);
}

#[test]
fn torn_within_the_head() {
    breaks_off("HTTP/1.1 200 OK\r\nContent-Type: text/h", Broken);
}

#[test]
fn torn_after_the_head() {
    breaks_off(HEAD, Broken);
}

#[test]
fn torn_within_the_body() {
    breaks_off("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\nzzz", Broken);
}

#[test]
fn torn_within_a_chunk() {
    breaks_off(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nFF\r\nzzz",
        Broken,
    );
}

#[test]
fn torn_between_chunks() {
    breaks_off(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nzzz\r\n",
        Broken,
    );
}

#[test]
fn reset_of_a_body_that_ends_with_its_connection() {
    let server = Server::plain(|mut line| async move {
        line.request().await;
        line.say("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nzzz").await;
        line.reset();
    });
    ask(&server, &patient()).is(Broken);
}

#[test]
fn closed_between_two_requests() {
    // A connection that was kept is found closed before it is used again: the page is asked on a new one.
    let server = Server::plain(|mut line| async move {
        line.request().await;
        line.answer("mine").await;
        line.close().await;
    });
    let mut paused = visit(1, ["/1", "/2"].map(|path| task(&server.url(path))).into());
    paused.delay = Duration::from_millis(300);
    ask_visit(paused, &patient()).second_is("mine");
    assert_eq!((server.connections(), server.requests().len()), (2, 2));
}

#[test]
fn reset_after_the_second_request() {
    let server = Server::plain(|mut line| async move {
        line.request().await;
        line.answer("mine").await;
        if line.nth == 0 {
            line.request().await;
            line.reset();
        }
    });
    let ended = ask(&server, &patient());
    // Asked again on a new connection, or left for later.
    assert!(matches!(ended.kinds()[..], [Fetched, Fetched | Unreachable]), "{:?}", ended.0);
    assert!(server.requests().len() <= 3);
}

#[test]
fn reset_within_the_handshake() {
    for answer in [b"".as_slice(), b"\x16\x03\x03", b"\x16\x03\x03\x00\x40\x02\x00\x00\x3c\x03\x03"] {
        let server = Server::posing_as_https(move |mut line| async move {
            line.take(40).await;
            line.say(answer).await;
            line.reset();
        });
        ask(&server, &patient()).is(Unreachable).says(&["TLS"]).is_abandoned_after(1);
    }
}

#[test]
fn nobody_listens() {
    let port = Server::plain(|line| async move { line.reset() }).port;
    // The server is gone with its port; nobody else takes it so soon.
    let urls = ["/1", "/2"].map(|path| format!("http://127.0.0.1:{port}{path}"));
    ask_for(&urls, &patient()).is(Unreachable).is_abandoned_after(1);
}
