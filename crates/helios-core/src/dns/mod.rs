//! DNS: a name in, addresses that may be connected to out.
//!
//! Always: what `resolve` found is checked by `guard` before anyone connects, and exactly what was checked is connected to, so
//! a public name cannot lead inside; nothing is used after its time to live; one name is asked for once at a time.
//! `name` reads what needs no question; `cache` remembers (pure); `resolve` joins askers of one name and refreshes hot names;
//! `lookup` is one look-up, in both families; `upstream` has the servers, their `health` and the `window` of questions that are out; `line` is a UDP port, `tcp` the way
//! for long answers; `wire` is the format, by hickory; `system` knows the files of the machine.

mod cache;
mod error;
mod guard;
mod health;
mod line;
mod lookup;
mod name;
mod resolve;
mod stats;
mod system;
mod tcp;
mod upstream;
mod window;
mod wire;

pub use cache::Addresses;
pub use error::{DnsError, Failure};
pub use guard::{AddressRange, Guard};
pub use resolve::Resolver;
pub use stats::DnsStats;

use std::path::PathBuf;

use serde::Deserialize;

/// The `[dns]` table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DnsSettings {
    /// `address:port` of the servers to ask, the first one first; none: those of the system.
    pub servers: Vec<String>,
    /// For one look-up, repeats and other servers included.
    pub timeout_ms: u64,
    /// Which addresses are asked for.
    pub ip: Families,
    /// Names that are not asked for but stand in a file; none: the system's, if its servers are asked.
    pub hosts_file: Option<PathBuf>,
    /// Names remembered.
    pub cache_entries: usize,
    /// An answer is believed at least and at most so long, whatever it says.
    pub min_ttl_s: u32,
    pub max_ttl_s: u32,
    /// "No such name" and "no address" are believed at most so long.
    pub negative_ttl_s: u32,
    /// After a server failed or was silent, a name is not asked for again for so long.
    pub failure_ttl_s: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Families {
    /// IPv4, and IPv6 if this machine has a way out by it.
    Auto,
    Both,
    V4,
    V6,
}

impl Default for DnsSettings {
    fn default() -> Self {
        Self {
            servers: Vec::new(),
            timeout_ms: 5_000,
            ip: Families::Auto,
            hosts_file: None,
            cache_entries: 1_000_000,
            min_ttl_s: 30,
            max_ttl_s: 86_400,
            negative_ttl_s: 900,
            failure_ttl_s: 5,
        }
    }
}
