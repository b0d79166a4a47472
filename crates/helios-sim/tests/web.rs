//! The web keeps its word: one seed one web, links as promised, faults that heal, pages that change.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]

mod common;

use std::collections::HashSet;
use std::time::Duration;

use common::{ALL, ask, every_page, header, hrefs, page_text, resolve, small_mix, web};
use helios_sim::reply::{Ask, Fault, Resolution};
use helios_sim::settings::{Names, Promises, WebSettings};
use helios_sim::web::{Dead, Fate, Meaning, PageKind, Spot, Trap, Web};
use proptest::prelude::{ProptestConfig, any, proptest};

#[test]
fn a_web_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Web>();
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_gives_others() {
    let (one, same) = (web(small_mix()), web(small_mix()));
    let other = web(WebSettings { seed: 2, ..small_mix() });
    assert_eq!(one.seeds(), same.seeds());
    assert_ne!(one.seeds(), other.seeds());
    for host in 0..20 {
        let request = Ask { accept: ALL, ..ask(host, "/") };
        assert_eq!(one.answer(&request).body_bytes(), same.answer(&request).body_bytes());
        assert_ne!(one.answer(&request).body_bytes(), other.answer(&request).body_bytes());
    }
}

#[test]
fn every_anchor_is_a_link_of_the_model_and_every_link_is_an_anchor() {
    let web = web(small_mix());
    let mut checked = 0;
    for (host, page) in every_page(&web).step_by(7) {
        let target = web.target(host, Spot::Page(page));
        let reply = web.answer(&ask(host, &target));
        if !web.page_facts(host, page, Duration::ZERO).kind.eq(&PageKind::Html) {
            continue;
        }
        let body = common::decoded(&reply);
        let text = String::from_utf8_lossy(&body);
        let own = format!("{}{target}", web.origin(host));
        let base =
            text.split("<base href=\"").nth(1).map_or(own.as_str(), |rest| rest.split('"').next().unwrap());
        let written: HashSet<String> =
            hrefs(&body).iter().map(|href| without_tracking(&resolve(base, href))).collect();
        assert_eq!(written, common::meant(&web, host, page), "{own}");
        checked += 1;
    }
    assert!(checked > 200, "{checked}");
}

fn without_tracking(url: &str) -> String {
    let Some((path, query)) = url.split_once('?') else { return url.to_owned() };
    let kept: Vec<&str> = query
        .split('&')
        .filter(|part| !part.starts_with("utm_source=") && !part.starts_with("sid="))
        .collect();
    if kept.is_empty() { path.to_owned() } else { format!("{path}?{}", kept.join("&")) }
}

#[test]
fn a_calm_web_is_found_whole() {
    for names in [Names::Dns, Names::Ip] {
        let web = web(WebSettings { names, ..WebSettings::calm() });
        let expected = web.expect(&Promises::default());
        assert_eq!(expected.len(), every_page(&web).count());
        assert!(expected.iter().all(|one| one.fate == Fate::Stored && !one.sitemap_only));
        let distinct: HashSet<_> = expected.iter().map(|one| (one.host, &one.target)).collect();
        assert_eq!(distinct.len(), expected.len());
    }
}

#[test]
fn depth_bounds_what_must_be_found() {
    let web = web(WebSettings { mean_pages: 30.0, max_pages: 0, ..WebSettings::calm() });
    let near = web.expect(&Promises { max_depth: Some(1), ..Promises::default() });
    assert!(near.iter().all(|one| one.depth <= 1));
    assert!(near.len() > web.settings().seeds as usize && near.len() < every_page(&web).count());
}

#[test]
fn fates_agree_with_the_answers() {
    let web = web(WebSettings { alias_links: 0.0, ..small_mix() });
    let expected = web.expect(&Promises::default());
    for one in &expected {
        let reply = web.answer(&ask(one.host, &one.target));
        let kind = header(&reply, "content-type").unwrap_or_default();
        let html = kind.starts_with("text/html") || kind.starts_with("application/xhtml");
        let text = String::from_utf8_lossy(&reply.body_bytes()).into_owned();
        let said = format!("{text} {}", header(&reply, "x-robots-tag").unwrap_or_default());
        let hidden = ["content=\"noindex", "content=\"none", " noindex", " none"].iter().any(|word| {
            said.lines().filter(|line| !line.contains("googlebot")).any(|line| line.contains(word))
                && (word.starts_with("content")
                    || header(&reply, "x-robots-tag").is_some_and(|tag| word.trim() == tag))
        });
        match one.fate {
            Fate::Stored => assert!(
                reply.status == 200 && html && reply.fault == Fault::None && !hidden,
                "{} {:?} {kind}",
                one.target,
                reply.status
            ),
            Fate::Asked => assert!(
                reply.status != 200 || !html || reply.fault == Fault::Silence || hidden,
                "{} {kind}",
                one.target
            ),
            Fate::Denied => {
                assert!(matches!(web.meaning(one.host, &one.target), Meaning::Page { denied: true, .. }));
            }
            Fate::Unreachable => assert!(web.dead(one.host).is_some()),
        }
    }
    for fate in [Fate::Stored, Fate::Asked, Fate::Denied, Fate::Unreachable] {
        assert!(expected.iter().any(|one| one.fate == fate), "{fate:?}");
    }
    assert!(expected.iter().any(|one| one.sitemap_only));
}

#[test]
fn transient_faults_heal_after_two_attempts_and_permanent_ones_do_not() {
    let web = web(WebSettings { unavailable: 0.2, too_many: 0.2, resets: 0.2, stalls: 0.2, ..small_mix() });
    let (mut refused, mut reset, mut stalled, mut seconds, mut dates) = (0, 0, 0, 0, 0);
    for (host, page) in every_page(&web).filter(|(host, page)| *page < web.page_count(*host).min(10)) {
        let target = web.target(host, Spot::Page(page));
        let first = web.answer(&Ask { attempt: 0, ..ask(host, &target) });
        let last = web.answer(&Ask { attempt: 2, ..ask(host, &target) });
        refused += i32::from(matches!(first.status, 429 | 503));
        reset += i32::from(matches!(first.fault, Fault::ResetAfter(_)));
        stalled += i32::from(first.latency >= Duration::from_secs(5));
        match header(&first, "retry-after") {
            Some(value) if value.ends_with("GMT") => dates += 1,
            Some(value) => seconds += i32::from(value.parse::<u64>().unwrap() > 0),
            None => {}
        }
        assert!(!matches!(last.status, 429 | 502 | 503), "{target}");
        assert!(!matches!(last.fault, Fault::ResetAfter(_)), "{target}");
        assert!(last.latency < Duration::from_secs(30));
    }
    for count in [refused, reset, stalled, seconds, dates] {
        assert!(count > 20, "{refused} {reset} {stalled} {seconds} {dates}");
    }
}

#[test]
fn a_known_copy_is_answered_with_304_until_the_page_changes() {
    let web = web(WebSettings { changing: 1.0, etags: 1.0, last_modified: 1.0, ..WebSettings::calm() });
    for (host, page) in every_page(&web) {
        let target = web.target(host, Spot::Page(page));
        let first = web.answer(&ask(host, &target));
        let (tag, date) = (header(&first, "etag").unwrap(), header(&first, "last-modified").unwrap());
        let by_tag = Ask { if_none_match: Some(tag), ..ask(host, &target) };
        let by_date = Ask { if_modified_since: Some(date), ..ask(host, &target) };
        assert_eq!(first.status, 200);
        for known in [by_tag, by_date] {
            assert_eq!(web.answer(&known).status, 304);
            assert_eq!(web.answer(&known).body_len(), 0);
            let later = Ask { now: Duration::from_secs(3_601), ..known };
            assert_eq!(web.answer(&later).status, 200, "{target}");
        }
        let later = Duration::from_secs(4_000);
        assert_ne!(page_text(&web, host, page, Duration::ZERO), page_text(&web, host, page, later));
        assert_eq!(
            page_text(&web, host, page, Duration::ZERO),
            page_text(&web, host, page, Duration::from_secs(99))
        );
    }
}

#[test]
fn dead_hosts_are_dead_in_each_way() {
    let web = web(WebSettings { dead_hosts: 0.5, ..WebSettings::default() });
    for host in 0..web.host_count() {
        let resolution = web.resolve(&web.host(host).name, Duration::ZERO);
        match web.dead(host) {
            Some(Dead::NoSuchName) => assert_eq!(resolution, Resolution::NoSuchName),
            Some(Dead::ServerFailure) => assert_eq!(resolution, Resolution::ServerFailure),
            Some(Dead::DnsSilence) => assert_eq!(resolution, Resolution::Silence),
            Some(Dead::Refuses) => {
                let address = web.host(host).address;
                assert!(web.host(host).refuses_connections);
                assert_eq!(
                    (0..web.host_count()).filter(|&other| web.host(other).address == address).count(),
                    1
                );
            }
            None => assert!(
                matches!(resolution, Resolution::Addresses(list, _) if list == [web.host(host).address])
            ),
        }
    }
    assert_eq!(web.resolve("nobody.test", Duration::ZERO), Resolution::NoSuchName);
}

#[test]
fn hosts_are_named_by_authority_in_any_spelling() {
    let web = web(WebSettings::default());
    let host = web.host(5);
    for name in [
        host.name.clone(),
        format!("{}:8080", host.name),
        host.name.to_uppercase(),
        format!("{}.", host.name),
    ] {
        assert_eq!(web.host_named(&name), Some(5), "{name}");
    }
    let first = (0..web.host_count()).find(|&other| web.host(other).address == host.address);
    assert_eq!(web.host_named(&host.address.to_string()), first);
    assert_eq!(web.host_named("elsewhere.test"), None);
}

#[test]
fn traps_are_endless_and_known_as_traps() {
    let web = web(WebSettings { traps: 0.2, ..small_mix() });
    let mut kinds = HashSet::new();
    for host in (0..web.host_count()).filter(|&host| web.trap(host).is_some()) {
        let home = web.links(host, 0);
        let entry = home.iter().find(|link| !matches!(link.spot, Spot::Page(_))).unwrap();
        let mut target = web.target(host, entry.spot);
        kinds.insert(matches!(web.trap(host), Some(Trap::Calendar)));
        let mut seen = HashSet::new();
        for _ in 0..20 {
            assert!(seen.insert(target.clone()), "{target} comes again");
            assert!(matches!(web.meaning(host, &target), Meaning::Page { trap: true, .. }), "{target}");
            let reply = web.answer(&ask(host, &target));
            assert_eq!(reply.status, 200, "{target}");
            let own = format!("{}{target}", web.origin(host));
            let body = common::decoded(&reply);
            let text = String::from_utf8_lossy(&body);
            let base = text
                .split("<base href=\"")
                .nth(1)
                .map_or(own.as_str(), |rest| rest.split('"').next().unwrap());
            let next = hrefs(&body)
                .iter()
                .map(|href| resolve(base, href))
                .filter_map(|url| url.strip_prefix(&web.origin(host)).map(str::to_owned))
                .filter(|target| target.starts_with("/s/") || target.starts_with("/calendar/"))
                .find(|target| !seen.contains(target) && leads_on(&web, host, target));
            let Some(next) = next else { break };
            target = next;
        }
        assert!(seen.len() > 1, "host {host}");
    }
    assert_eq!(kinds.len(), 2);
}

/// Whether a place inside a trap is HTML: a trap shows the broken pages of its host, too.
fn leads_on(web: &Web, host: u32, target: &str) -> bool {
    match web.spot(host, target) {
        Some(Spot::Session { page, .. }) => web.page_facts(host, page, Duration::ZERO).kind == PageKind::Html,
        _ => true,
    }
}

#[test]
fn the_demo_is_over_within_a_minute_at_one_request_per_second() {
    let web = web(WebSettings::demo());
    let mut seconds = std::collections::HashMap::new();
    let mut fates = HashSet::new();
    for one in web.expect(&Promises::default()) {
        fates.insert(format!("{:?}", one.fate));
        if matches!(one.fate, Fate::Stored | Fate::Asked) {
            let tries = (0..3)
                .filter(|&attempt| {
                    let reply = web.answer(&Ask { attempt, ..ask(one.host, &one.target) });
                    attempt == 0 || matches!(reply.status, 429 | 502 | 503) || reply.fault != Fault::None
                })
                .count();
            let delay = web.robots_facts(one.host).crawl_delay.map_or(1, |delay| delay.as_secs());
            *seconds.entry(web.host(one.host).site).or_insert(4) += delay * tries as u64;
        }
    }
    assert_eq!(fates.len(), 4, "{fates:?}");
    assert!(seconds.len() > 100, "{}", seconds.len());
    let longest = seconds.values().max().unwrap();
    assert!((15..45).contains(longest), "{longest}");
}

#[test]
fn redirects_lead_on_in_chains_and_circles_and_to_other_hosts() {
    let web = web(WebSettings { redirects: 0.4, redirect_loops: 0.1, ..small_mix() });
    let (mut direct, mut chains, mut circles, mut away) = (0, 0, 0, 0);
    for (host, page) in every_page(&web) {
        if web.page_facts(host, page, Duration::ZERO).kind != PageKind::Redirect {
            continue;
        }
        let (mut at, mut hops) = ((host, web.target(host, Spot::Page(page))), 0);
        loop {
            let reply = web.answer(&ask(at.0, &at.1));
            if !(300..400).contains(&reply.status) {
                assert!(hops > 0);
                break;
            }
            let url = resolve(&format!("{}{}", web.origin(at.0), at.1), header(&reply, "location").unwrap());
            let (origin, path) = url.split_at(url[8..].find('/').unwrap() + 8);
            let next = web.host_named(origin.split("://").nth(1).unwrap()).unwrap();
            away += i32::from(next != at.0);
            at = (next, path.to_owned());
            assert!(web.spot(at.0, &at.1).is_some(), "{url}");
            hops += 1;
            if hops > 8 {
                circles += 1;
                break;
            }
        }
        direct += i32::from(hops == 1);
        chains += i32::from((2..=4).contains(&hops));
    }
    assert!(direct > 100 && chains > 20 && circles > 5 && away > 20, "{direct} {chains} {circles} {away}");
}

#[test]
fn nonsense_settings_are_refused_with_field_value_and_range() {
    let refused = |settings: WebSettings| Web::new(settings).err().unwrap();
    let message = refused(WebSettings { redirects: 1.5, ..WebSettings::calm() });
    assert!(
        message.contains("redirects") && message.contains("1.5") && message.contains("0 to 1"),
        "{message}"
    );
    assert!(refused(WebSettings { hosts: 0, ..WebSettings::calm() }).contains("hosts"));
    assert!(
        refused(WebSettings { corpus: Some("/no/such/folder".into()), ..WebSettings::calm() })
            .contains("corpus")
    );
    for preset in [WebSettings::default(), WebSettings::calm(), WebSettings::demo(), WebSettings::fast()] {
        preset.validate().unwrap();
    }
}

#[test]
fn settings_are_read_from_json_and_unknown_keys_are_refused() {
    let read: WebSettings = serde_json::from_str(r#"{"hosts": 3, "names": "ip"}"#).unwrap();
    assert_eq!((read.hosts, read.names), (3, Names::Ip));
    assert!(serde_json::from_str::<WebSettings>(r#"{"host": 3}"#).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_page_is_found_by_its_own_target(seed in any::<u64>(), draw in any::<u32>()) {
        let web = web(WebSettings { seed, hosts: 30, seeds: 3, traps: 0.2, ..small_mix() });
        let host = draw % web.host_count();
        for page in 0..web.page_count(host).min(60) {
            let target = web.target(host, Spot::Page(page));
            proptest::prop_assert_eq!(web.spot(host, &target), Some(Spot::Page(page)));
            let join = if target.contains('?') { '&' } else { '?' };
            let tracked = format!("{target}{join}utm_source=x");
            proptest::prop_assert_eq!(web.spot(host, &tracked), Some(Spot::Page(page)));
            let alias = matches!(web.meaning(host, &tracked), Meaning::Page { alias: true, .. });
            proptest::prop_assert!(alias);
            if page > 0 {
                proptest::prop_assert_eq!(web.spot(host, &format!("{target}x")), None);
            }
        }
    }

    #[test]
    fn any_target_gets_an_answer(target in "/[ -~]{0,40}") {
        let web = web(WebSettings { hosts: 8, ..WebSettings::calm() });
        let reply = web.answer(&ask(1, &target));
        proptest::prop_assert!(reply.status == 200 || reply.status == 404);
        web.meaning(1, &target);
    }
}
