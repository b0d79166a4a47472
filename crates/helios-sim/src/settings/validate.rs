//! Nonsense is refused before a web is made of it; the message names the field, the value and the allowed range.

use super::web::WebSettings;

/// Shares of pages that end a path (no tree hangs below them) may not use up the pages.
const MOST_LEAVES: f64 = 0.9;

impl WebSettings {
    /// Refuses values that make no web.
    pub fn validate(&self) -> Result<(), String> {
        for (field, value) in self.rates() {
            within(field, value, 0.0, 1.0)?;
        }
        self.validate_sizes()?;
        self.validate_sums()?;
        for (field, low, high) in [
            ("stall_ms", self.stall_ms.0, self.stall_ms.1),
            ("retry_after_secs", self.retry_after_secs.0, self.retry_after_secs.1),
            ("crawl_delay_secs", self.crawl_delay_secs.0, self.crawl_delay_secs.1),
            ("crawl_delay_secs", self.crawl_delay_secs.1, self.crawl_delay_secs.2),
        ] {
            if low > high {
                return Err(format!("{field}: {low} comes before {high}; allowed: rising values"));
            }
        }
        match &self.corpus {
            Some(path) => std::fs::read_dir(path)
                .map(drop)
                .map_err(|error| format!("corpus: {}: {error}; allowed: a readable folder", path.display())),
            None => Ok(()),
        }
    }

    fn validate_sizes(&self) -> Result<(), String> {
        within("hosts", f64::from(self.hosts), 1.0, 10_000_000.0)?;
        within("seeds", f64::from(self.seeds), 1.0, f64::from(self.hosts))?;
        within("hosts_per_site", self.hosts_per_site, 1.0, 20.0)?;
        within("mean_pages", self.mean_pages, 1.0, 10_000_000.0)?;
        within("pareto_index", self.pareto_index, 0.3, 5.0)?;
        within("http_port", f64::from(self.http_port), 1.0, 65_535.0)?;
        within("https_port", f64::from(self.https_port), 1.0, 65_535.0)?;
        within("page_bytes", self.page_bytes, 500.0, 4_000_000.0)?;
        within("page_bytes_sigma", self.page_bytes_sigma, 0.0, 3.0)?;
        within("max_page_bytes", self.max_page_bytes as f64, 500.0, 64_000_000.0)?;
        within("links", self.links, 1.0, 5_000.0)?;
        within("links_sigma", self.links_sigma, 0.0, 3.0)?;
        within("max_links", f64::from(self.max_links), 1.0, 20_000.0)?;
        within("latency_ms", self.latency_ms, 0.0, 600_000.0)?;
        within("latency_sigma", self.latency_sigma, 0.0, 3.0)?;
        within("change_secs", self.change_secs as f64, 1.0, 1e9)?;
        within("near_change", self.near_change.0, 0.0, self.near_change.1)?;
        within("near_change", self.near_change.1, 0.0, 1.0)
    }

    fn validate_sums(&self) -> Result<(), String> {
        within("brotli + gzip + zstd", self.brotli + self.gzip + self.zstd, 0.0, 1.0)?;
        within("duplicates + near_duplicates", self.duplicates + self.near_duplicates, 0.0, 1.0)?;
        within("redirect_chains + redirect_loops", self.redirect_chains + self.redirect_loops, 0.0, 1.0)?;
        within("all robots_ shares", self.robots_shares().iter().sum(), 0.0, 1.0)?;
        within("shares of pages that lead nowhere", self.leaf_shares().iter().sum(), 0.0, MOST_LEAVES)
    }

    /// In the order of `web::robots::Kind`, which is what is left over last.
    pub(crate) const fn robots_shares(&self) -> [f64; 13] {
        [
            self.robots_missing,
            self.robots_forbidden,
            self.robots_empty,
            self.robots_rules,
            self.robots_deny_all,
            self.robots_deny_others,
            self.robots_own_group,
            self.robots_unavailable,
            self.robots_healing,
            self.robots_silent,
            self.robots_redirect,
            self.robots_html,
            self.robots_huge,
        ]
    }

    /// In the order of `web::pages::Leaf`.
    pub(crate) const fn leaf_shares(&self) -> [f64; 9] {
        [
            self.redirects,
            self.not_found,
            self.gone,
            self.server_errors,
            self.silence,
            self.files,
            self.nofollow,
            self.private,
            self.sitemap_only,
        ]
    }

    fn rates(&self) -> Vec<(&'static str, f64)> {
        macro_rules! named {
            ($($field:ident),* $(,)?) => { vec![$((stringify!($field), self.$field)),*] };
        }
        named![
            shared_addresses,
            tiny_hosts,
            https,
            text_share,
            external_links,
            alias_links,
            nofollow_links,
            bait,
            base_href,
            brotli,
            gzip,
            zstd,
            stalls,
            silence,
            resets,
            dead_hosts,
            redirects,
            redirect_chains,
            redirect_loops,
            redirect_away,
            not_found,
            gone,
            server_errors,
            unavailable,
            too_many,
            retry_after,
            robots_missing,
            robots_forbidden,
            robots_empty,
            robots_rules,
            robots_deny_all,
            robots_deny_others,
            robots_own_group,
            robots_unavailable,
            robots_healing,
            robots_silent,
            robots_redirect,
            robots_html,
            robots_huge,
            crawl_delay,
            private,
            noindex,
            nofollow,
            nofollow_hosts,
            canonical,
            sitemaps,
            sitemap_only,
            traps,
            duplicates,
            near_duplicates,
            charsets,
            charset_in_meta,
            charset_wrong,
            xhtml,
            files,
            etags,
            last_modified,
            changing,
        ]
    }
}

fn within(field: &str, value: f64, low: f64, high: f64) -> Result<(), String> {
    if (low..=high).contains(&value) {
        Ok(())
    } else {
        Err(format!("{field}: {value} is out of range; allowed: {low} to {high}"))
    }
}
