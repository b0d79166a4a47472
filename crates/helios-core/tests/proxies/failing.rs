//! Proxies that fail, and what takes their place.

use serde_json::json;

use crate::asking::{Crawler, all_fetched, pool, with};
use crate::daemon::{Daemon, free_port};
use crate::site::Site;

#[test]
fn a_dead_proxy_costs_no_page_and_is_left_alone_soon() {
    let Some(alive) = Daemon::tinyproxy(None) else { return };
    let dead = format!("http://127.0.0.1:{}", free_port());
    let mut crawler = Crawler::new(&pool(&[dead, alive.url("http")], "round_robin"));
    let sites = [Site::plain(), Site::secure()];
    for page in 0..5 {
        for site in &sites {
            all_fetched(&crawler.ask(&[site.url(&format!("/{page}"))]));
        }
    }
    let stats = crawler.stats();
    assert_eq!((stats[0].failures, stats[0].in_cool_down, stats[0].requests), (2, true, 0), "{stats:?}");
    assert_eq!((stats[1].failures, stats[1].in_cool_down, stats[1].requests), (0, false, 10), "{stats:?}");
    for site in sites {
        assert_eq!(site.askers(), [alive.from.as_str()]);
    }
}

#[test]
fn a_login_that_is_refused_is_the_proxys_failure_and_another_one_serves() {
    let (Some(strict), Some(alive)) = (Daemon::tinyproxy(Some(("anna", "s3cret"))), Daemon::microsocks(None))
    else {
        return;
    };
    let mut crawler = Crawler::new(&pool(&[strict.url("http"), alive.url("socks5")], "round_robin"));
    let site = Site::secure();
    for page in 0..6 {
        all_fetched(&crawler.ask(&[site.url(&format!("/{page}"))]));
    }
    assert_eq!((crawler.stats()[0].failures, crawler.stats()[0].in_cool_down), (2, true));
    assert_eq!(site.askers(), [alive.from.as_str()]);
}

#[test]
fn sites_stay_with_their_proxy_and_move_when_it_is_killed() {
    let (Some(one), Some(other)) = (Daemon::microsocks(None), Daemon::microsocks(None)) else { return };
    let mut crawler = Crawler::new(&pool(&[one.url("socks5"), other.url("socks5")], "sticky"));
    // Each address is a site of its own.
    let site = Site::start(None, "0.0.0.0");
    let ask = |crawler: &mut Crawler, host: u8| {
        let before = site.asked().len();
        let urls =
            [site.url_at(&format!("127.0.9.{host}"), "/1"), site.url_at(&format!("127.0.9.{host}"), "/2")];
        all_fetched(&crawler.ask(&urls));
        let from: Vec<String> = site.asked()[before..].iter().map(|(peer, _)| peer.to_string()).collect();
        assert_eq!((from.len(), &from[0]), (2, &from[1]));
        from[0].clone()
    };
    let homes: Vec<String> = (1..17).map(|host| ask(&mut crawler, host)).collect();
    assert!(homes.contains(&one.from) && homes.contains(&other.from), "{homes:?}");
    let again: Vec<String> = (1..17).map(|host| ask(&mut crawler, host)).collect();
    assert_eq!(homes, again);
    let killed = one.from.clone();
    drop(one);
    for (host, home) in (1..17).zip(&homes) {
        let now = ask(&mut crawler, host);
        assert_eq!(now, other.from, "site {host} was at {home}, {killed} is gone");
    }
    assert!(crawler.stats()[0].in_cool_down);
}

#[test]
fn a_visit_goes_on_when_its_proxy_is_killed_in_the_middle() {
    let (Some(mut one), Some(other)) = (Daemon::microsocks(None), Daemon::microsocks(None)) else { return };
    let site = Site::plain();
    let settings = pool(&[one.url("socks5"), other.url("socks5")], "round_robin");
    let mut crawler = Crawler::slow(&settings);
    crawler.submit(&(0..6).map(|page| site.url(&format!("/{page}"))).collect::<Vec<_>>());
    all_fetched(&crawler.wait_for(2));
    assert_eq!(site.askers(), [one.from.as_str()]);
    one.stop();
    all_fetched(&crawler.wait());
    assert_eq!(site.asked().len(), 6);
    assert!(site.askers().contains(&other.from), "{:?}", site.askers());
}

#[test]
fn a_proxy_that_comes_back_is_noticed_and_waiting_pages_are_fetched() {
    let Some(daemon) = Daemon::microsocks(None) else { return };
    let port = daemon.port;
    let changes = json!({"failures": 1, "check_ms": 50});
    let mut crawler = Crawler::new(&with(pool(&[daemon.url("socks5")], "sticky"), changes));
    let site = Site::plain();
    all_fetched(&crawler.ask(&[site.url("/1")]));
    drop(daemon);
    let told = crawler.told(site.url("/2"));
    assert!(told.contains("no connection to it"), "{told}");
    assert!(crawler.stats()[0].in_cool_down);
    crawler.submit(&[site.url("/3")]);
    let Some(daemon) = Daemon::microsocks_at(port, None) else { return };
    all_fetched(&crawler.wait());
    assert_eq!(site.asked().last().unwrap().0.to_string(), daemon.from);
    assert!(!crawler.stats()[0].in_cool_down);
}

#[test]
fn a_site_that_is_down_is_not_the_proxys_fault() {
    let (Some(one), Some(other)) = (Daemon::microsocks(None), Daemon::tinyproxy(None)) else { return };
    let mut crawler = Crawler::new(&pool(&[one.url("socks5"), other.url("http")], "round_robin"));
    for _ in 0..4 {
        let told = crawler.told(format!("https://127.0.0.1:{}/", free_port()));
        assert!(told.contains("it says: connection refused") || told.contains("to CONNECT"), "{told}");
    }
    let stats = crawler.stats();
    assert!(stats.iter().all(|proxy| proxy.failures == 0 && !proxy.in_cool_down), "{stats:?}");
}

#[test]
fn a_proxy_that_cannot_reach_what_another_can_is_at_fault() {
    let (Some(one), Some(other)) = (Daemon::dante_but_not_to("127.0.6.6"), Daemon::microsocks(None)) else {
        return;
    };
    let mut crawler = Crawler::new(&pool(&[one.url("socks5"), other.url("socks5")], "round_robin"));
    let site = Site::start(None, "0.0.0.0");
    for page in 0..4 {
        all_fetched(&crawler.ask(&[site.url_at("127.0.6.6", &format!("/{page}"))]));
    }
    assert_eq!((crawler.stats()[0].failures, crawler.stats()[0].in_cool_down), (2, true));
    assert_eq!(site.askers(), [other.from.as_str()]);
}
