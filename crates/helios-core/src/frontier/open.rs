//! Opening: everything that a crash left behind, and nothing that it did not.

use std::sync::Arc;

use super::counters::Counters;
use super::larder::Larder;
use super::lease::Leases;
use super::politeness::Politeness;
use super::quota::Quota;
use super::rules::Book;
use super::scope::Scope;
use super::site::Site;
use super::tier::TierRules;
use super::trail::Trails;
use super::wanted::Wanted;
use super::{Frontier, FrontierTables, Sites, format, key};
use crate::clock::Millis;
use crate::codec::damaged;
use crate::error::{Error, Result};
use crate::kv::Kv;
use crate::sieve::{Shelf, Sieve};
use crate::url::{Canonicaliser, Fingerprint};

/// Records read at once.
const PAGE: usize = 4_096;

/// Everything of one kind, a page at a time.
pub(super) fn for_each(
    kv: &dyn Kv,
    kind: u8,
    mut each: impl FnMut(&[u8], &[u8]) -> Result<()>,
) -> Result<()> {
    let (from, to) = key::all(kind);
    let mut from = from.to_vec();
    loop {
        let page = kv.scan(&from, &to, PAGE)?;
        for (key, value) in &page {
            each(key, value)?;
        }
        match page.last() {
            Some((last, _)) if page.len() == PAGE => from = [last, &[0][..]].concat(),
            _ => return Ok(()),
        }
    }
}

impl Frontier {
    /// Opens what is in `kv`, or begins anew if that is empty. Whoever was asked when the last owner died is left alone
    /// for a whole delay from `now`: nobody knows how long ago that was.
    pub fn open(kv: Arc<dyn Kv>, shelf: Box<dyn Shelf>, tables: FrontierTables, now: Millis) -> Result<Self> {
        check(&tables)?;
        format::check(kv.as_ref(), &tables)?;
        let (write, counters) = counters(kv.as_ref())?;
        let (sieve, journals) = sieve(kv.as_ref(), shelf, &tables)?;
        let settings = &tables.frontier;
        // Nor when the last request of all was.
        let rate = settings.max_requests_per_second.filter(|_| write > 0);
        let next_slot = rate.map_or(0.0, |rate| now as f64 + 1_000.0 / rate);
        let mut frontier = Self {
            scope: scope(kv.as_ref(), &tables)?,
            wanted: Wanted::new(&tables.crawl.include, &tables.crawl.exclude)?,
            urls: Canonicaliser::new(tables.urls.clone()),
            sieve,
            journals,
            tier_rules: TierRules::new(&settings.tiers, settings.tier_scores)?,
            politeness: Politeness::new(settings.address_connections),
            quota: Quota::new(settings.quotas),
            book: Book::new(Arc::clone(&kv), tables.robots.clone()),
            staged: staged(kv.as_ref())?,
            leases: Leases::default(),
            lost: std::collections::BTreeSet::new(),
            sites: Sites::default(),
            larder: Larder::new(settings.heads_in_memory),
            trails: Trails::new(settings.heads_in_memory),
            last_visit: kv.epoch() << 32,
            since_new: 0,
            looked_at: 0,
            behind_at: None,
            new_out: 0,
            tables,
            kv,
            write,
            counters: Counters { opened: counters.opened + 1, ..counters },
            reserved: 0,
            reserved_bytes: 0,
            parked: 0,
            later_from: 0,
            next_slot,
            began: now,
            bytes_used_up: false,
            stopping: false,
            broken: None,
        };
        frontier.later_from = frontier.first_later(0)?;
        if frontier.later_from == Millis::MAX {
            frontier.counters.later = 0; // what is there counts
        }
        frontier.restore_sites(now)?;
        Ok(frontier)
    }

    fn restore_sites(&mut self, now: Millis) -> Result<()> {
        let kv = Arc::clone(&self.kv);
        for_each(kv.as_ref(), b's', |key, value| {
            let id = key
                .get(1..9)
                .and_then(|id| id.try_into().ok())
                .map(u64::from_be_bytes)
                .ok_or_else(damaged)?;
            let mut site = Site::decode(value)?;
            let settings = &self.tables.frontier;
            // A clock that was set back must not close a site for longer than any site may ask for.
            let furthest = now + settings.retry_after_ceiling_ms.max(settings.backoff_ceiling_ms);
            site.next_allowed = site.next_allowed.min(furthest);
            site.rest_until(now + site.pause_ms(site.last_fetch_ms, settings));
            if let Some(address) = site.address.filter(|_| settings.address_delay_ms > 0) {
                self.politeness.rest(address, now + settings.address_delay_ms);
            }
            self.sites.insert(id, Box::new(site));
            self.reschedule(id);
            Ok(())
        })
    }
}

fn check(tables: &FrontierTables) -> Result<()> {
    let settings = &tables.frontier;
    if settings.address_delay_ms > 0 && settings.address_connections != 1 {
        let message = "[frontier] address_delay_ms needs address_connections = 1: with more, requests to one address \
                       would come in between";
        return Err(Error::Settings(message.to_owned()));
    }
    if settings.max_requests_per_second.is_some_and(|rate| !(rate > 0.0 && rate.is_finite())) {
        return Err(Error::Settings("[frontier] max_requests_per_second must be greater than 0".to_owned()));
    }
    if settings.quotas.iter().all(|&quota| quota == 0) {
        return Err(Error::Settings("[frontier] quotas: at least one must be greater than 0".to_owned()));
    }
    Ok(())
}

fn counters(kv: &dyn Kv) -> Result<(u64, Counters)> {
    let Some(bytes) = kv.get(key::COUNTERS)? else { return Ok((0, Counters::default())) };
    let (write, rest) = bytes.split_at_checked(8).ok_or_else(damaged)?;
    let write = u64::from_be_bytes(write.try_into().map_err(|_| damaged())?);
    Ok((write, Counters::decode(rest)?))
}

/// The sieve as its last manifest says, and what was seen since then.
fn sieve(kv: &dyn Kv, shelf: Box<dyn Shelf>, tables: &FrontierTables) -> Result<(Sieve, Vec<u64>)> {
    let manifest = kv.get(key::SIEVE)?;
    let (mut journal, mut writes) = (Vec::new(), Vec::new());
    for_each(kv, b'v', |key, value| {
        writes.extend(key::write_of(key));
        for one in value.chunks_exact(16) {
            journal.push(Fingerprint::from_bytes(one.try_into().map_err(|_| damaged())?));
        }
        Ok(())
    })?;
    let sieve = Sieve::open(shelf, tables.seen, manifest.as_deref(), journal)?;
    Ok((sieve, writes))
}

fn scope(kv: &dyn Kv, tables: &FrontierTables) -> Result<Scope> {
    let mut scope = Scope::new(tables.crawl.scope, &tables.frontier.split_sites);
    for_each(kv, b'p', |key, _| {
        let name = key.get(1..).and_then(|name| std::str::from_utf8(name).ok()).ok_or_else(damaged)?;
        scope.admit(name);
        Ok(())
    })?;
    Ok(scope)
}

fn staged(kv: &dyn Kv) -> Result<std::collections::VecDeque<(u64, String)>> {
    let mut staged = std::collections::VecDeque::new();
    for_each(kv, b'g', |key, value| {
        let write = key::write_of(key).ok_or_else(damaged)?;
        staged.push_back((write, String::from_utf8(value.to_vec()).map_err(|_| damaged())?));
        Ok(())
    })?;
    Ok(staged)
}
