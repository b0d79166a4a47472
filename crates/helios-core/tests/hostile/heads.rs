//! Status lines and header fields that make no sense, have no end, or answer what nobody asked.

use helios_core::fetch::OutcomeKind::{self, Broken, Fetched, TooLarge};
use helios_core::fetch::{Outcome, Validators};

use crate::asking::{ask, ask_visit, patient, task, visit};
use crate::server::Server;

/// Says this to every request, then closes.
fn said(answer: impl Into<Vec<u8>>, expected: &[OutcomeKind]) -> crate::asking::Ended {
    let answer = answer.into();
    let shown = String::from_utf8_lossy(&answer[..answer.len().min(60)]).into_owned();
    let server = Server::plain(move |mut line| {
        let answer = answer.clone();
        async move {
            line.request().await;
            line.say(&answer).await;
            line.close().await;
        }
    });
    let ended = ask(&server, &patient());
    assert!(
        expected.contains(&ended.first().kind()),
        "{shown:?}: {expected:?} expected, not {:?}",
        ended.first()
    );
    ended
}

fn with_fields(fields: impl AsRef<[u8]>) -> Vec<u8> {
    [b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 3\r\n", fields.as_ref(), b"\r\nyes"]
        .concat()
}

/// Says a beginning and then the same for ever.
fn endless(beginning: &'static str, rest: &'static str) {
    let server = Server::plain(move |mut line| async move {
        line.request().await;
        line.say(beginning).await;
        line.flood(rest).await;
    });
    ask(&server, &patient()).is_any(&[Broken, TooLarge]);
}

#[test]
fn http_0_9() {
    said("<html>no head at all</html>", &[Broken]);
}

#[test]
fn other_protocols() {
    for banner in [
        b"SSH-2.0-OpenSSH_9.2p1\r\n".as_slice(),
        b"220 mail.test ESMTP\r\n",
        b"+OK POP3\r\n",
        b"RFB 003.008\n",
        b"ICY 200 OK\r\nicy-name: radio\r\n\r\n",
        b"RTSP/1.0 200 OK\r\n\r\n",
        b"\x16\x03\x03\x00\x02\x02\x46",
        b"\x00\x00\x12\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x64",
    ] {
        said(banner, &[Broken]);
    }
}

#[test]
fn binary_noise() {
    let mut state = 1_u64;
    for length in [1, 10, 1_000, 100_000] {
        let noise = (0..length).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8 | 0x80
        });
        said(noise.collect::<Vec<u8>>(), &[Broken]);
    }
}

#[test]
fn status_lines_that_are_none() {
    for line in [
        "HTTP/1.1",
        "HTTP/1.1 ",
        "HTTP/1.1 20",
        "HTTP/1.1 abc OK",
        "HTTP/1.1 -20 OK",
        "HTTP/1.1 2000 OK",
        "HTTP/1.1 000 OK",
        "HTTP/1.1 99 OK",
        "HTTP/3.7 200 OK",
        "HTTP/11 200 OK",
        "HTTP 200 OK",
        "HTTP/1.1200 OK",
        "\u{0}",
        "HTTP/1.1 200 O\u{0}K",
    ] {
        said(format!("{line}\r\nContent-Length: 0\r\n\r\n"), &[Broken]);
    }
}

#[test]
fn status_lines_that_are_only_odd() {
    for line in
        ["HTTP/1.1 200", "HTTP/1.1 200 ", "HTTP/1.0 200 OK", "HTTP/1.1 200 Tr\u{e8}s bien", "HTTP/1.1 299 ?"]
    {
        said(format!("{line}\r\nContent-Type: text/html\r\nContent-Length: 3\r\n\r\nyes"), &[Fetched]);
    }
}

#[test]
fn field_names_with_bytes_that_no_name_has() {
    for name in ["", "a b", "a\u{7f}b", "a(b)", "caf\u{e9}", "a\u{1}"] {
        let ended = said(with_fields(format!("{name}: x\r\n")), &[Fetched]);
        assert_eq!(ended.body(0), "yes", "such a line is passed over, as browsers do");
    }
    said(with_fields("a\u{0}b: x\r\n"), &[Broken]);
}

#[test]
fn field_values_with_control_bytes() {
    for value in ["a\u{0}b", "a\u{1}b", "a\u{8}b", "a\rb"] {
        let ended = said(with_fields(format!("X-Value: {value}\r\n")), &[Broken, Fetched]);
        assert!(ended.try_body(0).is_err() || ended.body(0) == "yes");
    }
    said(with_fields(b"X-Text: caf\xe9 \xff\xfe\r\n"), &[Fetched]);
    said(with_fields("Content-Type: text/html\u{0}\r\n"), &[Broken]);
}

#[test]
fn lines_without_a_colon() {
    assert_eq!(said(with_fields("no colon here\r\n"), &[Fetched]).body(0), "yes");
}

#[test]
fn heads_without_end() {
    endless("HTTP/1.1 200 OK\r\n", "X-Endless: yes\r\n");
    endless("HTTP/1.1 200 OK\r\nX-Endless: ", "yes");
    endless("HTTP/1.1 200 OK\r\n", "x");
    endless("HTTP/1.1 200 ", "OK");
    endless("HTTP/1.1 200 OK\r\nX: a\r\n", " folded\r\n");
    endless("", "\r\n");
    endless("HTTP/1.1 ", " ");
}

#[test]
fn a_hundred_thousand_cookies() {
    let cookies: Vec<_> =
        (0..100_000).map(|n| format!("Set-Cookie: c{n}={n}; Path=/; HttpOnly\r\n")).collect();
    said(with_fields(cookies.concat()), &[Broken, TooLarge]);
    let cookie = format!("Set-Cookie: c={}\r\n", "z".repeat(4_000_000));
    said(with_fields(cookie), &[Broken, TooLarge]);
}

#[test]
fn fifty_cookies_are_ordinary() {
    let cookies: Vec<_> = (0..50).map(|n| format!("Set-Cookie: c{n}={}\r\n", "z".repeat(100))).collect();
    assert_eq!(said(with_fields(cookies.concat()), &[Fetched]).body(0), "yes");
}

#[test]
fn interim_answers_are_passed_over() {
    let interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n";
    assert_eq!(said([interim.as_bytes(), &with_fields("")].concat(), &[Fetched]).body(0), "yes");
}

#[test]
fn interim_answers_without_end() {
    for interim in ["HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"] {
        endless("", interim);
    }
}

#[test]
fn a_protocol_switch_that_nobody_asked_for() {
    said(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n\x01\x02",
        &[Broken],
    );
}

#[test]
fn not_modified_that_nobody_asked_for() {
    let answer = "HTTP/1.1 304 Not Modified\r\n\r\n";
    said(answer, &[Broken]);
    // With a validator sent it is what it says.
    let server = Server::plain(move |mut line| async move {
        while !line.request().await.is_empty() && line.say(answer).await {}
    });
    let mut asked = task(&server.url("/"));
    asked.validators = Validators { etag: Some("\"v1\"".into()), last_modified: None };
    ask_visit(visit(1, vec![asked]), &patient()).is(OutcomeKind::NotModified);
    assert!(server.requests()[0].to_lowercase().contains("if-none-match: \"v1\""));
}

#[test]
fn a_part_that_nobody_asked_for() {
    let fields = "Content-Type: text/html\r\nContent-Range: bytes 0-2/9\r\nContent-Length: 3\r\n";
    said(format!("HTTP/1.1 206 Partial Content\r\n{fields}\r\nyes"), &[Broken]);
}

#[test]
fn two_types_or_two_targets() {
    let ended = said(
        "HTTP/1.1 302 Found\r\nLocation: /a\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n",
        &[Broken, OutcomeKind::Redirected],
    );
    // One of them, or neither; never a target made of both.
    if let Outcome::Redirected { target, .. } = ended.first() {
        assert!(["/a", "/b"].contains(&target.as_str()), "{target}");
    }
}

#[test]
fn a_type_that_only_looks_like_html() {
    let answer = "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream;x=text/html\r\nContent-Length: 3\r\n\r\nyes";
    said(answer, &[OutcomeKind::UnwantedType]);
}

#[test]
fn huge_urls() {
    let server = Server::plain(|mut line| async move {
        while !line.request().await.is_empty() && line.answer("yes").await {}
    });
    // The longest that a URL may be; a longer one is no URL of ours.
    let longest = server.url(&format!("/{}", "z".repeat(8_192 - server.url("/").len())));
    assert_eq!(crate::asking::ask_for(std::slice::from_ref(&longest), &patient()).body(0), "yes");
    assert!(helios_core::url::CanonicalUrl::parse(&format!("{longest}z")).is_err());
    assert!(
        helios_core::url::CanonicalUrl::parse(&format!("http://a.test/?{}", "é".repeat(4_000_000))).is_err()
    );
}
