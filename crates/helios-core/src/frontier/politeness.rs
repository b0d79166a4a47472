//! Who may be asked now: a heap of next-allowed times over sites, and a second level over addresses. Pure.
//!
//! A site with work is in one place: `Waiting` for its time, `Blocked` by its address, or `Ready` in the set of each tier
//! that it has work in. Whoever is ready holds one of the places of its address, and so does every visit that is out, so
//! that an address never carries more than it may. Sites that nobody asked yet are ready apart from the others: to meet one
//! takes a name, a handshake and a robots.txt, which is worth it only while the crawl has nothing better to do.

use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;
use std::num::NonZeroU64;

use super::SiteId;
use super::tier::Tier;
use crate::clock::Millis;

/// A score that sorts: the best is first, since a set is walked from its least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Order(NonZeroU64);

impl Order {
    const LAST: Self = Self(NonZeroU64::MAX);

    pub(super) fn best_first(score: f64) -> Self {
        let bits = score.to_bits();
        let ascending = if bits >> 63 == 1 { !bits } else { bits | 1 << 63 };
        Self(NonZeroU64::new(!ascending).unwrap_or(NonZeroU64::MIN))
    }
}

/// Orders of the tiers in which a site has work.
pub(super) type Orders = [Option<Order>; 3];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Nothing to do, or as many visits out as it may have.
    Idle,
    Waiting(Millis),
    Blocked(IpAddr, Order),
    Ready(Orders, Option<IpAddr>, Acquaintance),
}

/// Was the site asked before?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Acquaintance {
    Old,
    New,
}

/// Sites by tier, the best first.
#[derive(Debug, Default)]
struct Ready([BTreeSet<(Order, SiteId)>; 3]);

impl Ready {
    fn insert(&mut self, site: SiteId, orders: Orders) {
        for (set, order) in self.0.iter_mut().zip(orders) {
            set.extend(order.map(|order| (order, site)));
        }
    }

    fn remove(&mut self, site: SiteId, orders: Orders) {
        for (set, order) in self.0.iter_mut().zip(orders) {
            if let Some(order) = order {
                set.remove(&(order, site));
            }
        }
    }

    fn first(&self, tier: Tier) -> Option<(Order, SiteId)> {
        self.0.get(tier.index())?.first().copied()
    }

    fn len(&self) -> usize {
        self.0.iter().map(BTreeSet::len).sum()
    }
}

#[derive(Debug, Default)]
struct Address {
    /// Places in use: by sites that are ready and by visits that are out.
    taken: u32,
    next_allowed: Millis,
    blocked: BTreeSet<(Order, SiteId)>,
}

#[derive(Debug)]
pub(super) struct Politeness {
    waiting: BTreeSet<(Millis, SiteId)>,
    /// Who may be asked now: sites that were asked before, and those that were not.
    known: Ready,
    new: Ready,
    addresses: HashMap<IpAddr, Address>,
    /// Addresses with a free place and sites that want it, by the time they may be asked.
    free: BTreeSet<(Millis, IpAddr)>,
    blocked: usize,
    /// Places of one address; 0: any number.
    places: u32,
}

impl Politeness {
    pub(super) fn new(places: u32) -> Self {
        Self {
            waiting: BTreeSet::new(),
            known: Ready::default(),
            new: Ready::default(),
            addresses: HashMap::new(),
            free: BTreeSet::new(),
            blocked: 0,
            places,
        }
    }

    pub(super) fn wait(&mut self, site: SiteId, until: Millis) -> Place {
        self.waiting.insert((until, site));
        Place::Waiting(until)
    }

    /// Out of wherever it is. A ready one gives its place back.
    pub(super) fn leave(&mut self, site: SiteId, place: Place) {
        match place {
            Place::Idle => {}
            Place::Waiting(until) => drop(self.waiting.remove(&(until, site))),
            Place::Blocked(address, order) => {
                self.blocked -= 1;
                if let Some(at) = self.addresses.get_mut(&address) {
                    at.blocked.remove(&(order, site));
                }
            }
            Place::Ready(orders, address, acquaintance) => {
                self.unready(site, orders, acquaintance);
                self.release(address, 0);
            }
        }
    }

    /// Ready and now leased: its place goes over to the visit.
    pub(super) fn unready(&mut self, site: SiteId, orders: Orders, acquaintance: Acquaintance) {
        self.ready_of(acquaintance).remove(site, orders);
    }

    fn ready_of(&mut self, acquaintance: Acquaintance) -> &mut Ready {
        match acquaintance {
            Acquaintance::Old => &mut self.known,
            Acquaintance::New => &mut self.new,
        }
    }

    /// The next site whose time has come.
    pub(super) fn next_waiting(&mut self, now: Millis) -> Option<SiteId> {
        let (until, site) = *self.waiting.first()?;
        if until > now {
            return None;
        }
        self.waiting.pop_first();
        Some(site)
    }

    /// A site whose time has come: ready, or blocked by its address.
    pub(super) fn enter(
        &mut self,
        site: SiteId,
        orders: Orders,
        (address, acquaintance): (Option<IpAddr>, Acquaintance),
        now: Millis,
    ) -> Place {
        let Some(address) = address.filter(|_| self.places > 0) else {
            return self.make_ready(site, orders, (None, acquaintance));
        };
        let at = self.addresses.entry(address).or_default();
        if at.taken < self.places && at.next_allowed <= now && at.blocked.is_empty() {
            at.taken += 1;
            return self.make_ready(site, orders, (Some(address), acquaintance));
        }
        let order = orders.iter().flatten().min().copied().unwrap_or(Order::LAST);
        at.blocked.insert((order, site));
        if at.taken < self.places {
            self.free.insert((at.next_allowed, address));
        }
        self.blocked += 1;
        Place::Blocked(address, order)
    }

    fn make_ready(
        &mut self,
        site: SiteId,
        orders: Orders,
        (address, acquaintance): (Option<IpAddr>, Acquaintance),
    ) -> Place {
        self.ready_of(acquaintance).insert(site, orders);
        Place::Ready(orders, address, acquaintance)
    }

    /// The best blocked site of an address that has a free place now; the place is taken.
    pub(super) fn next_unblocked(&mut self, now: Millis) -> Option<(SiteId, IpAddr)> {
        loop {
            let (when, address) = *self.free.first()?;
            if when > now {
                return None;
            }
            self.free.pop_first();
            let Some(at) = self.addresses.get_mut(&address) else { continue };
            if at.taken >= self.places || at.blocked.is_empty() {
                continue;
            }
            if at.next_allowed > now {
                self.free.insert((at.next_allowed, address));
                continue;
            }
            let Some((_, site)) = at.blocked.pop_first() else { continue };
            at.taken += 1;
            self.blocked -= 1;
            if at.taken < self.places && !at.blocked.is_empty() {
                self.free.insert((at.next_allowed, address));
            }
            return Some((site, address));
        }
    }

    /// A blocked site has got a place.
    pub(super) fn unblocked(
        &mut self,
        site: SiteId,
        orders: Orders,
        (address, acquaintance): (IpAddr, Acquaintance),
    ) -> Place {
        self.make_ready(site, orders, (Some(address), acquaintance))
    }

    /// Nobody knows when it was asked last: the address rests until then.
    pub(super) fn rest(&mut self, address: IpAddr, until: Millis) {
        let at = self.addresses.entry(address).or_default();
        at.next_allowed = at.next_allowed.max(until);
    }

    /// A place of the address is free again, and the address rests until then.
    pub(super) fn release(&mut self, address: Option<IpAddr>, rests_until: Millis) {
        let Some(address) = address else { return };
        let Some(at) = self.addresses.get_mut(&address) else { return };
        at.taken = at.taken.saturating_sub(1);
        at.next_allowed = at.next_allowed.max(rests_until);
        if !at.blocked.is_empty() {
            self.free.insert((at.next_allowed, address));
        } else if at.taken == 0 && at.next_allowed == 0 {
            self.addresses.remove(&address);
        }
    }

    /// In which tiers is somebody ready, new sites counted or not?
    pub(super) fn has_ready(&self, meeting: bool) -> [bool; 3] {
        Tier::ALL.map(|tier| self.best(tier, meeting).is_some())
    }

    /// The best ready site of a tier, among new ones or not.
    pub(super) fn best(&self, tier: Tier, meeting: bool) -> Option<SiteId> {
        let new = if meeting { self.new.first(tier) } else { None };
        let best = self.known.first(tier).into_iter().chain(new).min()?;
        Some(best.1)
    }

    fn is_anyone_ready(&self) -> bool {
        self.known.len() + self.new.len() > 0
    }

    /// When somebody will be ready next, new sites counted or not; 0: somebody is.
    pub(super) fn next_time(&self, meeting: bool) -> Option<Millis> {
        if self.has_ready(meeting).contains(&true) {
            return Some(0);
        }
        let times = [self.waiting.first().map(|(at, _)| *at), self.free.first().map(|(at, _)| *at)];
        times.into_iter().flatten().min()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.blocked == 0 && !self.is_anyone_ready()
    }

    /// Sites with work that are waiting, blocked, ready (a site with work in two tiers counts twice among the ready).
    pub(super) fn counts(&self) -> [usize; 3] {
        [self.waiting.len(), self.blocked, self.known.len() + self.new.len()]
    }
}
