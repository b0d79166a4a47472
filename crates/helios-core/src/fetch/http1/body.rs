//! The body of an answer: read into its place, or lent in pieces.

use std::future::poll_fn;
use std::io;
use std::pin::pin;
use std::task::Poll;

use bytes::{BufMut, Bytes};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};

use super::inbox::farewell;
use super::wire::{Answer, HEAD_READ};
use super::{Http1, Trouble};

/// One read of a coded or chunked body.
const PIECE_READ: usize = 64 * 1024;
/// A chunk of which this much is missing is read straight into its place.
const DIRECT_READ: u64 = 16 * 1024;
/// Room for a body is made in one go up to here, if the bytes seem to be there.
const EAGER_ROOM: usize = 1 << 20;
/// A read into less room than this is not worth its system call.
const LEAST_ROOM: usize = 2 * 1024;

/// What can be done with the bytes at hand.
enum Front {
    Data(usize),
    End,
    NeedsMore,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Http1<S> {
    /// Appends what comes next of the body, at most `most` (> 0) bytes, after one read at most; how many, or `None` at its clean
    /// end. Room is made for the declared length when the bytes seem to be there, so that a plain body is read into its final place.
    pub(crate) async fn append(&mut self, into: &mut Vec<u8>, most: usize) -> Result<Option<usize>, Trouble> {
        self.return_lent();
        loop {
            match self.front()? {
                Front::End => return Ok(None),
                Front::Data(count) => {
                    let count = count.min(most);
                    self.make_room(into, count, most);
                    into.extend_from_slice(self.inbox.unread().get(..count).unwrap_or_default());
                    self.inbox.consume(count);
                    self.took(count);
                    return Ok(Some(count));
                }
                Front::NeedsMore if self.reads_directly() => {
                    if let Some(count) = self.read_into(into, most).await? {
                        return Ok(Some(count));
                    }
                }
                Front::NeedsMore => self.fill().await?,
            }
        }
    }

    /// The whole body, if it came with its head: where it lies, if it fills the room there.
    pub(crate) fn whole(&mut self) -> Option<Bytes> {
        let Answer::Exactly(left) = self.answer else { return None };
        if self.lent > 0 || self.inbox.unread().len() as u64 != left {
            return None;
        }
        let body = self.inbox.take_all();
        self.took(body.len());
        Some(body)
    }

    /// Lends what comes next of the body, after one read at most; `None` at its clean end. For a decoder.
    pub(crate) async fn piece(&mut self) -> Result<Option<&[u8]>, Trouble> {
        self.return_lent();
        loop {
            match self.front()? {
                Front::End => return Ok(None),
                Front::Data(count) => {
                    self.lent = count;
                    self.took(count);
                    break;
                }
                Front::NeedsMore => self.fill().await?,
            }
        }
        Ok(self.inbox.unread().get(..self.lent))
    }

    /// Drops framing in front of data, and says how much data is at hand.
    fn front(&mut self) -> Result<Front, Trouble> {
        let unread = self.inbox.unread();
        let data = match &mut self.answer {
            Answer::Awaited(_) => return Err(Trouble::broken("its head was not read")),
            Answer::Done => return Ok(Front::End),
            Answer::Exactly(left) => unread.len().min(usize::try_from(*left).unwrap_or(usize::MAX)),
            Answer::UntilClose => unread.len(),
            Answer::Chunked(chunked) => {
                let front = chunked.front(unread).map_err(Trouble::Broken)?;
                self.inbox.consume(front.skip);
                if chunked.is_at_end() {
                    self.keeps &= !chunked.is_sloppy();
                    self.end();
                    return Ok(Front::End);
                }
                front.data
            }
        };
        Ok(if data > 0 { Front::Data(data) } else { Front::NeedsMore })
    }

    /// Counts data that left the wire.
    fn took(&mut self, count: usize) {
        match &mut self.answer {
            Answer::Exactly(left) => {
                *left = left.saturating_sub(count as u64);
                if *left == 0 {
                    self.end();
                }
            }
            Answer::Chunked(chunked) => chunked.took(count as u64),
            Answer::Awaited(_) | Answer::UntilClose | Answer::Done => {}
        }
    }

    fn end(&mut self) {
        self.answer = Answer::Done;
        self.inbox.release();
    }

    pub(super) fn return_lent(&mut self) {
        self.inbox.consume(self.lent);
        self.lent = 0;
        if matches!(self.answer, Answer::Done) {
            self.inbox.release();
        }
    }

    async fn fill(&mut self) -> Result<(), Trouble> {
        let size = self.missing().map_or(PIECE_READ, |left| PIECE_READ.min(left));
        let read = self.inbox.fill(&mut self.stream, size).await;
        match read {
            Ok(0) => self.stream_ended(),
            Ok(_) => Ok(()),
            Err(error) => Err(self.failed(&error)),
        }
    }

    fn reads_directly(&self) -> bool {
        match &self.answer {
            Answer::Exactly(_) | Answer::UntilClose => true,
            Answer::Chunked(chunked) => chunked.left() >= DIRECT_READ,
            Answer::Awaited(_) | Answer::Done => false,
        }
    }

    /// Reads once into `into`; `None`: the stream ended, and that was its clean end.
    async fn read_into(&mut self, into: &mut Vec<u8>, most: usize) -> Result<Option<usize>, Trouble> {
        let is_given = into.capacity() > 0;
        let read = poll_fn(|context| {
            let most = self.missing().unwrap_or(most).min(most);
            self.make_room(into, most.min(LEAST_ROOM), most);
            let space = (into.capacity() - into.len()).min(most);
            let read = pin!(self.stream.read_buf(&mut (&mut *into).limit(space))).poll(context);
            if read.is_pending() {
                self.inbox.release();
                if into.is_empty() && !is_given {
                    *into = Vec::new();
                }
            }
            if let Poll::Ready(Ok(count)) = &read {
                self.flows = *count == space;
            }
            farewell(read)
        })
        .await;
        match read {
            Ok(0) => self.stream_ended().map(|()| None),
            Ok(count) => {
                self.took(count);
                Ok(Some(count))
            }
            Err(error) => Err(self.failed(&error)),
        }
    }

    /// Makes room if there is less than needed: for all that is missing while bytes flow; else for as much as came, so that silence
    /// costs little.
    fn make_room(&self, into: &mut Vec<u8>, needed: usize, most: usize) {
        if into.capacity() - into.len() >= needed {
            return;
        }
        let grown = into.len().max(HEAD_READ);
        let room = match self.missing() {
            Some(left) if self.flows => left.min(EAGER_ROOM.max(grown)),
            Some(left) => left.min(grown),
            None if self.flows => grown.max(PIECE_READ),
            None => grown,
        };
        into.reserve_exact(room.min(most).max(needed));
    }

    /// What is missing of the body or of the present chunk, if known.
    fn missing(&self) -> Option<usize> {
        match &self.answer {
            Answer::Exactly(left) => usize::try_from(*left).ok(),
            Answer::Chunked(chunked) if chunked.left() >= DIRECT_READ => usize::try_from(chunked.left()).ok(),
            Answer::Awaited(_) | Answer::Chunked(_) | Answer::UntilClose | Answer::Done => None,
        }
    }

    /// The stream ended: that is the end of the body, or it is cut.
    fn stream_ended(&mut self) -> Result<(), Trouble> {
        self.keeps = false;
        match &self.answer {
            Answer::Exactly(left) => return Err(Trouble::Broken(format!("ended {left} bytes early"))),
            Answer::Chunked(chunked) if !chunked.has_all() => {
                return Err(Trouble::broken("ended before its last chunk"));
            }
            Answer::Awaited(_) | Answer::Chunked(_) | Answer::UntilClose | Answer::Done => {}
        }
        self.end();
        Ok(())
    }

    fn failed(&mut self, error: &io::Error) -> Trouble {
        self.keeps = false;
        Trouble::Broken(format!("connection failed inside the body: {error}"))
    }
}
