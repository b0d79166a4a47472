//! The auditor put to the test on real sockets: the guilty are convicted with the right counts, the polite are acquitted.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must fail")]

mod served;

use std::collections::HashMap;
use std::time::Duration;

use helios_sim::reply::{Fault, HostId};
use helios_sim::server::Running;
use helios_sim::settings::Promises;
use helios_sim::web::{Fate, Meaning};
use served::{Client, find, is_plain, model, rest, start};
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
    /// Connections and how long each site or host is to be left alone, by the client's own clock.
    clients: HashMap<HostId, Client>,
    robots: HashMap<HostId, bool>,
}

impl Polite<'_> {
    /// Waits as promised, asks once, and says whether the answer is final.
    async fn once(&mut self, host: HostId, target: &str) -> bool {
        let web = self.running.web();
        let crawl_delay = web.robots_facts(host).crawl_delay.unwrap_or_default();
        let delay = Duration::from_millis(self.promises.site_delay_ms).max(crawl_delay);
        rest(delay + Duration::from_millis(2)).await;
        let mut client = match self.clients.remove(&host) {
            Some(client) => client,
            None => Client::to(self.running, host).await.unwrap(),
        };
        let name = web.host(host).name.clone();
        let Ok(Ok(answer)) = timeout(Duration::from_millis(400), client.get(&name, target)).await else {
            // Reset, or silent: the connection is of no more use.
            return false;
        };
        self.clients.insert(host, client);
        if let Some(seconds) = answer.header("retry-after").and_then(|value| value.parse().ok()) {
            let ceiling = Duration::from_millis(self.promises.retry_after_ceiling_ms);
            rest(Duration::from_secs(seconds).min(ceiling)).await;
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

#[tokio::test]
async fn house_a_polite_client_is_acquitted() {
    let running = start().await;
    let promises = Promises {
        site_delay_ms: 20,
        retry_after_ceiling_ms: 200,
        crawl_delay_ceiling_ms: 100,
        ..Promises::default()
    };
    let mut polite = Polite {
        running: &running,
        promises: promises.clone(),
        clients: HashMap::new(),
        robots: HashMap::new(),
    };
    let web = running.web();
    let expected = web.expect(&promises);
    let quick = |host, target: &str| {
        let reply = model(web, host, target);
        reply.latency < Duration::from_millis(100) || reply.fault == Fault::Silence
    };
    let fit = expected.iter().filter(|entry| matches!(entry.fate, Fate::Stored | Fate::Asked));
    let fit: Vec<_> = fit.filter(|entry| quick(entry.host, &entry.target)).take(40).collect();
    for entry in &fit {
        polite.page(entry.host, &entry.target).await;
    }
    // Hosts that it must not ask are asked for their robots.txt alone.
    let denied = expected.iter().find(|entry| web.robots_facts(entry.host).unavailable);
    if let Some(entry) = denied {
        polite.page(entry.host, &entry.target).await;
    }
    let required = expected.iter().filter(|entry| matches!(entry.fate, Fate::Stored | Fate::Asked)).count();
    let report = running.audit(&Promises { complete: fit.len() == required, ..promises });
    assert!(report.innocent, "{}", report.text());
    assert!(report.facts.requests > 10);
    println!("{}", report.text());
}
