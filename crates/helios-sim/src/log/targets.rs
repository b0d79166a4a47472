//! The targets that were asked: each (host, path and query) once, with a number and a count.
//!
//! Always: two targets are the same when host and text are the same bytes; numbers are dense and never change.
//! An open-addressing table of numbers over one text arena, because a map of owned strings costs three times the memory.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::reply::HostId;

/// Number of a target: dense, in the order of the first request.
pub type TargetId = u32;

const EMPTY: u32 = u32::MAX;
const LEAST_SLOTS: usize = 1_024;

#[derive(Debug, Clone, Copy)]
struct Entry {
    hash: u32,
    host: HostId,
    offset: u32,
    len: u16,
    asked: u16,
}

/// All targets asked so far.
#[derive(Debug, Default)]
pub struct Targets {
    text: Vec<u8>,
    entries: Vec<Entry>,
    /// A power of two long, at most 3/4 full; holds numbers of targets.
    slots: Vec<u32>,
}

impl Targets {
    /// Notes that a target is asked; how often it was asked before comes back. None: the arena is full.
    pub(super) fn ask(&mut self, host: HostId, target: &str) -> Option<(TargetId, u32)> {
        if self.entries.len() * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        let hash = hash(host, target);
        let slot = self.slot(hash, host, target)?;
        let found = self.slots.get(slot).copied()?;
        if let Some(entry) = self.entries.get_mut(found as usize) {
            let before = entry.asked;
            entry.asked = before.saturating_add(1);
            return Some((found, u32::from(before)));
        }
        let len = u16::try_from(target.len()).ok()?;
        let offset = u32::try_from(self.text.len()).ok()?;
        let id = u32::try_from(self.entries.len()).ok().filter(|id| *id != EMPTY)?;
        self.text.extend_from_slice(target.as_bytes());
        self.entries.push(Entry { hash, host, offset, len, asked: 1 });
        *self.slots.get_mut(slot)? = id;
        Some((id, 0))
    }

    pub fn find(&self, host: HostId, target: &str) -> Option<TargetId> {
        let slot = self.slot(hash(host, target), host, target)?;
        self.slots.get(slot).copied().filter(|id| *id != EMPTY)
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn host(&self, id: TargetId) -> HostId {
        self.entries.get(id as usize).map_or(HostId::MAX, |entry| entry.host)
    }

    /// Path and query, as sent.
    pub fn text(&self, id: TargetId) -> &str {
        self.entries.get(id as usize).map_or("", |entry| self.entry_text(entry))
    }

    pub fn cost_bytes(&self) -> usize {
        self.text.len() + size_of_val(self.entries.as_slice()) + size_of_val(self.slots.as_slice())
    }

    fn entry_text(&self, entry: &Entry) -> &str {
        let from = entry.offset as usize;
        let bytes = self.text.get(from..from + usize::from(entry.len)).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    /// The slot that holds this target, or the empty one where it belongs. None: there are no slots yet.
    fn slot(&self, hash: u32, host: HostId, target: &str) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = hash as usize & mask;
        loop {
            let Some(entry) = self.entries.get(*self.slots.get(at)? as usize) else { return Some(at) };
            if entry.hash == hash && entry.host == host && self.entry_text(entry) == target {
                return Some(at);
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let mask = (self.slots.len() * 2).max(LEAST_SLOTS) - 1;
        let mut slots = vec![EMPTY; mask + 1];
        for (id, entry) in self.entries.iter().enumerate() {
            let mut at = entry.hash as usize & mask;
            while slots.get(at).is_some_and(|slot| *slot != EMPTY) {
                at = (at + 1) & mask;
            }
            if let Some(slot) = slots.get_mut(at) {
                *slot = id as u32;
            }
        }
        self.slots = slots;
    }
}

fn hash(host: HostId, target: &str) -> u32 {
    xxh3_64_with_seed(target.as_bytes(), u64::from(host)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn house_a_target_is_stored_once_and_counted() {
        let mut targets = Targets::default();
        for round in 0..3_u32 {
            for number in 0..5_000_u32 {
                let asked = targets.ask(number % 7, &format!("/p/{number}"));
                assert_eq!(asked, Some((number, round)));
            }
        }
        assert_eq!(targets.len(), 5_000);
        assert_eq!((targets.host(15), targets.text(15)), (1, "/p/15"));
        assert_eq!(targets.find(1, "/p/15"), Some(15));
        assert_eq!(targets.find(2, "/p/15"), None);
    }

    #[test]
    fn house_an_empty_table_finds_nothing() {
        assert_eq!(Targets::default().find(0, "/"), None);
    }
}
