//! The closed set of things that can happen to a URL. Retry policy is a table over [`OutcomeKind`], never over errors.

use super::response::{Response, Timeout};
use crate::dns::DnsError;

/// What happened, with what is needed to act on it and to explain it.
#[derive(Debug)]
pub enum Outcome {
    /// 2xx with a body of a wanted type; for a robots.txt also 204 and 205.
    Fetched(Response),
    /// 304, and validators were sent along; without them a 304 is broken.
    NotModified,
    /// 3xx; the target as the server wrote it.
    Redirected {
        status: u16,
        target: String,
    },
    /// A final refusal: 404, 410 and every 4xx that does not ask to come back.
    Missing {
        status: u16,
    },
    /// Come back later: 408, 425, 429 and 5xx.
    Busy {
        status: u16,
        retry_after_ms: Option<u64>,
    },
    /// No address for the name.
    Unresolved(DnsError),
    /// The name leads to an address that the settings do not allow.
    ForbiddenAddress(String),
    /// No connection, or it broke before an answer.
    Unreachable(String),
    /// The certificate does not prove that this is the host: expired, another name, an unknown issuer.
    Untrusted(String),
    TimedOut(Timeout),
    /// An answer that makes no sense or broke off.
    Broken(String),
    /// More bytes than allowed, on the wire or decoded; what was over the limit was not read.
    TooLarge {
        limit: u64,
    },
    /// Decompression makes far more of it than it was: an attack on whoever reads it.
    Bomb {
        ratio: u64,
    },
    /// A content type that is not wanted; its body was not read. Empty: a page was asked for, and the answer has no content (204, 205).
    UnwantedType(String),
    /// The visit ended before this URL was asked: nothing was sent.
    Abandoned,
}

/// [`Outcome`] without its details: what tables and counters are keyed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OutcomeKind {
    Fetched,
    NotModified,
    Redirected,
    Missing,
    Busy,
    /// Made by the frontier alone: robots denies it, so it was never asked.
    Denied,
    Unresolved,
    ForbiddenAddress,
    Unreachable,
    TimedOut,
    Broken,
    TooLarge,
    UnwantedType,
    Abandoned,
    Untrusted,
    Bomb,
}

impl Outcome {
    pub fn kind(&self) -> OutcomeKind {
        match self {
            Self::Fetched(_) => OutcomeKind::Fetched,
            Self::NotModified => OutcomeKind::NotModified,
            Self::Redirected { .. } => OutcomeKind::Redirected,
            Self::Missing { .. } => OutcomeKind::Missing,
            Self::Busy { .. } => OutcomeKind::Busy,
            Self::Unresolved(_) => OutcomeKind::Unresolved,
            Self::ForbiddenAddress(_) => OutcomeKind::ForbiddenAddress,
            Self::Unreachable(_) => OutcomeKind::Unreachable,
            Self::TimedOut(_) => OutcomeKind::TimedOut,
            Self::Broken(_) => OutcomeKind::Broken,
            Self::TooLarge { .. } => OutcomeKind::TooLarge,
            Self::UnwantedType(_) => OutcomeKind::UnwantedType,
            Self::Abandoned => OutcomeKind::Abandoned,
            Self::Untrusted(_) => OutcomeKind::Untrusted,
            Self::Bomb { .. } => OutcomeKind::Bomb,
        }
    }

    /// After this the site is better left alone for a while: the rest of the visit is abandoned.
    pub fn ends_visit(&self) -> bool {
        matches!(
            self.kind(),
            OutcomeKind::Busy
                | OutcomeKind::Unresolved
                | OutcomeKind::ForbiddenAddress
                | OutcomeKind::Unreachable
                | OutcomeKind::Untrusted
                | OutcomeKind::TimedOut
        )
    }

    /// For people: what happened, in a few words.
    pub fn describe(&self) -> String {
        match self {
            Self::Fetched(response) => format!("answered {}", response.status),
            Self::NotModified => "not modified".to_owned(),
            Self::Redirected { status, target } => format!("redirected ({status}) to {target}"),
            Self::Busy { status, retry_after_ms: Some(ms) } => {
                format!("answered {status}, come back in {ms} ms")
            }
            Self::Missing { status } | Self::Busy { status, retry_after_ms: None } => {
                format!("answered {status}")
            }
            Self::Unresolved(why) => format!("no address for its name: {why}"),
            Self::ForbiddenAddress(why) => format!("address not allowed: {why}"),
            Self::Unreachable(why) => format!("no connection: {why}"),
            Self::Untrusted(why) => format!("certificate not trusted: {why}"),
            Self::TimedOut(phase) => format!("timed out {}", phase.describe()),
            Self::Broken(why) => format!("broken answer: {why}"),
            Self::TooLarge { limit } => format!("larger than {limit} bytes"),
            Self::Bomb { ratio } => format!("decompression bomb: grows more than {ratio} times"),
            Self::UnwantedType(kind) if kind.is_empty() => "answered without content (204 or 205)".to_owned(),
            Self::UnwantedType(kind) => format!("unwanted type {kind:?}"),
            Self::Abandoned => "not asked: the visit ended early".to_owned(),
        }
    }
}

impl OutcomeKind {
    /// In the order of their codes, which are in databases: never reorder, only append.
    pub const ALL: [Self; 16] = [
        Self::Fetched,
        Self::NotModified,
        Self::Redirected,
        Self::Missing,
        Self::Busy,
        Self::Denied,
        Self::Unresolved,
        Self::ForbiddenAddress,
        Self::Unreachable,
        Self::TimedOut,
        Self::Broken,
        Self::TooLarge,
        Self::UnwantedType,
        Self::Abandoned,
        Self::Untrusted,
        Self::Bomb,
    ];

    pub(crate) fn code(self) -> u8 {
        self as u8
    }

    pub(crate) fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// The name in metrics, logs, settings and Python (`helios.outcome.Outcome`).
    pub fn name(self) -> &'static str {
        match self {
            Self::Fetched => "fetched",
            Self::NotModified => "not_modified",
            Self::Redirected => "redirected",
            Self::Missing => "missing",
            Self::Busy => "busy",
            Self::Denied => "denied",
            Self::Unresolved => "unresolved",
            Self::ForbiddenAddress => "forbidden_address",
            Self::Unreachable => "unreachable",
            Self::TimedOut => "timed_out",
            Self::Broken => "broken",
            Self::TooLarge => "too_large",
            Self::UnwantedType => "unwanted_type",
            Self::Abandoned => "abandoned",
            Self::Untrusted => "untrusted",
            Self::Bomb => "bomb",
        }
    }
}
