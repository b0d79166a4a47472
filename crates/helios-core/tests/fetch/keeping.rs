//! Connections: kept within a visit, and what happens when the server ends one that was kept.

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use helios_core::fetch::OutcomeKind::{Abandoned, Fetched, Unreachable};

use serde_json::json;

use crate::asking::{ask, ask_for, ask_visit, patient, task, visit, with};
use crate::server::Server;

#[test]
fn the_pages_of_a_visit_share_a_connection() {
    let server = Server::plain(|mut line| async move {
        while !line.request().await.is_empty() && line.answer("page").await {}
    });
    let ended = ask(&server, &patient());
    assert_eq!(ended.kinds(), [Fetched, Fetched]);
    assert_eq!(server.connections(), 1);
    let timings = ended.0[1].timings;
    assert_eq!((timings.connect, timings.tls), (0, 0), "nothing was to be connected");
    assert!(timings.first_byte > 0);
    assert!(ended.0[0].timings.connect > 0);
}

#[test]
fn another_origin_of_the_site_gets_a_connection_of_its_own() {
    let serve = || {
        Server::plain(|mut line| async move {
            while !line.request().await.is_empty() && line.answer("page").await {}
        })
    };
    let (one, other) = (serve(), serve());
    let ended = ask_for(&[one.url("/"), other.url("/"), one.url("/")], &patient());
    assert_eq!(ended.kinds(), [Fetched; 3]);
    assert_eq!((one.connections(), other.connections()), (2, 1));
}

#[test]
fn a_server_that_says_close_is_asked_on_a_new_connection() {
    let server = Server::plain(|mut line| async move {
        line.request().await;
        line.say("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx").await;
        line.close().await;
    });
    assert_eq!(ask(&server, &patient()).kinds(), [Fetched, Fetched]);
    assert_eq!(server.connections(), 2);
}

#[test]
fn rfc9112_a_kept_connection_that_ends_unanswered_is_replaced_once_after_the_usual_pause() {
    // The first connection answers once and ends when it is asked again: our request crossed the server's timeout.
    let server = Server::plain(|mut line| async move {
        let first = line.nth == 0;
        while !line.request().await.is_empty() && line.answer("page").await {
            if first {
                line.request().await;
                return line.close().await;
            }
        }
    });
    let visit = visit(1, vec![task(&server.url("/1")), task(&server.url("/2"))]);
    let visit = helios_core::fetch::Visit { delay: Duration::from_millis(300), ..visit };
    let ended = ask_visit(visit, &patient());
    assert_eq!(ended.kinds(), [Fetched, Fetched]);
    assert_eq!((server.connections(), server.requests().len()), (2, 3));
    let between = ended.0[1].started - ended.0[0].finished;
    assert!(between >= 600, "a pause before the request and one before its repetition, not {between} ms");
}

#[test]
fn what_ends_unanswered_twice_is_unreachable() {
    let server = Server::plain(|mut line| async move {
        if line.nth == 0 {
            line.request().await;
            line.answer("page").await;
        }
        line.request().await;
        line.close().await;
    });
    let ended = ask_for(&[server.url("/1"), server.url("/2"), server.url("/3")], &patient());
    assert_eq!(ended.kinds(), [Fetched, Unreachable, Abandoned]);
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn a_new_connection_that_ends_unanswered_is_not_tried_again() {
    let server = Server::plain(|mut line| async move {
        line.request().await;
        line.close().await;
    });
    assert_eq!(ask(&server, &patient()).is(Unreachable).kinds(), [Unreachable, Abandoned]);
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_connection_that_ended_in_the_pause_is_not_asked() {
    let server = Server::plain(|mut line| async move {
        line.request().await;
        line.answer("page").await;
        line.close().await;
    });
    let visit = visit(1, vec![task(&server.url("/1")), task(&server.url("/2"))]);
    let visit = helios_core::fetch::Visit { delay: Duration::from_millis(200), ..visit };
    assert_eq!(ask_visit(visit, &patient()).kinds(), [Fetched, Fetched]);
    assert_eq!((server.connections(), server.requests().len()), (2, 2), "nothing was sent into the void");
}

#[test]
fn an_unwanted_answer_of_moderate_length_keeps_its_connection() {
    let server = Server::plain(|mut line| async move {
        let body = "x".repeat(30_000);
        while !line.request().await.is_empty()
            && line.say(format!("HTTP/1.1 404 Not Found\r\nContent-Length: 30000\r\n\r\n{body}")).await
        {
        }
    });
    let ended = ask(&server, &patient());
    assert_eq!(server.connections(), 1);
    assert_eq!(ended.0[1].wire_bytes, 30_000);
}

/// One request, answered.
fn serve_one(stream: &mut TcpStream) {
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        request.extend(byte);
    }
    stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1\r\n\r\nx").unwrap();
}

/// The operating system has heard that the other side is done with it, whether or not anyone has read that yet.
fn is_closed(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    match stream.peek(&mut [0]) {
        Ok(count) => count == 0,
        Err(error) => error.kind() != ErrorKind::WouldBlock,
    }
}

#[test]
fn a_connection_is_closed_before_the_next_one_of_its_visit_is_opened() {
    let [one, other] = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    let url = |listener: &TcpListener| format!("http://{}/", listener.local_addr().unwrap());
    let urls = [url(&one), url(&other), url(&one), url(&other)];
    std::thread::scope(|scope| {
        let serving = scope.spawn(|| {
            let mut before: Option<TcpStream> = None;
            for listener in [&one, &other, &one, &other] {
                let (mut stream, _) = listener.accept().unwrap();
                assert!(before.as_ref().is_none_or(is_closed), "two connections are open");
                serve_one(&mut stream);
                before = Some(stream);
            }
            before.unwrap()
        });
        let settings = with(patient(), "fetch", json!({"keep_open_ms": 0}));
        assert_eq!(ask_for(&urls, &settings).kinds(), [Fetched; 4]);
        assert!(is_closed(&serving.join().unwrap()), "and the last one before its result is handed back");
    });
}
