//! Answers that are read, and whether their connection is kept.

use super::*;

/// Head lines, body bytes as sent, body as read, kept.
type Case<'a> = (&'a str, &'a str, &'a str, bool);

fn check(cases: &[Case<'_>], ending: Ending) {
    for &(head, sent, body, kept) in cases {
        let bytes = format!("{head}\r\n\r\n{sent}");
        let got = however(bytes.as_bytes(), ending).unwrap_or_else(|why| panic!("{head:?}: {why}"));
        assert_eq!(String::from_utf8_lossy(&got.body), body, "{head:?} {sent:?}");
        assert_eq!(got.reusable, kept, "{head:?} {sent:?}");
    }
}

#[test]
fn rfc9112_the_length_of_a_body_is_what_its_head_says() {
    check(
        &[
            ("HTTP/1.1 200 OK\r\nContent-Length: 5", "hello", "hello", true),
            ("HTTP/1.1 200 OK\r\ncontent-length:\t 5 ", "hello", "hello", true),
            ("HTTP/1.1 200 OK\r\nContent-Length: 0005", "hello", "hello", true),
            ("HTTP/1.1 200 OK\r\nContent-Length: 0", "", "", true),
            ("HTTP/1.1 404 Not Found\r\nContent-Length: 2", "no", "no", true),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked", "5\r\nhello\r\n0\r\n\r\n", "hello", true),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked",
                "3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n",
                "hello",
                true,
            ),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked",
                "0005;a=\"b\"\r\nhello\r\n00\r\nX: y\r\n\r\n",
                "hello",
                true,
            ),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked",
                "A  \r\n0123456789\r\n0\r\n\r\n",
                "0123456789",
                true,
            ),
            ("HTTP/1.1 204 No Content", "", "", true),
            ("HTTP/1.1 304 Not Modified\r\nContent-Length: 5", "", "", true),
            ("HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked", "", "", true),
        ],
        Ending::Silence,
    );
}

#[test]
fn rfc9112_a_body_without_length_ends_with_its_connection() {
    for ending in [Ending::Close, Ending::Rudely] {
        check(
            &[
                ("HTTP/1.1 200 OK", "hello", "hello", false),
                ("HTTP/1.0 200 OK", "hello", "hello", false),
                ("HTTP/1.0 200 OK\r\nConnection: keep-alive", "", "", false),
                ("HTTP/1.1 200 OK\r\nTransfer-Encoding: identity", "hello", "hello", false),
            ],
            ending,
        );
    }
}

#[test]
fn rfc9112_both_sides_decide_whether_a_connection_is_kept() {
    check(
        &[
            ("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1", "x", "x", false),
            ("HTTP/1.1 200 OK\r\nConnection: foo, CLOSE\r\nContent-Length: 1", "x", "x", false),
            ("HTTP/1.1 200 OK\r\nConnection: foo\r\nConnection: close\r\nContent-Length: 1", "x", "x", false),
            ("HTTP/1.1 200 OK\r\nConnection: closed\r\nContent-Length: 1", "x", "x", true),
            ("HTTP/1.0 200 OK\r\nContent-Length: 1", "x", "x", false),
            ("HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 1", "x", "x", true),
        ],
        Ending::Silence,
    );
}

#[test]
fn house_lenient_answers_are_read_once() {
    check(
        &[
            ("HTTP/1.1 200 OK\r\nContent-Length: 5, 5", "hello", "hello", false),
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5", "hello", "hello", false),
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: a\r\n b", "hello", "hello", false),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 5", "hello", "hello", false),
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked",
                "5\r\nhello\r\n0\r\n\r\n",
                "hello",
                false,
            ),
            (
                "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked",
                "1\r\nx\r\n0\r\n\r\n",
                "x",
                false,
            ),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked", "1\r\nx\r\n0\r\n\r\n", "x", false),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n chunked", "1\r\nx\r\n0\r\n\r\n", "x", false),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked", "1\nx\n0\n\n", "x", false),
            ("HTTP/1.1 204 No Content\r\nContent-Length: 5", "", "", false),
            ("HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked", "", "", false),
        ],
        Ending::Silence,
    );
    check(
        &[("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked", "1\r\nx\r\n0\r\nX: y", "x", false)],
        Ending::Close,
    );
}

#[test]
fn house_a_204_with_a_body_is_read_without_it_and_not_kept() {
    let bytes = b"HTTP/1.1 204 No Content\r\n\r\nhello";
    let got = answer([bytes.as_slice()], Ending::Silence, By::Append).unwrap();
    assert_eq!((got.body.len(), got.reusable), (0, false));
}

#[test]
fn heads_are_kept_to_the_byte_and_read_as_they_come() {
    let head: &[u8] = b"HTTP/1.1  200\nX-A: \xfc\xff \nx-a: 2\r\nContent-Length: 0\n\r\n";
    let bytes =
        [b"\r\n\n\r\n".as_slice(), b"HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 100\n\n", head].concat();
    let got = however(&bytes, Ending::Silence).unwrap();
    assert_eq!(got.raw, head);
    assert_eq!(got.status, 200);
    let values: Vec<&[u8]> =
        got.headers.iter().filter(|(name, _)| name == "x-a").map(|(_, value)| value.as_slice()).collect();
    assert_eq!(values, [b"\xfc\xff".as_slice(), b"2"]);
    assert!(got.reusable);
}

#[test]
fn rfc9112_a_folded_line_is_one_value_with_spaces() {
    let got =
        however(b"HTTP/1.1 200 OK\r\nX: a\r\n\tb\r\nContent-Length: 0\r\n\r\n", Ending::Silence).unwrap();
    assert_eq!(got.headers.first().unwrap(), &("x".to_owned(), b"a  \tb".to_vec()));
}

#[test]
fn long_bodies_come_whole_by_every_way() {
    let body: Vec<u8> = (0..300_000_u32).map(|n| (n % 251) as u8).collect();
    let chunks: Vec<u8> = [1, 15, 17_000, 16_384, 100_000, 166_600]
        .iter()
        .scan(0, |at, &size| {
            let chunk = body.get(*at..*at + size).unwrap();
            *at += size;
            Some([format!("{size:x}\r\n").as_bytes(), chunk, b"\r\n"].concat())
        })
        .chain([b"0\r\n\r\n".to_vec()])
        .flatten()
        .collect();
    let plain = [b"HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n".as_slice(), &body].concat();
    let chunked = [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".as_slice(), &chunks].concat();
    let until_close = [b"HTTP/1.1 200 OK\r\n\r\n".as_slice(), &body].concat();
    for bytes in [plain, chunked, until_close] {
        for size in [usize::MAX, 70_000, 16_384, 1_460, 7] {
            for by in [By::Append, By::Piece] {
                let got = answer(bytes.chunks(size.min(bytes.len())), Ending::Close, by).unwrap();
                assert!(got.body == body, "{size} {by:?}");
            }
        }
    }
}
