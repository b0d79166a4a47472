//! Redirects that go round, go on for ever, or lead where nobody may go. Each hop is a link for the frontier.

use helios_core::fetch::Outcome;
use helios_core::fetch::OutcomeKind::{Broken, ForbiddenAddress, Redirected};
use serde_json::json;

use crate::asking::{ask, patient, with};
use crate::crawling::{asked, crawl};
use crate::server::Server;

/// Every page has moved to what `target` says for its path; there is no robots.txt.
fn moved(target: impl Fn(&str) -> String + Send + Sync + 'static) -> Server {
    let target = std::sync::Arc::new(target);
    Server::plain(move |mut line| {
        let target = std::sync::Arc::clone(&target);
        async move {
            loop {
                let path = line.request().await;
                let answer = match path.as_str() {
                    "" => return,
                    "/robots.txt" => "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_owned(),
                    "/end" => crate::line::good_answer("the end"),
                    path => format!(
                        "HTTP/1.1 302 Found\r\nLocation: {}\r\nContent-Length: 0\r\n\r\n",
                        target(path)
                    ),
                };
                if !line.say(answer).await {
                    return;
                }
            }
        }
    })
}

#[test]
fn a_redirect_is_reported_and_not_followed() {
    let server = moved(|_| "/end".to_owned());
    let ended = ask(&server, &patient());
    assert!(matches!(ended.first(), Outcome::Redirected { status: 302, target } if target == "/end"));
    assert!(server.requests().iter().all(|head| !head.contains("/end")), "the frontier decides");
}

#[test]
fn to_itself() {
    let server = moved(str::to_owned);
    let all = crawl(&server.url("/round"), &patient());
    assert_eq!(asked(&all), [server.url("/round")]);
}

#[test]
fn in_a_circle() {
    let server = moved(|path| if path == "/a" { "/b".into() } else { "/a".into() });
    let all = crawl(&server.url("/a"), &patient());
    assert_eq!(asked(&all), ["/a", "/b"].map(|path| server.url(path)));
}

#[test]
fn a_chain_that_ends() {
    let server = moved(|path| if path == "/zzz" { "/end".into() } else { format!("{path}z") });
    let all = crawl(&server.url("/z"), &patient());
    assert_eq!(asked(&all), ["/z", "/zz", "/zzz", "/end"].map(|path| server.url(path)));
}

#[test]
fn a_chain_without_end() {
    let server = moved(|path| format!("{path}z"));
    let all = crawl(&server.url("/z"), &patient());
    assert_eq!(asked(&all).len(), 6, "the first and five hops");
}

#[test]
fn to_other_schemes() {
    for target in [
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:text/html,hello",
        "ftp://127.0.0.1/",
        "gopher://127.0.0.1/",
        "mailto:a@b.test",
        "about:blank",
        "blob:http://a.test/1",
        "view-source:http://127.0.0.1/",
        "jar:file:///etc!/passwd",
        "http:",
        "http://",
        "http://user:secret@127.0.0.1/",
    ] {
        let server = moved(move |_| target.to_owned());
        let all = crawl(&server.url("/"), &patient());
        assert_eq!(asked(&all), [server.url("/")], "{target}");
        assert_eq!(all.last().unwrap().outcome.kind(), Redirected);
    }
}

#[test]
fn to_addresses_inside() {
    for target in [
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[fd00::1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://0xa000001/",
        "//192.168.0.1/",
    ] {
        let server = moved(move |_| target.to_owned());
        let all = crawl(&server.url("/"), &patient());
        let inside: Vec<_> = all
            .iter()
            .filter(|finished| !finished.task.permit.url().as_str().contains("127.0.0.1"))
            .collect();
        assert!(!inside.is_empty(), "{target}: the frontier may try");
        for finished in inside {
            assert_eq!(finished.outcome.kind(), ForbiddenAddress, "{target}");
            assert_eq!(finished.address, None);
        }
    }
}

#[test]
fn from_plain_to_a_port_that_speaks_tls() {
    let authority = crate::authority::Authority::new();
    let secure =
        Server::tls(authority.config(crate::authority::Leaf::Good, &["http/1.1"]), |mut line| async move {
            while !line.request().await.is_empty() && line.answer("secure").await {}
        });
    let target = secure.url("/end");
    let server = moved(move |_| target.clone());
    let all = crawl(&server.url("/"), &authority.trusted(patient()));
    assert_eq!(asked(&all), [server.url("/"), secure.url("/end")]);
    assert!(matches!(&all.last().unwrap().outcome, Outcome::Fetched(response) if response.body == "secure"));
}

#[test]
fn without_a_target() {
    for fields in ["", "Location:\r\n", "Location:   \r\n", "X-Location: /end\r\n"] {
        let server = Server::plain(move |mut line| async move {
            line.request().await;
            line.say(format!("HTTP/1.1 301 Moved\r\n{fields}Content-Length: 0\r\n\r\n")).await;
            line.close().await;
        });
        ask(&server, &patient()).is(Broken);
    }
}

#[test]
fn to_a_huge_target() {
    let server = moved(|_| format!("/{}", "z".repeat(30_000)));
    let all = crawl(&server.url("/"), &patient());
    assert_eq!(asked(&all), [server.url("/")], "no such URL is ever leased");
}

#[test]
fn with_a_body_without_end() {
    let server = Server::plain(|mut line| async move {
        line.request().await;
        line.say("HTTP/1.1 302 Found\r\nLocation: /end\r\n\r\n").await;
        line.flood("endless ").await;
    });
    ask(&server, &with(patient(), "fetch", json!({"max_body_bytes": 100_000}))).is(Redirected);
}
