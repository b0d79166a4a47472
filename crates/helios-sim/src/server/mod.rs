//! Sockets around the model: HTTP/1.1, TLS with HTTP/2, DNS, and the pages that show the log and the verdict.
//!
//! In: ports and a way to build the web once they are known. Out: [`Running`], which answers until it is stopped.
//! Always: nothing outside of this machine is served; every GET and HEAD to a host of the web, on the port of its scheme, is in the log, and every
//! connection that a host refuses. What is for no host here, or on the other port, is counted (`misdirected`); other methods, requests
//! without Host and those that a full log has no room for are turned away and nothing more. Only this folder touches the clock.
//!
//! * `listen`: the sockets, on the loopback device alone
//! * `http`: a request becomes an `Ask`, the reply becomes an answer; `body`, `wire`, `line`: its way to the kernel and into the log
//! * `tls`: the certificate authority; `dns`: names; `admin`: `/__audit` and its family; `shell`: clock, sleep, spawn

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use tokio::task::JoinHandle;

use crate::audit::{self, Report};
use crate::log::Log;
use crate::settings::{Promises, WebSettings};
use crate::web::{Expected, Web};

mod admin;
mod body;
mod date;
mod dns;
mod http;
mod line;
mod listen;
mod query;
mod shell;
mod tls;
mod wire;

pub use listen::{Listen, Ports, ServeError};
pub use query::{promises_from_query, promises_to_query};

use shell::Clock;
use tls::Authority;

/// What all connections share.
struct Shared {
    web: Arc<Web>,
    log: Mutex<Log>,
    clock: Clock,
    authority: Arc<Authority>,
    counts: Counts,
    /// What a complete crawl must meet, for the promises it was last computed for.
    expected: Mutex<Option<(Promises, Arc<Vec<Expected>>)>>,
}

#[derive(Debug, Default)]
struct Counts {
    dns_queries: AtomicU64,
    /// Requests for hosts that are not here.
    misdirected: AtomicU64,
    /// Connections to hosts that refuse them.
    refused: AtomicU64,
    /// Connections from or to an address outside of this machine.
    strangers: AtomicU64,
}

/// Counts of a running web.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stats {
    pub uptime_ms: u64,
    pub requests: u64,
    pub connections: u64,
    pub connections_open: u64,
    pub dns_queries: u64,
    pub misdirected: u64,
    pub refused: u64,
    pub strangers: u64,
    pub log_bytes: u64,
}

impl Shared {
    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn expected(&self, promises: &Promises) -> Arc<Vec<Expected>> {
        let mut kept = self.expected.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some((same, expected)) if same == promises => Arc::clone(expected),
            _ => {
                let expected = Arc::new(self.web.expect(promises));
                *kept = Some((promises.clone(), Arc::clone(&expected)));
                expected
            }
        }
    }

    /// The web stands still while it is judged: answers wait for the log.
    fn audit(&self, promises: &Promises) -> Report {
        let expected = if audit::expects(promises) { self.expected(promises) } else { Arc::default() };
        audit::judge_with(&self.log(), &*self.web, promises, &expected)
    }

    fn stats(&self) -> Stats {
        let log = self.log();
        let open = log.connections().iter().filter(|connection| connection.closed_ms == u32::MAX).count();
        Stats {
            uptime_ms: self.clock.now().as_millis() as u64,
            requests: log.records().len() as u64,
            connections: log.connections().len() as u64,
            connections_open: open as u64,
            dns_queries: self.counts.dns_queries.load(Ordering::Relaxed),
            misdirected: self.counts.misdirected.load(Ordering::Relaxed),
            refused: self.counts.refused.load(Ordering::Relaxed),
            strangers: self.counts.strangers.load(Ordering::Relaxed),
            log_bytes: log.cost_bytes() as u64,
        }
    }
}

/// A web that is being served. Dropping it ends it, too.
pub struct Running {
    shared: Arc<Shared>,
    ports: Ports,
    tasks: Vec<JoinHandle<()>>,
}

/// Serves the web of these settings: the ports that were bound are written into them, and the time of day unless it is given.
pub async fn serve(settings: WebSettings, listen: &Listen) -> Result<Running, ServeError> {
    serve_with(listen, |ports| {
        Web::new(WebSettings {
            http_port: ports.http,
            https_port: ports.https,
            epoch_unix_secs: match settings.epoch_unix_secs {
                0 => shell::unix_time().as_secs(),
                given => given,
            },
            ..settings
        })
    })
    .await
}

/// Binds first, then builds the web, whose links carry the ports. Tasks run on the runtime that this is called in.
pub async fn serve_with(
    listen: &Listen,
    build: impl FnOnce(Ports) -> Result<Web, String>,
) -> Result<Running, ServeError> {
    let sockets = listen::bind(listen).await?;
    let ports = sockets.ports;
    let web = Arc::new(build(ports).map_err(ServeError::Web)?);
    let authority = Arc::new(Authority::new().map_err(ServeError::Certificates)?);
    let tls = tls::config(Arc::clone(&authority), Arc::clone(&web)).map_err(ServeError::Certificates)?;
    let shared = Arc::new(Shared {
        web,
        log: Mutex::new(Log::new()),
        clock: Clock::start(),
        authority,
        counts: Counts::default(),
        expected: Mutex::default(),
    });
    let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(tls));
    let tasks = vec![
        shell::spawn(listen::accept(sockets.http, Arc::clone(&shared), None)),
        shell::spawn(listen::accept(sockets.https, Arc::clone(&shared), Some(acceptor))),
        shell::spawn(dns::serve(sockets.dns, Arc::clone(&shared))),
    ];
    Ok(Running { shared, ports, tasks })
}

impl Running {
    pub fn ports(&self) -> Ports {
        self.ports
    }

    pub fn web(&self) -> &Web {
        &self.shared.web
    }

    /// Judges what was asked so far.
    pub fn audit(&self, promises: &Promises) -> Report {
        self.shared.audit(promises)
    }

    pub fn stats(&self) -> Stats {
        self.shared.stats()
    }

    /// Forgets the log: the next judgement is of what comes after.
    pub fn forget(&self) {
        self.shared.log().forget();
    }

    /// The certificate that clients must trust, as PEM.
    pub fn ca_pem(&self) -> String {
        self.shared.authority.ca_pem()
    }

    pub fn write_ca(&self, file: &Path) -> std::io::Result<()> {
        std::fs::write(file, self.ca_pem())
    }

    /// Ends it; when this returns, the ports are free.
    pub async fn stop(mut self) {
        for task in std::mem::take(&mut self.tasks) {
            task.abort();
            // The outcome is that it was cancelled.
            _ = task.await;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}
