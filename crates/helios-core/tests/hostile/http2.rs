//! HTTP/2 that resets, goes away, stalls or breaks the rules of its frames.

use helios_core::fetch::OutcomeKind::{self, Broken, Fetched, TimedOut, Unreachable};

use crate::asking::{Ended, ask, ask_for, hasty, patient};
use crate::frames::*;

/// What becomes of a page that is answered with these frames.
fn answered(make: impl Fn(u32) -> Vec<u8> + Send + Sync + 'static) -> Ended {
    let (server, authority) = answers(make);
    ask(&server, &authority.trusted(patient()))
}

fn head(stream: u32) -> Vec<u8> {
    frame(HEADERS, END_HEADERS, stream, OK)
}

#[test]
fn pages_on_one_connection() {
    let (server, authority) = answers(|stream| page(stream, &format!("stream {stream}")));
    let urls: Vec<_> = (0..20).map(|n| server.url(&format!("/{n}"))).collect();
    let ended = ask_for(&urls, &authority.trusted(patient()));
    assert_eq!(ended.kinds(), [Fetched; 20]);
    assert_eq!(server.connections(), 1);
}

#[test]
fn reset_before_the_head() {
    // CANCEL, REFUSED_STREAM, INTERNAL_ERROR, ENHANCE_YOUR_CALM
    for code in [8, 7, 2, 11] {
        answered(move |stream| numbers(RST_STREAM, stream, &[code])).is(Unreachable);
    }
}

#[test]
fn reset_after_the_head() {
    answered(|stream| [head(stream), numbers(RST_STREAM, stream, &[2])].concat()).is(Broken);
}

#[test]
fn reset_within_the_body() {
    answered(|stream| {
        [head(stream), frame(DATA, 0, stream, "zzz"), numbers(RST_STREAM, stream, &[8])].concat()
    })
    .is(Broken);
}

#[test]
fn rapid_resets() {
    // Every stream is reset as soon as it is there, again and again, also when nobody asks.
    let (server, authority) = answers(|stream| numbers(RST_STREAM, stream, &[8]).repeat(1_000));
    let urls: Vec<_> = (0..50).map(|n| server.url(&format!("/{n}"))).collect();
    ask_for(&urls, &authority.trusted(patient())).is_any(&[Unreachable, Broken]);
}

#[test]
fn resets_of_streams_that_never_were() {
    let (server, authority) = http2(|mut line| async move {
        line.preface().await;
        for stream in (3..).step_by(2) {
            if !line.say(numbers(RST_STREAM, stream, &[8])).await {
                return;
            }
        }
    });
    ask(&server, &authority.trusted(patient())).is_any(&[Broken, Unreachable]);
}

#[test]
fn goaway_before_the_request() {
    let (server, authority) = http2(|mut line| async move {
        line.preface().await;
        line.say(numbers(GOAWAY, 0, &[0, 0])).await;
        line.hold().await;
    });
    ask(&server, &authority.trusted(patient())).is(Unreachable).is_abandoned_after(1);
}

#[test]
fn goaway_instead_of_an_answer() {
    // Also with an error and a long explanation.
    for (code, debug) in [(0, 0), (11, 16_000)] {
        let (server, authority) = http2(move |mut line| async move {
            line.preface().await;
            line.stream().await;
            line.say(frame(
                GOAWAY,
                0,
                0,
                [&[0, 0, 0, 0, 0, 0, 0, code], vec![b'z'; debug].as_slice()].concat(),
            ))
            .await;
            line.hold().await;
        });
        ask(&server, &authority.trusted(patient())).is(Unreachable).is_abandoned_after(1);
    }
}

#[test]
fn goaway_after_an_answer() {
    // The second page needs a new connection, and gets it.
    let (server, authority) =
        answers(|stream| [page(stream, "yes"), numbers(GOAWAY, 0, &[stream, 0])].concat());
    let mut paused =
        crate::asking::visit(1, ["/1", "/2"].map(|path| crate::asking::task(&server.url(path))).into());
    paused.delay = std::time::Duration::from_millis(200);
    let ended = crate::asking::ask_visit(paused, &authority.trusted(patient()));
    assert_eq!(ended.kinds(), [Fetched; 2]);
    assert_eq!(server.connections(), 2);
}

#[test]
fn goaway_within_the_body_lets_it_end() {
    let ended = answered(|stream| {
        [head(stream), numbers(GOAWAY, 0, &[stream, 0]), frame(DATA, END_STREAM, stream, "yes")].concat()
    });
    assert_eq!(ended.body(0), "yes");
}

#[test]
fn no_settings_and_no_answer() {
    let (server, authority) = http2(|mut line| async move { line.hold().await });
    ask(&server, &authority.trusted(hasty())).timed_out(&["FirstByte"]);
}

#[test]
fn no_stream_is_ever_allowed() {
    // SETTINGS_MAX_CONCURRENT_STREAMS (3) = 0
    let (server, authority) = http2(|mut line| async move {
        line.say(frame(SETTINGS, 0, 0, [0, 3, 0, 0, 0, 0])).await;
        line.hold().await;
    });
    ask(&server, &authority.trusted(hasty())).timed_out(&["FirstByte"]);
}

#[test]
fn stalled_after_the_head() {
    let (server, authority) = answers(head);
    ask(&server, &authority.trusted(hasty())).timed_out(&["Idle", "Total"]);
}

#[test]
fn stalled_by_its_own_window() {
    // It sends what our window holds and never looks at the credit that we give.
    let (server, authority) = answers(|stream| {
        let data = frame(DATA, 0, stream, [b'z'; 16_384]);
        [head(stream), data.repeat(3), frame(DATA, 0, stream, [b'z'; 16_383])].concat()
    });
    ask(&server, &authority.trusted(hasty())).timed_out(&["Idle", "Total"]);
}

#[test]
fn more_than_our_window_holds() {
    // Far more than any client gives before it has read a byte, in one go.
    let ended =
        answered(|stream| [head(stream), frame(DATA, 0, stream, [b'z'; 16_384]).repeat(2_000)].concat());
    ended.is_any(&[Broken, OutcomeKind::TooLarge]);
}

#[test]
fn a_body_of_another_length_than_it_says() {
    for (length, body) in [("9", "short"), ("3", "too long")] {
        let ended = answered(move |stream| {
            let fields = [OK, &field("content-length", length)].concat();
            [frame(HEADERS, END_HEADERS, stream, fields), frame(DATA, END_STREAM, stream, body)].concat()
        });
        ended.is(Broken);
    }
}

#[test]
fn cut_within_the_body() {
    // A ping that is answered proves that the head before it was read: a reset drops what was not. Whether the cut is noticed in
    // reading or in answering the second ping is chance: often enough for both.
    let (server, authority) = http2(|mut line| async move {
        line.preface().await;
        let stream = line.stream().await;
        line.say([head(stream), frame(DATA, 0, stream, "zzz"), frame(PING, 0, 0, [0; 8])].concat()).await;
        while line.frame().await.is_some_and(|(kind, ..)| kind != PING) {}
        line.say(frame(PING, 0, 0, [1; 8])).await;
        line.reset();
    });
    for _ in 0..20 {
        ask(&server, &authority.trusted(patient())).is(Broken);
    }
}

#[test]
fn an_endless_body() {
    let (server, authority) = http2(|mut line| async move {
        line.preface().await;
        let stream = line.stream().await;
        line.say(head(stream)).await;
        // A decent server but for the end.
        line.body(stream, usize::MAX).await;
    });
    ask(&server, &authority.trusted(patient())).is(OutcomeKind::TooLarge);
}

#[test]
fn a_long_body_gets_credit_to_its_end() {
    let (server, authority) = http2(|mut line| async move {
        line.preface().await;
        let stream = line.stream().await;
        line.say(head(stream)).await;
        line.body(stream, 900_000).await;
        line.hold().await;
    });
    let ended = ask_for(&[server.url("/")], &authority.trusted(patient()));
    assert_eq!(ended.body(0).len(), 900_000);
}

#[test]
fn http_1_where_http_2_was_agreed() {
    let (server, authority) = http2(|mut line| async move {
        line.answer("yes").await;
        line.hold().await;
    });
    ask(&server, &authority.trusted(patient())).is_any(&[Broken, Unreachable]);
}

#[test]
fn interim_answers_without_end() {
    let (server, authority) = http2(|mut line| async move {
        line.preface().await;
        let stream = line.stream().await;
        line.flood(frame(HEADERS, END_HEADERS, stream, field(":status", "103"))).await;
    });
    ask(&server, &authority.trusted(hasty())).is_any(&[Broken, Unreachable, TimedOut]);
}
