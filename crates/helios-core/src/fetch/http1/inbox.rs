//! Bytes that were read and not used yet. It owns memory only while it holds some.

use std::future::poll_fn;
use std::io;
use std::pin::pin;
use std::task::Poll;

use bytes::{BufMut, Bytes};
use tokio::io::{AsyncRead, AsyncReadExt};

use super::rooms::{ROOM, ROOMS};

#[derive(Debug, Default)]
pub(super) struct Inbox {
    bytes: Vec<u8>,
    start: usize,
}

impl Inbox {
    pub(super) fn unread(&self) -> &[u8] {
        self.bytes.get(self.start..).unwrap_or_default()
    }

    pub(super) fn consume(&mut self, count: usize) {
        self.start += count;
        if self.start >= self.bytes.len() {
            self.start = 0;
            self.bytes.clear();
        }
    }

    /// All that is unread, with the memory it lies in; a copy, if that is too much memory for it.
    pub(super) fn take_all(&mut self) -> Bytes {
        let unread = self.bytes.len() - self.start;
        if self.bytes.capacity() - unread > unread / 4 {
            let copy = Bytes::copy_from_slice(self.unread());
            self.consume(unread);
            return copy;
        }
        ROOMS.lend(std::mem::take(&mut self.bytes), std::mem::take(&mut self.start))
    }

    /// Gives the memory back if nothing is in it.
    pub(super) fn release(&mut self) {
        if self.bytes.is_empty() {
            ROOMS.give(std::mem::take(&mut self.bytes));
        }
    }

    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    /// Reads once, behind what is unread; 0 is the end of the stream. The room is made when the stream is asked and given back when
    /// it has nothing, so that thousands of silent connections hold none.
    pub(super) async fn fill(
        &mut self,
        stream: &mut (impl AsyncRead + Unpin),
        size: usize,
    ) -> io::Result<usize> {
        poll_fn(|context| {
            self.make_room(size);
            let read = pin!(stream.read_buf(&mut (&mut self.bytes).limit(size))).poll(context);
            if read.is_pending() {
                self.settle();
            }
            farewell(read)
        })
        .await
    }

    fn make_room(&mut self, size: usize) {
        // What is unread is at most the beginning of a head or of a line: moving it costs nothing.
        if self.start > 0 {
            self.bytes.drain(..self.start);
            self.start = 0;
        }
        if self.bytes.capacity() == 0 && size <= ROOM {
            self.bytes = ROOMS.take();
        } else if self.bytes.len() == self.bytes.capacity() {
            self.bytes.reserve(size);
        }
    }

    /// Nothing more is here. What came may wait for long: it holds no room that others could use.
    fn settle(&mut self) {
        if !self.bytes.is_empty() && self.bytes.capacity() == ROOM {
            let few = self.bytes.as_slice().to_vec();
            ROOMS.give(std::mem::replace(&mut self.bytes, few));
        }
        self.release();
    }
}

/// TLS says `UnexpectedEof` when the peer closes without its farewell. Whether the answer was whole is for its framing to say.
pub(super) fn farewell(read: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
    match read {
        Poll::Ready(Err(error)) if error.kind() == io::ErrorKind::UnexpectedEof => Poll::Ready(Ok(0)),
        Poll::Ready(_) | Poll::Pending => read,
    }
}
