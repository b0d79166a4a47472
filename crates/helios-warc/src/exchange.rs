//! One question and its answer, as the fetcher kept them.

use std::net::IpAddr;

use crate::digest::Digest;
use crate::id::RecordId;

#[derive(Debug, Clone, Copy)]
pub struct Exchange<'a> {
    pub url: &'a str,
    /// The fingerprint of its URL: with the fetch number what records are named by.
    pub page: u128,
    pub fetch_number: u32,
    /// When the request was begun, in milliseconds since 1970.
    pub at: u64,
    /// Of the server, where it is known.
    pub address: Option<IpAddr>,
    /// The head of the request as it was sent; empty if it was not kept.
    pub request: &'a [u8],
    pub answer: Answer<'a>,
    /// What else is worth knowing, as `name: value`; none: no metadata record.
    pub notes: &'a [(&'a str, String)],
}

#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    pub status: u16,
    pub protocol: Protocol,
    /// Status line and header lines as they came, empty line included.
    pub head: &'a [u8],
    /// As it came, content coding and all, but without the framing of a transfer coding.
    pub body: &'a [u8],
    pub truncated: Option<Truncated>,
    pub content_type: &'a str,
    /// A 304: it speaks of an earlier answer.
    pub not_modified: bool,
    /// The body is compressed already.
    pub is_coded: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Protocol {
    Http10,
    #[default]
    Http11,
    Http2,
}

impl Protocol {
    /// As the field `WARC-Protocol` has it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Http10 => "http/1.0",
            Self::Http11 => "http/1.1",
            Self::Http2 => "h2",
        }
    }
}

/// Why a body is not all that the server had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truncated {
    /// Longer than allowed.
    Length,
    Time,
    Disconnect,
    /// Nobody wanted the rest.
    Unspecified,
}

impl Truncated {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Length => "length",
            Self::Time => "time",
            Self::Disconnect => "disconnect",
            Self::Unspecified => "unspecified",
        }
    }
}

/// Where the payload of a revisit record is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Original {
    pub url: String,
    pub at: u64,
    pub id: RecordId,
    pub digest: Digest,
}
