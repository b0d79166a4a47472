//! Asks for pages with a fetcher of its own.

use std::time::Duration;

use helios_core::clock;
use helios_core::fetch::{
    Fetcher, Finished, Known, OutcomeKind, ProxyStats, Purpose, Task, Validators, Visit,
};
use helios_core::robots::{Permit, RobotsRules};
use helios_core::url::CanonicalUrl;
use serde_json::{Value, json};

use crate::site::trusted_file;

/// No visit may take longer, in milliseconds.
const BOUND: u64 = 30_000;

pub(crate) struct Crawler {
    fetcher: Fetcher,
    visits: u64,
    delay: Duration,
}

/// One pool for all hosts.
pub(crate) fn pool(proxies: &[String], rotation: &str) -> Value {
    json!({
        "pools": {"all": {"proxies": proxies, "rotation": rotation}},
        "default": "all", "failures": 2, "cool_down_ms": 60_000, "check_ms": 0,
    })
}

pub(crate) fn with(mut settings: Value, changes: Value) -> Value {
    let Value::Object(changes) = changes else { panic!("a table of changes") };
    settings.as_object_mut().unwrap().extend(changes);
    settings
}

impl Crawler {
    pub(crate) fn new(proxy: &Value) -> Self {
        Self::allowing(&["loopback"], 3_000, proxy)
    }

    pub(crate) fn allowing(ranges: &[&str], connect_ms: u64, proxy: &Value) -> Self {
        let settings = json!({
            "fetch": {
                "user_agent": "Helios/test", "threads": 1, "connect_timeout_ms": connect_ms, "total_timeout_ms": 20_000,
                "allow": ranges, "extra_ca": trusted_file(),
            },
            // Nobody answers there: what is not resolved by the proxy is not resolved.
            "dns": {"servers": ["127.0.0.1:9"], "timeout_ms": 200},
            "robots": {},
            "proxy": proxy,
        });
        let fetcher = Fetcher::new(serde_json::from_value(settings).unwrap()).unwrap();
        Self { fetcher, visits: 0, delay: Duration::ZERO }
    }

    /// Rests between two pages, so that something can happen meanwhile.
    pub(crate) fn slow(proxy: &Value) -> Self {
        Self { delay: Duration::from_millis(200), ..Self::new(proxy) }
    }

    /// The URLs in one visit, in order.
    pub(crate) fn ask(&mut self, urls: &[String]) -> Vec<Finished> {
        self.submit(urls);
        self.wait()
    }

    pub(crate) fn submit(&mut self, urls: &[String]) {
        self.visits += 1;
        let tasks: Vec<Task> = urls.iter().map(|url| task(url)).collect();
        self.fetcher.submit(vec![Visit {
            id: self.visits,
            site: tasks[0].permit.url().site(),
            tasks,
            delay: self.delay,
            fetch_time_factor: 0,
            slow_ceiling: Duration::ZERO,
            deadline: clock::now() + 3_600_000,
            max_body_bytes: None,
        }]);
    }

    /// Until so many pages are done; what is under way goes on.
    pub(crate) fn wait_for(&mut self, count: usize) -> Vec<Finished> {
        let begun = clock::now();
        let mut done = Vec::new();
        while done.len() < count {
            assert!(clock::now() < begun + BOUND, "after {BOUND} ms there was only {done:?}");
            done.extend(self.fetcher.completed(Duration::from_millis(100), Duration::ZERO, 1).unwrap());
        }
        done
    }

    pub(crate) fn wait(&mut self) -> Vec<Finished> {
        let begun = clock::now();
        let mut done = Vec::new();
        while self.fetcher.in_flight() > 0 {
            assert!(clock::now() < begun + BOUND, "after {BOUND} ms there was only {done:?}");
            done.extend(self.fetcher.completed(Duration::from_millis(100), Duration::ZERO, 100).unwrap());
        }
        done.extend(self.fetcher.completed(Duration::ZERO, Duration::ZERO, 100).unwrap());
        done
    }

    /// How one URL ended, in words.
    pub(crate) fn told(&mut self, url: String) -> String {
        self.ask(&[url])[0].outcome.describe()
    }

    pub(crate) fn stats(&self) -> Vec<ProxyStats> {
        self.fetcher.proxy_stats()
    }
}

fn task(url: &str) -> Task {
    let url = CanonicalUrl::parse(url).unwrap();
    Task {
        permit: Permit::under(&RobotsRules::parse(b"", "helios", 1_000), &url).unwrap(),
        purpose: Purpose::Page,
        depth: 0,
        fetch_number: 0,
        validators: Validators::default(),
        known: Known::default(),
    }
}

pub(crate) fn all_fetched(done: &[Finished]) {
    let outcomes: Vec<String> = done.iter().map(|finished| finished.outcome.describe()).collect();
    assert!(done.iter().all(|finished| finished.outcome.kind() == OutcomeKind::Fetched), "{outcomes:?}");
}
