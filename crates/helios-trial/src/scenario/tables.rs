//! The settings of the frontier, drawn so that every limit binds in some of the trials.

use helios_core::frontier::{
    CrawlSettings, FrontierSettings, FrontierTables, RecrawlSettings, ScopeKind, TrapSettings,
};
use helios_core::robots::RobotsSettings;
use helios_core::sieve::SieveSettings;
use helios_core::url::Normalise;

use super::Shape;
use crate::chance::Chance;

/// Beyond a day, however often the clock was set forward: robots.txt may be asked again a day later.
const ROBOTS_TTL_S: u64 = 3 * 86_400;

/// `longest_ms`: how long one request may take.
pub(super) fn draw(chance: &mut Chance, shape: &Shape, longest_ms: u64) -> FrontierTables {
    FrontierTables {
        crawl: crawl(chance, shape),
        frontier: frontier(chance, shape, longest_ms),
        seen: SieveSettings { memtable: chance.scaled(2, 64) as usize, ..SieveSettings::default() },
        traps: TrapSettings { urls_per_shape: chance.between(5, 25) as u32, ..TrapSettings::default() },
        recrawl: recrawl(chance, shape),
        robots: RobotsSettings {
            ttl_s: if shape.recrawl { chance.between(600, 7_200) } else { ROBOTS_TTL_S },
            attempts: chance.between(3, 6) as u32,
            retry_ms: chance.scaled(500, 5_000),
            ..RobotsSettings::default()
        },
        urls: Normalise::default(),
    }
}

fn crawl(chance: &mut Chance, shape: &Shape) -> CrawlSettings {
    CrawlSettings {
        scope: chance.choose(&[
            ScopeKind::Any,
            ScopeKind::Any,
            ScopeKind::Any,
            ScopeKind::Any,
            ScopeKind::Site,
        ]),
        max_pages: shape.max_pages.then(|| chance.scaled(1, 80)),
        max_depth: shape.max_depth.then(|| chance.between(0, 4) as u32),
        max_seconds: None,
        max_bytes: shape.max_bytes.then(|| chance.scaled(3_000, 200_000)),
        sitemaps: true,
        ..CrawlSettings::default()
    }
}

fn frontier(chance: &mut Chance, shape: &Shape, longest_ms: u64) -> FrontierSettings {
    let address_connections = if shape.addresses { chance.choose(&[1, 1, 2]) } else { 0 };
    let delayed = address_connections == 1 && chance.happens(0.5);
    FrontierSettings {
        delay_ms: chance.scaled(200, 4_000),
        fetch_time_factor: chance.between(0, 2),
        crawl_delay_ceiling_ms: chance.scaled(2_000, 30_000),
        retry_after_ceiling_ms: chance.scaled(5_000, 600_000),
        backoff_ms: chance.scaled(200, 4_000),
        backoff_ceiling_ms: chance.scaled(8_000, 300_000),
        site_connections: if shape.wide { 2 } else { 1 },
        address_connections,
        address_delay_ms: if delayed { chance.scaled(200, 5_000) } else { 0 },
        max_requests_per_second: chance.happens(0.15).then(|| chance.scaled(5, 200) as f64 / 10.0),
        visit_urls: chance.scaled(1, 20) as usize,
        visit_ms: chance.scaled(2_000, 120_000),
        // A visit is lost when nothing of it can still be under way.
        lost_after_ms: longest_ms + chance.scaled(1_000, 60_000),
        attempts: chance.between(4, 6) as u32,
        max_pages_per_site: shape.site_budget.then(|| chance.scaled(1, 20)),
        quotas: chance.choose(&[[40, 40, 20], [40, 40, 20], [1, 0, 0], [5, 10, 85]]),
        tier_scores: chance.choose(&[[0.5, 0.2], [0.2, 0.15], [0.3, 0.25]]),
        heads_in_memory: chance.choose(&[0, 1, 3, 30, 100_000]),
        max_body_bytes: if shape.max_bytes { chance.scaled(2_500, 20_000) } else { 1_000_000 },
        ..FrontierSettings::default()
    }
}

fn recrawl(chance: &mut Chance, shape: &Shape) -> RecrawlSettings {
    let start = chance.between(600, 2_400);
    RecrawlSettings {
        enabled: shape.recrawl,
        start_s: [start, start, start * 2],
        floor_s: [300, 600, 900],
        ceiling_s: [3_600, 3_600, 7_200],
    }
}
