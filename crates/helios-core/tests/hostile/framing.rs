//! Where a body ends: lengths that lie, broken chunks, and bytes that belong to no answer.

use std::time::Duration;

use helios_core::fetch::OutcomeKind::{self, Broken, Fetched, TooLarge, Unreachable, UnwantedType};

use crate::asking::{Ended, ask, ask_visit, patient, task, visit};
use crate::server::Server;

/// Looks like an answer and is none: a client that takes it for the second page was fooled.
const POISON: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\npoison";

/// Answers `/1` as given and `/2` well, then closes.
fn first_answered(answer: impl Into<Vec<u8>>) -> (Server, Ended) {
    let answer = answer.into();
    let server = Server::plain(move |mut line| {
        let answer = answer.clone();
        async move {
            loop {
                let wrote = match line.request().await.as_str() {
                    "/1" => line.say(&answer).await,
                    "/2" => line.answer("second").await,
                    _ => return,
                };
                if !wrote {
                    return;
                }
                // Bodies without a length end here; whoever kept the connection must ask on a new one.
                if !answer.starts_with(b"HTTP/1.1 200 OK\r\nKeep") {
                    return line.close().await;
                }
            }
        }
    });
    let ended = ask(&server, &patient());
    (server, ended)
}

/// `head` lines and a body, on a connection that the server keeps open and closes.
fn answered(fields: &str, body: &str, expected: &[OutcomeKind]) {
    for keep in ["", "Keep: yes\r\n"] {
        let text = format!("HTTP/1.1 200 OK\r\n{keep}Content-Type: text/html\r\n{fields}\r\n{body}");
        let (_, ended) = first_answered(text);
        ended.is_any(expected).second_is("second");
    }
}

fn chunked(body: &str, expected: &[OutcomeKind]) {
    answered("Transfer-Encoding: chunked\r\n", body, expected);
}

#[test]
fn content_length_longer_than_the_body() {
    let (_, ended) =
        first_answered("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\nshort");
    ended.is(Broken).second_is("second");
}

#[test]
fn content_length_shorter_than_the_body() {
    answered("Content-Length: 3\r\n", &format!("yes{POISON}"), &[Fetched]);
}

#[test]
fn surplus_in_the_same_packet_is_not_the_next_answer() {
    let (server, ended) = first_answered(format!(
        "HTTP/1.1 200 OK\r\nKeep: yes\r\nContent-Type: text/html\r\nContent-Length: 3\r\n\r\nyes{POISON}{POISON}"
    ));
    assert_eq!(ended.body(0), "yes");
    ended.second_is("second");
    assert_eq!(server.connections(), 2, "a connection with surplus is not used again");
}

#[test]
fn surplus_that_comes_in_the_pause_is_not_the_next_answer() {
    let server = Server::plain(|mut line| async move {
        if line.request().await == "/2" {
            line.answer("second").await;
            return;
        }
        line.answer("first").await;
        helios_core::clock::sleep(Duration::from_millis(50)).await;
        line.say(POISON).await;
        line.hold().await;
    });
    let mut paused = visit(1, ["/1", "/2"].map(|path| task(&server.url(path))).into());
    paused.delay = Duration::from_millis(400);
    let ended = ask_visit(paused, &patient());
    assert_eq!(ended.body(0), "first");
    ended.second_is("second");
}

#[test]
fn an_answer_before_the_request_is_not_that_of_the_next() {
    let server = Server::plain(|mut line| async move {
        line.say(POISON.replace("poison", "eagers")).await;
        while !line.request().await.is_empty() {
            line.answer("asked").await;
        }
    });
    let ended = ask(&server, &patient());
    // It may come before or after our request; nobody can tell afterwards. The second must not be one behind.
    ended.is_any(&[Fetched, Broken, Unreachable]);
    if ended.kinds()[1] == Fetched {
        let own = ended.body(1);
        assert!(own == "asked" || server.connections() == 2, "{own}");
    }
}

#[test]
fn a_body_after_204_or_304_is_not_the_next_answer() {
    for status in ["204 No Content", "304 Not Modified"] {
        let (_, ended) =
            first_answered(format!("HTTP/1.1 {status}\r\nKeep: yes\r\nContent-Length: 87\r\n\r\n{POISON}"));
        ended.second_is("second");
    }
    let (_, ended) = first_answered(format!("HTTP/1.1 204 No Content\r\nContent-Length: 87\r\n\r\n{POISON}"));
    ended.is(UnwantedType);
    assert_eq!(ended.0[0].wire_bytes, 0, "204 has no body");
}

#[test]
fn after_a_line_that_is_no_header_the_connection_is_trusted_no_further() {
    let fields = "Content-Type: text/html\r\nContent-Length: 3\r\n";
    let answer = |line: &str| format!("HTTP/1.1 200 OK\r\n{fields}{line}\r\n\r\nyes{POISON}");
    let (_, ended) = first_answered(answer("no colon here"));
    assert_eq!(ended.body(0), "yes");
    ended.second_is("second");
    for line in ["Transfer-Encoding\u{1}: chunked", "Content-Length(: 90", "Content-Length 90"] {
        let (_, ended) = first_answered(answer(line));
        assert!(ended.try_body(0).is_err(), "it may have another body: {line}");
        ended.second_is("second");
    }
}

#[test]
fn content_lengths_that_are_no_number() {
    for length in ["", "+3", "-3", "0x3", "3 3", "3,4", "three", "3;q=1", "99999999999999999999999"] {
        answered(&format!("Content-Length: {length}\r\n"), "yes", &[Broken]);
    }
}

#[test]
fn a_content_length_beyond_the_limit_is_known_before_the_body() {
    answered("Content-Length: 18446744073709551615\r\n", "yes", &[TooLarge, Broken]);
    answered("Content-Length: 9999999\r\n", "yes", &[TooLarge]);
}

#[test]
fn chunk_sizes_that_are_no_number() {
    for size in ["zz", "-3", "+3", "0x3", " ", "", "3\u{0}", "3\r", "3 3", "3 x"] {
        chunked(&format!("{size}\r\nyes\r\n0\r\n\r\n"), &[Broken]);
    }
    chunked("3 \t\r\nyes\r\n0\r\n\r\n", &[Fetched]);
    chunked("3 ; name=value\r\nyes\r\n0\r\n\r\n", &[Fetched]);
}

#[test]
fn chunk_sizes_that_overflow() {
    for size in
        ["FFFFFFFFFFFFFFFF", "10000000000000003", "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF", "7FFFFFFFFFFFFFFF"]
    {
        closed_after(&format!("{size}\r\nyes\r\n0\r\n\r\n"), &[Broken, TooLarge]);
    }
    // Zeros in front are silly, not wrong.
    chunked("0003\r\nyes\r\n0\r\n\r\n", &[Fetched]);
}

#[test]
fn a_chunk_that_is_longer_or_shorter_than_it_says() {
    chunked("3\r\nyesterday\r\n0\r\n\r\n", &[Broken]);
    chunked("3\r\nyes0\r\n\r\n", &[Broken]);
    closed_after("9\r\nyes\r\n0\r\n\r\n", &[Broken]);
}

#[test]
fn chunks_that_end_too_early() {
    for body in ["", "3", "3\r\n", "3\r\nyes", "3\r\nyes\r\n"] {
        closed_after(body, &[Broken]);
    }
    // The last chunk is there, and only the end after it is not: nothing of the page is missing.
    closed_after("3\r\nyes\r\n0\r\n", &[Broken, Fetched]);
}

/// A chunked body on a connection that is then closed.
fn closed_after(body: &str, expected: &[OutcomeKind]) {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n";
    first_answered(format!("{head}{body}")).1.is_any(expected).second_is("second");
}

#[test]
fn chunk_extensions_are_passed_over_unless_they_never_end() {
    chunked("3;name=value;quoted=\"a b\"\r\nyes\r\n0;last\r\n\r\n", &[Fetched]);
    endless("3;", "extension", Broken);
    endless("3", "\t", Broken);
}

#[test]
fn trailers_are_passed_over_unless_they_never_end() {
    chunked("3\r\nyes\r\n0\r\nX-Trailer: 1\r\nContent-Length: 99\r\n\r\n", &[Fetched]);
    endless("3\r\nyes\r\n0\r\n", "X-Trailer: 1\r\n", Broken);
    endless("3\r\nyes\r\n0\r\nX: ", "long", Broken);
}

/// A chunked body with a beginning and then the same for ever.
fn endless(beginning: &'static str, rest: &'static str, expected: OutcomeKind) {
    let server = Server::plain(move |mut line| async move {
        line.request().await;
        line.say("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n").await;
        line.say(beginning).await;
        line.flood(rest).await;
    });
    ask(&server, &patient()).is_any(&[expected, TooLarge]);
}

#[test]
fn a_hundred_thousand_chunks_of_one_byte_are_a_page() {
    let body = "1\r\nz\r\n".repeat(100_000) + "0\r\n\r\n";
    chunked(&body, &[Fetched]);
}
