//! The web of a trial: small, with tiny pages, and with every temper in some of the trials.

use helios_sim::settings::WebSettings;

use super::Shape;
use crate::chance::Chance;

pub(super) fn draw(chance: &mut Chance, shape: &Shape) -> WebSettings {
    let hosts = if shape.recrawl { chance.between(2, 6) } else { chance.scaled(3, 40) } as u32;
    let most_pages = if shape.recrawl { 8 } else { 60 };
    let base = WebSettings {
        seed: chance.bits(),
        hosts,
        seeds: chance.between(1, 3).min(u64::from(hosts)) as u32,
        // Where addresses are judged, a site has one host, so one address.
        hosts_per_site: if shape.addresses { 1.0 } else { chance.choose(&[1.0, 1.22, 2.5]) },
        shared_addresses: chance.choose(&[0.0, 0.5, 1.0]),
        mean_pages: if shape.recrawl { 4.0 } else { chance.scaled(4, 20) as f64 },
        max_pages: chance.scaled(6, most_pages) as u32,
        https: chance.choose(&[0.0, 0.5]),
        page_bytes: 500.0,
        page_bytes_sigma: 0.2,
        max_page_bytes: 2_000,
        text_share: 0.1,
        links: chance.scaled(3, 14) as f64,
        max_links: 40,
        // Session ids change with the page: a recrawl would find new URLs until it is stopped.
        alias_links: if shape.recrawl { 0.0 } else { 0.05 },
        nofollow_links: 0.03,
        bait: 0.05,
        base_href: 0.05,
        latency_ms: chance.choose(&[0.0, 20.0, 300.0]),
        duplicates: chance.choose(&[0.0, 0.1, 0.6]),
        near_duplicates: 0.1,
        etags: 0.5,
        last_modified: 0.5,
        changing: 0.5,
        change_secs: 900,
        traps: if shape.traps && !shape.recrawl { 0.3 } else { 0.0 },
        ..WebSettings::calm()
    };
    if shape.calm {
        return base;
    }
    let faulty = faults(chance, shape, base);
    robots(chance, shape, faulty)
}

/// A rate that is nothing, usual or high.
fn rate(chance: &mut Chance, usual: f64) -> f64 {
    chance.choose(&[0.0, usual, usual, usual * 4.0])
}

fn faults(chance: &mut Chance, shape: &Shape, base: WebSettings) -> WebSettings {
    WebSettings {
        stalls: rate(chance, 0.03),
        stall_ms: (1_000, 20_000),
        silence: rate(chance, 0.01),
        resets: rate(chance, 0.02),
        dead_hosts: rate(chance, 0.06),
        redirects: rate(chance, 0.06),
        redirect_chains: 0.2,
        redirect_loops: 0.1,
        redirect_away: 0.2,
        not_found: rate(chance, 0.04),
        gone: 0.01,
        server_errors: rate(chance, 0.01),
        unavailable: rate(chance, 0.04),
        too_many: rate(chance, 0.04),
        // With two visits at once the second cannot know what the first was told.
        retry_after: if shape.wide { 0.0 } else { 0.7 },
        retry_after_secs: (1, 40),
        noindex: 0.04,
        nofollow: 0.03,
        nofollow_hosts: 0.03,
        files: 0.03,
        sitemaps: 0.3,
        sitemap_only: 0.02,
        charsets: 0.02,
        xhtml: 0.05,
        ..base
    }
}

fn robots(chance: &mut Chance, shape: &Shape, base: WebSettings) -> WebSettings {
    WebSettings {
        robots_missing: 0.1,
        robots_forbidden: 0.03,
        robots_empty: 0.03,
        robots_rules: 0.2,
        robots_deny_all: 0.04,
        robots_deny_others: 0.05,
        robots_own_group: 0.06,
        robots_unavailable: rate(chance, 0.02),
        robots_healing: rate(chance, 0.03),
        robots_silent: rate(chance, 0.02),
        robots_redirect: rate(chance, 0.04),
        robots_html: 0.02,
        robots_huge: 0.002,
        crawl_delay: if shape.wide { 0.0 } else { rate(chance, 0.15) },
        crawl_delay_secs: (1, 3, 10),
        private: 0.06,
        ..base
    }
}
