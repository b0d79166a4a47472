//! A connection as the server sees it: what a script may do with it.
//!
//! Nothing here fails: a peer that went away is what many cases are about, so a script is told and goes on or stops.

use std::time::Duration;

use helios_core::clock;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

use crate::server::Log;

pub(crate) struct Line {
    /// How many connections came before this one.
    pub(crate) nth: usize,
    pub(crate) wire: Wire,
    pub(crate) log: Log,
    /// What HTTP/2 lets us send: on the connection, and on its newest stream.
    pub(crate) credit: (i64, i64),
}

pub(crate) enum Wire {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

trait Io: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Io for T {}

impl Wire {
    fn io(&mut self) -> &mut dyn Io {
        match self {
            Self::Plain(stream) => stream,
            Self::Tls(stream) => stream.as_mut(),
        }
    }

    fn socket(&self) -> &TcpStream {
        match self {
            Self::Plain(stream) => stream,
            Self::Tls(stream) => stream.get_ref().0,
        }
    }
}

impl Line {
    /// Reads one request up to its empty line and returns its path; empty when the peer went away instead.
    pub(crate) async fn request(&mut self) -> String {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            match self.wire.io().read_u8().await {
                Ok(byte) => head.push(byte),
                Err(_) => return String::new(),
            }
        }
        let head = String::from_utf8_lossy(&head).into_owned();
        let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
        self.log.lock().unwrap().requests.push(head);
        path
    }

    /// Whether the peer still takes it.
    pub(crate) async fn say(&mut self, bytes: impl AsRef<[u8]>) -> bool {
        let io = self.wire.io();
        io.write_all(bytes.as_ref()).await.is_ok() && io.flush().await.is_ok()
    }

    /// An answer as it should be.
    pub(crate) async fn answer(&mut self, body: &str) -> bool {
        self.say(good_answer(body)).await
    }

    /// One byte at a time.
    pub(crate) async fn drip(&mut self, bytes: impl AsRef<[u8]>, every: Duration) {
        for byte in bytes.as_ref() {
            if !self.say([*byte]).await {
                return;
            }
            clock::sleep(every).await;
        }
    }

    /// The same again and again, until the peer goes away.
    pub(crate) async fn flood(&mut self, bytes: impl AsRef<[u8]>) {
        // In pieces of a fair size, or the server would be what is slow.
        let piece = bytes.as_ref().repeat(16_384 / bytes.as_ref().len().max(1) + 1);
        while self.say(&piece).await {}
    }

    /// Says nothing more and waits until the peer goes away.
    pub(crate) async fn hold(&mut self) {
        let mut sink = [0; 4_096];
        while matches!(self.wire.io().read(&mut sink).await, Ok(1..)) {}
    }

    /// Exactly so many bytes; none when the peer went away instead.
    pub(crate) async fn take(&mut self, count: usize) -> Option<Vec<u8>> {
        let mut bytes = vec![0; count];
        self.wire.io().read_exact(&mut bytes).await.ok()?;
        Some(bytes)
    }

    /// Closes in order: TLS says goodbye, then FIN.
    pub(crate) async fn close(mut self) {
        drop(self.wire.io().shutdown().await);
        self.hold().await;
    }

    /// RST instead of FIN.
    pub(crate) fn reset(self) {
        self.wire.socket().set_zero_linger().unwrap();
    }
}

pub(crate) fn good_answer(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}
