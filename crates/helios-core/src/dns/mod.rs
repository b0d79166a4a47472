//! DNS: a name in, addresses that may be connected to out.
//!
//! Always: what `resolve` found is checked by `guard` before anyone connects, so a public name cannot lead inside.

mod guard;
mod resolve;

pub use guard::{AddressRange, Guard};
pub use resolve::Resolver;

use serde::Deserialize;

/// The `[dns]` table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DnsSettings {
    /// `address:port` of the servers to ask; none: those of the system.
    pub servers: Vec<String>,
    pub timeout_ms: u64,
}
