//! Proxies that work.

use crate::asking::{Crawler, all_fetched, pool};
use crate::daemon::Daemon;
use crate::site::{Site, acceptor, secure_proxy};

const LOGIN: Option<(&str, &str)> = Some(("anna", "s3cret"));

/// Two pages each of a plain site and of one under TLS; both sites see the proxy alone.
fn serves(daemon: &Daemon, url: &str, knows_address: bool) {
    let mut crawler = Crawler::new(&pool(&[url.to_owned()], "round_robin"));
    for site in [Site::plain(), Site::secure()] {
        let done = crawler.ask(&[site.url("/1"), site.url("/2?q=a%20b")]);
        all_fetched(&done);
        for finished in &done {
            let address = finished.address.map(|address| address.to_string());
            assert_eq!(address.as_deref(), knows_address.then_some("127.0.0.1"), "{url}");
        }
        assert_eq!(site.askers(), [daemon.from.as_str()], "{url}");
        let heads: Vec<String> = site.asked().into_iter().map(|(_, head)| head).collect();
        assert!(
            heads[0].starts_with("GET /1 HTTP/1.") && heads[1].starts_with("GET /2?q=a%20b HTTP/1."),
            "{heads:?}"
        );
        assert!(!heads.concat().to_lowercase().contains("proxy-authorization"), "{heads:?}");
    }
    let stats = &crawler.stats()[0];
    assert_eq!(
        (stats.failures, stats.requests, stats.bytes, stats.in_cool_down),
        (0, 4, 16, false),
        "{stats:?}"
    );
    assert!(stats.connections >= 2 && stats.opening_ms > 0.0, "{stats:?}");
    assert!(!stats.proxy.contains("s3cret"));
}

/// Without the login, or with a wrong one, nothing reaches the site and the words say why.
fn wants_its_login(daemon: &Daemon, scheme: &str, refusals: (&str, &str)) {
    for (login, words) in [("", refusals.0), ("anna:wr0ng@", refusals.1)] {
        for site in [Site::plain(), Site::secure()] {
            let url = format!("{scheme}://{login}127.0.0.1:{}", daemon.port);
            let told = Crawler::new(&pool(&[url], "round_robin")).told(site.url("/"));
            assert!(told.contains(words) && !told.contains("wr0ng"), "{scheme}: {told}");
            assert!(site.asked().is_empty());
        }
    }
}

#[test]
fn tinyproxy_serves_plain_and_tls() {
    let Some(daemon) = Daemon::tinyproxy(None) else { return };
    serves(&daemon, &daemon.url("http"), false);
}

#[test]
fn tinyproxy_wants_its_login() {
    let Some(daemon) = Daemon::tinyproxy(LOGIN) else { return };
    serves(&daemon, &format!("http://anna:s3cret@127.0.0.1:{}", daemon.port), false);
    // Without any, tinyproxy says 407; with a wrong one, 401.
    wants_its_login(&daemon, "http", ("asks for a user name and a password", "does not accept"));
}

#[test]
fn microsocks_serves_plain_and_tls() {
    let Some(daemon) = Daemon::microsocks(None) else { return };
    serves(&daemon, &daemon.url("socks5h"), false);
    serves(&daemon, &daemon.url("socks5"), true);
}

#[test]
fn microsocks_wants_its_login() {
    let Some(daemon) = Daemon::microsocks(LOGIN) else { return };
    serves(&daemon, &format!("socks5h://anna:s3cret@127.0.0.1:{}", daemon.port), false);
    wants_its_login(&daemon, "socks5", ("asks for a user name and a password", "does not accept"));
}

#[test]
fn dante_serves_plain_and_tls() {
    let Some(daemon) = Daemon::dante() else { return };
    serves(&daemon, &daemon.url("socks5h"), false);
    serves(&daemon, &daemon.url("socks5"), true);
}

#[test]
fn names_are_resolved_by_the_proxy_unless_we_are_to_resolve() {
    let (Some(socks), Some(http)) = (Daemon::microsocks(None), Daemon::tinyproxy(None)) else { return };
    let site = Site::plain();
    for proxy in [socks.url("socks5h"), http.url("http")] {
        let mut crawler = Crawler::new(&pool(&[proxy], "round_robin"));
        all_fetched(&crawler.ask(&[site.url_at("localhost", "/")]));
    }
    let told =
        Crawler::new(&pool(&[socks.url("socks5")], "round_robin")).told(site.url_at("unknown.test", "/"));
    assert!(told.contains("no address for its name"), "{told}");
}

#[test]
fn ipv6_targets_are_reached() {
    let Some(daemon) = Daemon::microsocks_of_both_families() else { return };
    if std::net::TcpListener::bind("[::1]:0").is_err() {
        println!("skipped: this machine has no IPv6");
        return;
    }
    for tls in [None, Some(acceptor())] {
        let site = Site::start(tls, "::1");
        for scheme in ["socks5", "socks5h"] {
            let mut crawler = Crawler::new(&pool(&[daemon.url(scheme)], "round_robin"));
            all_fetched(&crawler.ask(&[site.url_at("[::1]", "/")]));
        }
    }
}

#[test]
fn a_proxy_behind_tls_carries_tls() {
    let site = Site::secure();
    let mut crawler = Crawler::new(&pool(&[format!("https://127.0.0.1:{}", secure_proxy())], "round_robin"));
    all_fetched(&crawler.ask(&[site.url("/1"), site.url("/2")]));
    assert_eq!(site.asked().len(), 2);
}
