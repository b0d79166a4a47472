//! [`Scenario`]: everything that one seed decides before its trial begins.
//!
//! `web` draws the web, `tables` the settings of the frontier, `faults` what goes wrong and when.

mod faults;
mod tables;
mod web;

use helios_core::frontier::{FrontierTables, ScopeKind};
use helios_sim::settings::{Promises, WebSettings};

use crate::chance::Chance;
use crate::clock::{HOUR, Micros, SECOND};
pub(crate) use faults::Faults;

#[derive(Debug, Clone)]
pub(crate) struct Scenario {
    pub(crate) seed: u64,
    pub(crate) web: WebSettings,
    pub(crate) tables: FrontierTables,
    pub(crate) fetch: Fetching,
    pub(crate) faults: Faults,
    /// Faults stop here.
    pub(crate) safe_from: Micros,
    /// Then the crawl must finish before this.
    pub(crate) ends_by: Micros,
    /// A recrawl never ends of itself: it is stopped here.
    pub(crate) stop_at: Option<Micros>,
    /// The robots.txt of one host lies on another site.
    pub(crate) robots_move: bool,
    /// Dead letters get another life when the faults are over, so that in the end nothing may be missing.
    pub(crate) replays: bool,
}

/// How the model of the fetcher behaves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fetching {
    /// Visits at the same time.
    pub(crate) concurrency: usize,
    pub(crate) first_byte_us: Micros,
    pub(crate) dns_us: Micros,
    pub(crate) max_body_bytes: u64,
    /// How much of a robots.txt is read.
    pub(crate) robots_bytes: u64,
}

impl Scenario {
    pub(crate) fn draw(seed: u64) -> Self {
        let mut chance = Chance::new(seed);
        let shape = Shape::draw(&mut chance);
        let web = web::draw(&mut chance.fork(), &shape);
        let first_byte_us = chance.between(4, 15) * SECOND;
        let tables = tables::draw(&mut chance.fork(), &shape, first_byte_us / 1_000);
        let fetch = Fetching {
            concurrency: chance.scaled(1, 40) as usize,
            first_byte_us,
            dns_us: 5 * SECOND,
            max_body_bytes: tables.frontier.max_body_bytes,
            robots_bytes: tables.robots.max_bytes as u64,
        };
        let safe_from = chance.scaled(60, 2_400) * SECOND;
        let faults = faults::draw(&mut chance.fork(), &shape, web.hosts, safe_from);
        let stop_at = shape.recrawl.then_some(safe_from + 2 * HOUR);
        let (replays, robots_move) = (chance.happens(0.5), chance.happens(0.2));
        let ends_by = safe_from + 60 * HOUR;
        Self { seed, web, tables, fetch, faults, safe_from, ends_by, stop_at, robots_move, replays }
    }

    /// What the judge of the server's log holds this crawl to. Answers that never reached the crawler are not in the log
    /// as answers, so that no crash needs an excuse.
    pub(crate) fn promises(&self) -> Promises {
        let settings = &self.tables.frontier;
        Promises {
            site_delay_ms: settings.delay_ms,
            site_connections: settings.site_connections,
            crawl_delay_ceiling_ms: settings.crawl_delay_ceiling_ms,
            retry_after_ceiling_ms: settings.retry_after_ceiling_ms,
            complete: self.is_complete(),
            max_pages_per_site: settings.max_pages_per_site,
            recrawl: self.tables.recrawl.enabled,
            ..Promises::default()
        }
    }

    /// Whether everything that the web holds must have been asked in the end.
    pub(crate) fn is_complete(&self) -> bool {
        let crawl = &self.tables.crawl;
        let limited = crawl.max_pages.is_some() || crawl.max_bytes.is_some() || crawl.max_depth.is_some();
        let spared = self.faults.weather.is_empty() || self.replays;
        !limited && spared && crawl.scope == ScopeKind::Any
    }
}

/// What kind of trial it is: choices that more than one table depends on.
#[derive(Debug, Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "independent choices")]
pub(crate) struct Shape {
    pub(crate) recrawl: bool,
    /// Addresses carry a limit of their own.
    pub(crate) addresses: bool,
    /// Two visits to a site at once.
    pub(crate) wide: bool,
    /// Outages and storms beyond what the web does of itself.
    pub(crate) weather: bool,
    pub(crate) max_pages: bool,
    pub(crate) max_bytes: bool,
    pub(crate) max_depth: bool,
    pub(crate) site_budget: bool,
    pub(crate) traps: bool,
    /// One in four: more of the web, nothing but crashes.
    pub(crate) calm: bool,
}

impl Shape {
    fn draw(chance: &mut Chance) -> Self {
        Self {
            recrawl: chance.happens(0.12),
            addresses: chance.happens(0.25),
            wide: chance.happens(0.1),
            weather: chance.happens(0.5),
            max_pages: chance.happens(0.15),
            max_bytes: chance.happens(0.12),
            max_depth: chance.happens(0.1),
            site_budget: chance.happens(0.2),
            traps: chance.happens(0.2),
            calm: chance.happens(0.25),
        }
    }
}
