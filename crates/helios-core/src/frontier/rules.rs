//! [`Book`]: what robots.txt files say, on disk, those used lately in memory.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::draft::Draft;
use super::{SiteId, key};
use crate::error::Result;
use crate::kv::Kv;
use crate::robots::{RobotsSettings, RobotsState};

/// Origins whose rules are in memory, at most.
const MOST: usize = 16_384;

type OriginKey = (SiteId, u64);

pub(super) struct Book {
    kv: Arc<dyn Kv>,
    settings: RobotsSettings,
    states: HashMap<OriginKey, RobotsState>,
    /// In the order in which they came in: the first goes first.
    order: VecDeque<OriginKey>,
}

impl Book {
    pub(super) fn new(kv: Arc<dyn Kv>, settings: RobotsSettings) -> Self {
        Self { kv, settings, states: HashMap::new(), order: VecDeque::new() }
    }

    /// What is known of an origin's robots.txt: perhaps nothing.
    pub(super) fn state(&mut self, site: SiteId, origin: u64) -> Result<&mut RobotsState> {
        let of = (site, origin);
        if !self.states.contains_key(&of) {
            let known = self.kv.get(&key::robots(site, origin))?;
            let state = known.map(|bytes| RobotsState::decode(&bytes, &self.settings)).transpose()?;
            self.make_room();
            self.order.push_back(of);
            self.states.insert(of, state.unwrap_or_default());
        }
        Ok(self.states.entry(of).or_default())
    }

    /// The changed state of an origin goes along with the draft.
    pub(super) fn write(&self, draft: &mut Draft, site: SiteId, origin: u64) {
        if let Some(state) = self.states.get(&(site, origin)) {
            draft.batch.put(key::robots(site, origin), state.encode());
        }
    }

    /// A robots.txt that was given up may be asked for again.
    pub(super) fn forgive(&mut self, draft: &mut Draft, site: SiteId, origin: u64) -> Result<()> {
        self.state(site, origin)?.forgive();
        self.write(draft, site, origin);
        Ok(())
    }

    fn make_room(&mut self) {
        while self.order.len() >= MOST {
            if let Some(oldest) = self.order.pop_front() {
                self.states.remove(&oldest);
            }
        }
    }
}
