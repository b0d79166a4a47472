//! What names were found to be, until when. Pure: it is told the time.
//!
//! Two generations: answers go into the young one, and an old answer that is asked for goes back there. When the young one is
//! full it becomes the old one, and what nobody asked for since is forgotten. So it is bounded, and near to "least recently
//! used" without a list.

use std::hash::{BuildHasher as _, Hash, Hasher, RandomState};
use std::net::IpAddr;
use std::ops::Deref;
use std::sync::Arc;

use super::DnsError;
use crate::clock::Millis;
use crate::hashed::HashedMap;

/// The addresses of a name, never none. One, as most names have, is kept in place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Addresses {
    One([IpAddr; 1]),
    Many(Arc<[IpAddr]>),
}

impl From<&[IpAddr]> for Addresses {
    fn from(addresses: &[IpAddr]) -> Self {
        match addresses {
            [one] => Self::One([*one]),
            many => Self::Many(Arc::from(many)),
        }
    }
}

impl Deref for Addresses {
    type Target = [IpAddr];

    fn deref(&self) -> &[IpAddr] {
        match self {
            Self::One(one) => one,
            Self::Many(many) => many,
        }
    }
}

pub(super) type Answer = Result<Addresses, DnsError>;

/// What a name is kept by: 128 bits that only this process can foretell, so that no name can be made to stand for another.
/// Names themselves would cost 40 bytes each and one more walk through memory for each look-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key([u64; 2]);

/// Makes keys.
#[derive(Default)]
pub(super) struct Keys([RandomState; 2]);

impl Keys {
    pub(super) fn of(&self, name: &str) -> Key {
        Key(self.0.each_ref().map(|secret| secret.hash_one(name)))
    }
}

impl Key {
    /// One of so many parts, by other bits than those that a map uses.
    pub(super) fn part(self, of: usize) -> usize {
        let [_, second] = self.0;
        second as usize % of
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [first, _] = self.0;
        state.write_u64(first);
    }
}

pub(super) type ByName<T> = HashedMap<Key, T>;

#[derive(Debug)]
struct Entry {
    answer: Answer,
    until: Millis,
    /// From then on somebody who asks makes us ask again; `NEVER` once that was done.
    refresh_in_ms: u32,
}

const NEVER: u32 = u32::MAX;

/// A cached answer.
pub(super) struct Hit {
    pub(super) answer: Answer,
    /// It is hot and ends soon: whoever got this should look it up again. Said once an answer.
    pub(super) refresh: bool,
}

#[derive(Debug)]
pub(super) struct Cache {
    young: ByName<Entry>,
    old: ByName<Entry>,
    /// Of each generation.
    most: usize,
}

impl Cache {
    pub(super) fn new(entries: usize) -> Self {
        Self { young: ByName::default(), old: ByName::default(), most: (entries / 2).max(1) }
    }

    pub(super) fn len(&self) -> usize {
        self.young.len() + self.old.len()
    }

    /// What is known of the name and still true; nothing is used after its end.
    pub(super) fn get(&mut self, name: Key, now: Millis) -> Option<Hit> {
        if let Some(entry) = self.young.get_mut(&name) {
            let hit = entry.hit(now);
            if hit.is_none() {
                self.young.remove(&name);
            }
            return hit;
        }
        let mut entry = self.old.remove(&name)?;
        let hit = entry.hit(now)?;
        self.insert(name, entry);
        Some(hit)
    }

    /// `ttl_ms` is believed as it is; in the last fifth of it, addresses that somebody asks for are to be refreshed.
    pub(super) fn put(&mut self, name: Key, answer: Answer, ttl_ms: u64, now: Millis) {
        self.old.remove(&name);
        if ttl_ms == 0 {
            self.young.remove(&name);
            return;
        }
        let last_fifth = (ttl_ms / 5).try_into().unwrap_or(NEVER - 1);
        let refresh_in_ms = if answer.is_ok() { last_fifth } else { NEVER };
        self.insert(name, Entry { answer, until: now.saturating_add(ttl_ms), refresh_in_ms });
    }

    fn insert(&mut self, name: Key, entry: Entry) {
        if self.young.len() >= self.most && !self.young.contains_key(&name) {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(name, entry);
    }
}

impl Entry {
    fn hit(&mut self, now: Millis) -> Option<Hit> {
        let left = self.until.checked_sub(now).filter(|left| *left > 0)?;
        let refresh = self.refresh_in_ms != NEVER && left <= u64::from(self.refresh_in_ms);
        if refresh {
            self.refresh_in_ms = NEVER;
        }
        Some(Hit { answer: self.answer.clone(), refresh })
    }
}
