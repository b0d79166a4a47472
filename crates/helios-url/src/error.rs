//! Why a text is no URL, and why a URL is none to crawl.

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

/// The text as it was given, shortened, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no URL to crawl: {reason}")]
pub struct Error {
    pub text: String,
    pub reason: String,
}

pub type Result<T> = std::result::Result<T, Error>;
