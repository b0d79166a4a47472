//! Pages by number: what kind each is, what text it carries, and which version it is at.
//!
//! In: host and page number. Out: facts, each a hash away; no tables.
//! Always: pages below `trunk` are sound HTML that the tree of links runs through; all others are leaves.

use std::time::Duration;

use super::Web;
use super::hosts::{Plan, Sitemap};
use crate::body::text::TextKey;
use crate::chance::{Chance, For, positive};
use crate::reply::HostId;

/// A kind of file that is not HTML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    Pdf,
    Png,
    Json,
    Zip,
    Feed,
    Text,
}

/// What a page number stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageKind {
    /// Sound HTML.
    Html,
    Redirect,
    NotFound,
    Gone,
    ServerError,
    /// Never answers.
    Silent,
    File(FileKind),
    /// HTML whose links must not be followed.
    NoFollow,
    /// HTML in an area that robots rules speak of: which one is in its path.
    Private(u8),
    /// HTML that only a sitemap names.
    SitemapOnly,
}

impl PageKind {
    pub(crate) const fn is_html(self) -> bool {
        matches!(self, Self::Html | Self::NoFollow | Self::Private(_) | Self::SitemapOnly)
    }
}

/// What a page is, for tests and for the scoring of duplicate detection.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PageFacts {
    pub kind: PageKind,
    /// The page whose text this one carries.
    pub duplicate_of: Option<(HostId, u32)>,
    /// Share of sentences that differ from it; 0: exact.
    pub change: f64,
    /// Code of its language, e.g. `en`.
    pub language: &'static str,
    /// Says noindex, in a meta element or a header.
    pub noindex: bool,
    /// Says nofollow, itself or through its host.
    pub nofollow: bool,
    /// 0 at first; counts up on changing hosts.
    pub version: u64,
}

impl Web {
    /// What page `page` of `host` is at `now`.
    pub fn page_facts(&self, host: HostId, page: u32, now: Duration) -> PageFacts {
        let plan = self.plan(host);
        let kind = self.kind(plan, page);
        let (source, change) = self.source(host, page);
        PageFacts {
            kind,
            duplicate_of: (source != (host, page)).then_some(source),
            change,
            language: self.voice(source.0).language.code,
            noindex: self.noindex(plan, page),
            nofollow: plan.nofollow || kind == PageKind::NoFollow,
            version: self.version(plan, now),
        }
    }

    pub(crate) fn kind(&self, plan: &Plan, page: u32) -> PageKind {
        if page < plan.trunk {
            return PageKind::Html;
        }
        let chance = page_chance(plan, page).of(For::Kind);
        let shares = &self.leaf_shares;
        match crate::chance::pick_at(chance.unit() * self.leaf_total, shares) {
            0 => PageKind::Redirect,
            1 => PageKind::NotFound,
            2 => PageKind::Gone,
            3 => PageKind::ServerError,
            4 => PageKind::Silent,
            5 => PageKind::File(file_kind(chance.at(1))),
            6 => PageKind::NoFollow,
            7 => PageKind::Private((chance.at(1).bits() % 5) as u8),
            _ if plan.sitemap != Sitemap::None && plan.robots.has_lines() => PageKind::SitemapOnly,
            _ => PageKind::Html,
        }
    }

    pub(crate) fn noindex(&self, plan: &Plan, page: u32) -> bool {
        page > 0 && page_chance(plan, page).of(For::NoFollow).happens(self.settings.noindex)
    }

    /// Whose text a page carries, and the share of sentences changed in this copy.
    pub(crate) fn source(&self, host: HostId, page: u32) -> ((HostId, u32), f64) {
        let (exact, near) = (self.settings.duplicates, self.settings.near_duplicates);
        if exact + near == 0.0 {
            return ((host, page), 0.0);
        }
        let (mut at, mut change) = ((host, page), 0.0);
        // Each step leads to a smaller host or page: it ends.
        loop {
            let plan = self.plan(at.0);
            let draw = page_chance(plan, at.1).of(For::Duplicate);
            let unit = draw.unit();
            if unit >= exact + near || !self.kind(plan, at.1).is_html() {
                return (at, change);
            }
            let Some(next) = self.elsewhere(at, draw.at(1)) else { return (at, change) };
            // Only the copy's own change counts: a copy of a copy carries the text of the first.
            if at == (host, page) && unit >= exact {
                let (least, most) = self.settings.near_change;
                change = least + (most - least) * draw.at(2).unit();
            }
            at = next;
        }
    }

    /// An earlier page: mostly of the same host and rather a low number, which makes clusters of all sizes.
    fn elsewhere(&self, (host, page): (HostId, u32), draw: Chance) -> Option<(HostId, u32)> {
        if host > 0 && draw.happens(0.2) {
            let other = draw.at(1).below(host);
            return Some((other, self.low_page(other, draw.at(2))));
        }
        let bound = page.min(self.plan(host).trunk);
        (bound > 0).then(|| (host, scaled(draw.at(2).unit().powi(2), bound)))
    }

    fn low_page(&self, host: HostId, draw: Chance) -> u32 {
        scaled(draw.unit().powi(2), self.plan(host).trunk)
    }

    /// Which version the pages of a host are at.
    pub(crate) fn version(&self, plan: &Plan, now: Duration) -> u64 {
        if plan.changing { now.as_secs() / self.settings.change_secs } else { 0 }
    }

    pub(crate) fn text_key(&self, (host, page): (HostId, u32), now: Duration) -> (HostId, TextKey) {
        let (source, change) = self.source(host, page);
        let plan = self.plan(source.0);
        let key = page_chance(plan, source.1).of(For::Text).at(self.version(plan, now));
        let own = page_chance(self.plan(host), page).of(For::Change);
        let bytes = (self.raw_size(plan, source.1) as f64 * self.settings.text_share).clamp(400.0, 60_000.0);
        (source.0, TextKey { source: key, own, change, bytes: positive(bytes) as usize })
    }

    /// Wanted raw size of a page in bytes.
    pub(crate) fn raw_size(&self, plan: &Plan, page: u32) -> u64 {
        let settings = &self.settings;
        let draw = page_chance(plan, page).of(For::Size);
        positive(draw.log_normal(settings.page_bytes, settings.page_bytes_sigma)).min(settings.max_page_bytes)
    }
}

fn file_kind(chance: Chance) -> FileKind {
    match chance.pick(&[0.6, 0.1, 0.06, 0.05, 0.14]) {
        0 => FileKind::Pdf,
        1 => FileKind::Png,
        2 => FileKind::Json,
        3 => FileKind::Zip,
        4 => FileKind::Feed,
        _ => FileKind::Text,
    }
}

/// `unit` of 0..1 as a number below `bound`.
pub(crate) fn scaled(unit: f64, bound: u32) -> u32 {
    (positive(unit * f64::from(bound)) as u32).min(bound.saturating_sub(1))
}

/// The branch of chance that belongs to a page.
pub(crate) const fn page_chance(plan: &Plan, page: u32) -> Chance {
    plan.pages_chance.at(page as u64)
}
