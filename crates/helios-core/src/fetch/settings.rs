//! The `[fetch]` table, and those beside it, as the fetcher reads them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

use super::auth::Secret;
use super::proxy::ProxySettings;
use crate::dns::{AddressRange, DnsSettings};
use crate::robots::RobotsSettings;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FetcherSettings {
    pub fetch: FetchSettings,
    pub dns: DnsSettings,
    pub robots: RobotsSettings,
    #[serde(default)]
    pub proxy: ProxySettings,
}

/// Python passes every value; the defaults are for whoever builds a fetcher by hand, and the same.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FetchSettings {
    pub user_agent: String,
    /// Visits at the same time.
    pub concurrency: usize,
    /// Threads of the fetcher's runtime; 0: one per core.
    pub threads: usize,
    pub connect_timeout_ms: u64,
    pub tls_timeout_ms: u64,
    /// From the request to the whole head.
    pub first_byte_timeout_ms: u64,
    /// Between two pieces of a body.
    pub idle_timeout_ms: u64,
    /// One URL in all; waiting for our own memory does not count.
    pub total_timeout_ms: u64,
    /// A connection stays open so long for the next visit of its site; 0: each visit has its own.
    pub keep_open_ms: u64,
    /// How many at most, beside those of visits: in all, and to one address.
    pub most_kept_open: usize,
    pub most_kept_open_each: usize,
    /// Of the status line and all header lines.
    pub max_head_bytes: usize,
    /// Lines of one head.
    pub max_headers: usize,
    /// Of body, on the wire and decoded.
    pub max_body_bytes: u64,
    /// Decoded bytes per byte on the wire; more is a bomb.
    pub max_ratio: u64,
    /// Of all bodies together that are being read or wait to be dropped; one body more may pass when it is alone.
    pub max_memory_bytes: u64,
    /// Keep requests and answers as they went over the wire, for an archive.
    pub keep_wire: bool,
    /// Content types that are read: `type/subtype`, `type/*` or `*/*`.
    pub accept: Vec<String>,
    /// Sent with every request.
    pub headers: BTreeMap<String, String>,
    /// Host pattern → `user:password` (see `auth`).
    pub auth: BTreeMap<String, Secret>,
    /// Keep what sites set, and send it back to them.
    pub cookies: bool,
    /// Special address ranges that may be connected to.
    pub allow: Vec<AddressRange>,
    /// A PEM file of further certificate authorities to trust.
    pub extra_ca: Option<PathBuf>,
    /// Certificates must prove whose they are.
    pub verify_tls: bool,
}

impl Default for FetchSettings {
    fn default() -> Self {
        let accept = [
            "text/html",
            "application/xhtml+xml",
            "text/plain",
            "application/xml",
            "text/xml",
            "application/rss+xml",
            "application/atom+xml",
            "application/rdf+xml",
            "application/feed+json",
            "application/gzip",
            "application/x-gzip",
        ];
        Self {
            user_agent: concat!("Helios/", env!("CARGO_PKG_VERSION")).to_owned(),
            concurrency: 512,
            threads: 0,
            connect_timeout_ms: 10_000,
            tls_timeout_ms: 10_000,
            first_byte_timeout_ms: 20_000,
            idle_timeout_ms: 15_000,
            total_timeout_ms: 60_000,
            keep_open_ms: 15_000,
            most_kept_open: 512,
            most_kept_open_each: 8,
            max_head_bytes: 128 * 1024,
            max_headers: 256,
            max_body_bytes: 10_000_000,
            max_ratio: 200,
            max_memory_bytes: 1 << 30,
            keep_wire: false,
            accept: accept.map(str::to_owned).to_vec(),
            headers: BTreeMap::new(),
            auth: BTreeMap::new(),
            cookies: false,
            allow: Vec::new(),
            extra_ca: None,
            verify_tls: true,
        }
    }
}
