//! What kind of web to make: sizes, shares and rates, each with its unit and its origin.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// How links name their hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Names {
    /// `http://www.quiet-river-17.test:8080`: the crawler asks the DNS server of this web.
    Dns,
    /// `http://127.1.0.1:8080`: no DNS; every host has an address, and is a site, of its own.
    Ip,
}

/// The parameters of a web. Shares and rates are fractions in 0..1, and 0 switches a behaviour off.
/// "§" is a section of the collected measurements of the real web; "house" is our own choice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WebSettings {
    /// One seed, one web.
    pub seed: u64,
    /// Wall time at `now = 0` in seconds since 1970, for dates in headers; 0: 2026-01-01.
    pub epoch_unix_secs: u64,

    /// Number of hosts (house).
    pub hosts: u32,
    /// Number of seed home pages, of hosts 0, 1, 2, ... (house).
    pub seeds: u32,
    /// Hosts per registrable domain, mean (§6.2: 1.22).
    pub hosts_per_site: f64,
    /// Share of hosts that sit 10 to 20 on one address (§6.2: 20 %).
    pub shared_addresses: f64,
    /// Pages per host, mean (§6.2: 53).
    pub mean_pages: f64,
    /// Most pages of one site; 0: 5 % of all pages (§6.2).
    pub max_pages: u32,
    /// Index of the power law of host sizes (§6.2: 1.0, range 0.8 to 1.5).
    pub pareto_index: f64,
    /// Share of hosts with one or two pages (§6.2: 35 to 45 %).
    pub tiny_hosts: f64,
    /// How links name hosts.
    pub names: Names,
    /// Port of plain hosts, as links write it; 80 is left out.
    pub http_port: u16,
    /// Port of TLS hosts, as links write it; 443 is left out.
    pub https_port: u16,
    /// Share of hosts behind TLS (§6.4: 91.6 %).
    pub https: f64,

    /// Raw size of a page in bytes: median (§6.1: 139 KB).
    pub page_bytes: f64,
    /// Sigma of the log-normal of sizes (§6.1: 1.05).
    pub page_bytes_sigma: f64,
    /// Largest raw size in bytes (§6.1: 4 MB).
    pub max_page_bytes: u64,
    /// Share of main text in the bytes of a page (§6.1: 4 %).
    pub text_share: f64,
    /// Anchors per page, repeats included: median (§6.1: 128).
    pub links: f64,
    /// Sigma of the log-normal of anchors (§6.1: p10 39, p90 313).
    pub links_sigma: f64,
    /// Most anchors of a page, tree links apart (§6.1: p99 924).
    pub max_links: u32,
    /// Share of anchors to other hosts (§6.1: 10 to 15 %).
    pub external_links: f64,
    /// Share of anchors in another spelling: fragment, dot segment, tracking parameter, session id (house).
    pub alias_links: f64,
    /// Share of anchors with rel=nofollow (house).
    pub nofollow_links: f64,
    /// Share of pages with links in comments, scripts and data attributes that nobody should follow (house).
    pub bait: f64,
    /// Share of pages with a base element (house).
    pub base_href: f64,
    /// Several languages in the shares of §6.1; false: English only.
    pub languages: bool,
    /// Share of hosts that answer in brotli, gzip, zstd, if accepted (§6.1: 36 %, 53 %, some; 11 % none).
    pub brotli: f64,
    pub gzip: f64,
    pub zstd: f64,
    /// Real pages instead of generated ones: a folder with *.html, *.html.gz or *.tar files of those.
    pub corpus: Option<PathBuf>,

    /// Time to the first byte in milliseconds: median (§6.4: 250); 0 switches latency off.
    pub latency_ms: f64,
    /// Sigma of the log-normal of latencies (§6.4: 0.9).
    pub latency_sigma: f64,
    /// Share of pages whose first attempts stall (§6.4: 2 %).
    pub stalls: f64,
    /// Length of a stall in milliseconds, least and most (§6.4: 5 to 30 s).
    pub stall_ms: (u64, u64),
    /// Share of pages that never answer (§6.4: 0.5 %).
    pub silence: f64,
    /// Share of pages whose first attempts are reset in mid-body (§6.3: 0.5 %).
    pub resets: f64,
    /// Share of hosts that are dead: no such name, DNS failure, connections refused (§6.3: 3 %).
    pub dead_hosts: f64,

    /// Share of pages that redirect (§6.3: 9 %, two thirds permanent).
    pub redirects: f64,
    /// Share of redirects that are chains of 2 to 4 (§6.3: 15 %).
    pub redirect_chains: f64,
    /// Share of redirects that run in a circle (house).
    pub redirect_loops: f64,
    /// Share of redirects that lead to another host (house).
    pub redirect_away: f64,
    /// Share of links to pages that are 404 (§6.3: 5 %).
    pub not_found: f64,
    /// Share of links to pages that are 410 (§6.3: 0.2 %).
    pub gone: f64,
    /// Share of pages that answer 500 for ever (§6.3, part of 1.5 %).
    pub server_errors: f64,
    /// Share of pages that answer 500, 502 or 503 at first, and then heal (§6.3, part of 1.5 %).
    pub unavailable: f64,
    /// Share of pages that answer 429 at first, and then heal (§6.3, part of 1.5 %).
    pub too_many: f64,
    /// Share of 429 and 503 with Retry-After, half as seconds and half as a date (§6.3: one half).
    pub retry_after: f64,
    /// Retry-After in seconds, least and most (house).
    pub retry_after_secs: (u64, u64),

    /// Share of hosts whose robots.txt is 404, 403, empty (§6.5: 13.3 %, 0.5 %, 1.8 %).
    pub robots_missing: f64,
    pub robots_forbidden: f64,
    pub robots_empty: f64,
    /// Share of hosts whose robots.txt denies some directories and patterns (house).
    pub robots_rules: f64,
    /// Share of hosts that deny everything to everyone (§6.5: 3 to 5 %).
    pub robots_deny_all: f64,
    /// Share of hosts that deny everything to other crawlers only (§6.5: about 10 %).
    pub robots_deny_others: f64,
    /// Share of hosts with a group for `helios`, stricter or looser than that for everyone (house).
    pub robots_own_group: f64,
    /// Share of hosts whose robots.txt is 5xx for ever, 5xx twice, silent (§6.5: 0.1 %, house, 1.0 %).
    pub robots_unavailable: f64,
    pub robots_healing: f64,
    pub robots_silent: f64,
    /// Share of hosts that redirect robots.txt, answer it with HTML, with more than 500 KiB (§6.5: house, old 8 %, 0.1 %).
    pub robots_redirect: f64,
    pub robots_html: f64,
    pub robots_huge: f64,
    /// Share of hosts with a Crawl-delay (§6.5: 5 to 8 %).
    pub crawl_delay: f64,
    /// Crawl-delay in seconds: least, most common, most (§6.5: 1, 10, 30).
    pub crawl_delay_secs: (u64, u64, u64),
    /// Share of pages in directories and patterns that robots rules deny (§6.3: 5.9 % of URLs were denied).
    pub private: f64,

    /// Share of pages that say noindex, or nofollow (§6.5: 3.5 %, 2.4 %).
    pub noindex: f64,
    pub nofollow: f64,
    /// Share of hosts that say nofollow in a header of every page (house).
    pub nofollow_hosts: f64,
    /// Share of pages with a canonical link (§6.5: 68 %; duplicates point elsewhere).
    pub canonical: f64,
    /// Share of hosts with a sitemap (§6.5: 60 %).
    pub sitemaps: f64,
    /// Share of pages that only a sitemap names, on hosts whose robots.txt names a sitemap (house).
    pub sitemap_only: f64,
    /// Share of hosts with an endless calendar or endless session ids (§6.2: at least 1 in 1,000).
    pub traps: f64,
    /// Share of pages whose text is that of another page (§6.6: 12 %).
    pub duplicates: f64,
    /// Share of pages whose text is nearly that of another page (§6.6: 15 %).
    pub near_duplicates: f64,
    /// Share of sentences changed in a near-duplicate, least and most (§6.6: 1 to 5 %).
    pub near_change: (f64, f64),
    /// Share of pages in another charset, with the right header (§6.1: 4 %).
    pub charsets: f64,
    /// Share of pages in another charset that only a meta element names (§6.1: 2 %).
    pub charset_in_meta: f64,
    /// Share of pages with the wrong charset in the header (house).
    pub charset_wrong: f64,
    /// Share of pages served as application/xhtml+xml (§6.1: 7.7 %).
    pub xhtml: f64,
    /// Share of pages that are PDF, feed, image, JSON, archive, text (§6.1: 1.4 %).
    pub files: f64,
    /// Share of pages with an ETag, with Last-Modified (house).
    pub etags: f64,
    pub last_modified: f64,
    /// Share of hosts whose pages change over time (§6.6: about 40 %).
    pub changing: f64,
    /// Time between two versions of a page of a changing host, in seconds (house).
    pub change_secs: u64,
}
