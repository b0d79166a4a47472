//! What waits for a time: retries, recrawls, URLs whose robots.txt is not known yet. On disk, in order of time.

use std::collections::BTreeMap;

use super::draft::Draft;
use super::entry::Entry;
use super::tier::Tier;
use super::{Frontier, SiteId, chunk, key};
use crate::clock::Millis;
use crate::codec::damaged;
use crate::error::Result;

/// Entries that come back in one tick.
const MOST: usize = 1_024;

impl Frontier {
    /// The entry comes back to its queue then.
    pub(super) fn put_off(&mut self, draft: &mut Draft, id: SiteId, entry: &Entry, until: Millis) {
        let salt = salt_of(entry, entry.attempts());
        draft.batch.put(key::later(until, id, salt), chunk::write(std::slice::from_ref(entry)));
        self.counters.later += 1;
        self.later_from = self.later_from.min(until);
    }

    /// Entries whose time has come go back to their queues.
    pub(super) fn wake(&mut self, draft: &mut Draft, now: Millis) -> Result<()> {
        if self.counters.later == 0 || self.later_from > now {
            return Ok(());
        }
        let due = self.kv.scan(&key::later_before(self.later_from), &key::later_before(now + 1), MOST)?;
        let mut queues: BTreeMap<(SiteId, Tier), Vec<Entry>> = BTreeMap::new();
        for (key, value) in &due {
            let id = key::site_of_later(key).ok_or_else(damaged)?;
            self.later_from = key::time_of_later(key).ok_or_else(damaged)?;
            for mut entry in chunk::read(value)? {
                entry.queued = self.later_from;
                queues.entry((id, self.tier_of(&entry, id))).or_default().push(entry);
            }
            draft.batch.delete(key.to_vec());
        }
        self.counters.later = self.counters.later.saturating_sub(due.len() as u64);
        if due.len() < MOST {
            self.later_from = self.first_later(now + 1)?;
        }
        for ((id, tier), entries) in queues {
            self.append(draft, id, tier, entries);
        }
        Ok(())
    }

    /// The first time from `from` on that something waits for.
    pub(super) fn first_later(&self, from: Millis) -> Result<Millis> {
        let (_, end) = key::all(b'r');
        let first = self.kv.scan(&key::later_before(from), &end, 1)?;
        first.first().map_or(Ok(Millis::MAX), |(key, _)| key::time_of_later(key).ok_or_else(damaged))
    }

    /// When something comes back next.
    pub(super) fn next_later(&self) -> Option<Millis> {
        (self.counters.later > 0).then_some(self.later_from)
    }
}

/// Chance without a generator: the same URL and number always give the same.
pub(super) fn salt_of(entry: &Entry, number: u32) -> u64 {
    let bytes = entry.url.fingerprint().to_be_bytes();
    xxhash_rust::xxh3::xxh3_64_with_seed(&bytes, u64::from(number))
}
