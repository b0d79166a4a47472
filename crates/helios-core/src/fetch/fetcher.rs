//! The door: `submit(visits)` and `completed()`. Owns the runtime that all fetching runs on.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::{FetchSettings, FetcherSettings, Finished, Visit, run, tls};
use crate::dns::{Guard, Resolver};
use crate::error::{Error, Result};

/// Fetches visits, thousands at once, on a few threads.
pub struct Fetcher {
    /// Taken out when closed. Kept behind a lock because `completed` waits on it from another thread.
    runtime: Mutex<Option<Runtime>>,
    handle: Handle,
    tools: Arc<Tools>,
    /// Filled by visits, emptied by `completed`. Bounded: visits wait when nobody takes their results.
    sender: Sender<Finished>,
    results: Mutex<Receiver<Finished>>,
    /// Visits submitted and not yet handed back whole.
    in_flight: AtomicUsize,
}

/// What every visit shares.
pub(super) struct Tools {
    pub(super) settings: FetchSettings,
    pub(super) user_agent: String,
    /// How much of a robots.txt is read.
    pub(super) robots_bytes: u64,
    pub(super) resolver: Resolver,
    pub(super) guard: Guard,
    pub(super) tls: TlsConnector,
    pub(super) runtime: Handle,
    pub(super) connect_timeout: Duration,
    pub(super) first_byte_timeout: Duration,
    pub(super) total_timeout: Duration,
    /// Set once by `drain`: visits abandon what they have not asked yet.
    pub(super) draining: AtomicBool,
    /// Set once when a visit panicked: a dead task must not look like a slow one.
    poisoned: OnceLock<String>,
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
        let tools = Arc::new(Tools::new(settings, &runtime)?);
        let (sender, receiver) = channel(tools.settings.concurrency.max(1));
        Ok(Self {
            handle: runtime.handle().clone(),
            runtime: Mutex::new(Some(runtime)),
            tools,
            sender,
            results: Mutex::new(receiver),
            in_flight: AtomicUsize::new(0),
        })
    }

    pub fn in_flight(&self) -> usize {
        self.in_flight.load(Ordering::Acquire)
    }

    pub fn free(&self) -> usize {
        self.tools.settings.concurrency.saturating_sub(self.in_flight())
    }

    pub fn submit(&self, visits: Vec<Visit>) {
        for visit in visits {
            self.in_flight.fetch_add(1, Ordering::AcqRel);
            let (tools, results) = (Arc::clone(&self.tools), self.sender.clone());
            let life = self.handle.spawn(run::run(visit, Arc::clone(&tools), results));
            self.handle.spawn(async move {
                if let Err(error) = life.await {
                    tools.poisoned.get_or_init(|| error.to_string());
                }
            });
        }
    }

    /// Waits up to `wait` for a first outcome, then `linger` more for company, up to `max`.
    pub fn completed(&self, wait: Duration, linger: Duration, max: usize) -> Result<Vec<Finished>> {
        if let Some(reason) = self.tools.poisoned.get() {
            return Err(Error::Fetch(format!("a visit died: {reason}")));
        }
        let mut results = self.results.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut done = Vec::new();
        self.handle.block_on(async {
            if let Ok(Some(first)) = timeout(wait, results.recv()).await {
                done.push(first);
                let mut out = self.in_flight() - usize::from(done.iter().any(|finished| finished.last));
                let company = async {
                    // When every visit has come back there is nothing to wait for.
                    while done.len() < max && out > 0 {
                        let Some(next) = results.recv().await else { break };
                        out -= usize::from(next.last);
                        done.push(next);
                    }
                };
                // Running out of time is the normal end of lingering.
                drop(timeout(linger, company).await);
            }
        });
        self.in_flight.fetch_sub(done.iter().filter(|finished| finished.last).count(), Ordering::AcqRel);
        Ok(done)
    }

    /// Visits under way finish what they are asking and abandon the rest.
    pub fn drain(&self) {
        self.tools.draining.store(true, Ordering::Relaxed);
    }

    /// Ends everything at once. What was in flight is forgotten; nobody was told that it was done.
    pub fn close(&self) {
        let runtime = self.runtime.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        if let Some(runtime) = runtime {
            runtime.shutdown_background();
        }
    }
}

impl Tools {
    fn new(settings: FetcherSettings, runtime: &Runtime) -> Result<Self> {
        let _inside = runtime.enter();
        let fetch = settings.fetch;
        Ok(Self {
            user_agent: fetch.user_agent.clone(),
            robots_bytes: settings.robots.max_bytes as u64,
            resolver: Resolver::new(&settings.dns)?,
            guard: Guard::new(&fetch.allow),
            tls: TlsConnector::from(tls::client_config(fetch.extra_ca.as_deref())?),
            runtime: runtime.handle().clone(),
            connect_timeout: Duration::from_millis(fetch.connect_timeout_ms),
            first_byte_timeout: Duration::from_millis(fetch.first_byte_timeout_ms),
            total_timeout: Duration::from_millis(fetch.total_timeout_ms),
            draining: AtomicBool::new(false),
            poisoned: OnceLock::new(),
            settings: fetch,
        })
    }
}
