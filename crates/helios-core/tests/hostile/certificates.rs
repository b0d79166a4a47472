//! TLS that must not be trusted, does not begin, or is no TLS at all.

use std::sync::Arc;

use helios_core::fetch::OutcomeKind::{Broken, Fetched, Unreachable, Untrusted};
use rustls::server::WebPkiClientVerifier;

use crate::asking::{ask, hasty, patient};
use crate::authority::{Authority, Leaf};
use crate::line::Line;
use crate::server::Server;

async fn serve(mut line: Line) {
    while !line.request().await.is_empty() && line.answer("yes").await {}
}

/// The certificate is refused with one of the words, and nothing was asked.
fn refused(leaf: Leaf, words: &[&str]) {
    let authority = Authority::new();
    let server = Server::tls(authority.config(leaf, &["http/1.1"]), serve);
    ask(&server, &authority.trusted(patient())).is(Untrusted).says(words).is_abandoned_after(1);
    assert!(server.requests().is_empty(), "nothing is asked of a stranger");
}

#[test]
fn good_certificate() {
    let authority = Authority::new();
    let server = Server::tls(authority.config(Leaf::Good, &["http/1.1"]), serve);
    ask(&server, &authority.trusted(patient())).is(Fetched).second_is("yes");
    assert_eq!(server.connections(), 1);
}

#[test]
fn expired_certificate() {
    refused(Leaf::Expired, &["expired"]);
}

#[test]
fn certificate_of_the_future() {
    refused(Leaf::NotYetValid, &["not valid yet", "NotValidYet"]);
}

#[test]
fn certificate_of_another_name() {
    refused(Leaf::WrongName, &["another name", "not valid for"]);
}

#[test]
fn self_signed_certificate() {
    refused(Leaf::SelfSigned, &["certificate"]);
}

#[test]
fn certificate_of_an_unknown_authority() {
    let (stranger, trusted) = (Authority::new(), Authority::new());
    let server = Server::tls(stranger.config(Leaf::Good, &["http/1.1"]), serve);
    let ended = ask(&server, &trusted.trusted(patient()));
    ended.is(Untrusted).says(&["UnknownIssuer", "unknown issuer", "authority"]);
    assert!(server.requests().is_empty());
}

#[test]
fn tls_1_2_and_1_3_are_spoken() {
    let authority = Authority::new();
    for version in [&rustls::version::TLS12, &rustls::version::TLS13] {
        let config = authority.config_of(Leaf::Good, &["http/1.1"], &[version]);
        let server = Server::tls(config, serve);
        ask(&server, &authority.trusted(patient())).is(Fetched).second_is("yes");
    }
}

#[test]
fn older_versions_are_not_spoken() {
    // What a server of TLS 1.0 or 1.1 says to us: an alert (70: protocol_version), or a hello of its own version.
    let hello = |version: u8| {
        let mut hello = vec![0x16, 3, version, 0, 42, 2, 0, 0, 38, 3, version];
        hello.extend([7; 32]);
        hello.extend([0, 0, 0x2f, 0]);
        hello
    };
    for answer in [vec![0x15, 3, 1, 0, 2, 2, 70], vec![0x15, 3, 2, 0, 2, 2, 40], hello(0), hello(1), hello(2)]
    {
        let server = Server::posing_as_https(move |mut line| {
            let answer = answer.clone();
            async move {
                line.take(5).await;
                line.say(&answer).await;
                line.hold().await;
            }
        });
        ask(&server, &patient()).is(Unreachable).says(&["TLS"]).is_abandoned_after(1);
    }
}

#[test]
fn a_plain_server_where_tls_should_be() {
    let server = Server::posing_as_https(|mut line| async move {
        line.say("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n").await;
        line.hold().await;
    });
    ask(&server, &patient()).is(Unreachable).says(&["TLS"]);
}

#[test]
fn a_tls_server_where_plain_should_be() {
    let authority = Authority::new();
    let server = Server::tls(authority.config(Leaf::Good, &[]), serve);
    let urls = ["/1", "/2"].map(|path| server.url(path).replace("https:", "http:"));
    crate::asking::ask_for(&urls, &patient()).is(Broken);
}

#[test]
fn silent_in_the_handshake() {
    let server = Server::posing_as_https(|mut line| async move { line.hold().await });
    ask(&server, &hasty()).timed_out(&["Tls"]);
}

#[test]
fn slow_handshake() {
    let server = Server::posing_as_https(|mut line| async move {
        line.take(5).await;
        line.drip(
            [0x16, 3, 3, 0x3f, 0xff].into_iter().chain([0; 2_000]).collect::<Vec<_>>(),
            crate::slow::STEP,
        )
        .await;
    });
    ask(&server, &hasty()).timed_out(&["Tls"]);
}

#[test]
fn handshake_without_end() {
    let server = Server::posing_as_https(|mut line| async move {
        line.take(5).await;
        // Records of an endless message.
        let mut record = vec![0x16, 3, 3, 0x10, 0, 2, 0xff, 0xff, 0xff];
        record.resize(5 + 0x1000, 0);
        line.flood(record).await;
    });
    ask(&server, &patient()).is(Unreachable).says(&["TLS"]);
}

#[test]
fn a_server_that_wants_to_know_who_we_are() {
    let authority = Authority::new();
    let mut roots = rustls::RootCertStore::empty();
    roots.add(authority.certificate()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let verifier =
        WebPkiClientVerifier::builder_with_provider(roots.into(), Arc::clone(&provider)).build().unwrap();
    let (chain, key) = authority.leaf(Leaf::Good);
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_client_cert_verifier(verifier)
        .with_single_cert(chain, key)
        .unwrap();
    let server = Server::tls(config, serve);
    ask(&server, &authority.trusted(patient())).is(Unreachable);
    assert!(server.requests().is_empty());
}

#[test]
fn a_connection_cut_without_goodbye() {
    // RFC 9112 §9.8: a length says when a body is whole. Without one only a goodbye does, which many servers forget: the
    // page may be taken or not, its connection is gone.
    let authority = Authority::new();
    for (fields, expected) in [
        ("Content-Length: 3\r\n", &[Fetched][..]),
        ("Content-Length: 9\r\n", &[Broken]),
        ("Transfer-Encoding: chunked\r\n", &[Broken]),
        ("", &[Fetched, Broken]),
    ] {
        let config = authority.config(Leaf::Good, &["http/1.1"]);
        let server = Server::tls(config, move |mut line| async move {
            line.request().await;
            line.say(format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{fields}\r\nyes")).await;
        });
        ask(&server, &authority.trusted(patient())).is_any(expected);
        assert_eq!(server.connections(), 2);
    }
}
