//! TLS: sessions are resumed, and whom to trust is the settings' to say.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use helios_core::fetch::OutcomeKind::{Fetched, Untrusted};
use rustls::HandshakeKind;
use serde_json::json;

use crate::asking::{ask, fetcher, patient, run, task, visit, with};
use crate::authority::{Authority, Leaf};
use crate::line::{Line, Wire};
use crate::server::Server;

fn counting(resumed: &Arc<AtomicUsize>, config: rustls::ServerConfig) -> Server {
    let resumed = Arc::clone(resumed);
    Server::tls(config, move |mut line: Line| {
        if let Wire::Tls(stream) = &line.wire
            && stream.get_ref().1.handshake_kind() == Some(HandshakeKind::Resumed)
        {
            resumed.fetch_add(1, Ordering::Relaxed);
        }
        async move { while !line.request().await.is_empty() && line.answer("page").await {} }
    })
}

#[test]
fn later_visits_resume_the_session_of_the_first() {
    let (authority, resumed) = (Authority::new(), Arc::new(AtomicUsize::new(0)));
    let server = counting(&resumed, authority.config(Leaf::Good, &["http/1.1"]));
    let settings = with(authority.trusted(patient()), "fetch", json!({"keep_open_ms": 0}));
    let fetcher = fetcher(&settings);
    for id in 0..4 {
        let ended = run(&fetcher, visit(id, vec![task(&server.url("/"))]));
        ended.is(Fetched);
        assert!(ended.0[0].timings.tls > 0);
    }
    assert_eq!((server.connections(), resumed.load(Ordering::Relaxed)), (4, 3));
}

#[test]
fn a_certificate_that_proves_nothing_is_accepted_only_if_the_settings_say_so() {
    let authority = Authority::new();
    let server = counting(&Arc::default(), authority.config(Leaf::SelfSigned, &["http/1.1"]));
    ask(&server, &patient()).is(Untrusted).says(&["self-signed"]).is_abandoned_after(1);
    ask(&server, &with(patient(), "fetch", json!({"verify_tls": false}))).is(Fetched);
}
