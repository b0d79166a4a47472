//! Reads ahead for TLS, which asks for 4 KB at a time: a system call for each would cost about as much as decrypting them.

use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// One read: some records of 16 KB, which is what servers send.
const READ: usize = 64 * 1024;

/// A socket. It owns memory only while it holds bytes that nobody asked for yet.
#[derive(Debug)]
pub(super) struct Ahead {
    stream: TcpStream,
    bytes: Vec<u8>,
    start: usize,
}

impl Ahead {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self { stream, bytes: Vec::new(), start: 0 }
    }

    /// Asks the socket once; no bytes are its end.
    fn poll_fill(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        self.bytes.reserve_exact(READ);
        let read = pin!(self.stream.read_buf(&mut self.bytes)).poll(context);
        if self.bytes.is_empty() {
            self.bytes = Vec::new();
        }
        read
    }
}

impl AsyncRead for Ahead {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.bytes.is_empty() {
            ready!(this.poll_fill(context))?;
        }
        let unread = this.bytes.get(this.start..).unwrap_or_default();
        let count = unread.len().min(into.remaining());
        into.put_slice(unread.get(..count).unwrap_or_default());
        this.start += count;
        if this.start == this.bytes.len() {
            (this.bytes, this.start) = (Vec::new(), 0);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Ahead {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, from: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write(context, from)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        from: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write_vectored(context, from)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }
}
