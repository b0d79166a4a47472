//! What the user writes: URLs of proxies, rules, and what is refused in which words.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::runtime::Builder;

use super::super::rules::Rules;
use super::super::url::{ProxyUrl, Scheme};
use super::super::{Proxies, ProxyPool, ProxyRule, ProxySettings, Rotation};
use crate::dns::{DnsSettings, Guard, Resolver};
use crate::fetch::dial::Dialer;
use crate::fetch::{FetchSettings, tls};

#[test]
fn a_proxy_url_is_read_in_full_and_shown_without_its_password() {
    let cases = [
        ("http://h.test:3128", Scheme::Http, "h.test", 3128, "http://h.test:3128"),
        ("http://h.test/", Scheme::Http, "h.test", 80, "http://h.test:80"),
        ("https://anna:s3cret@H.test:8443", Scheme::Https, "h.test", 8443, "https://anna:***@h.test:8443"),
        (
            "socks5://anna:s3cret@127.0.0.1",
            Scheme::Socks5,
            "127.0.0.1",
            1080,
            "socks5://anna:***@127.0.0.1:1080",
        ),
        ("socks5h://[::1]:9050", Scheme::Socks5h, "[::1]", 9050, "socks5h://[::1]:9050"),
        ("http://anna@h.test:1", Scheme::Http, "h.test", 1, "http://anna:***@h.test:1"),
    ];
    for (text, scheme, host, port, shown) in cases {
        let url = ProxyUrl::parse(text).unwrap();
        assert_eq!((url.scheme, url.host.as_str(), url.port), (scheme, host, port), "{text}");
        assert_eq!(url.to_string(), shown);
        assert!(!format!("{url:?} {:?} {:?}", url.login, url.authorization()).contains("s3cret"));
    }
    let escaped = ProxyUrl::parse("http://a%40b:p%3a%25%2Fx%@h.test:1").unwrap().login.unwrap();
    assert_eq!((escaped.user.as_slice(), escaped.password.as_slice()), (&b"a@b"[..], &b"p:%/x%"[..]));
    let basic = ProxyUrl::parse("http://Aladdin:open%20sesame@h.test:1").unwrap().authorization().unwrap();
    assert_eq!(basic.to_str().unwrap(), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
}

#[test]
fn what_is_no_proxy_url_is_refused_without_telling_a_password() {
    let long = format!("socks5://{}:s3cret@h.test:1", "u".repeat(256));
    let cases = [
        ("", "is no proxy URL, such as http://user:password@host:3128"),
        ("h.test:3128", "begins with http://"),
        ("10.0.0.1:3128", "is no proxy URL"),
        ("anna:s3cret@h.test:3128", "begins with http://"),
        ("ftp://anna:s3cret@h.test:21", "begins with http://"),
        ("socks4://h.test:1080", "socks5://"),
        ("http://anna:s3cret@h.test:99999", "is no proxy URL"),
        ("http://anna:s3cret@h.test:1/path", "ends after its port"),
        ("http://anna:s3cret@h.test:1?q", "ends after its port"),
        ("http://anna:s3cret@:1", "is no proxy URL"),
        ("socks5://h.test:0", "port 0"),
        ("socks5://anna@h.test:1", "SOCKS5 wants"),
        ("http://:s3cret@h.test:1", "no user name"),
        ("http://an%3Ana:s3cret@h.test:1", "colon"),
        ("http://anna:s3cret%0A@h.test:1", "control character"),
        (long.as_str(), "SOCKS5 wants"),
    ];
    for (text, words) in cases {
        let refused = ProxyUrl::parse(text).unwrap_err();
        assert!(refused.contains(words) && !refused.contains("s3cret"), "{text}: {refused}");
    }
}

fn settings(pools: &[(&str, &[&str])], rules: &[(&str, &str)], default: &str) -> ProxySettings {
    let pool = |urls: &[&str]| ProxyPool {
        proxies: urls.iter().map(|url| (*url).to_owned()).collect(),
        rotation: Rotation::RoundRobin,
    };
    let rule = |(pattern, pool): &(&str, &str)| ProxyRule {
        pattern: (*pattern).to_owned(),
        pool: (*pool).to_owned(),
    };
    ProxySettings {
        pools: pools.iter().map(|(name, urls)| ((*name).to_owned(), pool(urls))).collect::<BTreeMap<_, _>>(),
        rules: rules.iter().map(rule).collect(),
        default: default.to_owned(),
        ..ProxySettings::default()
    }
}

#[test]
fn the_first_rule_that_fits_decides_and_all_others_go_the_default_way() {
    let pools: [(&str, &[&str]); 2] = [("a", &["http://h.test:1"]), ("b", &["http://h.test:2"])];
    let rules = [
        ("shop.example.org", "direct"),
        ("*.example.org", "b"),
        ("img*.cdn-*.net", "b"),
        ("[::1]", "b"),
        ("*.onion", "a"),
    ];
    let rules = Rules::new(&settings(&pools, &rules, "a")).unwrap();
    let (direct, a, b) = (None, Some(0), Some(1));
    for (host, pool) in [
        ("shop.example.org", direct),
        ("example.org", b),
        ("www.example.org", b),
        ("a.b.example.org", b),
        ("anexample.org", a),
        ("img1.cdn-x.net", b),
        ("img.cdn-.net", b),
        ("img.cdn.net", a),
        ("[::1]", b),
        ("x.test", a),
    ] {
        assert_eq!(rules.pool_of(host), pool, "{host}");
    }
    assert_eq!(Rules::new(&settings(&[], &[], "direct")).unwrap().pool_of("x.test"), direct);
}

#[test]
fn settings_that_make_no_sense_are_refused_in_words() {
    type Pools<'a> = &'a [(&'a str, &'a [&'a str])];
    /// Pools, rules, the pool for the rest, what the error says.
    type Case<'a> = (Pools<'a>, &'a [(&'a str, &'a str)], &'a str, &'a str);
    let one: Pools<'_> = &[("x", &["http://h.test:1"])];
    let cases: [Case<'_>; 9] = [
        (
            &[("x", &["nonsense"])],
            &[],
            "x",
            "proxy.pools.x: \"nonsense\" is no proxy URL, such as http://user:password@host:3128",
        ),
        (&[("x", &[])], &[], "x", "proxy.pools.x: there is no proxy in it"),
        (&[("x", &["http://h.test:1", "http://H.test:1/"])], &[], "x", "stands there twice"),
        (&[("direct", &["http://h.test:1"])], &[], "direct", "no pool can be named"),
        (one, &[], "direct", "proxy.pools.x: no host goes there; set proxy.default = \"x\""),
        (one, &[("*", "y")], "x", "proxy.rules: there is no pool \"y\"; there are: direct, x"),
        (one, &[], "y", "proxy.default: there is no pool \"y\""),
        (one, &[("http://a.test", "x")], "x", "is no pattern for hosts"),
        (one, &[("", "x")], "x", "is no pattern for hosts"),
    ];
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let dialer = Dialer {
        resolver: Resolver::new(
            &DnsSettings { servers: vec!["127.0.0.1:9".to_owned()], ..DnsSettings::default() },
            runtime.handle(),
        )
        .unwrap(),
        guard: Guard::default(),
        connect_timeout: Duration::ZERO,
    };
    let tls = tls::client_config(&FetchSettings::default()).unwrap();
    let new = |settings: &ProxySettings| Proxies::new(settings, &tls, &dialer);
    for (pools, rules, default, words) in cases {
        let refused = new(&settings(pools, rules, default)).map(|_| ()).unwrap_err().to_string();
        assert!(refused.contains(words), "{words}: {refused}");
    }
    let good = settings(&[("x", &["http://u:s3cret@h.test:1"])], &[], "x");
    assert!(!format!("{good:?}").contains("s3cret"));
    assert!(!format!("{:?}", new(&good).unwrap().stats()).contains("s3cret"));
}
