//! Asks a server for two pages with a fetcher of its own and holds what every case must hold: it ends in time, each task is
//! reported once and in order, and the fetcher then serves an ordinary site as if nothing had been.

use std::sync::OnceLock;
use std::time::Duration;

use helios_core::clock;
use helios_core::fetch::{Fetcher, Finished, Known, Outcome, OutcomeKind, Purpose, Task, Validators, Visit};
use helios_core::robots::{Permit, RobotsRules};
use helios_core::url::CanonicalUrl;
use serde_json::{Value, json};

use crate::server::Server;

/// No case may take longer, in milliseconds: several times what its timeouts add up to.
const BOUND: u64 = 10_000;
/// What a page may take beyond its timeout on a busy machine, in milliseconds.
const SLACK: u64 = 3_000;
const GOOD: &str = "an ordinary page";

/// Settings for cases that must not depend on time: an outcome by timeout is a failure of theirs.
pub(crate) fn patient() -> Value {
    settings(5_000)
}

/// For cases that end by a timeout.
pub(crate) fn hasty() -> Value {
    settings(200)
}

/// Every setting of the suite. Waiting for any one thing ends after `step_ms`, a page as a whole after three times that.
fn settings(step_ms: u64) -> Value {
    json!({
        "fetch": {
            "user_agent": "Helios/test", "concurrency": 1_000, "threads": 1,
            "connect_timeout_ms": step_ms, "tls_timeout_ms": step_ms, "first_byte_timeout_ms": step_ms,
            "idle_timeout_ms": step_ms, "total_timeout_ms": 3 * step_ms,
            "max_body_bytes": 1_000_000, "max_ratio": 100, "allow": ["loopback"], "extra_ca": null,
        },
        "dns": {
            "servers": ["127.0.0.1:9"], "timeout_ms": step_ms, "ip": "both", "hosts_file": null, "cache_entries": 100,
            "min_ttl_s": 0, "max_ttl_s": 60, "negative_ttl_s": 0, "failure_ttl_s": 0,
        },
        "robots": {},
    })
}

/// The settings with some of them changed.
pub(crate) fn with(mut settings: Value, table: &str, changes: Value) -> Value {
    let Value::Object(changes) = changes else { panic!("a table of changes") };
    settings[table].as_object_mut().unwrap().extend(changes);
    settings
}

pub(crate) fn fetcher(settings: &Value) -> Fetcher {
    Fetcher::new(serde_json::from_value(settings.clone()).unwrap()).unwrap()
}

pub(crate) fn task(url: &str) -> Task {
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

pub(crate) fn visit(id: u64, tasks: Vec<Task>) -> Visit {
    Visit {
        id,
        site: tasks[0].permit.url().site(),
        tasks,
        delay: Duration::ZERO,
        fetch_time_factor: 0,
        slow_ceiling: Duration::ZERO,
        deadline: clock::now() + 3_600_000,
        max_body_bytes: None,
    }
}

/// What became of the tasks of one visit, in order.
pub(crate) struct Ended(pub(crate) Vec<Finished>);

/// Two pages of the server, `/1` and `/2`, in one visit.
pub(crate) fn ask(server: &Server, settings: &Value) -> Ended {
    ask_for(&[server.url("/1"), server.url("/2")], settings)
}

pub(crate) fn ask_for(urls: &[String], settings: &Value) -> Ended {
    ask_visit(visit(1, urls.iter().map(|url| task(url)).collect()), settings)
}

pub(crate) fn ask_visit(visit: Visit, settings: &Value) -> Ended {
    let fetcher = fetcher(settings);
    let ended = run(&fetcher, visit);
    let most = settings["fetch"]["total_timeout_ms"].as_u64().unwrap() + SLACK;
    for finished in &ended.0 {
        let took = finished.finished - finished.started;
        assert!(took <= most, "{took} ms for one page: {:?}", finished.outcome);
    }
    serves_others(&fetcher);
    fetcher.close();
    ended
}

/// Runs the visit to its end.
pub(crate) fn run(fetcher: &Fetcher, visit: Visit) -> Ended {
    let (id, begun) = (visit.id, clock::now());
    let asked: Vec<_> = visit.tasks.iter().map(|task| task.permit.url().clone()).collect();
    fetcher.submit(vec![visit]);
    let mut done = Vec::new();
    while fetcher.in_flight() > 0 {
        assert!(clock::now() < begun + BOUND, "after {BOUND} ms it had only {done:?}");
        done.extend(fetcher.completed(Duration::from_millis(100), Duration::ZERO, 100).unwrap());
    }
    done.extend(fetcher.completed(Duration::ZERO, Duration::ZERO, 100).unwrap());
    let reported: Vec<_> = done.iter().map(|finished| finished.task.permit.url().clone()).collect();
    assert_eq!(reported, asked, "each task once, in order");
    for (index, finished) in done.iter().enumerate() {
        assert_eq!((finished.visit, finished.last), (id, index + 1 == asked.len()));
    }
    Ended(done)
}

/// Nothing is poisoned: an ordinary site is served by the same fetcher.
pub(crate) fn serves_others(fetcher: &Fetcher) {
    static ORDINARY: OnceLock<Server> = OnceLock::new();
    let ordinary = ORDINARY.get_or_init(|| {
        Server::plain(|mut line| async move {
            while !line.request().await.is_empty() && line.answer(GOOD).await {}
        })
    });
    // On a busy machine even an ordinary server may be slow for once; a fetcher that is stuck stays so.
    let pages: Vec<_> = (0..3).map(|_| run(fetcher, visit(2, vec![task(&ordinary.url("/"))]))).collect();
    let bodies: Vec<_> = pages.iter().map(|ended| ended.try_body(0)).collect();
    assert!(bodies.contains(&Ok(GOOD.to_owned())), "an ordinary site: {bodies:?}");
}

impl Ended {
    pub(crate) fn first(&self) -> &Outcome {
        &self.0[0].outcome
    }

    pub(crate) fn kinds(&self) -> Vec<OutcomeKind> {
        self.0.iter().map(|finished| finished.outcome.kind()).collect()
    }

    /// How the first task ended.
    pub(crate) fn is(&self, kind: OutcomeKind) -> &Self {
        self.is_any(&[kind])
    }

    /// Where the standards leave a choice, each is right.
    pub(crate) fn is_any(&self, kinds: &[OutcomeKind]) -> &Self {
        assert!(kinds.contains(&self.first().kind()), "{kinds:?} expected, not {:?}", self.first());
        self
    }

    /// The explanation has one of the words.
    pub(crate) fn says(&self, words: &[&str]) -> &Self {
        let said = self.first().describe().to_lowercase();
        assert!(words.iter().any(|word| said.contains(&word.to_lowercase())), "{words:?} in {said:?}");
        self
    }

    /// Ended by one of these timeouts, and the rest of the visit was left alone.
    pub(crate) fn timed_out(&self, phases: &[&str]) -> &Self {
        self.is(OutcomeKind::TimedOut).is_abandoned_after(1);
        let Outcome::TimedOut(phase) = self.first() else { unreachable!() };
        assert!(phases.contains(&format!("{phase:?}").as_str()), "{phases:?} expected, not {phase:?}");
        self
    }

    pub(crate) fn is_abandoned_after(&self, count: usize) -> &Self {
        assert!(
            self.kinds().iter().skip(count).all(|kind| *kind == OutcomeKind::Abandoned),
            "{:?}",
            self.kinds()
        );
        self
    }

    pub(crate) fn body(&self, index: usize) -> String {
        self.try_body(index).unwrap()
    }

    pub(crate) fn try_body(&self, index: usize) -> Result<String, String> {
        let outcome = &self.0[index].outcome;
        let Outcome::Fetched(response) = outcome else { return Err(format!("{outcome:?}")) };
        Ok(String::from_utf8_lossy(&response.body).into_owned())
    }

    /// The second task got its own answer, whatever became of the first.
    pub(crate) fn second_is(&self, body: &str) -> &Self {
        assert_eq!(self.body(1), body);
        self
    }
}
