//! The tables that the frontier reads. The defaults are those of `helios.settings.tables`; a test compares them.

use serde::{Deserialize, Serialize};

use super::recrawl::RecrawlSettings;
use super::score::Weights;
use super::tier::TierRule;
use super::trap::TrapSettings;
use crate::robots::RobotsSettings;
use crate::sieve::SieveSettings;
use crate::url::Normalise;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FrontierTables {
    pub crawl: CrawlSettings,
    pub frontier: FrontierSettings,
    pub seen: SieveSettings,
    pub traps: TrapSettings,
    pub recrawl: RecrawlSettings,
    pub robots: RobotsSettings,
    pub urls: Normalise,
}

/// What belongs to the crawl and when it is over.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CrawlSettings {
    pub scope: ScopeKind,
    /// Patterns of URLs: those that are followed (none: all), and those that never are.
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    pub max_pages: Option<u64>,
    pub max_depth: Option<u32>,
    pub max_seconds: Option<u64>,
    /// Bytes of body on the wire.
    pub max_bytes: Option<u64>,
    /// Follow the sitemaps that robots.txt files name.
    pub sitemaps: bool,
}

impl Default for CrawlSettings {
    fn default() -> Self {
        Self {
            scope: ScopeKind::default(),
            include: Vec::new(),
            exclude: Vec::new(),
            max_pages: None,
            max_depth: None,
            max_seconds: None,
            max_bytes: None,
            sitemaps: true,
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScopeKind {
    /// The hosts of the seeds.
    #[default]
    Host,
    /// The sites of the seeds.
    Site,
    /// The seeds alone, and where they redirect to within their sites.
    List,
    /// The whole web.
    Any,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FrontierSettings {
    /// Least time between two requests to a site.
    pub delay_ms: u64,
    /// The delay is at least this many times as long as the last fetch took, up to the Crawl-delay ceiling.
    pub fetch_time_factor: u64,
    /// A Crawl-delay beyond this is taken as this.
    pub crawl_delay_ceiling_ms: u64,
    /// A Retry-After beyond this is taken as this.
    pub retry_after_ceiling_ms: u64,
    /// First back-off; doubles with each failure.
    pub backoff_ms: u64,
    pub backoff_ceiling_ms: u64,
    /// Visits to one site at once.
    pub site_connections: u32,
    /// Visits to one address at once; 0: no limit.
    pub address_connections: u32,
    /// Least time between two requests to an address; needs `address_connections` = 1.
    pub address_delay_ms: u64,
    /// Over all sites; visits then have one URL each.
    pub max_requests_per_second: Option<f64>,
    /// URLs of one visit at most.
    pub visit_urls: usize,
    /// No request of a visit begins later than this after its lease.
    pub visit_ms: u64,
    /// A visit that was not heard of this long after its last moment is lost.
    pub lost_after_ms: u64,
    /// How often a URL that fails is asked.
    pub attempts: u32,
    pub max_pages_per_site: Option<u64>,
    pub max_redirects: u32,
    /// Domains whose hosts are sites of their own.
    pub split_sites: Vec<String>,
    /// Shares of the tiers.
    pub quotas: [u32; 3],
    pub tiers: Vec<TierRule>,
    /// Scores from which on a URL is of tier 1, of tier 2.
    pub tier_scores: [f32; 2],
    pub weights: Weights,
    /// Queued URLs of begun chunks, and queues whose next chunks are known, kept in memory.
    pub heads_in_memory: usize,
    /// The most that one body may bring: what a leased URL reserves under `max_bytes`.
    pub max_body_bytes: u64,
    /// Do sites get their cookies back? Then a URL that redirects may answer when it is asked again.
    pub cookies: bool,
}

impl Default for FrontierSettings {
    fn default() -> Self {
        Self {
            delay_ms: 1_000,
            fetch_time_factor: 2,
            crawl_delay_ceiling_ms: 30_000,
            retry_after_ceiling_ms: 3_600_000,
            backoff_ms: 2_000,
            backoff_ceiling_ms: 300_000,
            site_connections: 1,
            address_connections: 8,
            address_delay_ms: 0,
            max_requests_per_second: None,
            visit_urls: 16,
            visit_ms: 600_000,
            lost_after_ms: 300_000,
            attempts: 4,
            max_pages_per_site: None,
            max_redirects: 10,
            split_sites: Vec::new(),
            quotas: [40, 40, 20],
            tiers: Vec::new(),
            tier_scores: [0.5, 0.2],
            weights: Weights::default(),
            heads_in_memory: 131_072,
            max_body_bytes: 10_000_000,
            cookies: false,
        }
    }
}
