//! Answers from a script: every table is read whole, byte by byte, and cut in two at every place.

mod answers;
mod hostile;
mod likeness;
mod requests;

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::*;

/// A peer that sends its lines one read at a time, with a pause before each, and then closes, resets or stays silent.
pub(super) struct Script {
    reads: VecDeque<Vec<u8>>,
    ending: Ending,
    paused: bool,
    pub(super) sent: Vec<u8>,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Ending {
    Close,
    Reset,
    Rudely,
    Silence,
}

impl Script {
    pub(super) fn new<'a>(reads: impl IntoIterator<Item = &'a [u8]>, ending: Ending) -> Self {
        let reads = reads.into_iter().filter(|read| !read.is_empty()).map(<[u8]>::to_vec).collect();
        Self { reads, ending, paused: false, sent: Vec::new() }
    }
}

impl AsyncRead for Script {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.paused && !self.reads.is_empty() {
            self.paused = true;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        self.paused = false;
        let Some(mut read) = self.reads.pop_front() else {
            return match self.ending {
                Ending::Close => Poll::Ready(Ok(())),
                Ending::Reset => Poll::Ready(Err(io::ErrorKind::ConnectionReset.into())),
                Ending::Rudely => Poll::Ready(Err(io::ErrorKind::UnexpectedEof.into())),
                Ending::Silence => Poll::Pending,
            };
        };
        let rest = read.split_off(read.len().min(buffer.remaining()));
        buffer.put_slice(&read);
        if !rest.is_empty() {
            self.reads.push_front(rest);
            self.paused = true;
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Script {
    fn poll_write(mut self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.sent.extend_from_slice(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// What came of one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Got {
    pub(super) status: u16,
    pub(super) raw: Vec<u8>,
    pub(super) headers: Vec<(String, Vec<u8>)>,
    pub(super) body: Vec<u8>,
    pub(super) reusable: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    Append,
    Piece,
}

pub(super) async fn ask<S: AsyncRead + AsyncWrite + Unpin>(
    wire: &mut Http1<S>,
    by: By,
) -> Result<Got, Trouble> {
    wire.send(&Request::get("/", "a.test").unwrap().finish()).await?;
    let head = wire.head().await?;
    let mut body = Vec::new();
    match by {
        By::Append => while wire.append(&mut body, 1000).await?.is_some() {},
        By::Piece => {
            while let Some(piece) = wire.piece().await? {
                body.extend_from_slice(piece);
            }
        }
    }
    let small = |name: &[u8]| String::from_utf8(name.to_ascii_lowercase()).unwrap();
    let headers = head.fields.iter().map(|(name, value)| (small(name), value.to_vec()));
    Ok(Got {
        status: head.status.as_u16(),
        raw: head.fields.raw().to_vec(),
        headers: headers.collect(),
        body,
        reusable: wire.is_reusable(),
    })
}

/// Asks a peer that sends these reads.
pub(super) fn answer<'a>(
    reads: impl IntoIterator<Item = &'a [u8]>,
    ending: Ending,
    by: By,
) -> Result<Got, String> {
    let mut wire = Http1::new(Script::new(reads, ending), HeadLimits::default());
    block_on(ask(&mut wire, by)).map_err(|trouble| trouble.to_string())
}

/// The answer to these bytes, after checking that it is the same however they come.
pub(super) fn however(bytes: &[u8], ending: Ending) -> Result<Got, String> {
    let whole = answer([bytes], ending, By::Append);
    let same = |got: Result<Got, String>, how: String| match (&got, &whole) {
        // Whether bytes behind the answer were seen depends on how they come.
        (Ok(got), Ok(whole)) => assert_eq!(Got { reusable: whole.reusable, ..got.clone() }, *whole, "{how}"),
        _ => assert_eq!(got, whole, "{how}"),
    };
    for by in [By::Append, By::Piece] {
        same(answer(bytes.chunks(1), ending, by), format!("byte by byte, {by:?}"));
        if bytes.len() < 2000 {
            for cut in 0..bytes.len() {
                let (first, second) = bytes.split_at(cut);
                same(answer([first, second], ending, by), format!("cut at {cut}, {by:?}"));
            }
        }
    }
    whole
}

pub(super) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}
