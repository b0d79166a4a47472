//! The stream of a connection, plain or TLS, with the log listening: when bytes were handed to the kernel, and when it was cut.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

use super::line::Line;

/// A stream that can be cut so that the other side sees a reset.
pub(super) trait Cut {
    fn cut(&self);
}

impl Cut for TcpStream {
    fn cut(&self) {
        // Without linger, closing sends RST instead of FIN. If it cannot be set, the client sees a short body, which is as broken.
        _ = self.set_zero_linger();
    }
}

impl Cut for TlsStream<TcpStream> {
    fn cut(&self) {
        self.get_ref().0.cut();
    }
}

/// A stream that tells its [`Line`].
pub(super) struct Wire<S: Cut> {
    stream: S,
    line: Arc<Line>,
}

impl<S: Cut> Wire<S> {
    pub(super) fn new(stream: S, line: Arc<Line>) -> Self {
        Self { stream, line }
    }

    fn check(&self) -> io::Result<()> {
        if self.line.is_broken() { Err(io::ErrorKind::ConnectionReset.into()) } else { Ok(()) }
    }
}

impl<S: Cut> Drop for Wire<S> {
    fn drop(&mut self) {
        if self.line.is_broken() {
            self.stream.cut();
        }
        self.line.close();
    }
}

impl<S: Cut + AsyncRead + Unpin> AsyncRead for Wire<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl<S: Cut + AsyncWrite + Unpin> AsyncWrite for Wire<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(cx, &[io::IoSlice::new(buf)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.check()?;
        let at = self.line.shared.clock.now();
        let written = ready!(Pin::new(&mut self.stream).poll_write_vectored(cx, bufs))?;
        self.line.wrote(at);
        Poll::Ready(Ok(written))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// hyper flushes when it has nothing left to write; TLS flushes what it holds back before it says that it is done.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check()?;
        ready!(Pin::new(&mut self.stream).poll_flush(cx))?;
        self.line.flushed();
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
