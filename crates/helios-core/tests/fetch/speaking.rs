//! What a request says: fields of the settings, passwords and cookies, each to whom it belongs and to nobody else.

use helios_core::error::Error;
use helios_core::fetch::Fetcher;
use serde_json::{Value, json};

use crate::asking::{ask_for, patient, with};
use crate::server::Server;

/// Sets the cookies that are given with the path, and answers.
fn site() -> Server {
    Server::plain(|mut line| async move {
        loop {
            let path = line.request().await;
            let cookie = path.strip_prefix("/set?").map(|cookie| format!("Set-Cookie: {cookie}; path=/\r\n"));
            let cookie = cookie.unwrap_or_default();
            if path.is_empty()
                || !line.say(format!("HTTP/1.1 200 OK\r\n{cookie}Content-Length: 0\r\n\r\n")).await
            {
                return;
            }
        }
    })
}

fn fetch(changes: Value) -> Value {
    with(patient(), "fetch", changes)
}

#[test]
fn who_we_are_and_what_the_settings_add_is_said_to_everyone() {
    let server = site();
    ask_for(&[server.url("/1")], &fetch(json!({"headers": {"Accept-Language": "de", "X-Team": "search"}})));
    let request = server.requests().remove(0);
    for line in [
        "GET /1 HTTP/1.1",
        "User-Agent: Helios/test",
        "Accept-Language: de",
        "X-Team: search",
        "Accept-Encoding: gzip, br, zstd, deflate",
    ] {
        assert!(request.contains(&format!("{line}\r\n")), "{line} in {request}");
    }
    assert!(!request.contains("Cookie") && !request.contains("Authorization"));
}

#[test]
fn a_password_goes_to_its_host_and_in_the_open_only_if_asked() {
    let server = site();
    let urls = [server.url("/1"), server.url_at("localhost", "/2")];
    ask_for(&urls[..1], &fetch(json!({"auth": {"127.0.0.1": "me:secret"}})));
    ask_for(&urls[..1], &fetch(json!({"auth": {"http://127.0.0.1": "me:secret"}})));
    ask_for(&urls[..1], &fetch(json!({"auth": {"http://localhost": "me:secret"}})));
    let said: Vec<bool> = server
        .requests()
        .iter()
        .map(|request| request.contains("Authorization: Basic bWU6c2VjcmV0\r\n"))
        .collect();
    assert_eq!(said, [false, true, false]);
}

#[test]
fn cookies_go_back_to_their_site_if_the_settings_want_it() {
    let (server, other) = (site(), site());
    let urls = [server.url("/set?a=1"), server.url("/set?b=2"), server.url("/")];
    ask_for(&urls, &patient());
    assert!(server.requests().iter().all(|request| !request.contains("Cookie:")), "off unless asked for");
    ask_for(&urls, &fetch(json!({"cookies": true})));
    let requests = server.requests();
    assert!(
        requests[4].contains("Cookie: a=1\r\n") && requests[5].contains("Cookie: a=1; b=2\r\n"),
        "{requests:?}"
    );
    drop(other);
}

#[test]
fn settings_that_would_break_a_request_are_refused_when_the_fetcher_is_made() {
    for (changes, word) in [
        (json!({"headers": {"Content-Length": "3"}}), "fetch.headers"),
        (json!({"headers": {"A": "x\r\nB: y"}}), "fetch.headers"),
        (json!({"auth": {"*": "me:hush"}}), "fetch.auth"),
        (json!({"accept": ["html"]}), "fetch.accept"),
        (json!({"user_agent": "a\r\nb"}), "fetch.user_agent"),
    ] {
        let made = Fetcher::new(serde_json::from_value(fetch(changes)).unwrap());
        let Err(Error::Settings(why)) = made.map(|_| ()) else { panic!("{word} was not refused") };
        assert!(why.contains(word) && !why.contains("hush"), "{why}");
    }
}
