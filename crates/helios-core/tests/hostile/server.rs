//! Servers on this machine that follow a script, one call for each connection.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock};

use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

use crate::line::{Line, Wire};

pub(crate) type Log = Arc<Mutex<Seen>>;

/// What came to a server.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) connections: usize,
    pub(crate) requests: Vec<String>,
}

/// Listens until it is dropped.
pub(crate) struct Server {
    pub(crate) port: u16,
    https: bool,
    log: Log,
    listening: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

/// All servers share it: a case needs no threads of its own.
pub(crate) fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap())
}

/// One connection's script, boxed: a hundred kinds of scripts would be a hundred copies of all that runs them.
type Script = Arc<dyn Fn(Line) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

impl Server {
    pub(crate) fn plain<S, F>(script: S) -> Self
    where
        S: Fn(Line) -> F + Send + Sync + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        Self::start(None, Arc::new(move |line| Box::pin(script(line))))
    }

    /// Scripts begin after the handshake; a client that fails it is only counted.
    pub(crate) fn tls<S, F>(config: rustls::ServerConfig, script: S) -> Self
    where
        S: Fn(Line) -> F + Send + Sync + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let acceptor = TlsAcceptor::from(Arc::new(config));
        Self::start(Some(acceptor), Arc::new(move |line| Box::pin(script(line))))
    }

    /// Its URLs are https, but what it speaks is up to the script.
    pub(crate) fn posing_as_https<S, F>(script: S) -> Self
    where
        S: Fn(Line) -> F + Send + Sync + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let mut server = Self::plain(script);
        server.https = true;
        server
    }

    fn start(acceptor: Option<TlsAcceptor>, script: Script) -> Self {
        let listener = runtime().block_on(TcpListener::bind(("127.0.0.1", 0))).unwrap();
        let port = listener.local_addr().unwrap().port();
        let (https, log) = (acceptor.is_some(), Log::default());
        let seen = Arc::clone(&log);
        let listening = runtime().spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let mut now = seen.lock().unwrap();
                let (nth, log) = (now.connections, Arc::clone(&seen));
                now.connections += 1;
                runtime().spawn(connected(stream, acceptor.clone(), nth, log, Arc::clone(&script)));
            }
        });
        Self { port, https, log, listening }
    }

    /// By address, so that no name server is needed.
    pub(crate) fn url(&self, path: &str) -> String {
        self.url_at("127.0.0.1", path)
    }

    pub(crate) fn url_at(&self, host: &str, path: &str) -> String {
        let scheme = if self.https { "https" } else { "http" };
        format!("{scheme}://{host}:{}{path}", self.port)
    }

    pub(crate) fn connections(&self) -> usize {
        self.log.lock().unwrap().connections
    }

    pub(crate) fn requests(&self) -> Vec<String> {
        self.log.lock().unwrap().requests.clone()
    }
}

async fn connected(stream: TcpStream, acceptor: Option<TlsAcceptor>, nth: usize, log: Log, script: Script) {
    stream.set_nodelay(true).unwrap();
    let wire = match acceptor {
        None => Wire::Plain(stream),
        Some(acceptor) => match acceptor.accept(stream).await {
            Ok(stream) => Wire::Tls(Box::new(stream)),
            Err(_) => return,
        },
    };
    script(Line { nth, wire, log, credit: (65_535, 65_535) }).await;
}
