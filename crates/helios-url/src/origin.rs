//! [`Origin`]: where a connection leads to.

use std::fmt;
use std::sync::Arc;

use crate::canonical::CanonicalUrl;
use crate::error::Result;

/// Scheme, host and port: what a robots.txt speaks for (RFC 9309 §2.3) and what a connection leads to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin {
    pub https: bool,
    /// A name in lower case, or an address literal (IPv6 in brackets).
    pub host: Arc<str>,
    pub port: u16,
}

impl Origin {
    /// The URL of a target of this origin.
    pub fn url_of(&self, target: &str) -> Result<CanonicalUrl> {
        CanonicalUrl::parse(&format!("{self}{target}"))
    }

    /// The URL is of this origin.
    pub fn is_of(&self, url: &CanonicalUrl) -> bool {
        self.https == url.is_https() && (&*self.host, self.port) == url.host_and_port()
    }

    fn has_default_port(&self) -> bool {
        self.port == if self.https { 443 } else { 80 }
    }

    /// What belongs into the Host header.
    pub fn authority(&self) -> String {
        if self.has_default_port() { self.host.to_string() } else { format!("{}:{}", self.host, self.port) }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", if self.https { "https" } else { "http" }, self.authority())
    }
}
