//! What does not go through a proxy.

use serde_json::json;

use crate::asking::{Crawler, all_fetched, pool, with};
use crate::daemon::{Daemon, free_port};
use crate::site::Site;

#[test]
fn the_proxy_may_be_inside_but_targets_that_we_can_see_may_not() {
    let site = Site::plain();
    // Nobody listens there: whoever tried would be told so.
    let port = free_port();
    for scheme in ["http", "https", "socks5", "socks5h"] {
        let mut crawler =
            Crawler::allowing(&[], 500, &pool(&[format!("{scheme}://127.0.0.1:{port}")], "round_robin"));
        for host in
            ["127.0.0.1", "localhost", "a.localhost", "[::ffff:10.0.0.1]", "169.254.169.254", "0x7f.1"]
        {
            let told = crawler.told(site.url_at(host, "/"));
            assert!(told.contains("address not allowed"), "{scheme} {host}: {told}");
        }
        assert_eq!(crawler.stats()[0].failures, 0);
    }
    assert!(site.asked().is_empty());
}

#[test]
fn rules_send_hosts_to_their_pools_or_direct() {
    let (Some(one), Some(other)) = (Daemon::microsocks(None), Daemon::microsocks(None)) else { return };
    let settings = json!({
        "pools": {"one": {"proxies": [one.url("socks5")]}, "other": {"proxies": [other.url("socks5")]}},
        "rules": [{"pattern": "127.0.1.*", "pool": "one"}, {"pattern": "127.0.2.*", "pool": "direct"}],
        "default": "other",
    });
    let mut crawler = Crawler::new(&settings);
    let site = Site::start(None, "0.0.0.0");
    for (host, from) in
        [("127.0.1.9", one.from.as_str()), ("127.0.2.9", "127.0.0.1"), ("127.0.3.9", other.from.as_str())]
    {
        let before = site.asked().len();
        all_fetched(&crawler.ask(&[site.url_at(host, "/")]));
        assert_eq!(site.asked()[before].0.to_string(), from, "{host}");
    }
}

#[test]
fn without_a_proxy_that_works_nothing_goes_out() {
    let site = Site::plain();
    let dead = [free_port(), free_port()].map(|port| format!("socks5://127.0.0.1:{port}"));
    let mut crawler =
        Crawler::allowing(&["loopback"], 300, &with(pool(&dead, "sticky"), json!({"failures": 1})));
    let told = crawler.told(site.url("/"));
    assert!(told.contains("no connection to it") && told.contains("refused"), "{told}");
    let told = crawler.told(site.url("/"));
    assert!(told.contains("no proxy of pool \"all\" works"), "{told}");
    assert!(
        crawler.stats().iter().all(|proxy| proxy.in_cool_down && proxy.failures == 1),
        "{:?}",
        crawler.stats()
    );
    assert!(site.asked().is_empty());
}
