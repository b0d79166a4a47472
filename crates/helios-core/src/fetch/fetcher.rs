//! The door: `submit(visits)` and `completed()`. Owns the runtime that all fetching runs on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::Semaphore;
use tokio_rustls::TlsConnector;

use super::dial::Dialer;
use super::filter::TypeFilter;
use super::memory::Memory;
use super::patience::Limits;
use super::proxy::{self, Proxies, ProxyStats};
use super::request::Speaker;
use super::results::Results;
use super::waiting::Waiting;
use super::{FetchSettings, FetcherSettings, Finished, Visit, rooms, run, tls};
use crate::clock;
use crate::dns::{DnsStats, Guard, Resolver};
use crate::error::{Error, Result};

/// A timer that is due before all others wakes the runtime through a system call, and every request sets one. With this one
/// always due first they cost nothing.
const TICK: Duration = Duration::from_millis(20);

/// How long closing waits for the threads. They end at their next pause for breath, which is never far.
const CLOSING_TIME: Duration = Duration::from_secs(5);

/// Fetches visits, thousands at once, on a few threads.
pub struct Fetcher {
    /// Taken out when closed.
    runtime: Mutex<Option<Runtime>>,
    handle: Handle,
    tools: Arc<Tools>,
}

/// What every visit shares.
pub(super) struct Tools {
    pub(super) settings: FetchSettings,
    pub(super) limits: Limits,
    /// How much of a robots.txt is read.
    pub(super) robots_bytes: u64,
    pub(super) speaker: Speaker,
    pub(super) filter: TypeFilter,
    pub(super) dialer: Dialer,
    pub(super) tls: TlsConnector,
    pub(super) proxies: Proxies,
    pub(super) memory: Memory,
    pub(super) waiting: Waiting,
    /// Filled by visits, emptied by `completed`.
    pub(super) results: Results,
    ticking: AtomicBool,
    /// Closed once by `drain`: visits abandon what they have not asked yet.
    pub(super) draining: Semaphore,
}

impl Fetcher {
    pub fn new(settings: FetcherSettings) -> Result<Self> {
        let threads = match settings.fetch.threads {
            0 => std::thread::available_parallelism().map_or(2, usize::from),
            set => set,
        };
        let runtime = Builder::new_multi_thread()
            .worker_threads(threads)
            .thread_name("helios-fetch")
            .enable_all()
            .build()
            .map_err(|error| Error::Fetch(format!("cannot start its threads: {error}")))?;
        let tools = Arc::new(Tools::new(settings, runtime.handle())?);
        let handle = runtime.handle().clone();
        if tools.proxies.wants_checks() {
            handle.spawn(proxy::watch(Arc::clone(&tools), handle.clone()));
        }
        Ok(Self { handle, runtime: Mutex::new(Some(runtime)), tools })
    }

    /// Visits submitted and not yet handed back whole.
    pub fn in_flight(&self) -> usize {
        self.tools.results.in_flight()
    }

    pub fn free(&self) -> usize {
        self.tools.settings.concurrency.saturating_sub(self.in_flight())
    }

    /// Bytes of bodies that are being read or were not dropped yet; what went over `max_memory_bytes` is not counted.
    pub fn memory_held(&self) -> u64 {
        self.tools.memory.held()
    }

    /// What the resolver counted.
    pub fn dns_stats(&self) -> DnsStats {
        self.tools.dialer.resolver.stats()
    }

    /// What each proxy did so far, in the order of the pools.
    pub fn proxy_stats(&self) -> Vec<ProxyStats> {
        self.tools.proxies.stats()
    }

    pub fn submit(&self, visits: Vec<Visit>) {
        let visits: Vec<Visit> = visits.into_iter().filter(|visit| !visit.tasks.is_empty()).collect();
        self.tools.results.submitted(visits.len());
        if !visits.is_empty() && !self.tools.ticking.swap(true, Ordering::AcqRel) {
            self.handle.spawn(tick(Arc::clone(&self.tools)));
        }
        let begun: Vec<_> =
            visits.into_iter().map(|visit| (self.tools.waiting.take(&visit.site), visit)).collect();
        self.tools.waiting.thin(clock::instant());
        for (connection, visit) in begun {
            self.handle.spawn(run::run(visit, connection, Arc::clone(&self.tools)));
        }
    }

    /// Waits up to `wait` for a first outcome, then `linger` more for company, up to `max`.
    pub fn completed(&self, wait: Duration, linger: Duration, max: usize) -> Result<Vec<Finished>> {
        self.tools.results.take(wait, linger, max)
    }

    /// Visits under way finish what they are asking and abandon the rest.
    pub fn drain(&self) {
        self.tools.draining.close();
        self.tools.waiting.close();
    }

    /// Ends everything at once: when this returns, no task runs and no connection is open. What was in flight is forgotten;
    /// nobody was told that it was done.
    pub fn close(&self) {
        self.tools.results.close();
        self.tools.waiting.close();
        let runtime = self.runtime.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(runtime) = runtime else { return };
        if Handle::try_current().is_ok() {
            runtime.shutdown_background(); // inside another runtime nobody may wait
        } else {
            runtime.shutdown_timeout(CLOSING_TIME);
        }
    }
}

/// Ticks while there are visits, or connections that wait for some.
async fn tick(tools: Arc<Tools>) {
    loop {
        while is_at_work(&tools) {
            clock::sleep(TICK).await;
        }
        tools.ticking.store(false, Ordering::Release);
        // Whoever came in the last moment found it ticking.
        if !is_at_work(&tools) || tools.ticking.swap(true, Ordering::AcqRel) {
            return;
        }
    }
}

/// In this order: a visit leaves its connection before it is over.
fn is_at_work(tools: &Tools) -> bool {
    let visits = tools.results.in_flight() > 0;
    tools.waiting.thin(clock::instant()) || visits
}

impl Drop for Fetcher {
    fn drop(&mut self) {
        self.close();
    }
}

impl Tools {
    fn new(settings: FetcherSettings, runtime: &Handle) -> Result<Self> {
        let fetch = settings.fetch;
        let filter = TypeFilter::new(&fetch.accept)?;
        let tls = tls::client_config(&fetch)?;
        let dialer = Dialer {
            resolver: Resolver::new(&settings.dns, runtime)?,
            guard: Guard::new(&fetch.allow),
            connect_timeout: Duration::from_millis(fetch.connect_timeout_ms),
        };
        rooms::let_wait(fetch.max_memory_bytes);
        Ok(Self {
            limits: Limits::new(&fetch),
            robots_bytes: settings.robots.max_bytes as u64,
            speaker: Speaker::new(&fetch, &filter)?,
            filter,
            proxies: Proxies::new(&settings.proxy, &tls, &dialer)?,
            dialer,
            tls: TlsConnector::from(tls),
            memory: Memory::new(fetch.max_memory_bytes),
            waiting: Waiting::new(&fetch),
            results: Results::default(),
            ticking: AtomicBool::new(false),
            draining: Semaphore::new(0),
            settings: fetch,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::url::CanonicalUrl;

    #[test]
    fn a_visit_under_way_is_small() {
        let settings = r#"{"fetch": {"threads": 1}, "dns": {"servers": ["127.0.0.1:9"]}, "robots": {}}"#;
        let fetcher = Fetcher::new(serde_json::from_str(settings).unwrap()).unwrap();
        let visit = Visit {
            id: 1,
            site: CanonicalUrl::parse("http://a.example/").unwrap().site(),
            tasks: Vec::new(),
            delay: Duration::ZERO,
            fetch_time_factor: 0,
            slow_ceiling: Duration::ZERO,
            deadline: 0,
            max_body_bytes: None,
        };
        let size = size_of_val(&run::run(visit, None, Arc::clone(&fetcher.tools)));
        assert!(size <= 3_000, "{size} bytes, ten thousand times"); // measured: 1,952
    }
}
