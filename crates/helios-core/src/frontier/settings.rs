//! The `[crawl]`, `[frontier]` and `[robots]` tables, as the frontier reads them.

use serde::Deserialize;

use crate::robots::RobotsSettings;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrontierTables {
    pub crawl: CrawlSettings,
    pub frontier: FrontierSettings,
    pub robots: RobotsSettings,
}

/// What belongs to the crawl and when it is over.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrawlSettings {
    pub scope: ScopeKind,
    pub max_pages: Option<u64>,
    pub max_depth: Option<u32>,
    pub max_seconds: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScopeKind {
    /// The hosts of the seeds.
    Host,
    /// The sites of the seeds.
    Site,
    /// The whole web.
    Any,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrontierSettings {
    /// Least time between two requests to a site.
    pub delay_ms: u64,
    /// URLs of one visit at most.
    pub visit_urls: usize,
    /// How often a URL that fails is asked.
    pub attempts: u32,
    /// First back-off; doubles with each failure.
    pub backoff_ms: u64,
    pub backoff_ceiling_ms: u64,
    /// A Crawl-delay beyond this is taken as this.
    pub crawl_delay_ceiling_ms: u64,
    /// A Retry-After beyond this is taken as this.
    pub retry_after_ceiling_ms: u64,
    pub max_pages_per_site: Option<u64>,
    pub max_url_length: usize,
    pub max_redirects: u32,
}
