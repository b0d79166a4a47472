//! What the model says of robots.txt agrees with an independent reading of the files it serves.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]

mod common;

use std::collections::HashSet;

use common::{ask, decoded, every_page, header, small_mix, web};
use helios_sim::reply::{Ask, Fault, HostId};
use helios_sim::settings::{Promises, WebSettings};
use helios_sim::web::{Fate, Meaning, Reader, RobotsKind, Spot, TOKENS_OF_OTHERS, Web};

/// A robots.txt as RFC 9309 reads it, for one token; written here anew, so that it shares nothing with the model.
struct Rules {
    rules: Vec<(bool, String)>,
    crawl_delay: Option<u64>,
}

fn read(text: &str, token: &str) -> Rules {
    let (mut groups, mut open): (Vec<(Vec<String>, Rules)>, bool) = (Vec::new(), false);
    for line in text.trim_start_matches('\u{feff}').lines() {
        let line = line.split('#').next().unwrap().trim();
        let Some((key, value)) = line.split_once(':') else { continue };
        let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
        match key.as_str() {
            "user-agent" => {
                if !open {
                    groups.push((Vec::new(), Rules { rules: Vec::new(), crawl_delay: None }));
                    open = true;
                }
                groups.last_mut().unwrap().0.push(value.to_ascii_lowercase());
            }
            "allow" | "disallow" | "crawl-delay" => {
                open = false;
                let Some((_, rules)) = groups.last_mut() else { continue };
                if key == "crawl-delay" {
                    rules.crawl_delay = value.parse().ok();
                } else if !value.is_empty() {
                    rules.rules.push((key == "allow", value.to_owned()));
                }
            }
            _ => {}
        }
    }
    let named = groups.iter().any(|(agents, _)| agents.iter().any(|agent| agent == token));
    let wanted = if named { token } else { "*" };
    let mut merged = Rules { rules: Vec::new(), crawl_delay: None };
    for (agents, rules) in groups {
        if agents.iter().any(|agent| agent == wanted) {
            merged.rules.extend(rules.rules);
            merged.crawl_delay = merged.crawl_delay.or(rules.crawl_delay);
        }
    }
    merged
}

fn matches(pattern: &[u8], target: &[u8]) -> bool {
    match pattern {
        [] => true,
        b"$" => target.is_empty(),
        [b'*', rest @ ..] => (0..=target.len()).any(|skip| matches(rest, &target[skip..])),
        [first, rest @ ..] => target.first() == Some(first) && matches(rest, &target[1..]),
    }
}

impl Rules {
    fn denies(&self, target: &str) -> bool {
        let hits = self.rules.iter().filter(|(_, pattern)| matches(pattern.as_bytes(), target.as_bytes()));
        // The longest wins; among equals, allow.
        hits.max_by_key(|(allow, pattern)| (pattern.len(), *allow)).is_some_and(|(allow, _)| !allow)
    }
}

/// Asks for robots.txt as a crawler does: retries, follows redirects. None: nothing may be asked.
fn fetch(web: &Web, host: HostId, token: &str) -> Option<Rules> {
    let mut target = "/robots.txt".to_owned();
    for attempt in 0..8 {
        assert!(matches!(web.meaning(host, &target), Meaning::Robots), "{target}");
        let reply = web.answer(&Ask { attempt, ..ask(host, &target) });
        if reply.fault == Fault::Silence {
            return None;
        }
        match reply.status {
            200 => return Some(read(&String::from_utf8(decoded(&reply)).unwrap(), token)),
            300..400 => header(&reply, "location").unwrap().clone_into(&mut target),
            400..500 => return Some(Rules { rules: Vec::new(), crawl_delay: None }),
            _ => {}
        }
    }
    None
}

fn every_kind() -> WebSettings {
    WebSettings {
        robots_missing: 0.05,
        robots_forbidden: 0.05,
        robots_empty: 0.05,
        robots_rules: 0.2,
        robots_unavailable: 0.05,
        robots_healing: 0.05,
        robots_silent: 0.05,
        robots_redirect: 0.1,
        robots_html: 0.05,
        robots_huge: 0.02,
        robots_own_group: 0.1,
        crawl_delay: 0.3,
        private: 0.2,
        ..small_mix()
    }
}

#[test]
fn rfc9309_the_model_denies_what_an_independent_reading_denies() {
    let web = web(every_kind());
    for token in ["helios", "selene"] {
        model_agrees(&web, token);
    }
}

fn model_agrees(web: &Web, token: &str) {
    let reader = Reader::of(token);
    let extra = [
        "/",
        "/private/",
        "/private/open/x",
        "/privat",
        "/cgi-bin/a?print=1",
        "/a?print=1",
        "/a.bak",
        "/a.bak?x",
        "/x/%70rivate",
    ];
    let mut kinds = HashSet::new();
    for host in 0..web.host_count() {
        let rules = fetch(web, host, token);
        let facts = web.robots_facts_to(reader, host);
        kinds.insert(format!("{:?}", web.robots_kind(host)));
        assert_eq!(facts.unavailable, rules.is_none(), "{host}");
        let Some(rules) = rules else { continue };
        assert_eq!(facts.crawl_delay.map(|delay| delay.as_secs()), rules.crawl_delay, "{host}");
        let pages = (0..web.page_count(host)).map(|page| web.target(host, Spot::Page(page)));
        for target in pages.chain(extra.iter().map(|&target| target.to_owned())) {
            let denied = match web.meaning_to(reader, host, &target) {
                Meaning::Page { denied, .. } | Meaning::Unknown { denied } => denied,
                other @ (Meaning::Robots | Meaning::Sitemap) => panic!("{target}: {other:?}"),
            };
            assert_eq!(denied, rules.denies(&target), "{token} {:?} {target}", web.robots_kind(host));
        }
    }
    assert_eq!(kinds.len(), 15, "{kinds:?}");
}

#[test]
fn house_what_is_expected_depends_on_the_token() {
    let web = web(every_kind());
    let of = |token: &str| Promises { robots_token: token.to_owned(), ..Promises::default() };
    let (ours, theirs) = (web.expect(&of("helios")), web.expect(&of("selene")));
    let denied = |kind, list: &[helios_sim::web::Expected]| {
        let of_kind =
            list.iter().filter(|one| web.robots_kind(one.host) == kind && web.dead(one.host).is_none());
        of_kind.filter(|one| one.fate == Fate::Denied).count()
    };
    assert!(denied(RobotsKind::OwnStricter, &ours) > 0 && denied(RobotsKind::OwnStricter, &theirs) == 0);
    let looser = |list: &[helios_sim::web::Expected]| {
        let asked = |one: &&helios_sim::web::Expected| matches!(one.fate, Fate::Stored | Fate::Asked);
        list.iter().filter(asked).filter(|one| web.robots_kind(one.host) == RobotsKind::OwnLooser).count()
    };
    assert!(looser(&ours) > 0 && looser(&theirs) == 0);
}

#[test]
fn house_tokens_that_files_name_cannot_be_promised() {
    let web = web(every_kind());
    let mut named = HashSet::new();
    for host in 0..web.host_count() {
        for path in ["/robots.txt", "/robots-moved-1.txt", "/robots-moved-3.txt"] {
            let text = String::from_utf8_lossy(&decoded(&web.answer(&ask(host, path)))).to_ascii_lowercase();
            let lines = text.trim_start_matches('\u{feff}').lines().filter_map(|line| line.split_once(':'));
            named.extend(
                lines.filter(|(key, _)| *key == "user-agent").map(|(_, value)| value.trim().to_owned()),
            );
        }
    }
    assert!(named.remove("*") && named.remove("helios"));
    assert_eq!(named, TOKENS_OF_OTHERS.into_iter().map(str::to_owned).collect());
    for token in TOKENS_OF_OTHERS {
        let query = format!("robots_token={}", token.to_uppercase());
        let refused = helios_sim::server::promises_from_query(&query, &[]).unwrap_err();
        assert!(refused.contains("cannot be judged"), "{refused}");
    }
    assert!(helios_sim::server::promises_from_query("robots_token=Selene", &[]).is_ok());
}

#[test]
fn a_robots_file_heals_is_html_or_is_huge_where_the_kind_says_so() {
    let web = web(every_kind());
    for host in 0..web.host_count() {
        let first = web.answer(&Ask { attempt: 0, ..ask(host, "/robots.txt") });
        let third = web.answer(&Ask { attempt: 2, ..ask(host, "/robots.txt") });
        match web.robots_kind(host) {
            RobotsKind::Healing => assert_eq!((first.status, third.status), (500, 200)),
            RobotsKind::Unavailable => assert_eq!((first.status, third.status), (503, 503)),
            RobotsKind::Html => assert!(first.body_bytes().starts_with(b"<!doctype html>")),
            RobotsKind::Huge => {
                let body = decoded(&first);
                assert!(body.len() > 500 << 10);
                let rules = String::from_utf8(body).unwrap().to_ascii_lowercase();
                assert!(rules.find("/private/").unwrap() < 2_000);
            }
            RobotsKind::Empty => assert_eq!((first.status, first.body_len()), (200, 0)),
            RobotsKind::Missing | RobotsKind::Forbidden => assert!((400..500).contains(&first.status)),
            RobotsKind::Silent => assert_eq!(third.fault, Fault::Silence),
            RobotsKind::Redirected => assert_eq!((first.status, third.status), (301, 301)),
            RobotsKind::Rules
            | RobotsKind::DeniesAll
            | RobotsKind::DeniesOthers
            | RobotsKind::OwnStricter
            | RobotsKind::OwnLooser
            | RobotsKind::AllowsAll => assert_eq!(first.status, 200),
        }
    }
}

#[test]
fn sitemaps_name_the_pages_that_nothing_links_to() {
    let web = web(WebSettings { sitemap_only: 0.2, ..small_mix() });
    let linked: HashSet<(HostId, Spot)> = every_page(&web)
        .flat_map(|(host, page)| web.links(host, page))
        .map(|link| (link.host, link.spot))
        .collect();
    let expected = web.expect(&Promises::default());
    let mut checked = 0;
    for one in expected.iter().filter(|one| one.sitemap_only) {
        let spot = web.spot(one.host, &one.target).unwrap();
        if linked.contains(&(one.host, spot)) {
            continue;
        }
        let robots = web.answer(&ask(one.host, robots_path(&web, one.host)));
        let text = String::from_utf8(decoded(&robots)).unwrap();
        let sitemap = text.lines().find_map(|line| line.strip_prefix("Sitemap: ")).unwrap().trim().to_owned();
        let url = format!("<loc>{}{}</loc>", web.origin(one.host), one.target);
        assert!(sitemap_text(&web, one.host, &sitemap).contains(&url), "{url}");
        checked += 1;
    }
    assert!(checked > 50, "{checked}");
}

fn robots_path(web: &Web, host: HostId) -> &'static str {
    let paths = ["/robots.txt", "/robots-moved-1.txt", "/robots-moved-3.txt"];
    paths.into_iter().find(|path| web.answer(&ask(host, path)).status == 200).unwrap()
}

/// A sitemap, or all files of an index one after the other.
fn sitemap_text(web: &Web, host: HostId, url: &str) -> String {
    let target = url.strip_prefix(&web.origin(host)).unwrap();
    assert!(matches!(web.meaning(host, target), Meaning::Sitemap), "{target}");
    let reply = web.answer(&ask(host, target));
    let mut body = decoded(&reply);
    if target.strip_suffix(".gz").is_some() {
        let mut raw = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&body[..]), &mut raw).unwrap();
        body = raw;
    }
    let text = String::from_utf8(body).unwrap();
    if !text.contains("<sitemapindex") {
        return text;
    }
    text.split("<loc>")
        .skip(1)
        .map(|part| sitemap_text(web, host, part.split("</loc>").next().unwrap()))
        .collect()
}
