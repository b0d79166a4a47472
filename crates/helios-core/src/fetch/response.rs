//! What an answer brought, and what took too long.

use bytes::Bytes;

/// A page, with what later stages want to know of its answer.
#[derive(Debug, Clone, Default)]
pub struct Response {
    pub status: u16,
    /// As sent; empty if none.
    pub content_type: String,
    /// The `X-Robots-Tag` values, one for each line that was sent.
    pub robots_tags: Vec<String>,
    /// The `Refresh` header: a link, as the `meta` of that name is.
    pub refresh: Option<Box<str>>,
    pub validators: Validators,
    /// What the server calls itself.
    pub server: Option<Box<str>>,
    /// Content coding undone.
    pub body: Bytes,
    /// Status line and header lines as they came, empty line included. HTTP/2 has no such text: there it is written as if
    /// it had.
    pub head: Bytes,
    pub version: HttpVersion,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum HttpVersion {
    Http10,
    #[default]
    Http11,
    Http2,
}

/// What a later request may send along, so that an unchanged page need not come again (RFC 9110 §13.1).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Validators {
    pub etag: Option<Box<str>>,
    pub last_modified: Option<Box<str>>,
}

impl Validators {
    pub fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }
}

/// What was waited for when the time was up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timeout {
    Connect,
    Tls,
    /// The whole head of the answer: a server that sends a line of it now and then is as slow as one that is silent.
    FirstByte,
    /// More of the body.
    Idle,
    Total,
}

impl Timeout {
    pub(super) fn describe(self) -> &'static str {
        match self {
            Self::Connect => "while connecting",
            Self::Tls => "in the TLS handshake",
            Self::FirstByte => "waiting for the head of an answer",
            Self::Idle => "waiting for more of the body",
            Self::Total => "as a whole",
        }
    }
}

/// Microseconds that each phase of a request took; 0 for what was not needed, such as connecting on a kept connection.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Timings {
    /// From the name to its addresses.
    pub resolve: u32,
    pub connect: u32,
    pub tls: u32,
    /// From the request to the whole head.
    pub first_byte: u32,
    pub body: u32,
}
