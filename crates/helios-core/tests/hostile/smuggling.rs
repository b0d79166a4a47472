//! Answers that can be read in two ways. Whichever is taken, the next page never gets bytes of the first.

use helios_core::fetch::OutcomeKind::{self, Broken, Fetched};

use crate::asking::{ask, patient};
use crate::server::Server;

const POISON: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\npoison";

/// Answers `/1` with these fields and a body, `/2` well; both on a connection that it would keep.
fn ambiguous(fields: &str, body: &str, expected: &[OutcomeKind]) -> usize {
    let answer = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{fields}\r\n{body}");
    let server = Server::plain(move |mut line| {
        let answer = answer.clone();
        async move {
            if line.request().await == "/1" {
                line.say(&answer).await;
                // A body that ends with its connection ends here, too.
                return line.close().await;
            }
            line.answer("second").await;
        }
    });
    ask(&server, &patient()).is_any(expected).second_is("second");
    server.connections()
}

/// Chunks that end early for one reader and a poisoned rest for the other.
fn both() -> String {
    format!("0\r\n\r\n{POISON}")
}

#[test]
fn rfc9112_length_and_chunks() {
    // §6.3: chunks win, and the connection must not be used again.
    for fields in [
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 92\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 0\r\n",
        "transfer-encoding: Chunked\r\ncontent-length: 5\r\n",
    ] {
        assert_eq!(ambiguous(fields, &both(), &[Broken, Fetched]), 2, "{fields}");
    }
}

#[test]
fn rfc9112_two_lengths() {
    ambiguous("Content-Length: 0\r\nContent-Length: 87\r\n", POISON, &[Broken]);
    ambiguous("Content-Length: 87\r\nContent-Length: 0\r\n", POISON, &[Broken]);
    ambiguous("Content-Length: 0, 87\r\n", POISON, &[Broken]);
    // §6.3: the same twice may be taken for one.
    ambiguous("Content-Length: 3\r\nContent-Length: 3\r\n", "yes", &[Fetched, Broken]);
    ambiguous("Content-Length: 3, 3\r\n", "yes", &[Fetched, Broken]);
}

#[test]
fn rfc9112_two_transfer_codings() {
    for fields in [
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked, chunked\r\n",
        "Transfer-Encoding: chunked, identity\r\n",
        "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
    ] {
        ambiguous(fields, &both(), &[Broken, Fetched]);
    }
}

#[test]
fn rfc9112_transfer_codings_that_only_look_like_chunked() {
    for coding in ["xchunked", "chunkedx", "\"chunked\"", "chunked;q=1", "chu\u{b}nked", "identity", ""] {
        let fields = format!("Transfer-Encoding: {coding}\r\nContent-Length: 5\r\n");
        ambiguous(&fields, &both(), &[Broken, Fetched]);
    }
}

#[test]
fn rfc9112_folded_lines() {
    for fields in [
        "Transfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n",
        "X-Folded: a\r\n\tTransfer-Encoding: chunked\r\nContent-Length: 0\r\n",
        "Content-Length:\r\n 0\r\n",
    ] {
        ambiguous(fields, &both(), &[Broken, Fetched]);
    }
}

#[test]
fn rfc9112_space_around_names() {
    for fields in [
        "Transfer-Encoding : chunked\r\nContent-Length: 0\r\n",
        "Content-Length : 87\r\nContent-Length: 0\r\n",
        "X: a\r\n Content-Length: 0\r\n",
        "Content-Length\t: 0\r\n",
    ] {
        ambiguous(fields, &both(), &[Broken, Fetched]);
    }
}

#[test]
fn rfc9112_chunks_in_an_answer_of_http_1_0() {
    let answer =
        format!("HTTP/1.0 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n{}", both());
    let server = Server::plain(move |mut line| {
        let answer = answer.clone();
        async move {
            match line.request().await.as_str() {
                "/1" => line.say(&answer).await,
                _ => line.answer("second").await,
            };
            line.close().await;
        }
    });
    ask(&server, &patient()).is_any(&[Broken, Fetched]).second_is("second");
    assert_eq!(server.connections(), 2, "§6.1: such a connection is closed");
}

#[test]
fn bare_line_ends_do_not_hide_a_field() {
    for fields in [
        "X: a\rContent-Length: 0\r\n",
        "X: a\nContent-Length: 0\r\nContent-Length: 87\r\n",
        "X: a\0\r\nContent-Length: 0\r\n",
    ] {
        ambiguous(fields, POISON, &[Broken, Fetched]);
    }
}
