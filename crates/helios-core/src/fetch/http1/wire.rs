//! One connection: what is asked, what is answered, and whether it can be asked again.

use std::io;
use std::pin::Pin;
use std::task::Context;

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, ReadBuf};

use super::Trouble;
use super::chunked::Chunked;
use super::framing::Length;
use super::head::{self, Head, HeadLimits, Parsed};
use super::inbox::Inbox;
use super::rooms::ROOM;

/// The first read of an answer where the one before was long: most heads come whole, and what it reads of a long plain body is
/// copied once more. Else it fills a room, since pages of a site are alike.
pub(super) const HEAD_READ: usize = 16 * 1024;

#[derive(Debug)]
pub(crate) struct Http1<S> {
    pub(super) stream: S,
    limits: HeadLimits,
    pub(super) inbox: Inbox,
    /// Bytes at the front of the inbox that the caller has as a piece.
    pub(super) lent: usize,
    pub(super) answer: Answer,
    pub(super) keeps: bool,
    pub(super) flows: bool,
    /// The first read of the next answer.
    first_read: usize,
}

/// How far the present answer is.
#[derive(Debug)]
pub(super) enum Answer {
    /// Asked for; what is known about its heads.
    Awaited(Search),
    Exactly(u64),
    Chunked(Chunked),
    UntilClose,
    /// Whole, or none asked for.
    Done,
}

#[derive(Debug, Default)]
pub(super) struct Search {
    searched: usize,
    /// Bytes of earlier heads and empty lines.
    spent: usize,
    informational: usize,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Http1<S> {
    pub(crate) fn new(stream: S, limits: HeadLimits) -> Self {
        Self {
            stream,
            limits,
            inbox: Inbox::default(),
            lent: 0,
            answer: Answer::Done,
            keeps: true,
            flows: false,
            first_read: ROOM,
        }
    }

    /// Sends a request head made by [`super::Request`]. The answer before it must be read to its end.
    pub(crate) async fn send(&mut self, request: &[u8]) -> Result<(), Trouble> {
        if !self.is_reusable() {
            return Err(Trouble::broken("the answer before was not at its end"));
        }
        self.return_lent();
        self.answer = Answer::Awaited(Search::default());
        self.stream.write_all(request).await.map_err(Trouble::Unanswered)?;
        self.stream.flush().await.map_err(Trouble::Unanswered)
    }

    /// The final head; 1xx heads before it are read and dropped.
    pub(crate) async fn head(&mut self) -> Result<Head, Trouble> {
        loop {
            if let Some(raw) = self.next_head()? {
                match head::parse(raw, &self.limits)? {
                    Parsed::Informational => self.count_informational()?,
                    Parsed::Final(head) => {
                        self.begin_body(&head);
                        return Ok(head);
                    }
                }
            } else {
                let room = self.first_read;
                let read = self.inbox.fill(&mut self.stream, room).await;
                match read {
                    Ok(0) => return Err(self.cut_in_head(None)),
                    Ok(count) => self.flows = count >= room,
                    Err(error) => return Err(self.cut_in_head(Some(error))),
                }
            }
        }
    }

    /// The last read filled all the room it had, so that more is waiting.
    pub(crate) fn flows(&self) -> bool {
        self.flows
    }

    /// The last answer (if any) came to a clean end, both sides keep the connection, and nothing came after it.
    pub(crate) fn is_reusable(&self) -> bool {
        matches!(self.answer, Answer::Done) && self.keeps && self.inbox.unread().len() == self.lent
    }

    /// Reusable, and as far as this side knows neither closed by the peer nor answered without a question. To be asked right before the
    /// next `send`; costs a system call only if something happened on the stream. `context` is that of the task that will read:
    /// another would have to be changed for it.
    pub(crate) fn is_open(&mut self, context: &mut Context<'_>) -> bool {
        let mut byte = [0];
        let mut buffer = ReadBuf::new(&mut byte);
        let quiet = Pin::new(&mut self.stream).poll_read(context, &mut buffer).is_pending();
        // A byte that was read here is lost: the connection must not be used.
        self.keeps &= quiet;
        self.is_reusable()
    }

    /// The memory that it holds for bytes to come.
    #[cfg(test)]
    pub(super) fn held(&self) -> usize {
        self.inbox.capacity()
    }

    /// The stream, for another protocol: after CONNECT. The peer must have sent nothing behind its head.
    pub(crate) fn into_stream(self) -> Result<S, Trouble> {
        match self.inbox.unread() {
            [] => Ok(self.stream),
            _ => Err(Trouble::broken("bytes before the tunnel was used")),
        }
    }

    /// The next whole head in the inbox, taken out of it.
    fn next_head(&mut self) -> Result<Option<Bytes>, Trouble> {
        let Answer::Awaited(search) = &mut self.answer else {
            return Err(Trouble::broken("no answer is awaited"));
        };
        let too_large = Trouble::HeadTooLarge { limit: self.limits.bytes, unit: "bytes" };
        let blank = head::blank_bytes(self.inbox.unread());
        if blank > 0 {
            self.inbox.consume(blank);
            search.spent += blank;
            search.searched = 0;
        }
        let unread = self.inbox.unread();
        if let Some(beginning) = head::not_a_status_line(unread) {
            // Whoever reads byte by byte gives up at the limit: the verdict must not depend on how the bytes come.
            // A CR is known to begin no empty line by the byte after it.
            let decided = beginning.len() + usize::from(beginning == b"\r");
            if search.spent + decided > self.limits.bytes + 1 {
                return Err(too_large);
            }
            let beginning = String::from_utf8_lossy(beginning);
            return Err(Trouble::Broken(format!("no status line: it begins with {beginning:?}")));
        }
        match head::end_of(unread, &mut search.searched) {
            Some(end) if search.spent + end <= self.limits.bytes => {
                let raw = Bytes::copy_from_slice(unread.get(..end).unwrap_or_default());
                self.inbox.consume(end);
                search.spent += end;
                search.searched = 0;
                Ok(Some(raw))
            }
            None if search.spent + unread.len() <= self.limits.bytes => Ok(None),
            _ => Err(too_large),
        }
    }

    fn count_informational(&mut self) -> Result<(), Trouble> {
        let Answer::Awaited(search) = &mut self.answer else { return Ok(()) };
        search.informational += 1;
        if search.informational > self.limits.informational {
            return Err(Trouble::HeadTooLarge { limit: self.limits.informational, unit: "1xx answers" });
        }
        Ok(())
    }

    fn begin_body(&mut self, head: &Head) {
        self.keeps &= head.framing.keeps;
        self.first_read = match head.framing.length {
            Length::Exactly(length)
                if length.saturating_add(head.fields.raw().len() as u64) >= ROOM as u64 =>
            {
                HEAD_READ
            }
            Length::Exactly(_) | Length::Chunked | Length::UntilClose => ROOM,
        };
        self.answer = match head.framing.length {
            Length::Exactly(0) => Answer::Done,
            Length::Exactly(length) => Answer::Exactly(length),
            Length::Chunked => Answer::Chunked(Chunked::default()),
            Length::UntilClose => Answer::UntilClose,
        };
        if matches!(self.answer, Answer::Done) {
            self.inbox.release();
        }
    }

    fn cut_in_head(&self, error: Option<io::Error>) -> Trouble {
        let spent = if let Answer::Awaited(search) = &self.answer { search.spent } else { 0 };
        let seen = spent + self.inbox.unread().len();
        let error = error.unwrap_or_else(|| io::ErrorKind::UnexpectedEof.into());
        if seen == 0 {
            return Trouble::Unanswered(error);
        }
        Trouble::Broken(format!("broke off inside the head, after {seen} bytes: {error}"))
    }
}
