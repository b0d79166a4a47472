//! Names that lie, loop or never answer, and name servers that make no sense.

use std::sync::atomic::Ordering;

use helios_core::fetch::OutcomeKind::{Fetched, ForbiddenAddress, TimedOut, Unresolved};

use crate::asking::{Ended, ask_for, patient};
use crate::name_server::{NameServer, Query, raw, record};
use crate::server::Server;

/// A web server on loopback that closes after each answer, so that every page needs a new connection.
pub(crate) fn web() -> Server {
    Server::plain(|mut line| async move {
        line.request().await;
        line.say(
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/html\r\nContent-Length: 3\r\n\r\nyes",
        )
        .await;
        line.close().await;
    })
}

/// Two pages of `a.test`, on a web server that is there on loopback.
pub(crate) fn asked(names: &NameServer) -> (Server, Ended) {
    let server = web();
    let urls = ["/1", "/2"].map(|path| server.url_at("a.test", path));
    let ended = ask_for(&urls, &names.asked(patient()));
    (server, ended)
}

/// Nothing was connected to.
fn unresolved(script: impl Fn(&Query) -> Vec<Vec<u8>> + Send + Sync + 'static) -> Ended {
    let (server, ended) = asked(&NameServer::new(script));
    ended.is_any(&[Unresolved, TimedOut]).is_abandoned_after(1);
    assert_eq!(server.connections(), 0);
    ended
}

#[test]
fn a_name_that_leads_here() {
    let (server, ended) = asked(&NameServer::all_at(&["127.0.0.1"]));
    ended.is(Fetched).second_is("yes");
    assert!(server.requests()[0].contains("a.test"));
}

#[test]
fn no_such_name() {
    unresolved(|query| vec![query.reply(3, &[])]).is(Unresolved);
}

#[test]
fn a_name_without_an_address() {
    unresolved(|query| vec![query.reply(0, &[])]).is(Unresolved);
}

#[test]
fn servers_that_fail_or_refuse() {
    for code in [1, 2, 4, 5, 15] {
        unresolved(move |query| vec![query.reply(code, &[])]);
    }
}

#[test]
fn no_answer() {
    unresolved(|_| vec![]);
}

#[test]
fn garbage() {
    unresolved(|query| {
        vec![vec![], vec![0xff; 1_000], query.bytes[..2].to_vec(), b"HTTP/1.1 200 OK\r\n\r\n".to_vec()]
    });
}

#[test]
fn an_answer_to_another_question() {
    unresolved(|query| {
        let mut other = query.addresses(&["127.0.0.1"]);
        other[1] ^= 0xff;
        let mut renamed = query.addresses(&["127.0.0.1"]);
        renamed[13] = b'b';
        vec![other, renamed]
    });
}

#[test]
fn a_lie_before_the_truth_is_passed_over() {
    let names = NameServer::new(|query| {
        let mut lie = query.addresses(&["10.0.0.1"]);
        lie[1] ^= 0xff;
        vec![lie, query.addresses(&["127.0.0.1"])]
    });
    asked(&names).1.is(Fetched);
}

#[test]
fn the_address_of_somebody_else() {
    // The record is of another name than was asked for.
    unresolved(|query| vec![query.reply(0, &[record(b"\x04else\x04test\0", "127.0.0.1".parse().unwrap())])]);
}

#[test]
fn an_alias_of_itself() {
    let names = NameServer::new(|query| vec![query.alias("a")]);
    let (_, ended) = asked(&names);
    ended.is_any(&[Unresolved, TimedOut]);
    assert!(names.questions.load(Ordering::Relaxed) < 100, "it is not asked for ever");
}

#[test]
fn aliases_in_a_circle() {
    let names = NameServer::new(|query| vec![query.alias(if query.label() == "a" { "b" } else { "a" })]);
    let (_, ended) = asked(&names);
    ended.is_any(&[Unresolved, TimedOut]);
    assert!(names.questions.load(Ordering::Relaxed) < 100, "it is not asked for ever");
}

#[test]
fn aliases_without_end() {
    let names = NameServer::new(|query| {
        vec![query.alias(&format!("{}z", query.label().get(..50).unwrap_or(&query.label())))]
    });
    let (_, ended) = asked(&names);
    ended.is_any(&[Unresolved, TimedOut]);
    assert!(names.questions.load(Ordering::Relaxed) < 200, "it is not asked for ever");
}

#[test]
fn cut_short_and_no_tcp_to_ask_again() {
    unresolved(|query| {
        let mut cut = query.reply(0, &[]);
        cut[2] |= 0x02;
        vec![cut]
    });
}

#[test]
fn records_that_are_none() {
    let address = |content: &[u8]| raw(&[0xc0, 12], 1, content);
    let broken = [
        address(b""),
        address(b"\x7f\0\0"),
        address(b"\x7f\0\0\x01\0"),
        raw(&[0xc0, 0xff], 1, b"\x7f\0\0\x01"),
    ];
    for one in broken {
        unresolved(move |query| vec![query.reply(0, std::slice::from_ref(&one))]);
    }
}

#[test]
fn names_that_point_at_themselves() {
    // A compressed name whose pointer is itself, and two that point at each other.
    unresolved(|query| {
        let at = query.reply(0, &[]).len() as u8;
        vec![query.reply(0, &[raw(&[0xc0, at], 1, b"\x7f\0\0\x01")])]
    });
}

#[test]
fn a_count_that_lies() {
    unresolved(|query| {
        let mut message = query.reply(0, &[]);
        message[6..8].copy_from_slice(&[0xff, 0xff]);
        vec![message]
    });
}

#[test]
fn a_thousand_addresses() {
    // As many as fit in a message; the first that may be connected to answers.
    let names = NameServer::new(|query| {
        let inside = record(&[0xc0, 12], "10.0.0.1".parse().unwrap());
        let mut records = vec![inside; 200];
        records.push(record(&[0xc0, 12], "127.0.0.1".parse().unwrap()));
        vec![query.reply(0, &records)]
    });
    asked(&names).1.is_any(&[Fetched, ForbiddenAddress, Unresolved]);
}
