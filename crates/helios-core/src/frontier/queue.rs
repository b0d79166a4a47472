//! Back queues: one per site and tier, in chunks on disk; in memory only where they begin and what is out.

use std::net::IpAddr;

use super::chunk::{self, Bits};
use super::draft::Draft;
use super::entry::Entry;
use super::key::{self, ChunkId};
use super::politeness::{Order, Orders, Place};
use super::score::order;
use super::site::{Begun, Site};
use super::tier::Tier;
use super::{Frontier, SiteId};
use crate::clock::Millis;
use crate::codec::damaged;
use crate::error::Result;

/// A chunk with its name.
type Chunk = (ChunkId, Vec<Entry>);

/// Where an entry lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) tier: Tier,
    pub(super) chunk: ChunkId,
    pub(super) index: usize,
}

impl Site {
    fn begun_at(&mut self, tier: Tier, chunk: ChunkId) -> Option<&mut Begun> {
        self.begun.iter_mut().find(|begun| begun.tier == tier && begun.chunk == chunk)
    }

    /// Entries of the chunk that are out or done.
    pub(super) fn taken(&self, tier: Tier, chunk: ChunkId) -> Bits {
        let begun = self.begun.iter().find(|begun| begun.tier == tier && begun.chunk == chunk);
        begun.map_or(Bits(0), |begun| Bits(begun.done.0 | begun.out.0))
    }

    /// The entry is out: it is neither offered again nor done.
    pub(super) fn take(&mut self, spot: Spot, count: usize) {
        let lane = self.lane(spot.tier);
        lane.waiting = lane.waiting.saturating_sub(1);
        lane.out += 1;
        if self.begun_at(spot.tier, spot.chunk).is_none() {
            let begun = Begun {
                tier: spot.tier,
                chunk: spot.chunk,
                count,
                done: Bits::default(),
                out: Bits::default(),
            };
            self.begun.push(begun);
        }
        if let Some(begun) = self.begun_at(spot.tier, spot.chunk) {
            begun.out.set(spot.index);
        }
    }

    fn give_back(&mut self, spot: Spot) {
        let lane = self.lane(spot.tier);
        lane.waiting += 1;
        lane.out = lane.out.saturating_sub(1);
        if let Some(begun) = self.begun_at(spot.tier, spot.chunk) {
            begun.out.clear(spot.index);
        }
        // What lies before a chunk that is begun stays begun: or the cursor would pass over it when that one is done.
        let last = self.begun.iter().filter(|begun| begun.tier == spot.tier).map(|begun| begun.chunk).max();
        let untouched = |begun: &Begun| begun.out.0 | begun.done.0 == 0 && Some(begun.chunk) >= last;
        self.begun.retain(|begun| begun.tier != spot.tier || !untouched(begun));
    }

    /// An entry that is out is done for good. True: so is its whole chunk.
    pub(super) fn finish(&mut self, spot: Spot) -> bool {
        let lane = self.lane(spot.tier);
        lane.out = lane.out.saturating_sub(1);
        let Some(begun) = self.begun_at(spot.tier, spot.chunk) else { return false };
        begun.out.clear(spot.index);
        begun.done.set(spot.index);
        if begun.done.count() < begun.count {
            return false;
        }
        self.begun.retain(|begun| begun.tier != spot.tier || begun.chunk != spot.chunk);
        // Chunks are begun in order, so whatever is left before this one is begun.
        let first = self.begun.iter().filter(|begun| begun.tier == spot.tier).map(|begun| begun.chunk).min();
        let after = spot.chunk.after();
        let lane = self.lane(spot.tier);
        lane.chunks = lane.chunks.saturating_sub(1);
        lane.cursor = lane.cursor.max(first.map_or(after, |first| first.min(after)));
        true
    }

    /// How it compares in each tier that it has work in; errands come first.
    pub(super) fn orders(&self) -> Orders {
        let mut orders = self.lanes.map(|lane| (lane.waiting > 0).then(|| Order::best_first(lane.order)));
        if let ([one, ..], false) = (&mut orders, !self.has_errand()) {
            *one = Some(Order::best_first(f64::MAX));
        }
        orders
    }
}

impl Frontier {
    /// Puts entries at the end of a site's queue.
    pub(super) fn append(&mut self, draft: &mut Draft, id: SiteId, tier: Tier, mut entries: Vec<Entry>) {
        let weights = self.tables.frontier.weights;
        let write = self.next_write();
        let Some(host) = entries.first().map(|entry| entry.url.host().to_owned()) else { return };
        let site = self.sites.entry(id).or_insert_with(|| Box::new(Site::new(self.scope.site_of(&host))));
        let rank = site.in_links.rank();
        let at_home = |entry: &Entry| order(&weights, &entry.signals_at_home());
        entries.sort_by_cached_key(|entry| Order::best_first(at_home(entry)));
        // What a site says of its own pages must not move it before other sites.
        let best = entries.first().map_or(0.0, |entry| order(&weights, &entry.signals(rank)));
        let lane = site.lane(tier);
        if lane.waiting == 0 {
            lane.order = best;
        }
        lane.waiting += entries.len() as u64;
        self.counters.queued += entries.len() as u64;
        for part in entries.chunks(chunk::MOST) {
            let chunk = ChunkId { write, part: draft.next_part() };
            if lane.chunks == 0 {
                lane.cursor = chunk;
            }
            self.trails.appended((id, tier), chunk, lane.chunks);
            lane.chunks += 1;
            draft.batch.put(key::chunk(id, tier, chunk), chunk::write(part));
        }
        draft.touch(id);
        self.reschedule(id);
    }

    /// Nothing came of an entry that was out: it is offered again.
    pub(super) fn give_back(&mut self, id: SiteId, site: &mut Site, spot: Spot) {
        site.give_back(spot);
        self.larder.forget((id, spot.tier));
        self.trails.forget((id, spot.tier));
    }

    /// An entry that is out leaves the queue for good.
    pub(super) fn finish(&mut self, draft: &mut Draft, id: SiteId, site: &mut Site, spot: Spot) {
        if site.finish(spot) {
            draft.batch.delete(key::chunk(id, spot.tier, spot.chunk));
            // With nothing begun, what is at hand is first now, or what is known to follow.
            let (lane, begun) = ((id, spot.tier), site.begun.iter().any(|begun| begun.tier == spot.tier));
            if let Some(first) = self.larder.first(lane).or(self.trails.first(lane)).filter(|_| !begun) {
                site.lane(spot.tier).cursor = first;
            }
        }
        self.counters.queued = self.counters.queued.saturating_sub(1);
        draft.touch(id);
    }

    pub(super) fn chunk(&self, id: SiteId, tier: Tier, chunk: ChunkId) -> Result<Option<Vec<Entry>>> {
        let value = self.kv.get(&key::chunk(id, tier, chunk))?;
        value.map(|value| chunk::read(&value)).transpose()
    }

    /// The first chunk of a tier from `from` on, and the names of those that follow it, up to `limit` in all.
    pub(super) fn search(
        &self,
        id: SiteId,
        tier: Tier,
        from: ChunkId,
        limit: usize,
    ) -> Result<(Option<Chunk>, Vec<ChunkId>)> {
        let found = self.kv.scan(&key::chunk(id, tier, from), &key::chunks_end(id, tier), limit)?;
        let mut names = Vec::with_capacity(found.len());
        for (key, _) in &found {
            names.push(ChunkId::of_key(key).ok_or_else(damaged)?);
        }
        let Some((_, value)) = found.first() else { return Ok((None, names)) };
        let first = (names.remove(0), chunk::read(value)?);
        Ok((Some(first), names))
    }

    /// The chunks of a tier from `from` on, up to `limit`.
    pub(super) fn chunks(&self, id: SiteId, tier: Tier, from: ChunkId, limit: usize) -> Result<Vec<Chunk>> {
        let found = self.kv.scan(&key::chunk(id, tier, from), &key::chunks_end(id, tier), limit)?;
        let decode = |(key, value): &(bytes::Bytes, bytes::Bytes)| {
            Ok((ChunkId::of_key(key).ok_or_else(damaged)?, chunk::read(value)?))
        };
        found.iter().map(decode).collect()
    }

    /// Puts a site where it belongs: into the heap, or out of it.
    pub(super) fn reschedule(&mut self, id: SiteId) {
        let Some(mut site) = self.sites.remove(&id) else { return };
        self.place(id, &mut site);
        self.sites.insert(id, site);
    }

    /// As `reschedule`, for a site that is in hand.
    pub(super) fn place(&mut self, id: SiteId, site: &mut Site) {
        let settings = &self.tables.frontier;
        let used_up = settings.max_pages_per_site.is_some_and(|limit| site.fetched >= limit);
        let parked = if used_up { site.waiting() } else { 0 };
        self.parked = self.parked + parked - site.parked;
        site.parked = parked;
        let has_pages = site.waiting() > 0 && site.page_budget(settings.max_pages_per_site) > 0;
        let wanted = site.has_room(settings.site_connections) && (has_pages || site.has_errand());
        match (wanted, site.place) {
            (true, Place::Waiting(until)) if until == site.next_allowed => {}
            // Ready sites stay so, but their work or their orders may have changed.
            (true, _) => {
                self.politeness.leave(id, site.place);
                site.place = self.politeness.wait(id, site.next_allowed);
            }
            (false, _) => {
                self.politeness.leave(id, site.place);
                site.place = Place::Idle;
            }
        }
    }

    /// Sites whose time has come become ready, as far as their addresses allow.
    pub(super) fn promote(&mut self, now: Millis) {
        while let Some(id) = self.politeness.next_waiting(now) {
            if let Some(site) = self.sites.get_mut(&id) {
                site.place = self.politeness.enter(id, site.orders(), (site.address, site.acquaintance), now);
            }
        }
        while let Some((id, address)) = self.politeness.next_unblocked(now) {
            if let Some(site) = self.sites.get_mut(&id) {
                site.place = self.politeness.unblocked(id, site.orders(), (address, site.acquaintance));
            }
        }
    }

    /// A visit is over: its place at the address is free, after the address has rested.
    pub(super) fn release_address(&mut self, address: Option<IpAddr>, asked_until: Millis) {
        let delay = self.tables.frontier.address_delay_ms;
        self.politeness.release(address, if delay == 0 { 0 } else { asked_until + delay });
    }
}
