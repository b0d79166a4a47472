//! Any bytes are an answer: no panic, no waiting once the peer closed, and the same however they are cut into reads.
#![no_main]

use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

#[allow(dead_code, unused_imports)]
#[path = "../../crates/helios-core/src/fetch/http1/mod.rs"]
mod http1;

use http1::{HeadLimits, Http1, Trouble};

/// A peer that sends at most so many bytes per read, in turn, and closes.
struct Peer<'a> {
    bytes: &'a [u8],
    cuts: &'a [u8],
    turn: usize,
}

impl AsyncRead for Peer<'_> {
    fn poll_read(mut self: Pin<&mut Self>, _: &mut Context<'_>, to: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let cut = self.cuts.get(self.turn % self.cuts.len().max(1)).map_or(usize::MAX, |&cut| cut.into());
        self.turn += 1;
        let (now, later) = self.bytes.split_at(self.bytes.len().min(cut.max(1)).min(to.remaining()));
        to.put_slice(now);
        self.bytes = later;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Peer<'_> {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(Ok(bytes.len()))
    }
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

async fn ask(bytes: &[u8], cuts: &[u8], by_piece: bool) -> Result<(u16, Vec<u8>, Vec<u8>), Trouble> {
    let mut wire = Http1::new(Peer { bytes, cuts, turn: 0 }, HeadLimits { bytes: 300, headers: 9, informational: 3 });
    wire.send(b"GET / HTTP/1.1\r\n\r\n").await?;
    let head = wire.head().await?;
    assert!(bytes.windows(head.fields.raw().len()).any(|window| window == head.fields.raw()));
    let mut body = Vec::new();
    if by_piece {
        while let Some(piece) = wire.piece().await? {
            assert!(!piece.is_empty());
            body.extend_from_slice(piece);
        }
    } else {
        while wire.append(&mut body, 100).await?.is_some() {}
    }
    assert!(body.len() <= bytes.len());
    assert!(head.length().is_none_or(|length| length == body.len() as u64));
    Ok((head.status.as_u16(), head.fields.raw().to_vec(), body))
}

libfuzzer_sys::fuzz_target!(|input: (&[u8], bool, &[u8])| {
    let (cuts, by_piece, bytes) = input;
    let run = |cuts, by_piece| {
        let answer = pin!(ask(bytes, cuts, by_piece)).poll(&mut Context::from_waker(Waker::noop()));
        let Poll::Ready(answer) = answer else { panic!("waits for a peer that is gone") };
        answer.map_err(|trouble| trouble.to_string())
    };
    assert_eq!(run(cuts, by_piece), run(&[], false));
});
