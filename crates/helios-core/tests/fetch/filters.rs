//! What is read of an answer, and what its head alone decides.

use helios_core::fetch::OutcomeKind::{Broken, Fetched, NotModified, TooLarge, UnwantedType};
use helios_core::fetch::{HttpVersion, Outcome, Purpose, Task, Validators};
use serde_json::json;

use crate::asking::{Ended, ask_visit, fetcher, patient, run, task, visit, with};
use crate::server::Server;

/// One page that is answered with this head, and no body after it.
fn head(fields: &str, settings: &serde_json::Value, validators: Validators) -> (Server, Ended) {
    let answer = format!("HTTP/1.1 {fields}\r\n\r\n");
    let server = Server::plain(move |mut line| {
        let answer = answer.clone();
        async move {
            line.request().await;
            line.say(&answer).await;
            line.hold().await;
        }
    });
    let task = Task { validators, ..task(&server.url("/1")) };
    let ended = ask_visit(visit(1, vec![task]), settings);
    (server, ended)
}

#[test]
fn a_body_of_an_unwanted_type_is_not_waited_for() {
    // The body never comes: whoever waited for it would time out.
    let pdf = "200 OK\r\nContent-Type: application/pdf\r\nContent-Length: 10";
    head(pdf, &patient(), Validators::default()).1.is(UnwantedType).says(&["application/pdf"]);
}

#[test]
fn which_types_are_wanted_is_a_setting() {
    let fetcher = fetcher(&with(patient(), "fetch", json!({"accept": ["image/*"]})));
    for (kind, expected) in [("text/html", UnwantedType), ("image/png", Fetched)] {
        let server = Server::plain(move |mut line| async move {
            line.request().await;
            line.say(format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: 0\r\n\r\n")).await;
        });
        run(&fetcher, visit(1, vec![task(&server.url("/"))])).is(expected);
        assert!(server.requests()[0].contains("Accept: image/*,*/*;q=0.5\r\n"));
    }
}

#[test]
fn whatwg_a_type_that_was_sent_twice_is_one_type() {
    for fields in ["Content-Type: text/html, text/html", "Content-Type: text/html\r\nContent-Type: text/html"]
    {
        let (_, ended) =
            head(&format!("200 OK\r\n{fields}\r\nContent-Length: 0"), &patient(), Validators::default());
        ended.is(Fetched);
    }
}

#[test]
fn a_body_that_says_it_is_too_large_is_not_read() {
    head("200 OK\r\nContent-Length: 1000001", &patient(), Validators::default())
        .1
        .is(TooLarge)
        .says(&["1000000"]);
}

#[test]
fn an_answer_without_a_type_is_read() {
    head("200 OK\r\nContent-Length: 0", &patient(), Validators::default()).1.is(Fetched);
}

#[test]
fn rfc9110_a_204_or_205_is_an_answer_and_no_page() {
    for status in ["204 No Content\r\nContent-Type: text/html", "205 Reset Content\r\nContent-Length: 0"] {
        let (_, ended) = head(status, &patient(), Validators::default());
        assert_eq!(ended.is(UnwantedType).first().describe(), "answered without content (204 or 205)");
    }
}

#[test]
fn rfc9309_a_robots_txt_without_content_was_read() {
    let server = Server::plain(|mut line| async move {
        line.request().await;
        line.say("HTTP/1.1 204 No Content\r\n\r\n").await;
        line.hold().await;
    });
    let robots = Task { purpose: Purpose::RobotsTxt, ..task(&server.url("/robots.txt")) };
    let ended = ask_visit(visit(1, vec![robots]), &patient());
    assert_eq!(ended.is(Fetched).body(0), "");
}

#[test]
fn rfc9110_not_modified_is_an_answer_only_to_whoever_asked() {
    let known = Validators {
        etag: Some("\"x\"".into()),
        last_modified: Some("Tue, 15 Nov 1994 12:45:26 GMT".into()),
    };
    let (server, ended) = head("304 Not Modified", &patient(), known);
    ended.is(NotModified);
    let request = &server.requests()[0];
    assert!(request.contains("If-None-Match: \"x\"\r\n"), "{request}");
    assert!(request.contains("If-Modified-Since: Tue, 15 Nov 1994 12:45:26 GMT\r\n"), "{request}");
    head("304 Not Modified", &patient(), Validators::default()).1.is(Broken).says(&["nobody asked"]);
}

#[test]
fn a_part_that_nobody_asked_for_is_broken() {
    let part = "206 Partial Content\r\nContent-Range: bytes 0-0/9\r\nContent-Length: 0";
    head(part, &patient(), Validators::default()).1.is(Broken).says(&["part"]);
}

#[test]
fn the_head_comes_along_as_it_was_sent() {
    let sent = "200 Fine\r\nX-ODD:  two  spaces \r\nRefresh: 0; url=/x\r\nContent-Length: 0";
    let (_, ended) = head(sent, &patient(), Validators::default());
    let Outcome::Fetched(response) = ended.first() else { panic!("{:?}", ended.first()) };
    assert_eq!(response.head, format!("HTTP/1.1 {sent}\r\n\r\n"));
    assert_eq!(response.version, HttpVersion::Http11);
    assert_eq!(response.refresh.as_deref(), Some("0; url=/x"));
}
