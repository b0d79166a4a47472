//! What is sent, and the life of a connection between two questions.

use std::task::{Context, Waker};

use super::*;

#[test]
fn a_request_is_its_lines_and_nothing_else() {
    let request = Request::get("/a?b=c", "a.test:8080").unwrap().header("User-Agent", b"helios").unwrap();
    let expected = "GET /a?b=c HTTP/1.1\r\nHost: a.test:8080\r\nUser-Agent: helios\r\n\r\n";
    assert_eq!(request.finish(), expected.as_bytes());
    let tunnel = Request::connect("a.test:443").unwrap().finish();
    assert_eq!(tunnel, b"CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n");
}

#[test]
fn nothing_that_could_be_a_second_line_is_sent() {
    for target in ["", "/a b", "/a\r\nX: y", "/a\n", "/\0", "/\u{7f}", "/ü"] {
        assert!(Request::get(target, "a.test").is_err(), "{target:?}");
    }
    for value in ["a\r\nX: y", "a\n", "a\r", "\0"] {
        assert!(Request::get("/", value).is_err(), "{value:?}");
        let refused = Request::get("/", "a.test").unwrap().header("X", value.as_bytes()).unwrap_err();
        assert!(!refused.to_string().contains(value), "a secret is not repeated");
    }
    for name in ["", "a b", "a:", "a\r\n", "ä"] {
        assert!(Request::get("/", "a.test").unwrap().header(name, b"x").is_err(), "{name:?}");
    }
}

fn is_open(wire: &mut Http1<Script>) -> bool {
    wire.is_open(&mut Context::from_waker(Waker::noop()))
}

const SHORT: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

#[test]
fn a_kept_connection_is_asked_again_and_holds_no_memory_meanwhile() {
    for by in [By::Append, By::Piece] {
        let mut wire = Http1::new(Script::new([SHORT, SHORT], Ending::Silence), HeadLimits::default());
        for _ in 0..2 {
            let got = block_on(ask(&mut wire, by)).unwrap();
            assert_eq!((got.status, got.body.as_slice(), got.reusable), (200, b"hello".as_slice(), true));
            assert_eq!(wire.held(), 0, "{by:?}");
        }
        assert!(is_open(&mut wire));
    }
}

#[test]
fn a_connection_that_waits_holds_no_memory() {
    block_on(async {
        let head = b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n".as_slice();
        let mut wire = Http1::new(Script::new([head], Ending::Silence), HeadLimits::default());
        wire.send(b"GET").await.unwrap();
        wire.head().await.unwrap();
        let mut body = Vec::new();
        tokio::select! {
            biased;
            _ = wire.append(&mut body, usize::MAX) => unreachable!("nothing comes"),
            () = std::future::ready(()) => {}
        }
        assert_eq!((wire.held(), body.capacity()), (0, 0));
        assert!(!wire.is_reusable(), "its answer is not read");
    });
}

#[test]
fn room_for_a_long_body_is_made_only_while_it_comes() {
    block_on(async {
        let head = b"HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\nx".as_slice();
        let long = [head, &vec![b'x'; 99_999]].concat();
        let mut wire = Http1::new(Script::new([head, &long], Ending::Silence), HeadLimits::default());
        wire.send(b"GET").await.unwrap();
        wire.head().await.unwrap();
        let mut body = Vec::new();
        wire.append(&mut body, usize::MAX).await.unwrap();
        assert!(body.capacity() <= 16 * 1024, "one byte came");
        while body.len() < 100_000 {
            wire.append(&mut body, usize::MAX).await.unwrap();
        }
        assert!(body.capacity() >= 1 << 20, "it flows");
    });
}

#[test]
fn a_body_that_comes_with_its_head_is_handed_over_where_it_lies() {
    block_on(async {
        let page = |length: usize| {
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n");
            [head.as_bytes(), &vec![b'x'; length]].concat()
        };
        let pages = [page(20_000), page(33_000), page(100), page(60_000)];
        let reads = pages.each_ref().map(Vec::as_slice);
        let mut wire = Http1::new(Script::new(reads, Ending::Silence), HeadLimits::default());
        let mut wholes = Vec::new();
        for _ in reads {
            wire.send(b"GET").await.unwrap();
            wire.head().await.unwrap();
            // Only memory that is its own can be taken over for writing.
            wholes.push(wire.whole().map(|body| (body.len(), body.try_into_mut().is_ok())));
            let mut rest = Vec::new();
            while wire.append(&mut rest, usize::MAX).await.unwrap().is_some() {}
            assert!(wire.is_reusable());
        }
        // A small body must not hold the room of a large one.
        assert_eq!(wholes, [Some((20_000, true)), Some((33_000, false)), Some((100, true)), None]);
        assert_eq!(wire.held(), 0);
    });
}

#[test]
fn a_closed_or_talkative_peer_is_noticed_before_the_next_question() {
    for (later, ending) in
        [(b"".as_slice(), Ending::Close), (b"", Ending::Reset), (b"HTTP/1.1", Ending::Silence)]
    {
        block_on(async {
            let mut wire = Http1::new(Script::new([SHORT, later], ending), HeadLimits::default());
            assert!(ask(&mut wire, By::Append).await.unwrap().reusable);
            // The script pauses once before it speaks.
            let open = is_open(&mut wire) && is_open(&mut wire);
            assert!(!open, "{ending:?}");
            assert!(wire.send(b"GET").await.is_err());
        });
    }
}

#[test]
fn bytes_behind_an_answer_end_the_connection() {
    for tail in ["x", "\r\n", "HTTP/1.1 200 OK\r\n\r\n"] {
        let bytes = [SHORT, tail.as_bytes()].concat();
        let got = answer([bytes.as_slice()], Ending::Silence, By::Append).unwrap();
        assert_eq!((got.body.as_slice(), got.reusable), (b"hello".as_slice(), false), "{tail:?}");
    }
}

#[test]
fn a_head_or_body_whose_reader_is_dropped_at_every_pause_comes_all_the_same() {
    block_on(async {
        let chunked = b"HTTP/1.1 100 \r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
        let mut wire = Http1::new(Script::new(chunked.chunks(1), Ending::Silence), HeadLimits::default());
        wire.send(b"GET").await.unwrap();
        let head = loop {
            tokio::select! {
                biased;
                head = wire.head() => break head.unwrap(),
                () = std::future::ready(()) => {}
            }
        };
        assert_eq!(head.status, 200);
        let mut body = Vec::new();
        loop {
            tokio::select! {
                biased;
                got = wire.append(&mut body, 10) => if got.unwrap().is_none() { break },
                () = std::future::ready(()) => {}
            }
        }
        assert_eq!((body.as_slice(), wire.is_reusable()), (b"abc".as_slice(), true));
    });
}

#[test]
fn after_connect_the_stream_is_free_unless_the_proxy_spoke_too_soon() {
    for (bytes, free) in [("HTTP/1.1 200 OK\r\n\r\n", true), ("HTTP/1.1 200 OK\r\n\r\nx", false)] {
        block_on(async {
            let mut wire =
                Http1::new(Script::new([bytes.as_bytes()], Ending::Silence), HeadLimits::default());
            wire.send(&Request::connect("a.test:443").unwrap().finish()).await.unwrap();
            wire.head().await.unwrap();
            assert_eq!(wire.into_stream().is_ok(), free, "{bytes:?}");
        });
    }
}
