//! What a visit takes from its site's queues: URLs that robots permits, or the robots.txt that must be known first.

use std::sync::Arc;

use super::draft::Draft;
use super::entry::Entry;
use super::history::Record;
use super::key::ChunkId;
use super::larder::Loaded;
use super::queue::Spot;
use super::scope::{id_of, origin_id};
use super::score::{base, order};
use super::site::{Errand, Site};
use super::tier::Tier;
use super::{Frontier, SiteId, trail};
use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::fetch::OutcomeKind;
use crate::robots::{Permit, RobotsRules, RobotsStep};
use crate::url::Origin;

/// URLs looked at for one visit: matching rules is the dear part, and a site that denies thousands must not hold up others.
const MOST_LOOKED_AT: usize = 1_000;
/// How long URLs wait for a robots.txt that another site is asked for.
const ERRAND_MS: u64 = 10_000;

/// Whose robots.txt a visit asks for.
#[derive(Debug, Clone)]
pub(super) struct RobotsOf {
    /// The site that the origin belongs to.
    pub(super) site: SiteId,
    pub(super) origin: Origin,
    /// Of the URL that made it be asked for.
    pub(super) depth: u32,
}

/// What a visit will ask for.
#[derive(Debug, Default)]
pub(super) struct Haul {
    pub(super) pages: Vec<(Permit, Entry, Spot)>,
    /// Instead of pages: a robots.txt.
    pub(super) robots: Option<(Permit, RobotsOf)>,
    /// Bytes that each page may have.
    pub(super) each: u64,
    looked_at: usize,
    /// Nothing more may be added.
    closed: bool,
}

impl Haul {
    pub(super) fn robots(permit: Permit, of: RobotsOf) -> Self {
        Self { robots: Some((permit, of)), ..Self::default() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pages.is_empty() && self.robots.is_none()
    }
}

/// What may be done about one URL now.
enum Leave {
    Granted(Permit),
    Denied(String),
    AskRobots(Permit),
    PutOff(Millis),
    GivenUp(String),
    /// It does not belong to the crawl any more.
    Unwelcome(String),
}

/// Rules of the origin looked at last: URLs of a queue come in runs.
type Rules = Option<(u64, Arc<RobotsRules>)>;

impl Frontier {
    /// From the tier whose turn it is, then from the others: the connection is open anyway.
    pub(super) fn take(
        &mut self,
        draft: &mut Draft,
        id: SiteId,
        site: &mut Site,
        first: Tier,
        now: Millis,
    ) -> Result<Haul> {
        let (most, each) = self.allowance(site);
        let mut haul = Haul { each, closed: most == 0, ..Haul::default() };
        let mut rules = None;
        let others = Tier::ALL.into_iter().filter(|tier| *tier != first);
        for tier in std::iter::once(first).chain(others) {
            let before = haul.pages.len();
            let mut from = site.lane(tier).cursor;
            while !haul.closed && haul.pages.len() < most && site.lane(tier).waiting > 0 {
                let mut loaded = self.next_chunk(id, site, tier, from)?;
                from = loaded.chunk.after();
                let lane = (tier, &mut loaded);
                self.take_chunk(draft, (id, site), lane, (most, now), (&mut haul, &mut rules))?;
                // Where a chunk is forgotten, what follows it is not known to be first.
                for forgotten in self.larder.put((id, tier), loaded) {
                    self.trails.forget(forgotten);
                }
            }
            self.quota.charge(tier, (haul.pages.len() - before) as u64);
        }
        Ok(haul)
    }

    /// The next chunk of a lane: at hand, known by its name, or searched for.
    fn next_chunk(&mut self, id: SiteId, site: &Site, tier: Tier, from: ChunkId) -> Result<Loaded> {
        let lane = (id, tier);
        if let Some(loaded) = self.larder.take(lane) {
            return Ok(loaded);
        }
        // What follows is known only of a chunk that was just read, not of a cursor that may stand before others.
        let just_read = site.cursor(tier) < from;
        let known = self.trails.first(lane).filter(|chunk| just_read && *chunk > from);
        for chunk in std::iter::once(from).chain(known) {
            if let Some(entries) = self.chunk(id, tier, chunk)? {
                self.trails.pass(lane, chunk);
                return Ok(Loaded::new(chunk, entries, site.taken(tier, chunk)));
            }
        }
        let (first, following) = self.search(id, tier, from, trail::LONGEST)?;
        let Some((chunk, entries)) = first else {
            return Err(Error::Storage(format!(
                "the database lost some of the queue of {}: {} URLs wait there by its count, and none is left; restore the \
                 folder from a copy, or crawl into a new one",
                site.name,
                site.waiting()
            )));
        };
        let cut = following.len() + 1 == trail::LONGEST;
        self.trails.found(lane, following.into_iter(), cut);
        Ok(Loaded::new(chunk, entries, site.taken(tier, chunk)))
    }

    fn take_chunk(
        &mut self,
        draft: &mut Draft,
        (id, site): (SiteId, &mut Site),
        (tier, loaded): (Tier, &mut Loaded),
        (most, now): (usize, Millis),
        (haul, rules): (&mut Haul, &mut Rules),
    ) -> Result<()> {
        let (chunk, count) = (loaded.chunk, loaded.entries.len());
        for (index, place) in loaded.entries.iter_mut().enumerate() {
            let Some(entry) = place.take() else { continue };
            if haul.pages.len() >= most || haul.looked_at >= MOST_LOOKED_AT {
                haul.closed = true;
                site.lane(tier).order = self.order_of(site, &entry);
                *place = Some(entry);
                return Ok(());
            }
            haul.looked_at += 1;
            self.looked_at += 1;
            let spot = Spot { tier, chunk, index };
            let leave = match self.unwelcome(&entry) {
                Some(why) => Leave::Unwelcome(why),
                None => self.leave(id, &entry, rules, now)?,
            };
            match leave {
                Leave::Granted(permit) => {
                    site.heed(rules.as_ref());
                    site.take(spot, count);
                    haul.pages.push((permit, entry, spot));
                    continue;
                }
                Leave::AskRobots(permit) => {
                    haul.closed = true;
                    if haul.pages.is_empty() {
                        let of = RobotsOf { site: id, origin: entry.url.origin(), depth: entry.depth };
                        haul.robots = Some((permit, of));
                    }
                    *place = Some(entry);
                    return Ok(());
                }
                Leave::Denied(rule) => {
                    self.counters.denied += 1;
                    draft.record(id, Record::of(&entry, OutcomeKind::Denied, rule, now));
                }
                Leave::PutOff(until) => self.put_off(draft, id, &entry, until),
                Leave::GivenUp(why) => self.bury(draft, id, &entry, &why, now),
                Leave::Unwelcome(why) => self.bury_as(draft, id, &entry, (OutcomeKind::Denied, &why), now),
            }
            site.take(spot, count);
            self.finish(draft, id, site, spot);
        }
        Ok(())
    }

    /// Why a URL that was let in does not belong to the crawl any more: settings may change while it waits.
    fn unwelcome(&self, entry: &Entry) -> Option<String> {
        self.misfit(entry).map(|why| format!("left out by the settings: {why}"))
    }

    fn misfit(&self, entry: &Entry) -> Option<String> {
        if let Some(limit) = self.tables.crawl.max_depth.filter(|limit| entry.depth > *limit) {
            return Some(format!("it is more links away from a seed than max_depth = {limit} allows"));
        }
        if entry.is_sitemap() {
            return None;
        }
        if !self.scope.keeps(&entry.url) {
            return Some("the crawl's scope does not include it any more".to_owned());
        }
        self.wanted.refuses(&entry.url, entry.depth == 0)
    }

    /// What robots say about one URL.
    fn leave(&mut self, id: SiteId, entry: &Entry, rules: &mut Rules, now: Millis) -> Result<Leave> {
        let origin_id = origin_id(&entry.url);
        if let Some((of, rules)) = rules
            && *of == origin_id
        {
            return Ok(under(rules, entry));
        }
        let origin = entry.url.origin();
        let state = self.book.state(id, origin_id)?;
        let scope = &self.scope;
        Ok(match state.step(&origin, &|host| scope.site_of(host), &self.tables.robots, now) {
            RobotsStep::Rules(known) => {
                let leave = under(&known, entry);
                *rules = Some((origin_id, known));
                leave
            }
            RobotsStep::Ask(permit) => Leave::AskRobots(permit),
            RobotsStep::AskElsewhere(permit) => {
                self.send_errand(permit, origin, entry.depth);
                Leave::PutOff(now + ERRAND_MS)
            }
            RobotsStep::WaitUntil(until) => Leave::PutOff(until.max(now + 1)),
            RobotsStep::GivenUp => {
                Leave::GivenUp(format!("its robots.txt could not be read: {}", state.summary().why))
            }
        })
    }

    /// Only the owner of the other site may ask there.
    fn send_errand(&mut self, permit: Permit, origin: Origin, depth: u32) {
        let name = self.scope.site_of(permit.url().host());
        let other = id_of(&name);
        let site = self.sites.entry(other).or_insert_with(|| Box::new(Site::new(name)));
        let errands = site.errands.get_or_insert_default();
        let sent = errands.out.as_ref() == Some(&origin);
        if !sent && !errands.waiting.iter().any(|errand| errand.origin == origin) {
            errands.waiting.push_back(Errand { permit, origin, depth });
            self.reschedule(other);
        }
    }

    fn order_of(&self, site: &Site, entry: &Entry) -> f64 {
        order(&self.tables.frontier.weights, &entry.signals(site.in_links.rank()))
    }

    pub(super) fn score_of(&self, site: &Site, entry: &Entry) -> f32 {
        base(&self.tables.frontier.weights, &entry.signals(site.in_links.rank()))
    }
}

impl Site {
    /// Of several origins the one that asks for the longest delay counts, also when another one takes back what it asked for.
    fn heed(&mut self, rules: Option<&(u64, Arc<RobotsRules>)>) {
        if let Some((origin, rules)) = rules
            && let Some(delay) = rules.crawl_delay_ms.filter(|delay| *delay > self.crawl_delay_ms)
        {
            (self.crawl_delay_ms, self.crawl_delay_of) = (delay, *origin);
        }
    }
}

fn under(rules: &RobotsRules, entry: &Entry) -> Leave {
    match Permit::under(rules, &entry.url) {
        Ok(permit) => Leave::Granted(permit),
        Err(rule) => Leave::Denied(rule),
    }
}
