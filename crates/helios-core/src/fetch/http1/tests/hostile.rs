//! Answers that are refused, each with its reason, and the limits that stop the endless ones.

use super::*;

fn refused(bytes: &[u8], ending: Ending, why: &str) {
    let shown = String::from_utf8_lossy(bytes.get(..60).unwrap_or(bytes)).into_owned();
    let got = however(bytes, ending).expect_err(&shown);
    assert!(got.contains(why), "{shown:?}: {got}");
}

#[test]
fn empty_lines_count_however_they_come() {
    let limit = HeadLimits::default().bytes;
    refused(format!("{}J", "\n".repeat(limit)).as_bytes(), Ending::Close, "no status line");
    refused(format!("{}HTJ", "\n".repeat(limit - 2)).as_bytes(), Ending::Close, "no status line");
    refused(format!("{}HTTJ", "\n".repeat(limit)).as_bytes(), Ending::Close, "bytes");
    refused(format!("{}\rJ", "\n".repeat(limit - 1)).as_bytes(), Ending::Close, "no status line");
    refused(format!("{}\rJ", "\n".repeat(limit)).as_bytes(), Ending::Close, "bytes");
    refused(format!("{}J", "\n".repeat(limit + 1)).as_bytes(), Ending::Close, "bytes");
}

#[test]
fn lines_that_are_no_headers_are_passed_over_and_the_connection_is_not_used_again() {
    for line in ["no colon", ": 5", "a b: c", "caf\u{e9}: x"] {
        let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n{line}\r\n\r\nhello");
        let got = however(answer.as_bytes(), Ending::Close).unwrap();
        assert_eq!((got.body.as_slice(), got.reusable), (&b"hello"[..], false), "{line}");
    }
}

#[test]
fn rfc9112_heads_that_could_be_read_in_two_ways_are_broken() {
    for (lines, why) in [
        ("Content-Length: 5\r\nContent-Length: 6", "Content-Length of 5 and of 6"),
        ("Content-Length: 5, 6", "Content-Length of 5 and of 6"),
        ("Content-Length: +5", "Content-Length \"+5\""),
        ("Content-Length: -1", "Content-Length \"-1\""),
        ("Content-Length: 0x5", "Content-Length \"0x5\""),
        ("Content-Length: 5 5", "Content-Length \"5 5\""),
        ("Content-Length: ", "Content-Length \"\""),
        ("Content-Length: 5,", "Content-Length \"\""),
        ("Content-Length: 18446744073709551616", "Content-Length \"1844"),
        ("Content-Length: \u{a0}5", "Content-Length"),
        ("Transfer-Encoding: gzip, chunked", "transfer coding \"gzip\""),
        ("Transfer-Encoding: chunked, gzip", "transfer coding \"gzip\""),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", "transfer coding \"identity\""),
        ("Transfer-Encoding: xchunked", "transfer coding \"xchunked\""),
        ("Transfer-Encoding: \"chunked\"", "transfer coding"),
        ("Transfer-Encoding: chunked;q=1", "transfer coding"),
        ("Transfer-Encoding: ", "transfer coding \"\""),
        ("Content-Length : 5", "head: invalid header name"),
        (" Content-Length: 5", "head: invalid header name"),
        ("Content-Length 5", "head: invalid header name"),
        ("X\0: 5", "head: invalid header name"),
        ("X: \0", "head: invalid header value"),
        ("X: \u{1}", "head: invalid header value"),
        ("X: a\rb", "head: invalid header value"),
    ] {
        refused(format!("HTTP/1.1 200 OK\r\n{lines}\r\n\r\nhello").as_bytes(), Ending::Close, why);
    }
}

#[test]
fn whoever_does_not_speak_http_1_is_noticed_at_once() {
    for bytes in [
        "<html>",
        "hello",
        "ICY 200 OK",
        "HTTP/2 200",
        "http/1.1 200",
        "\r\n\r\n<",
        "\rHTTP/1.1",
        "SSH-2.0-x\r\n",
    ] {
        refused(bytes.as_bytes(), Ending::Silence, "no status line");
    }
    for head in [
        "HTTP/1.1 20 OK",
        "HTTP/1.1 2000 OK",
        "HTTP/1.1 abc",
        "HTTP/1.1",
        "HTTP/1.x 200 OK",
        "HTTP/1.1 099 x",
    ] {
        refused(format!("{head}\r\n\r\n").as_bytes(), Ending::Silence, "head: ");
    }
    refused(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n", Ending::Silence, "nobody asked for");
}

#[test]
fn bodies_that_end_early_are_broken() {
    for (answer, why) in [
        ("Content-Length: 6\r\n\r\nhello", "ended 1 bytes early"),
        ("Content-Length: 18446744073709551615\r\n\r\nhello", "ended 18446744073709551610 bytes early"),
        ("Transfer-Encoding: chunked\r\n\r\n", "ended before its last chunk"),
        ("Transfer-Encoding: chunked\r\n\r\n5", "ended before its last chunk"),
        ("Transfer-Encoding: chunked\r\n\r\n5\r\nhel", "ended before its last chunk"),
        ("Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "ended before its last chunk"),
        ("Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0", "ended before its last chunk"),
    ] {
        for ending in [Ending::Close, Ending::Rudely] {
            refused(format!("HTTP/1.1 200 OK\r\n{answer}").as_bytes(), ending, why);
        }
        let reset = format!("HTTP/1.1 200 OK\r\n{answer}");
        refused(reset.as_bytes(), Ending::Reset, "connection failed inside the body: connection reset");
    }
    refused(b"HTTP/1.1 200 OK\r\n\r\nhello", Ending::Reset, "connection failed inside the body");
}

#[test]
fn a_connection_that_ends_in_the_head_is_unanswered_only_if_nothing_came() {
    for ending in [Ending::Close, Ending::Rudely, Ending::Reset] {
        refused(b"", ending, "no answer");
        refused(b"HTTP/1.1 200 OK\r\nX: y\r\n", ending, "broke off inside the head, after 23 bytes");
        refused(b"HTTP/1.1 100 Continue\r\n\r\n", ending, "broke off inside the head, after 25 bytes");
        refused(b"\r\n", ending, "broke off inside the head, after 2 bytes");
    }
}

#[test]
fn rfc9112_broken_chunk_framing_is_broken() {
    for (chunks, why) in [
        ("x\r\n", "byte 0x78 in chunk framing"),
        ("-1\r\n", "byte 0x2d in chunk framing"),
        (" 1\r\nx", "byte 0x20 in chunk framing"),
        ("0x1\r\nx", "byte 0x78 in chunk framing"),
        ("\r\n", "byte 0x0d in chunk framing"),
        ("1\rx", "byte 0x78 in chunk framing"),
        ("1;a\rb\r\nx", "byte 0x62 in chunk framing"),
        ("1;\0\r\nx", "NUL in a chunk extension"),
        ("1\r\nxy\r\n", "chunk longer than its size"),
        ("1\r\nx\ry", "chunk longer than its size"),
        ("10000000000000000\r\n", "chunk size overflows"),
        ("0\r\nX\0\r\n", "NUL in a trailer"),
        ("0\r\nX: y\rz", "byte 0x7a in chunk framing"),
    ] {
        let bytes = format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{chunks}");
        refused(bytes.as_bytes(), Ending::Silence, why);
    }
}

#[test]
fn nothing_endless_is_read_to_its_end() {
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (start, again, why) in [
        ("HTTP/1.1 200 OK\r\nX: ", "x", "head of more than 65536 bytes"),
        ("HTTP/1.1 200 OK\r\n", "Long-Header-Name: 1\r\n", "head of more than 65536 bytes"),
        ("", "\r\n", "head of more than 65536 bytes"),
        ("", "HTTP/1.1 100 Continue\r\n\r\n", "head of more than 16 1xx answers"),
        (chunked, "0", "endless chunk size"),
        (&format!("{chunked}1;"), "x", "endless chunk extensions"),
        (&format!("{chunked}1 "), " ", "endless chunk extensions"),
        (chunked, &format!("1;{}\r\nx\r\n", "e".repeat(4000)), "endless chunk extensions"),
        (&format!("{chunked}0\r\n"), "X: y\r\n", "endless trailers"),
    ] {
        let bytes = [start.as_bytes(), &again.as_bytes().repeat(100_000 / again.len())].concat();
        refused(&bytes, Ending::Silence, why);
    }
    let many = format!("HTTP/1.1 200 OK\r\n{}\r\n", "a: b\r\n".repeat(257));
    refused(many.as_bytes(), Ending::Silence, "head of more than 256 headers");
    let fits = format!("HTTP/1.1 200 OK\r\n{}Content-Length: 0\r\n\r\n", "a: b\r\n".repeat(255));
    assert_eq!(however(fits.as_bytes(), Ending::Silence).unwrap().headers.len(), 256);
}

#[test]
fn the_end_of_a_head_is_searched_from_where_the_search_stopped() {
    let head = b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n";
    let mut searched = 0;
    for length in 0..head.len() {
        assert_eq!(super::super::head::end_of(&head[..length], &mut searched), None);
        assert!(searched + 2 >= length, "at most a line end is looked at again");
    }
    assert_eq!(super::super::head::end_of(head, &mut searched), Some(head.len()));
}
