//! The servers: whom to ask first, whom next, how long to wait.

use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::timeout;

use super::health::Health;
use super::line::{Asked, Heard, Line};
use super::window::Window;
use super::wire::{self, Family, Query, Said, Unsaid};
use super::{DnsError, Failure, tcp};
use crate::clock::{self, Millis};

/// Ports that lead to one server.
const LINES: usize = 16;
/// A question is sent at least so often before it is given up.
const LEAST_SENDS: usize = 3;

pub(super) struct Upstream {
    servers: Vec<Server>,
    window: Window,
    pub(super) timeout: Duration,
    runtime: Handle,
    pub(super) queries: AtomicU64,
    pub(super) repeats: AtomicU64,
    pub(super) tcp: AtomicU64,
}

struct Server {
    address: SocketAddr,
    lines: Mutex<[Option<Arc<Line>>; LINES]>,
    health: Mutex<Health>,
}

/// One question on its way through the servers.
struct Course<'a> {
    upstream: &'a Upstream,
    name: &'a str,
    family: Family,
    query: Query,
    /// With the server that each went to. Earlier ones are listened to until the end: a late answer is as good.
    out: Vec<(&'a Server, Asked)>,
    /// Servers that had their say.
    done: Vec<SocketAddr>,
    trouble: DnsError,
}

impl Upstream {
    pub(super) fn new(servers: Vec<SocketAddr>, timeout: Duration, runtime: Handle) -> Self {
        let server = |address| Server { address, lines: Mutex::default(), health: Mutex::default() };
        Self {
            servers: servers.into_iter().map(server).collect(),
            window: Window::new(),
            timeout,
            runtime,
            queries: AtomicU64::new(0),
            repeats: AtomicU64::new(0),
            tcp: AtomicU64::new(0),
        }
    }

    /// Asks until a server knows, all have failed, or the time is over. A place in the window is not waited for at its cost.
    pub(super) async fn ask(&self, name: &str, family: Family) -> Result<Said, DnsError> {
        let _place = self.window.enter().await;
        // On the heap, because thousands wait for a place and only those who have one need the room (1 KB).
        Box::pin(self.ask_now(name, family)).await
    }

    async fn ask_now(&self, name: &str, family: Family) -> Result<Said, DnsError> {
        let query = Query::new(name, family, rand::random());
        let (out, done) = (Vec::with_capacity(1), Vec::new());
        let mut course =
            Course { upstream: self, name, family, query, out, done, trouble: DnsError::TimedOut };
        let said = timeout(self.timeout, course.run()).await;
        said.unwrap_or(Err(course.trouble))
    }

    /// Those that are up, in the order of the settings, then those that are down; over again up to the number of sends.
    fn plan(&self, now: Millis) -> impl Iterator<Item = &Server> {
        let mut order: Vec<&Server> = self.servers.iter().collect();
        order.sort_by_key(|server| server.health().is_down(now));
        let sends = LEAST_SENDS.max(self.servers.len() + 1);
        (0..sends).filter_map(move |send| order.get(send % order.len().max(1)).copied())
    }

    /// Each wait is twice as long as the one before; together they fill the time.
    fn patience(&self, send: usize) -> Duration {
        let sends = LEAST_SENDS.max(self.servers.len() + 1).min(16);
        self.timeout.mul_f64(f64::from(1_u32 << send.min(16)) / f64::from((1_u32 << sends) - 1))
    }
}

impl<'a> Course<'a> {
    async fn run(&mut self) -> Result<Said, DnsError> {
        for (send, server) in self.upstream.plan(clock::now()).enumerate() {
            if self.done.contains(&server.address) {
                continue;
            }
            let count = if send == 0 { &self.upstream.queries } else { &self.upstream.repeats };
            count.fetch_add(1, Ordering::Relaxed);
            let (asked, begin) = (clock::now(), clock::instant());
            if self.send(server).await.is_err() {
                self.refused(server);
                continue;
            }
            match timeout(self.upstream.patience(send), self.listen()).await {
                Ok(Some(said)) => {
                    self.upstream.window.answered(begin.elapsed());
                    return Ok(said);
                }
                // It failed: the next one, at once.
                Ok(None) => self.upstream.window.answered(begin.elapsed()),
                Err(_) => {
                    server.health().silent(asked, clock::now());
                    if send == 0 {
                        self.upstream.window.lost();
                    }
                }
            }
        }
        Err(self.trouble)
    }

    async fn send(&mut self, server: &'a Server) -> io::Result<()> {
        let line = server.line(&self.upstream.runtime)?;
        let asked = line.ask(&mut self.query).await?;
        self.out.push((server, asked));
        Ok(())
    }

    /// What a server says; None when one failed, so that another should be asked.
    async fn listen(&mut self) -> Option<Said> {
        let (server, heard) = self.heard().await?;
        if matches!(heard, Heard::Refused) {
            self.refused(server);
            return None;
        }
        server.health().answered(clock::now());
        let said = match heard {
            Heard::Message(message) => wire::read(&message, self.name, self.family),
            Heard::OtherCase | Heard::Refused => Err(Unsaid::Truncated),
        };
        let said = match said {
            Ok(said) => Ok(said),
            Err(Unsaid::Truncated) => Box::pin(self.ask_on_tcp(server)).await,
            Err(Unsaid::Failed(failure)) => Err(failure),
        };
        said.map_err(|failure| self.failed(server, failure)).ok()
    }

    async fn ask_on_tcp(&mut self, server: &Server) -> Result<Said, Failure> {
        self.upstream.tcp.fetch_add(1, Ordering::Relaxed);
        let message = tcp::ask(server.address, &mut self.query).await.map_err(|error| {
            let is_garbled = error.kind() == io::ErrorKind::InvalidData;
            if is_garbled { Failure::Garbled } else { Failure::Unreachable }
        })?;
        wire::read(&message, self.name, self.family).map_err(|unsaid| match unsaid {
            Unsaid::Truncated => Failure::Garbled,
            Unsaid::Failed(failure) => failure,
        })
    }

    /// The first of the questions that are out to be answered. None: none is out.
    async fn heard(&mut self) -> Option<(&'a Server, Heard)> {
        let out = &mut self.out;
        poll_fn(|context| {
            if out.is_empty() {
                return Poll::Ready(None);
            }
            for at in 0..out.len() {
                let Some((server, asked)) = out.get_mut(at) else { break };
                if let Poll::Ready(heard) = Pin::new(&mut asked.answer).poll(context) {
                    let server = *server;
                    out.swap_remove(at);
                    return Poll::Ready(Some((server, heard.unwrap_or(Heard::Refused))));
                }
            }
            Poll::Pending
        })
        .await
    }

    fn refused(&mut self, server: &Server) {
        server.health().refused(clock::now());
        self.failed(server, Failure::Unreachable);
    }

    /// What a server said tells more than that another one could not be reached.
    fn failed(&mut self, server: &Server, failure: Failure) {
        self.done.push(server.address);
        if failure != Failure::Unreachable || self.trouble == DnsError::TimedOut {
            self.trouble = DnsError::ServerFailed(failure);
        }
    }
}

impl Server {
    fn health(&self) -> std::sync::MutexGuard<'_, Health> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Any of its lines, a new one where that is worn out.
    fn line(&self, runtime: &Handle) -> io::Result<Arc<Line>> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let any = usize::from(rand::random::<u8>()) % LINES;
        match lines.get_mut(any) {
            Some(Some(line)) if !line.is_worn_out() => Ok(Arc::clone(line)),
            Some(place) => Ok(Arc::clone(place.insert(Line::open(self.address, runtime)?))),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }
}
