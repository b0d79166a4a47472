//! HTTP/2 frames that no server should send, and floods of those that it may.

use helios_core::fetch::OutcomeKind::{Broken, Fetched, TimedOut, TooLarge, Unreachable};

use crate::asking::{ask, hasty, patient};
use crate::frames::*;

/// After the request come these frames, then nothing: a client that passes over them would wait for ever.
fn broken_by(what: &str, make: impl Fn(u32) -> Vec<u8> + Send + Sync + 'static) {
    let (server, authority) = answers(make);
    let ended = ask(&server, &authority.trusted(patient()));
    assert!([Broken, TooLarge].contains(&ended.first().kind()), "{what}: {:?}", ended.first());
}

/// After the request comes this without end.
fn flooded_by(make: impl Fn(u32) -> Vec<u8> + Send + Sync + 'static) -> crate::asking::Ended {
    let make = std::sync::Arc::new(make);
    let (server, authority) = http2(move |mut line| {
        let make = std::sync::Arc::clone(&make);
        async move {
            line.preface().await;
            let stream = line.stream().await;
            line.flood(make(stream)).await;
        }
    });
    ask(&server, &authority.trusted(hasty()))
}

fn head_of(stream: u32, fields: impl AsRef<[u8]>) -> Vec<u8> {
    frame(HEADERS, END_HEADERS | END_STREAM, stream, fields)
}

#[test]
fn rfc9113_frames_of_a_wrong_size() {
    broken_by("longer than we allow", |stream| frame(DATA, 0, stream, vec![0; 16_385]));
    broken_by("as long as a frame can be", |stream| frame(HEADERS, END_HEADERS, stream, vec![0; 0xff_ffff]));
    broken_by("settings of five bytes", |_| frame(SETTINGS, 0, 0, [0; 5]));
    broken_by("a ping of seven", |_| frame(PING, 0, 0, [0; 7]));
    broken_by("a window of three", |_| frame(WINDOW_UPDATE, 0, 0, [0; 3]));
    broken_by("a reset of three", |stream| frame(RST_STREAM, 0, stream, [0; 3]));
    broken_by("a goaway of four", |_| frame(GOAWAY, 0, 0, [0; 4]));
    broken_by("an acknowledgement with content", |_| frame(SETTINGS, 1, 0, [0; 6]));
    broken_by("more padding than frame", |stream| frame(DATA, 8, stream, [200, 1, 2]));
}

#[test]
fn rfc9113_frames_in_a_wrong_place() {
    broken_by("data of no stream", |_| frame(DATA, 0, 0, "zzz"));
    broken_by("a head of no stream", |_| frame(HEADERS, END_HEADERS, 0, OK));
    broken_by("data before the head", |stream| frame(DATA, END_STREAM, stream, "zzz"));
    broken_by("a stream that we never opened", |stream| page(stream + 100, "zzz"));
    broken_by("a stream of its own", |_| page(2, "zzz"));
    broken_by("settings of a stream", |stream| frame(SETTINGS, 0, stream, ""));
    broken_by("a continuation of nothing", |stream| frame(CONTINUATION, END_HEADERS, stream, OK));
    broken_by("a ping within a head", |stream| {
        [frame(HEADERS, 0, stream, OK), frame(PING, 0, 0, [0; 8])].concat()
    });
}

#[test]
fn rfc9113_windows_that_cannot_be() {
    broken_by("credit of nothing", |_| numbers(WINDOW_UPDATE, 0, &[0]));
    broken_by("credit beyond all bounds", |_| numbers(WINDOW_UPDATE, 0, &[0x7fff_ffff]));
    broken_by("a first window beyond all bounds", |_| frame(SETTINGS, 0, 0, [0, 4, 0xff, 0xff, 0xff, 0xff]));
    broken_by("a smallest frame of nothing", |_| frame(SETTINGS, 0, 0, [0, 5, 0, 0, 0, 0]));
}

#[test]
fn rfc9113_a_page_that_nobody_asked_for() {
    broken_by("a push", |stream| {
        let promise = [&[0, 0, 0, 2], b"\x82\x84\x87\x41\x01a".as_slice()].concat();
        frame(PUSH_PROMISE, END_HEADERS, stream, promise)
    });
}

#[test]
fn rfc9113_heads_that_are_none() {
    broken_by("no status", |stream| head_of(stream, field("content-type", "text/html")));
    broken_by("two", |stream| head_of(stream, [field(":status", "200"), field(":status", "404")].concat()));
    broken_by("no number", |stream| head_of(stream, field(":status", "abc")));
    broken_by("a name in capitals", |stream| head_of(stream, [OK, &field("X-Shout", "1")].concat()));
    broken_by("a field of connections", |stream| {
        head_of(stream, [OK, &field("connection", "close")].concat())
    });
    broken_by("of a request", |stream| head_of(stream, [OK, &field(":path", "/")].concat()));
    broken_by("chunks", |stream| head_of(stream, [OK, &field("transfer-encoding", "chunked")].concat()));
    broken_by("a line end in a value", |stream| head_of(stream, [OK, &field("x", "a\r\nb")].concat()));
}

#[test]
fn rfc7541_tables_that_lie() {
    broken_by("an index beyond the table", |stream| head_of(stream, [0xff, 0xff, 0xff, 0xff, 0x0f]));
    broken_by("a number without end", |stream| head_of(stream, [0xff; 1_000]));
    broken_by("a string beyond the frame", |stream| head_of(stream, b"\x88\x00\x7f\xff\x7f"));
    broken_by("letters that are none", |stream| head_of(stream, b"\x88\x00\x84\xff\xff\xff\xff\x01a"));
    broken_by("a table larger than allowed", |stream| head_of(stream, b"\x3f\xff\xff\xff\x0f\x88"));
}

#[test]
fn a_head_that_unpacks_to_a_flood() {
    // One field of 4 KB is remembered, then named by one byte again and again: 16 KB become 50 MB.
    broken_by("a bomb of fields", |stream| {
        let mut fields = b"\x88\x40\x01a\x7f\xa1\x1e".to_vec();
        fields.extend([b'z'; 4_000]);
        fields.resize(16_000, 0xbe);
        head_of(stream, fields)
    });
}

#[test]
fn a_head_without_end() {
    let (server, authority) = http2(|mut line| async move {
        line.preface().await;
        let stream = line.stream().await;
        line.say(frame(HEADERS, 0, stream, OK)).await;
        line.flood(frame(CONTINUATION, 0, stream, field("x-more", "and more"))).await;
    });
    ask(&server, &authority.trusted(patient())).is_any(&[Broken, TooLarge]);
}

#[test]
fn a_head_of_empty_pieces_without_end() {
    let (server, authority) = http2(|mut line| async move {
        line.preface().await;
        let stream = line.stream().await;
        line.say(frame(HEADERS, 0, stream, OK)).await;
        line.flood(frame(CONTINUATION, 0, stream, "")).await;
    });
    ask(&server, &authority.trusted(hasty())).is_any(&[Broken, TooLarge, TimedOut]);
}

#[test]
fn floods_of_frames_that_mean_nothing() {
    let ends = &[Broken, Unreachable, TimedOut];
    flooded_by(|_| frame(SETTINGS, 0, 0, "")).is_any(ends);
    flooded_by(|_| frame(SETTINGS, 0, 0, [0, 4, 0, 0, 0xff, 0xff].repeat(100))).is_any(ends);
    flooded_by(|_| frame(PING, 0, 0, [0; 8])).is_any(ends);
    flooded_by(|_| frame(PING, 1, 0, [0; 8])).is_any(ends);
    flooded_by(|_| numbers(WINDOW_UPDATE, 0, &[1])).is_any(ends);
    flooded_by(|_| frame(0xee, 0, 0, [0; 100])).is_any(ends);
    flooded_by(|stream| frame(2, 0, stream, [0, 0, 0, 0, 9])).is_any(ends);
    flooded_by(|stream| frame(DATA, 0, stream, "")).is_any(ends);
}

#[test]
fn a_body_of_empty_pieces_without_end() {
    let (server, authority) = http2(|mut line| async move {
        line.preface().await;
        let stream = line.stream().await;
        line.say(frame(HEADERS, END_HEADERS, stream, OK)).await;
        line.flood(frame(DATA, 0, stream, "")).await;
    });
    ask(&server, &authority.trusted(hasty())).is_any(&[Broken, TimedOut]);
}

#[test]
fn frames_of_unknown_kinds_are_passed_over() {
    let (server, authority) =
        answers(|stream| [frame(0xee, 0xff, stream, "?"), page(stream, "yes")].concat());
    ask(&server, &authority.trusted(patient())).is(Fetched).second_is("yes");
}
