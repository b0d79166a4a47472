//! One question to the synthetic web and its answer, without sockets and without a clock.

use std::time::Duration;

use bytes::Bytes;

/// Index of a host in [`crate::web::Web`].
pub type HostId = u32;

/// One request as the model sees it.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    pub host: HostId,
    /// Path and query as sent, e.g. `/news/quiet-river-17?sid=4`.
    pub target: &'a str,
    /// Time since this web began (virtual in simulation).
    pub now: Duration,
    /// How often this very target was asked before: transient failures heal after a fixed number of attempts.
    pub attempt: u32,
    pub accept: Encodings,
    pub if_none_match: Option<&'a str>,
    pub if_modified_since: Option<&'a str>,
}

/// The content codings a client accepts; the model picks the one that its host uses, if accepted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Encodings {
    pub gzip: bool,
    pub brotli: bool,
    pub zstd: bool,
}

/// The answer: what to send, when to start, and what goes wrong on the way.
#[derive(Debug, Clone)]
pub struct Reply {
    pub status: u16,
    /// Without `content-length`, `date` and `connection`: the server adds those.
    pub headers: Vec<(&'static str, String)>,
    /// Sent one after the other; cheap to clone, shared static pieces among them.
    pub body: Vec<Bytes>,
    /// Time between the request and the first byte of the answer.
    pub latency: Duration,
    pub fault: Fault,
}

impl Reply {
    pub fn body_len(&self) -> usize {
        self.body.iter().map(Bytes::len).sum()
    }

    /// The body as one buffer, still content-coded.
    pub fn body_bytes(&self) -> Vec<u8> {
        self.body.concat()
    }
}

/// What goes wrong while answering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    None,
    /// The connection is reset after this many bytes of body.
    ResetAfter(usize),
    /// Nothing is ever answered; the connection stays open until the client gives up.
    Silence,
}

/// What the DNS server of this web says to an A query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    Addresses(Vec<std::net::Ipv4Addr>, /* time to live */ Duration),
    NoSuchName,
    ServerFailure,
    Silence,
}
