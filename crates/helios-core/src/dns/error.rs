//! Why a name has no address.

use std::fmt;

/// Small, because it is cached like an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DnsError {
    /// NXDOMAIN.
    NoSuchName,
    /// The name is there and has no address of the kind we ask for.
    NoAddress,
    /// Names that only lead to other names, or in a circle.
    Loop,
    /// No question could be asked for it.
    Malformed(&'static str),
    /// The servers answered, but not the question.
    ServerFailed(Failure),
    TimedOut,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The code of the answer (RFC 1035 §4.1.1): 2 is SERVFAIL, 5 is REFUSED.
    Code(u8),
    /// An answer to our question that cannot be read.
    Garbled,
    /// Nobody listens at the server's address.
    Unreachable,
    /// The look-up itself died.
    Lost,
}

impl DnsError {
    /// Another try may bring an address: the server failed, not the name.
    pub fn is_temporary(self) -> bool {
        matches!(self, Self::ServerFailed(_) | Self::TimedOut)
    }
}

impl fmt::Display for DnsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchName => f.write_str("there is no such name"),
            Self::NoAddress => f.write_str("the name has no address"),
            Self::Loop => f.write_str("the name leads through too many other names"),
            Self::Malformed(why) => write!(f, "no valid name: {why}"),
            Self::ServerFailed(Failure::Code(2)) => f.write_str("the name server failed (SERVFAIL)"),
            Self::ServerFailed(Failure::Code(5)) => {
                f.write_str("the name server refused to answer (REFUSED)")
            }
            Self::ServerFailed(Failure::Code(code)) => write!(f, "the name server failed (code {code})"),
            Self::ServerFailed(Failure::Garbled) => f.write_str("the name server's answer cannot be read"),
            Self::ServerFailed(Failure::Unreachable) => f.write_str("no name server is reachable"),
            Self::ServerFailed(Failure::Lost) => f.write_str("the look-up broke off"),
            Self::TimedOut => f.write_str("no name server answered in time"),
        }
    }
}

impl std::error::Error for DnsError {}
