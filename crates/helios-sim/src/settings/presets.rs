//! Ready-made webs: the realistic mix, a calm one for tests, a short one for demonstrations, a fast one for speed.

use super::web::{Names, WebSettings};

impl Default for WebSettings {
    /// The mix of the measured web, on 200 hosts.
    fn default() -> Self {
        Self {
            seed: 1,
            epoch_unix_secs: 0,
            hosts: 200,
            seeds: 20,
            hosts_per_site: 1.22,
            shared_addresses: 0.2,
            mean_pages: 53.0,
            max_pages: 0,
            pareto_index: 1.0,
            tiny_hosts: 0.4,
            names: Names::Dns,
            http_port: 8080,
            https_port: 8443,
            https: 0.916,
            ..Self::page_mix(Self::fault_mix(Self::robots_mix(Self::calm())))
        }
    }
}

impl WebSettings {
    /// No faults, no latency, everything allowed, small pages: for unit tests.
    #[allow(clippy::too_many_lines, reason = "one line per setting")]
    pub const fn calm() -> Self {
        Self {
            seed: 1,
            epoch_unix_secs: 0,
            hosts: 12,
            seeds: 3,
            hosts_per_site: 1.22,
            shared_addresses: 0.2,
            mean_pages: 10.0,
            max_pages: 40,
            pareto_index: 1.0,
            tiny_hosts: 0.4,
            names: Names::Dns,
            http_port: 8080,
            https_port: 8443,
            https: 0.0,
            page_bytes: 6_000.0,
            page_bytes_sigma: 0.4,
            max_page_bytes: 4_000_000,
            text_share: 0.2,
            links: 12.0,
            links_sigma: 0.4,
            max_links: 1_000,
            external_links: 0.12,
            alias_links: 0.0,
            nofollow_links: 0.0,
            bait: 0.0,
            base_href: 0.0,
            languages: true,
            brotli: 0.36,
            gzip: 0.45,
            zstd: 0.08,
            corpus: None,
            latency_ms: 0.0,
            latency_sigma: 0.9,
            stalls: 0.0,
            stall_ms: (5_000, 30_000),
            silence: 0.0,
            resets: 0.0,
            dead_hosts: 0.0,
            redirects: 0.0,
            redirect_chains: 0.15,
            redirect_loops: 0.02,
            redirect_away: 0.2,
            not_found: 0.0,
            gone: 0.0,
            server_errors: 0.0,
            unavailable: 0.0,
            too_many: 0.0,
            retry_after: 0.5,
            retry_after_secs: (1, 30),
            robots_missing: 0.0,
            robots_forbidden: 0.0,
            robots_empty: 0.0,
            robots_rules: 0.0,
            robots_deny_all: 0.0,
            robots_deny_others: 0.0,
            robots_own_group: 0.0,
            robots_unavailable: 0.0,
            robots_healing: 0.0,
            robots_silent: 0.0,
            robots_redirect: 0.0,
            robots_html: 0.0,
            robots_huge: 0.0,
            crawl_delay: 0.0,
            crawl_delay_secs: (1, 10, 30),
            private: 0.0,
            noindex: 0.0,
            nofollow: 0.0,
            nofollow_hosts: 0.0,
            canonical: 0.68,
            sitemaps: 0.0,
            sitemap_only: 0.0,
            traps: 0.0,
            duplicates: 0.0,
            near_duplicates: 0.0,
            near_change: (0.01, 0.05),
            charsets: 0.0,
            charset_in_meta: 0.0,
            charset_wrong: 0.0,
            xhtml: 0.0,
            files: 0.0,
            etags: 0.5,
            last_modified: 0.6,
            changing: 0.0,
            change_secs: 3_600,
        }
    }

    /// For speed: pages and links as large as real ones, no latency, no faults, everything allowed.
    pub fn fast() -> Self {
        Self {
            hosts: 2_000,
            seeds: 200,
            mean_pages: 53.0,
            max_pages: 0,
            page_bytes: 139_000.0,
            page_bytes_sigma: 1.05,
            text_share: 0.04,
            links: 128.0,
            links_sigma: 0.8,
            duplicates: 0.12,
            near_duplicates: 0.15,
            ..Self::calm()
        }
    }

    /// Every behaviour, in a web that a polite crawler with 1 s between requests to a site finishes in well under a minute.
    pub fn demo() -> Self {
        Self {
            seed: 7,
            hosts_per_site: 1.1,
            mean_pages: 6.0,
            max_pages: 14,
            https: 0.0,
            page_bytes: 20_000.0,
            page_bytes_sigma: 0.7,
            links: 24.0,
            links_sigma: 0.5,
            alias_links: 0.01,
            latency_ms: 30.0,
            latency_sigma: 0.6,
            stalls: 0.02,
            stall_ms: (800, 2_000),
            silence: 0.0,
            robots_silent: 0.0,
            robots_unavailable: 0.01,
            robots_huge: 0.01,
            robots_forbidden: 0.01,
            crawl_delay_secs: (2, 2, 2),
            retry_after_secs: (1, 2),
            change_secs: 20,
            ..Self::default()
        }
    }

    fn page_mix(base: Self) -> Self {
        Self {
            page_bytes: 139_000.0,
            page_bytes_sigma: 1.05,
            text_share: 0.04,
            links: 128.0,
            links_sigma: 0.8,
            alias_links: 0.04,
            nofollow_links: 0.02,
            bait: 0.03,
            base_href: 0.03,
            noindex: 0.035,
            nofollow: 0.024,
            nofollow_hosts: 0.005,
            sitemaps: 0.6,
            sitemap_only: 0.03,
            traps: 0.01,
            duplicates: 0.12,
            near_duplicates: 0.15,
            charsets: 0.04,
            charset_in_meta: 0.02,
            charset_wrong: 0.01,
            xhtml: 0.077,
            files: 0.014,
            changing: 0.4,
            ..base
        }
    }

    fn fault_mix(base: Self) -> Self {
        Self {
            latency_ms: 250.0,
            stalls: 0.02,
            silence: 0.005,
            resets: 0.005,
            dead_hosts: 0.03,
            redirects: 0.09,
            not_found: 0.05,
            gone: 0.005,
            server_errors: 0.003,
            unavailable: 0.007,
            too_many: 0.005,
            ..base
        }
    }

    fn robots_mix(base: Self) -> Self {
        Self {
            robots_missing: 0.133,
            robots_forbidden: 0.005,
            robots_empty: 0.018,
            robots_rules: 0.4,
            robots_deny_all: 0.04,
            robots_deny_others: 0.1,
            robots_own_group: 0.04,
            robots_unavailable: 0.005,
            robots_healing: 0.01,
            robots_silent: 0.01,
            robots_redirect: 0.03,
            robots_html: 0.02,
            robots_huge: 0.005,
            crawl_delay: 0.065,
            private: 0.05,
            ..base
        }
    }
}
