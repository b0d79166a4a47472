//! The auditor put to the test on real sockets: the guilty are convicted with the right counts, the polite are acquitted.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must fail")]

mod served;

use std::collections::HashMap;
use std::time::Duration;

use helios_sim::reply::HostId;
use helios_sim::server::{Listen, Running, serve};
use helios_sim::settings::{Promises, WebSettings};
use helios_sim::web::{Expected, Fate, Meaning};
use served::{Client, find, is_plain, model, rest, start};
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Pages of one plain http host that are there at the first attempt, and one page that its robots.txt denies.
fn victim(running: &Running) -> (HostId, Vec<String>, String) {
    let web = running.web();
    let denied = |host, target: &str| matches!(web.meaning(host, target), Meaning::Page { denied: true, .. });
    let (host, secret) = find(web, |entry, reply| {
        let open = !web.host(entry.host).https && !web.robots_facts(entry.host).unavailable;
        open && is_plain(reply) && denied(entry.host, &entry.target)
    })
    .unwrap();
    let of_host = web.expect(&Promises::default()).into_iter().filter(|entry| entry.host == host);
    let stored = of_host.filter(|entry| matches!(entry.fate, Fate::Stored));
    let pages: Vec<String> =
        stored.map(|entry| entry.target).filter(|page| is_plain(&model(web, host, page))).collect();
    (host, pages.into_iter().take(4).collect(), secret)
}

#[tokio::test]
async fn house_an_impolite_client_is_convicted_of_p_r_and_e() {
    let running = start().await;
    let (host, pages, secret) = victim(&running);
    let name = running.web().host(host).name.clone();
    let ask = async |target: &str| {
        let mut client = Client::to(&running, host).await.unwrap();
        assert_eq!(client.get(&name, target).await.unwrap().status, 200, "{target}");
    };
    // All at once, without robots.txt; then the first one twice more, then what is denied.
    let mut tasks = Vec::new();
    for page in &pages {
        tasks.push(Box::pin(ask(page)));
    }
    futures_join(tasks).await;
    ask(&pages[0]).await;
    ask(&pages[0]).await;
    ask(&secret).await;

    let asked = pages.len() as u64 + 3;
    let promises = Promises { site_delay_ms: 600_000, ..Promises::default() };
    let report = running.audit(&promises);
    assert!(!report.innocent);
    let text = report.text();
    assert_eq!(report.laws.politeness.violations, asked - 1, "{text}");
    assert_eq!(report.laws.robots.by_rule.get("robots_first"), Some(&asked), "{text}");
    assert_eq!(report.laws.robots.by_rule.get("denied"), Some(&1), "{text}");
    assert_eq!(report.laws.repeats.violations, 2, "{text}");
    assert!(!report.laws.loss.judged);
    assert_eq!(report.laws.robots.worst[0].urls[0], format!("{}{secret}", running.web().origin(host)));
    println!("{text}");
}

/// Polls all until all are done.
async fn futures_join<F: Future<Output = ()> + Unpin>(mut tasks: Vec<F>) {
    std::future::poll_fn(|cx| {
        tasks.retain_mut(|task| std::pin::Pin::new(task).poll(cx).is_pending());
        if tasks.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
}

#[tokio::test]
async fn house_a_client_that_stops_half_way_is_convicted_of_l() {
    let running = start().await;
    let (host, pages, _) = victim(&running);
    let name = running.web().host(host).name.clone();
    let mut client = Client::to(&running, host).await.unwrap();
    client.get(&name, "/robots.txt").await.unwrap();
    client.get(&name, &pages[0]).await.unwrap();
    let promises = Promises { site_delay_ms: 0, ..Promises::default() };
    assert!(running.audit(&promises).innocent, "{}", running.audit(&promises).text());
    let report = running.audit(&Promises { complete: true, ..promises });
    assert_eq!(report.laws.loss.violations, report.facts.expected - 1, "{}", report.text());
    assert!(!report.innocent);
}

/// A crawler that does everything right, one page after the other; it is told its pages by the model.
struct Polite<'a> {
    running: &'a Running,
    promises: Promises,
    /// The one connection of each site, and to which of its hosts.
    clients: HashMap<u32, (HostId, Client)>,
    robots: HashMap<HostId, bool>,
}

impl Polite<'_> {
    /// Waits as promised, asks once, and says whether the answer is final.
    async fn once(&mut self, host: HostId, target: &str) -> bool {
        let web = self.running.web();
        let crawl_delay = web.robots_facts(host).crawl_delay.unwrap_or_default();
        let delay = Duration::from_millis(self.promises.site_delay_ms).max(crawl_delay);
        rest(delay + Duration::from_millis(2)).await;
        let site = web.host(host).site;
        let mut client = match self.clients.remove(&site) {
            Some((same, client)) if same == host => client,
            _ => Client::to(self.running, host).await.unwrap(),
        };
        let name = web.host(host).name.clone();
        let Ok(Ok(answer)) = timeout(Duration::from_millis(400), client.get(&name, target)).await else {
            // Reset, or silent: the connection is of no more use.
            return false;
        };
        self.clients.insert(site, (host, client));
        if answer.header("retry-after").is_some() {
            // In seconds or as a date: it is never less than the ceiling here.
            rest(Duration::from_millis(self.promises.retry_after_ceiling_ms)).await;
        }
        !matches!(answer.status, 408 | 425 | 429 | 500 | 502 | 503 | 504)
    }

    async fn page(&mut self, host: HostId, target: &str) {
        if !self.robots.contains_key(&host) {
            let mut answered = false;
            for _ in 0..4 {
                answered = answered || self.once(host, "/robots.txt").await;
            }
            self.robots.insert(host, answered);
        }
        for _ in 0..4 {
            if !self.robots[&host] || self.once(host, target).await {
                return;
            }
        }
    }
}

/// A web that is crawled whole in seconds, with most of what can go wrong in it.
async fn small_web() -> Running {
    let small = WebSettings { hosts: 16, seeds: 3, mean_pages: 4.0, ..served::settings() };
    serve(small, &Listen::default()).await.unwrap()
}

#[tokio::test]
async fn house_a_polite_client_is_acquitted_of_all_laws() {
    let running = small_web().await;
    let promises = Promises {
        site_delay_ms: 20,
        retry_after_ceiling_ms: 200,
        crawl_delay_ceiling_ms: 100,
        complete: true,
        ..Promises::default()
    };
    let (clients, robots) = (HashMap::new(), HashMap::new());
    let mut polite = Polite { running: &running, promises: promises.clone(), clients, robots };
    let web = running.web();
    let expected = web.expect(&promises);
    let required =
        |entry: &&Expected| matches!(entry.fate, Fate::Stored | Fate::Asked) && !entry.sitemap_only;
    for entry in expected.iter().filter(required) {
        polite.page(entry.host, &entry.target).await;
    }
    // Hosts that it must not ask are asked for their robots.txt alone.
    let denied = expected.iter().find(|entry| web.robots_facts(entry.host).unavailable);
    if let Some(entry) = denied {
        polite.page(entry.host, &entry.target).await;
    }
    let report = running.audit(&promises);
    assert!(report.innocent && report.laws.loss.judged, "{}", report.text());
    assert_eq!(report.facts.expected, expected.iter().filter(required).count() as u64);
    assert!(report.facts.expected > 30 && report.facts.hosts_asked > 8, "{}", report.text());
    println!("{}", report.text());

    // The same crawl less one page is not complete.
    let last = expected.iter().rfind(required).unwrap();
    running.forget();
    for entry in expected.iter().filter(required).filter(|entry| *entry != last) {
        polite.page(entry.host, &entry.target).await;
    }
    assert_eq!(running.audit(&promises).laws.loss.by_rule.get("never_asked"), Some(&1));
}

#[tokio::test]
async fn house_a_client_that_hammers_a_refusing_host_is_convicted_of_p() {
    let running = start().await;
    let web = running.web();
    let host = (0..web.host_count()).find(|id| web.host(*id).refuses_connections).unwrap();
    let (address, port) = (web.host(host).address, running.ports().http);
    let knock = async || {
        if let Ok(mut stream) = TcpStream::connect((address, port)).await {
            assert!(timeout(served::PATIENCE, stream.read_u8()).await.unwrap().is_err());
        }
    };
    let promises = Promises { site_delay_ms: 100, ..Promises::default() };
    knock().await;
    rest(Duration::from_millis(110)).await;
    knock().await;
    assert!(running.audit(&promises).innocent, "{}", running.audit(&promises).text());
    for _ in 0..5 {
        knock().await;
    }
    let report = running.audit(&Promises { site_delay_ms: 600_000, ..promises });
    assert_eq!(report.laws.politeness.by_rule.get("site_gap"), Some(&6), "{}", report.text());
    assert_eq!((report.facts.refused_connections, report.laws.robots.violations), (7, 0));
    assert_eq!(report.laws.politeness.worst[0].urls[0], web.origin(host));
}

#[tokio::test]
async fn house_a_client_that_takes_two_connections_in_turns_is_convicted_of_p() {
    let running = start().await;
    let (host, pages, _) = victim(&running);
    let name = running.web().host(host).name.clone();
    let mut one = Client::to(&running, host).await.unwrap();
    let mut two = Client::to(&running, host).await.unwrap();
    let promises = Promises { site_delay_ms: 0, ..Promises::default() };
    one.get(&name, "/robots.txt").await.unwrap();
    rest(Duration::from_millis(5)).await;
    two.get(&name, &pages[0]).await.unwrap();
    let report = running.audit(&promises);
    assert!(report.innocent, "{}", report.text());
    assert_eq!(report.facts.most_connections, 2);
    rest(Duration::from_millis(5)).await;
    one.get(&name, "/robots.txt").await.unwrap();
    let report = running.audit(&promises);
    assert_eq!(report.laws.politeness.by_rule.get("site_connections"), Some(&1), "{}", report.text());
}
