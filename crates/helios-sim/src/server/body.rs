//! The body of an answer: the model's pieces, handed over without being copied together, and cut where a fault says so.

use std::collections::VecDeque;
use std::fmt;
use std::future::Future as _;
use std::io::IoSlice;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Buf, Bytes};
use hyper::body::{Body, Frame, SizeHint};

use super::line::Visit;
use super::shell;

/// Time for the bytes before a reset to leave: a reset overtakes what is not yet written.
const BEFORE_RESET: Duration = Duration::from_millis(5);

/// Pieces one after the other as one buffer; the first may be partly used up.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    list: VecDeque<Bytes>,
    left: usize,
}

impl From<Vec<Bytes>> for Pieces {
    fn from(list: Vec<Bytes>) -> Self {
        let left = list.iter().map(Bytes::len).sum();
        Self { list: list.into(), left }
    }
}

impl Pieces {
    /// The first `most` bytes.
    fn take_front(&mut self, most: usize) -> Self {
        if most >= self.left {
            return std::mem::take(self);
        }
        let mut front = Self { list: VecDeque::new(), left: most };
        let mut want = most;
        while want > 0 {
            let Some(mut piece) = self.list.pop_front() else { break };
            if piece.len() > want {
                front.list.push_back(piece.split_to(want));
                self.list.push_front(piece);
                want = 0;
            } else {
                want -= piece.len();
                front.list.push_back(piece);
            }
        }
        self.left -= most;
        front
    }
}

impl Buf for Pieces {
    fn remaining(&self) -> usize {
        self.left
    }

    fn chunk(&self) -> &[u8] {
        self.list.iter().find(|piece| !piece.is_empty()).map_or(&[], |piece| piece.as_ref())
    }

    fn chunks_vectored<'a>(&'a self, slots: &mut [IoSlice<'a>]) -> usize {
        let mut used = 0;
        for (slot, piece) in slots.iter_mut().zip(self.list.iter().filter(|piece| !piece.is_empty())) {
            *slot = IoSlice::new(piece);
            used += 1;
        }
        used
    }

    fn advance(&mut self, mut count: usize) {
        self.left -= count;
        while let Some(piece) = self.list.front_mut() {
            if piece.len() > count {
                piece.advance(count);
                return;
            }
            count -= piece.len();
            self.list.pop_front();
        }
    }
}

/// The body of one answer.
pub(super) struct PageBody {
    pieces: Pieces,
    /// Handed over at most this much at a time: HTTP/2 takes a whole frame out of flow control's hands.
    at_a_time: usize,
    reset: Option<Reset>,
    visit: Option<Visit>,
}

enum Reset {
    After(usize),
    Waiting(Pin<Box<tokio::time::Sleep>>),
}

/// The web broke the connection on purpose.
#[derive(Debug)]
pub(super) struct BrokenOnPurpose;

impl fmt::Display for BrokenOnPurpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("broken on purpose")
    }
}

impl std::error::Error for BrokenOnPurpose {}

impl PageBody {
    pub(super) fn of_visit(body: Vec<Bytes>, at_a_time: usize, visit: Visit) -> Self {
        Self { pieces: body.into(), at_a_time, reset: None, visit: Some(visit) }
    }

    /// Nothing follows the head: the log hears of it before the head is written, as it does of the last piece of a body.
    pub(super) fn sent_if_empty(mut self) -> Self {
        if self.pieces.left == 0
            && let Some(visit) = self.visit.take()
        {
            visit.sent();
        }
        self
    }

    /// A page outside of the web: not logged.
    pub(super) fn plain(body: impl Into<Bytes>) -> Self {
        Self { pieces: vec![body.into()].into(), at_a_time: 16_384, reset: None, visit: None }
    }

    /// The connection is reset after so many bytes, but always before the last one.
    pub(super) fn reset_after(mut self, bytes: usize) -> Self {
        if self.pieces.left == 0 {
            self.pieces = vec![Bytes::from_static(b"\n")].into();
        }
        self.reset = Some(Reset::After(bytes.min(self.pieces.left - 1)));
        self
    }

    fn next_piece(&mut self, most: usize) -> Option<Pieces> {
        let front = self.pieces.take_front(most);
        if front.left == 0 {
            return None;
        }
        if let Some(mut visit) = self.visit.take() {
            visit.hands_over(front.left);
            // Not when this is dropped: with HTTP/2 another task may have written the last bytes by then, and the client be gone.
            if self.pieces.left == 0 {
                visit.sent();
            } else {
                self.visit = Some(visit);
            }
        }
        Some(front)
    }
}

impl Body for PageBody {
    type Data = Pieces;
    type Error = BrokenOnPurpose;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Pieces>, BrokenOnPurpose>>> {
        let this = &mut *self;
        loop {
            match &mut this.reset {
                None => {
                    return Poll::Ready(this.next_piece(this.at_a_time).map(|piece| Ok(Frame::data(piece))));
                }
                Some(Reset::After(0)) => {
                    this.reset = Some(Reset::Waiting(Box::pin(shell::sleep(BEFORE_RESET))));
                }
                Some(Reset::After(left)) => {
                    let now = (*left).min(this.at_a_time);
                    *left -= now;
                    return Poll::Ready(this.next_piece(now).map(|piece| Ok(Frame::data(piece))));
                }
                Some(Reset::Waiting(sleep)) => {
                    ready!(sleep.as_mut().poll(cx));
                    if let Some(visit) = this.visit.take() {
                        visit.reset();
                    }
                    return Poll::Ready(Some(Err(BrokenOnPurpose)));
                }
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.pieces.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.pieces.left as u64)
    }
}
