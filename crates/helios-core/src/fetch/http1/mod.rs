//! HTTP/1.1 as a client speaks it: bytes of a GET go out, a checked head and the pieces of a body come in.
//!
//! [`Http1`] owns one stream and asks one thing at a time: `send`, `head`, then `whole` or `append` (plain bodies, read into their final place) or `piece`
//! (coded bodies, lent to a decoder) until `None`; then [`Http1::is_reusable`] and, before the next use, [`Http1::is_open`]. Every method may be
//! dropped while it waits: no byte is lost, and a connection left in the middle of an answer is not reusable. It keeps no time and
//! sets no limit on bodies: the caller does both. While it waits with nothing read it holds no buffer.
//!
//! What real servers need is read, but only strict answers keep their connection (RFC 9112; "once": the connection is closed after it):
//! * as usual: bare LF ends a line of the head, empty lines before the head, no reason phrase, several spaces in the status line, bytes
//!   above 0x7F in values, surplus 1xx heads (bounded)
//! * once: obs-fold (§5.2: read as spaces), Content-Length repeated with one value, Content-Length beside Transfer-Encoding (§6.3: ignored),
//!   `chunked` named twice, in HTTP/1.0, or beside `identity`, bare LF in chunk framing, no end after the last chunk, TLS without a farewell
//! * broken: Content-Lengths that differ or are no plain number, other transfer codings, no status line, whitespace before a colon,
//!   header lines without a colon or with control bytes, chunk sizes that are no hex number, bodies that end early
//!
//! `request` builds what is sent; `head`, `fields` and `framing` judge the answer; `body` reads and `chunked` unwraps; `inbox` holds what was read and not yet used, in `rooms`.

mod body;
mod chunked;
mod fields;
mod framing;
mod head;
mod inbox;
mod request;
mod rooms;
#[cfg(test)]
mod tests;
mod wire;

use std::io;

pub(crate) use fields::Fields;
pub(crate) use head::{Head, HeadLimits};
pub(crate) use request::{Lines, Request, Unspeakable};
pub(crate) use rooms::ROOM;
pub(crate) use wire::Http1;

/// Why there is no answer, or no whole one. The connection is of no more use.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Trouble {
    /// Closed or failed before any byte of an answer. On a kept connection this is the server's timeout crossing our request: worth
    /// one try on a new one.
    #[error("no answer: {0}")]
    Unanswered(io::Error),
    /// What came is not HTTP/1, or broke off.
    #[error("{0}")]
    Broken(String),
    #[error("head of more than {limit} {unit}")]
    HeadTooLarge { limit: usize, unit: &'static str },
}

impl Trouble {
    fn broken(why: impl Into<String>) -> Self {
        Self::Broken(why.into())
    }
}
