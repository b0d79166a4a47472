//! One connection to one origin: resolved, guarded, connected, and asked one thing at a time.

use std::net::{IpAddr, SocketAddr};

use bytes::Bytes;
use http::header::{ACCEPT, ACCEPT_ENCODING, HOST, IF_MODIFIED_SINCE, IF_NONE_MATCH, USER_AGENT};
use http_body_util::Empty;
use hyper::body::Incoming;
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls_pki_types::ServerName;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::fetcher::Tools;
use super::{Outcome, Task, Timeout};
use crate::url::Origin;

const ACCEPTED: &str = "text/html,application/xhtml+xml,text/*;q=0.8,*/*;q=0.5";
const CODINGS: &str = "gzip, br, zstd, deflate";

pub(super) struct Connection {
    origin: Origin,
    pub(super) address: IpAddr,
    sender: Sender,
}

enum Sender {
    Http1(http1::SendRequest<Empty<Bytes>>),
    Http2(http2::SendRequest<Empty<Bytes>>),
}

impl Connection {
    pub(super) async fn open(origin: &Origin, tools: &Tools) -> Result<Self, Outcome> {
        let addresses = tools.resolver.addresses(&origin.host).await.map_err(Outcome::Unresolved)?;
        let (stream, address) = connect(&addresses, origin, tools).await?;
        let sender = if origin.https {
            let stream = secure(stream, origin, tools).await?;
            let is_http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
            shake_hands(TokioIo::new(stream), is_http2, tools).await?
        } else {
            shake_hands(TokioIo::new(stream), false, tools).await?
        };
        Ok(Self { origin: origin.clone(), address, sender })
    }

    /// It leads to this origin and is still open.
    pub(super) fn serves(&self, origin: &Origin) -> bool {
        let closed = match &self.sender {
            Sender::Http1(sender) => sender.is_closed(),
            Sender::Http2(sender) => sender.is_closed(),
        };
        !closed && self.origin == *origin
    }

    /// Asks for what the permit allows; returns when the head of the answer is there.
    pub(super) async fn get(
        &mut self,
        task: &Task,
        tools: &Tools,
    ) -> Result<http::Response<Incoming>, Outcome> {
        let request = self.request(task, &tools.user_agent)?;
        let answer = match &mut self.sender {
            Sender::Http1(sender) => sender.send_request(request).await,
            Sender::Http2(sender) => sender.send_request(request).await,
        };
        answer.map_err(|error| Outcome::Unreachable(format!("connection broke before an answer: {error}")))
    }

    fn request(&self, task: &Task, user_agent: &str) -> Result<http::Request<Empty<Bytes>>, Outcome> {
        let url = task.permit.url();
        let mut builder = match self.sender {
            Sender::Http1(_) => http::Request::get(url.target()).header(HOST, self.origin.authority()),
            Sender::Http2(_) => http::Request::get(url.as_str()),
        };
        if let Some(etag) = &task.validators.etag {
            builder = builder.header(IF_NONE_MATCH, etag.as_ref());
        }
        if let Some(date) = &task.validators.last_modified {
            builder = builder.header(IF_MODIFIED_SINCE, date.as_ref());
        }
        builder
            .header(USER_AGENT, user_agent)
            .header(ACCEPT, ACCEPTED)
            .header(ACCEPT_ENCODING, CODINGS)
            .body(Empty::new())
            .map_err(|error| Outcome::Broken(format!("cannot be asked for: {error}")))
    }
}

/// The first address that is allowed and answers.
async fn connect(
    addresses: &[IpAddr],
    origin: &Origin,
    tools: &Tools,
) -> Result<(TcpStream, IpAddr), Outcome> {
    let mut failure = Outcome::Unresolved("no address".to_owned());
    for &address in addresses {
        if let Some(range) = tools.guard.forbids(address) {
            failure = Outcome::ForbiddenAddress(format!("{} is at {address} ({range:?})", origin.host));
            continue;
        }
        match timeout(tools.connect_timeout, TcpStream::connect(SocketAddr::new(address, origin.port))).await
        {
            Ok(Ok(stream)) => {
                stream.set_nodelay(true).map_err(|error| Outcome::Unreachable(error.to_string()))?;
                return Ok((stream, address));
            }
            Ok(Err(error)) => failure = Outcome::Unreachable(error.to_string()),
            Err(_) => failure = Outcome::TimedOut(Timeout::Connect),
        }
    }
    Err(failure)
}

type TlsStream = tokio_rustls::client::TlsStream<TcpStream>;

async fn secure(stream: TcpStream, origin: &Origin, tools: &Tools) -> Result<TlsStream, Outcome> {
    let name = ServerName::try_from(origin.host.trim_matches(['[', ']']).to_owned())
        .map_err(|error| Outcome::Unreachable(format!("TLS: {error}")))?;
    let handshake = tools.tls.connect(name, stream);
    match timeout(tools.connect_timeout, handshake).await {
        Ok(Ok(stream)) => Ok(stream),
        Ok(Err(error)) => Err(Outcome::Unreachable(format!("TLS: {error}"))),
        Err(_) => Err(Outcome::TimedOut(Timeout::Connect)),
    }
}

async fn shake_hands<I>(io: TokioIo<I>, is_http2: bool, tools: &Tools) -> Result<Sender, Outcome>
where
    I: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + Send + 'static,
{
    let failed = |error: hyper::Error| Outcome::Unreachable(format!("handshake: {error}"));
    // The driving tasks end with their connection; its errors reach the caller through the sender.
    if is_http2 {
        let (sender, driver) = http2::handshake(TokioExecutor::new(), io).await.map_err(failed)?;
        tools.runtime.spawn(async move { drop(driver.await) });
        Ok(Sender::Http2(sender))
    } else {
        let (sender, driver) = http1::handshake(io).await.map_err(failed)?;
        tools.runtime.spawn(async move { drop(driver.await) });
        Ok(Sender::Http1(sender))
    }
}
