//! Names and spellings that lead inside: what is connected to is judged, each time, after the name was resolved.

use helios_core::fetch::Outcome;
use helios_core::fetch::OutcomeKind::{Fetched, ForbiddenAddress};
use serde_json::json;

use crate::asking::{patient, with};
use crate::dns::{asked, web};
use crate::name_server::NameServer;

#[test]
fn addresses_inside_are_not_connected_to() {
    for inside in [
        "10.0.0.1",
        "172.16.0.1",
        "192.168.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "fd00::1",
        "fe80::1",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "2002:a00:1::",
        "::",
        "ff02::1",
    ] {
        let names = NameServer::new(move |query| vec![query.addresses(&[inside])]);
        let (_, ended) = asked(&names);
        ended
            .is(ForbiddenAddress)
            .is_abandoned_after(1)
            .says(&["10.", "172.", "192.", "169.", "100.", "0.", "2", ":"]);
        assert_eq!(ended.0[0].address, None, "{inside}");
    }
}

#[test]
fn loopback_by_name_and_in_every_spelling_is_not_connected_to() {
    let (server, names) = (web(), NameServer::all_at(&["127.0.0.1", "::1"]));
    let settings = with(names.asked(patient()), "fetch", json!({"allow": []}));
    for host in [
        "a.test",
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "127.9.9.9",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::7f00:1]",
        "[::127.0.0.1]",
        "0",
        "0.0.0.0",
        "[::]",
    ] {
        // The ordinary site of the suite is on loopback, too: a fetcher without it cannot be asked afterwards.
        let fetcher = crate::asking::fetcher(&settings);
        let visit = crate::asking::visit(1, vec![crate::asking::task(&server.url_at(host, "/"))]);
        let ended = crate::asking::run(&fetcher, visit);
        assert_eq!(ended.first().kind(), ForbiddenAddress, "{host}: {:?}", ended.first());
        fetcher.close();
    }
    assert_eq!(server.connections(), 0);
}

#[test]
fn of_several_addresses_only_allowed_ones_are_connected_to() {
    let names = NameServer::all_at(&["10.0.0.1", "169.254.169.254", "127.0.0.1", "fd00::1"]);
    let (_, ended) = asked(&names);
    ended.is(Fetched);
    assert_eq!(ended.0[0].address, Some("127.0.0.1".parse().unwrap()));
}

#[test]
fn a_name_that_changes_its_mind_is_judged_again() {
    // Allowed when first asked, inside ever after, and to be forgotten at once.
    let names = NameServer::new(|query| {
        vec![query.addresses(&[if query.nth == 0 { "127.0.0.1" } else { "10.0.0.1" }])]
    });
    let (server, ended) = asked(&names);
    assert_eq!(ended.body(0), "yes");
    let second = &ended.0[1];
    // The answer is believed a little longer than it says, or judged again; a page never comes from inside.
    if matches!(second.outcome, Outcome::Fetched(_)) {
        assert_eq!(second.address, Some("127.0.0.1".parse().unwrap()));
    } else {
        assert_eq!(second.outcome.kind(), ForbiddenAddress);
    }
    assert_eq!(server.connections(), ended.kinds().iter().filter(|kind| **kind == Fetched).count());
}
