//! Law L for crawls with a page budget per site: crawlers that stop in time, too early, or nowhere, judged by what they were answered.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must fail")]

mod common;

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Duration;

use common::{ask, header, hrefs, resolve, web};
use helios_sim::audit::{Report, judge};
use helios_sim::log::{Begin, Ending, Finish, Log};
use helios_sim::reply::{Ask, HostId, Reply};
use helios_sim::settings::{Promises, WebSettings};
use helios_sim::web::Web;

const BUDGET: u64 = 10;

/// Endless hosts, redirects and pages that are not there; every link is plain, so that a crawler needs no more than to read hrefs.
fn endless() -> Web {
    web(endless_settings())
}

fn endless_settings() -> WebSettings {
    WebSettings {
        hosts: 40,
        mean_pages: 20.0,
        max_pages: 80,
        traps: 0.3,
        redirects: 0.15,
        not_found: 0.05,
        sitemaps: 0.5,
        sitemap_only: 0.1,
        ..WebSettings::calm()
    }
}

/// A crawler without sockets: it reads the hrefs of what the model answers, and the log is written as the server would.
struct Crawler<'w> {
    web: &'w Web,
    log: Log,
    queue: VecDeque<(HostId, String)>,
    seen: HashSet<String>,
    /// Pages answered with 2xx, by site.
    fetched: HashMap<u32, u64>,
}

impl<'w> Crawler<'w> {
    fn new(web: &'w Web) -> Self {
        let (log, queue) = (Log::new(), VecDeque::new());
        let mut crawler = Self { web, log, queue, seen: HashSet::new(), fetched: HashMap::new() };
        web.seeds().iter().for_each(|seed| crawler.meet(seed));
        crawler
    }

    fn meet(&mut self, url: &str) {
        if self.seen.insert(url.to_owned()) {
            let (_, rest) = url.split_once("://").unwrap();
            let (authority, target) = rest.split_at(rest.find('/').unwrap());
            self.queue.push_back((self.web.host_named(authority).unwrap(), target.to_owned()));
        }
    }

    /// Asks and follows; `skips` says of which URLs the crawler wants to know nothing.
    fn run(&mut self, most: usize, skips: impl Fn(HostId, &str) -> bool) {
        while let Some((host, target)) = self.queue.pop_front() {
            let full = self.fetched.get(&self.web.host(host).site).is_some_and(|pages| *pages >= BUDGET);
            if full || skips(host, &target) {
                continue;
            }
            if self.log.records().len() >= most {
                return;
            }
            let reply = self.ask(host, &target);
            let base = format!("{}{target}", self.web.origin(host));
            if let Some(location) = header(&reply, "location") {
                self.meet(&resolve(&base, location));
            } else if header(&reply, "content-type").is_some_and(|kind| kind.starts_with("text/html")) {
                for href in hrefs(&reply.body_bytes()) {
                    self.meet(&resolve(&base, &href));
                }
            }
        }
    }

    fn ask(&mut self, host: HostId, target: &str) -> Reply {
        let at = Duration::from_secs(self.log.records().len() as u64);
        let connection = self.log.open_connection(self.web.host(host).address, at);
        let begun = self.log.begin(Begin { connection, host, target, head: false }, at).unwrap();
        let reply = self.web.answer(&Ask { attempt: begun.attempt, ..ask(host, target) });
        let (status, bytes) = (reply.status, reply.body_len() as u64);
        let finish = Finish { at, ending: Ending::Complete, status, bytes, retry_after: None };
        self.log.finish(begun.number, &finish);
        if (200..300).contains(&reply.status) {
            *self.fetched.entry(self.web.host(host).site).or_default() += 1;
        }
        reply
    }

    fn judged(&self) -> Report {
        judge(&self.log, self.web, &promises())
    }
}

fn promises() -> Promises {
    Promises { complete: true, max_pages_per_site: Some(BUDGET), ..Promises::default() }
}

#[test]
fn house_l_a_crawler_that_stops_each_endless_site_at_its_budget_is_acquitted() {
    let web = endless();
    let mut crawler = Crawler::new(&web);
    crawler.run(usize::MAX, |_, _| false);
    let report = crawler.judged();
    assert_eq!(report.laws.loss.violations, 0, "{}", report.text());
    assert!(report.facts.trap_requests > 0 && report.facts.expected > 10, "{}", report.text());
    let (full, open): (Vec<u64>, Vec<u64>) = crawler.fetched.values().partition(|pages| **pages >= BUDGET);
    assert!(full.len() > 3 && open.len() > 3, "{full:?} {open:?}");
    // Without the budget, the same crawl is found wanting.
    let whole = Promises { max_pages_per_site: None, ..promises() };
    assert!(judge(&crawler.log, &web, &whole).laws.loss.violations > 0);
}

#[test]
fn house_l_a_crawler_that_fills_one_site_and_stops_is_convicted() {
    let web = endless();
    let site = (0..web.settings().seeds).find(|host| web.page_count(*host) > 15).unwrap();
    let mut crawler = Crawler::new(&web);
    let mut one = crawler.queue.iter().filter(|(host, _)| *host == site).cloned().collect();
    std::mem::swap(&mut crawler.queue, &mut one);
    crawler.run(usize::MAX, |host, _| host != site);
    assert_eq!(crawler.fetched.get(&web.host(site).site), Some(&BUDGET));
    let report = crawler.judged();
    let lost = report.laws.loss.by_rule.get("never_asked").copied().unwrap_or(0);
    assert!(lost >= u64::from(web.settings().seeds) - 1 + 3, "{}", report.text());
    assert!(!report.laws.loss.worst.iter().any(|one| one.whom == web.host(site).name));
}

#[test]
fn house_l_a_crawler_that_leaves_out_one_host_or_one_redirect_is_convicted() {
    let web = endless();
    let site_of = |host: HostId| web.host(host).site;
    let last = web.host_count() - 1;
    let mut crawler = Crawler::new(&web);
    crawler.run(usize::MAX, |host, _| site_of(host) == site_of(last));
    let report = crawler.judged();
    assert!(report.laws.loss.violations > 0, "{}", report.text());
    let names: HashSet<&str> = (0..web.host_count())
        .filter(|host| site_of(*host) == site_of(last))
        .map(|host| web.host(host).name.as_str())
        .collect();
    assert!(report.laws.loss.worst.iter().all(|one| names.contains(one.whom.as_str())), "{}", report.text());

    // Sites too small for their budget to be used up: a chain is left in the middle.
    let small =
        WebSettings { max_pages: 8, traps: 0.0, redirects: 0.4, redirect_chains: 0.7, ..endless_settings() };
    let web = common::web(small);
    let mut crawler = Crawler::new(&web);
    crawler.run(usize::MAX, |_, target| target.contains("?hop="));
    let hops = crawler.judged().laws.loss.worst;
    assert!(!hops.is_empty() && hops.iter().all(|one| one.urls[0].contains("?hop=")), "{hops:?}");
}

#[test]
fn house_l_a_crawler_that_stops_anywhere_is_convicted_of_what_it_knew() {
    let web = endless();
    let mut whole = Crawler::new(&web);
    whole.run(usize::MAX, |_, _| false);
    let all = whole.log.records().len();
    for most in [0, 1, 11, all / 2, all * 9 / 10] {
        let mut crawler = Crawler::new(&web);
        crawler.run(most, |_, _| false);
        let report = crawler.judged();
        assert!(report.laws.loss.violations > 0, "after {most} of {all}\n{}", report.text());
    }
}

#[test]
fn house_l_budget_and_depth_excuse_together() {
    let web = endless();
    let mut crawler = Crawler::new(&web);
    crawler.run(web.settings().seeds as usize, |_, _| false);
    let shallow = Promises { max_depth: Some(0), ..promises() };
    assert_eq!(judge(&crawler.log, &web, &shallow).laws.loss.violations, 0);
    let deeper = Promises { max_depth: Some(1), ..promises() };
    let report = judge(&crawler.log, &web, &deeper);
    assert!(
        report.laws.loss.violations > 0
            && report.laws.loss.worst.iter().all(|one| one.sentence.contains("1 link"))
    );
}
