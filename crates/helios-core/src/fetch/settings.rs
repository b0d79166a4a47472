//! The `[fetch]` and `[dns]` tables, as the fetcher reads them.

use std::path::PathBuf;

use serde::Deserialize;

use crate::dns::{AddressRange, DnsSettings};
use crate::robots::RobotsSettings;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FetcherSettings {
    pub fetch: FetchSettings,
    pub dns: DnsSettings,
    pub robots: RobotsSettings,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FetchSettings {
    pub user_agent: String,
    /// Visits at the same time.
    pub concurrency: usize,
    /// Threads of the fetcher's runtime; 0: one per core.
    pub threads: usize,
    pub connect_timeout_ms: u64,
    pub first_byte_timeout_ms: u64,
    pub total_timeout_ms: u64,
    /// Of body, on the wire and decoded.
    pub max_body_bytes: u64,
    /// Decoded bytes per byte on the wire; more is a bomb.
    pub max_ratio: u64,
    /// Special address ranges that may be connected to.
    pub allow: Vec<AddressRange>,
    /// A PEM file of further certificate authorities to trust.
    pub extra_ca: Option<PathBuf>,
}
