//! The `[proxy]` table.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;

/// Python passes every value; the defaults are for whoever builds a fetcher by hand, and the same.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProxySettings {
    /// Name → proxies that can stand in for each other. `direct` is no pool but the way without one.
    pub pools: BTreeMap<String, ProxyPool>,
    /// Which hosts go where; the first rule that fits decides.
    pub rules: Vec<ProxyRule>,
    /// Where all others go.
    pub default: String,
    /// Failures in a row after which a proxy rests.
    pub failures: u32,
    /// How long it rests the first time; doubles each time that it fails again.
    pub cool_down_ms: u64,
    pub cool_down_ceiling_ms: u64,
    /// Between two looks at the proxies that rest; 0: none.
    pub check_ms: u64,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProxyPool {
    /// `http://user:password@host:3128`, `https://…`, `socks5://…` (names resolved here), `socks5h://…` (by the proxy).
    pub proxies: Vec<String>,
    #[serde(default)]
    pub rotation: Rotation,
}

/// Who of a pool is next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rotation {
    /// One after the other.
    #[default]
    RoundRobin,
    /// A site stays with its proxy while that works.
    Sticky,
}

/// The host that is asked for → a pool, or `direct`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProxyRule {
    /// `example.org`: that host; `*.example.org`: that domain and all hosts below it; `*`: any run of characters.
    pub pattern: String,
    pub pool: String,
}

impl Default for ProxySettings {
    fn default() -> Self {
        Self {
            pools: BTreeMap::new(),
            rules: Vec::new(),
            default: "direct".to_owned(),
            failures: 3,
            cool_down_ms: 5_000,
            cool_down_ceiling_ms: 300_000,
            check_ms: 10_000,
        }
    }
}

/// The URLs may hold passwords.
impl fmt::Debug for ProxyPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} proxies, {:?}", self.proxies.len(), self.rotation)
    }
}
