//! A small web on real sockets and a minimal client. What to ask is found through the model, whatever web it makes.

#![allow(dead_code, reason = "each test file uses its part")]

use std::io;
use std::sync::Arc;
use std::time::Duration;

use helios_sim::reply::{Ask, Encodings, HostId, Reply};
use helios_sim::server::{Listen, Running, serve};
use helios_sim::settings::{Promises, WebSettings};
use helios_sim::web::{Expected, Web};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// Long enough for any machine, short enough to fail.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) async fn start() -> Running {
    serve(settings(), &Listen::default()).await.unwrap()
}

/// A small web with plain and TLS hosts, refusing hosts, denied, broken and silent pages.
pub(crate) fn settings() -> WebSettings {
    WebSettings {
        hosts: 60,
        seeds: 10,
        https: 0.3,
        mean_pages: 6.0,
        silence: 0.03,
        resets: 0.03,
        dead_hosts: 0.2,
        private: 0.3,
        crawl_delay: 0.0,
        latency_ms: 0.0,
        stalls: 0.0,
        ..WebSettings::demo()
    }
}

pub(crate) fn model(web: &Web, host: HostId, target: &str) -> Reply {
    web.answer(&Ask {
        host,
        target,
        now: Duration::ZERO,
        attempt: 0,
        accept: Encodings::default(),
        if_none_match: None,
        if_modified_since: None,
    })
}

/// The first expected URL that fits.
pub(crate) fn find(web: &Web, fits: impl Fn(&Expected, &Reply) -> bool) -> Option<(HostId, String)> {
    let expected = web.expect(&Promises::default());
    let found = expected.into_iter().find(|entry| fits(entry, &model(web, entry.host, &entry.target)));
    found.map(|entry| (entry.host, entry.target))
}

pub(crate) fn is_plain(reply: &Reply) -> bool {
    reply.status == 200
        && reply.fault == helios_sim::reply::Fault::None
        && reply.latency < Duration::from_secs(2)
        && reply.body_len() > 0
}

pub(crate) trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

/// One connection that is kept alive.
pub(crate) struct Client(BufReader<Box<dyn Stream>>);

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Client {
    /// To the address of a host, by TLS if it is an https host.
    pub(crate) async fn to(running: &Running, host: HostId) -> io::Result<Self> {
        let (name, address, https) = {
            let host = running.web().host(host);
            (host.name.clone(), host.address, host.https)
        };
        let port = if https { running.ports().https } else { running.ports().http };
        if https {
            return Ok(Self(BufReader::new(Box::new(tls(running, &name, "http/1.1").await?))));
        }
        Ok(Self(BufReader::new(Box::new(TcpStream::connect((address, port)).await?))))
    }

    pub(crate) async fn to_admin(running: &Running) -> io::Result<Self> {
        let stream = TcpStream::connect(("127.0.0.1", running.ports().http)).await?;
        Ok(Self(BufReader::new(Box::new(stream))))
    }

    pub(crate) async fn get(&mut self, host: &str, target: &str) -> io::Result<Answer> {
        self.ask("GET", host, target).await
    }

    pub(crate) async fn ask(&mut self, method: &str, host: &str, target: &str) -> io::Result<Answer> {
        let request = format!("{method} {target} HTTP/1.1\r\nhost: {host}\r\n\r\n");
        self.0.get_mut().write_all(request.as_bytes()).await?;
        self.0.get_mut().flush().await?;
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(self.0.read_u8().await?);
        }
        let head = String::from_utf8_lossy(&head).into_owned();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let mut answer = Answer { status, head, body: Vec::new() };
        let length = answer.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        if method != "HEAD" && status != 304 {
            answer.body = vec![0; length];
            self.0.read_exact(&mut answer.body).await?;
        }
        Ok(answer)
    }
}

/// A TLS connection that trusts the web's CA and nothing else.
pub(crate) async fn tls(running: &Running, name: &str, protocol: &str) -> io::Result<TlsStream<TcpStream>> {
    let mut roots = rustls::RootCertStore::empty();
    let ca = CertificateDer::from_pem_slice(running.ca_pem().as_bytes()).map_err(io::Error::other)?;
    roots.add(ca).map_err(io::Error::other)?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
    let address = running.web().host_named(name).map(|host| running.web().host(host).address);
    let stream = TcpStream::connect((address.unwrap(), running.ports().https)).await?;
    let name = ServerName::try_from(name.to_owned()).map_err(io::Error::other)?;
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}

#[allow(clippy::disallowed_methods, reason = "a client of the real world waits by the clock")]
pub(crate) async fn rest(time: Duration) {
    tokio::time::sleep(time).await;
}

/// The last lines of the log, as JSON.
pub(crate) async fn log(running: &Running) -> Vec<serde_json::Value> {
    let mut admin = Client::to_admin(running).await.unwrap();
    let answer = admin.get("127.0.0.1", "/__log?limit=100000").await.unwrap();
    answer.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
