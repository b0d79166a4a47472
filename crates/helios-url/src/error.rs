//! Why a text is no URL, and why a URL is none to crawl.

use crate::canonicaliser::LONGEST;

/// What the URL Standard calls failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("relative URL without a base")]
    NoBase,
    #[error("relative URL with a base that has no path")]
    OpaqueBase,
    #[error("empty host")]
    EmptyHost,
    #[error("invalid domain character")]
    DomainCharacter,
    #[error("invalid international domain name")]
    International,
    #[error("invalid IPv4 address")]
    Ipv4,
    #[error("invalid IPv6 address")]
    Ipv6,
    #[error("invalid port number")]
    Port,
}

/// Why a URL is none to crawl. It is put into words only where somebody asks, which of the links of a page nobody does.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("{}; write it in full, such as https://example.org/", Fault::NoBase)]
    NoBase,
    #[error(transparent)]
    Fault(Fault),
    #[error("it is longer than {} bytes", LONGEST)]
    TooLong,
    #[error("only http and https are crawled, not {0}:")]
    Scheme(Box<str>),
    #[error("it carries a user name or password")]
    Credentials,
    #[error("its host is empty")]
    EmptyHost,
    #[error("its host is no name that DNS could know")]
    Host,
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        if fault == Fault::NoBase { Self::NoBase } else { Self::Fault(fault) }
    }
}

/// The text as it was given, shortened, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no URL to crawl: {reason}")]
pub struct Error {
    pub text: String,
    pub reason: String,
}

pub type Result<T> = std::result::Result<T, Error>;
