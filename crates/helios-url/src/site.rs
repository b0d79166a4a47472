//! [`SiteKey`]: whom we must be polite to as one.

use std::fmt;
use std::sync::Arc;

/// The registrable domain by the public suffix list; the host itself where it is an address or a suffix of its own.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SiteKey(Arc<str>);

impl SiteKey {
    /// `host` is in canonical form (lower case, punycode, IPv6 in brackets).
    pub fn of_host(host: &str) -> Self {
        let is_address = host.starts_with('[') || host.parse::<std::net::Ipv4Addr>().is_ok();
        if is_address {
            return Self(Arc::from(host));
        }
        Self(Arc::from(helios_suffix::registrable(host).unwrap_or(host)))
    }

    /// The host itself, whatever its domain: where a domain is too large to be one site.
    pub fn host(host: &str) -> Self {
        Self(Arc::from(host))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SiteKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
