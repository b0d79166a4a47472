//! Who of a pool is next. Pure: `(state, event, now)`; the shell keeps it under a lock.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::Rotation;
use super::health::{Health, HealthRules, State, Verdict};
use crate::clock::Millis;

/// All proxies with their health, and the pools that they belong to. One proxy in two pools is one proxy.
#[derive(Debug)]
pub(super) struct Roster {
    health: Vec<Health>,
    /// What a site's liking for a proxy is derived from: the proxy itself, so that the order of the settings means nothing.
    seeds: Vec<u64>,
    pools: Vec<Pool>,
    rules: HealthRules,
}

#[derive(Debug)]
pub(super) struct Pool {
    pub(super) members: Vec<usize>,
    pub(super) rotation: Rotation,
    next: usize,
}

/// A proxy, chosen; `probe`: this use decides whether it has recovered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Chosen {
    pub(super) proxy: usize,
    pub(super) probe: bool,
}

impl Pool {
    pub(super) fn new(members: Vec<usize>, rotation: Rotation) -> Self {
        Self { members, rotation, next: 0 }
    }
}

impl Roster {
    pub(super) fn new(seeds: Vec<u64>, pools: Vec<Pool>, rules: HealthRules) -> Self {
        Self { health: vec![Health::default(); seeds.len()], seeds, pools, rules }
    }

    /// A proxy of the pool that works, or has rested enough to be tried, and is none of `but`. Without one: when one may be
    /// tried, if that is known.
    pub(super) fn choose(
        &mut self,
        pool: usize,
        site: &str,
        but: &[usize],
        now: Millis,
    ) -> Result<Chosen, Option<Millis>> {
        let found = match self.pools.get(pool) {
            Some(pool) if pool.rotation == Rotation::Sticky => self.favourite(pool, site, but, now),
            Some(pool) => self.next_in_turn(pool, but, now),
            None => None,
        };
        let Some((at, proxy)) = found else { return Err(self.next_due(pool, but, now)) };
        if let Some(pool) = self.pools.get_mut(pool) {
            pool.next = at + 1;
        }
        let probe = self.health.get_mut(proxy).is_some_and(|health| health.begin(now));
        Ok(Chosen { proxy, probe })
    }

    pub(super) fn members(&self, pool: usize) -> Vec<usize> {
        self.pools.get(pool).map(|pool| pool.members.clone()).unwrap_or_default()
    }

    pub(super) fn end(&mut self, chosen: Chosen, verdict: Verdict, now: Millis) {
        if let Some(health) = self.health.get_mut(chosen.proxy) {
            health.end(verdict, chosen.probe, now, &self.rules);
        }
    }

    pub(super) fn looked_at(&mut self, proxy: usize, answers: bool, now: Millis) {
        if let Some(health) = self.health.get_mut(proxy) {
            health.looked_at(answers, now, &self.rules);
        }
    }

    pub(super) fn state(&self, proxy: usize, now: Millis) -> State {
        self.health.get(proxy).map_or(State::Works, |health| health.state(now))
    }

    /// Those that do not work.
    pub(super) fn resting(&self, now: Millis) -> Vec<usize> {
        let rests = |proxy: &usize| matches!(self.state(*proxy, now), State::Rests(_) | State::Due);
        (0..self.health.len()).filter(rests).collect()
    }

    fn may_serve(&self, proxy: usize, but: &[usize], now: Millis) -> bool {
        !but.contains(&proxy) && matches!(self.state(proxy, now), State::Works | State::Due)
    }

    fn next_in_turn(&self, pool: &Pool, but: &[usize], now: Millis) -> Option<(usize, usize)> {
        let count = pool.members.len();
        let in_turn = (0..count).map(|step| (pool.next + step) % count);
        let mut members = in_turn.filter_map(|at| Some((at, *pool.members.get(at)?)));
        members.find(|(_, proxy)| self.may_serve(*proxy, but, now))
    }

    /// Rendezvous hashing: of those that may serve, the one that the site likes best. When one drops out, only its own sites
    /// move; when it comes back, they return.
    fn favourite(&self, pool: &Pool, site: &str, but: &[usize], now: Millis) -> Option<(usize, usize)> {
        let members = pool.members.iter().copied().enumerate();
        let liking = |proxy: usize| {
            let seed = self.seeds.get(proxy).copied().unwrap_or_default();
            (xxh3_64_with_seed(site.as_bytes(), seed), seed)
        };
        members.filter(|(_, proxy)| self.may_serve(*proxy, but, now)).max_by_key(|(_, proxy)| liking(*proxy))
    }

    fn next_due(&self, pool: usize, but: &[usize], now: Millis) -> Option<Millis> {
        let members = self.pools.get(pool)?.members.iter().filter(|proxy| !but.contains(proxy));
        let due = members.filter_map(|proxy| match self.state(*proxy, now) {
            State::Rests(until) => Some(until),
            State::Works | State::Due | State::Probed => None,
        });
        due.min()
    }
}
