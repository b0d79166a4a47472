//! Limits, exactly: what is leased counts as used until it is settled.

use super::Frontier;
use super::site::Site;
use crate::clock::Millis;

impl Frontier {
    /// Nothing more is leased: told to stop, out of pages, of bytes or of time. Or for now: what is left may be needed by
    /// what is out.
    pub(super) fn closed(&self, now: Millis) -> bool {
        let bytes = self.byte_budget();
        self.stopping
            || self.bytes_used_up
            || self.page_budget() == 0
            || bytes == 0
            || (bytes < self.tables.frontier.max_body_bytes && self.reserved_bytes > 0)
            || self.deadline().is_some_and(|deadline| now >= deadline)
    }

    pub(super) fn page_budget(&self) -> u64 {
        self.tables.crawl.max_pages.map_or(u64::MAX, |limit| {
            limit.saturating_sub(self.counters.fetched).saturating_sub(self.reserved)
        })
    }

    fn byte_budget(&self) -> u64 {
        self.tables.crawl.max_bytes.map_or(u64::MAX, |limit| {
            limit.saturating_sub(self.counters.bytes).saturating_sub(self.reserved_bytes)
        })
    }

    pub(super) fn deadline(&self) -> Option<Millis> {
        let limit = self.tables.crawl.max_seconds?;
        Some(self.began.saturating_add(limit.saturating_mul(1_000)))
    }

    /// How many pages the next visit may have, and how large each may be. A page reserves as much as it may bring; when
    /// less than that is left, one page at a time may have it all.
    pub(super) fn allowance(&self, site: &Site) -> (usize, u64) {
        let settings = &self.tables.frontier;
        let pages = self.page_budget().min(site.page_budget(settings.max_pages_per_site));
        let visit = if settings.max_requests_per_second.is_some() { 1 } else { settings.visit_urls };
        let pages = visit.min(usize::try_from(pages).unwrap_or(usize::MAX));
        let (bytes, each) = (self.byte_budget(), settings.max_body_bytes.max(1));
        if bytes >= each {
            (pages.min(usize::try_from(bytes / each).unwrap_or(usize::MAX)), each)
        } else if self.reserved_bytes == 0 {
            (pages.min(1), bytes)
        } else {
            (0, each)
        }
    }

    pub(super) fn reserve(&mut self, site: &mut Site, pages: u64, each: u64) {
        self.reserved += pages;
        site.reserved += pages;
        if self.tables.crawl.max_bytes.is_some() {
            self.reserved_bytes += pages * each;
        }
    }

    pub(super) fn unreserve(&mut self, site: &mut Site, pages: u64, each: u64) {
        self.reserved = self.reserved.saturating_sub(pages);
        site.reserved = site.reserved.saturating_sub(pages);
        self.reserved_bytes = self.reserved_bytes.saturating_sub(pages * each);
    }

    /// The global rate: has the time for another request come?
    pub(super) fn has_slot(&self, now: Millis) -> bool {
        self.next_slot <= now as f64
    }

    pub(super) fn use_slots(&mut self, now: Millis, requests: usize) {
        if let Some(rate) = self.tables.frontier.max_requests_per_second {
            self.next_slot = self.next_slot.max(now as f64) + requests as f64 * 1_000.0 / rate;
        }
    }
}
