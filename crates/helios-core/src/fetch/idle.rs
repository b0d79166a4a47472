//! Connections between two visits: what a visit leaves open, the next one of its site goes on with. A site is never connected to twice: its
//! next visit takes the connection first, and closes it where it leads to another origin.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::connection::Connection;
use crate::url::SiteKey;

/// To one address, whatever its sites: an open connection that nobody uses is a burden to a server, too.
const EACH_ADDRESS: usize = 8;

pub(super) struct Idle {
    state: Mutex<State>,
    /// How long a connection may wait; zero: none may.
    patience: Duration,
    most: usize,
}

#[derive(Default)]
struct State {
    waiting: HashMap<SiteKey, Waiting>,
    /// In the order in which they are given up. Who was taken meanwhile does not wait since that moment any more.
    line: VecDeque<(Instant, SiteKey)>,
    /// The sites of each address, in the same order.
    addresses: HashMap<IpAddr, VecDeque<SiteKey>>,
    closed: bool,
}

struct Waiting {
    connection: Box<Connection>,
    until: Instant,
}

impl Idle {
    pub(super) fn new(patience: Duration, most: usize) -> Self {
        Self { state: Mutex::default(), patience, most }
    }

    /// For the next visit of the site. A way through a proxy is not kept: which one it is, is chosen for each visit.
    pub(super) fn leave(&self, site: &SiteKey, connection: Box<Connection>, now: Instant) {
        let Some(address) = connection.address.filter(|_| connection.via.is_none() && self.keeps()) else {
            return;
        };
        let until = now + self.patience;
        let mut state = self.lock();
        if state.closed {
            return;
        }
        let before = state.remove(site);
        let neighbours = state.addresses.entry(address).or_default();
        neighbours.push_back(site.clone());
        let oldest = if neighbours.len() > EACH_ADDRESS { neighbours.front().cloned() } else { None };
        let crowded_out = oldest.and_then(|site| state.remove(&site));
        state.line.push_back((until, site.clone()));
        state.waiting.insert(site.clone(), Waiting { connection, until });
        drop(state); // closing takes a system call, which nobody need wait for
        drop((before, crowded_out));
    }

    pub(super) fn take(&self, site: &SiteKey) -> Option<Box<Connection>> {
        if self.keeps() { self.lock().remove(site) } else { None }
    }

    /// Closes what has waited long enough, and the oldest of too many. Do any still wait?
    pub(super) fn thin(&self, now: Instant) -> bool {
        let mut gone = Vec::new();
        let mut state = self.lock();
        while let Some((until, site)) = state.line.front().cloned()
            && (until <= now || state.waiting.len() > self.most)
        {
            state.line.pop_front();
            if state.waiting.get(&site).is_some_and(|waiting| waiting.until == until) {
                gone.extend(state.remove(&site));
            }
        }
        !state.waiting.is_empty()
    }

    /// Closes all, also those that come later.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        let all = std::mem::replace(&mut *state, State { closed: true, ..State::default() });
        drop(state);
        drop(all);
    }

    fn keeps(&self) -> bool {
        !self.patience.is_zero() && self.most > 0
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn remove(&mut self, site: &SiteKey) -> Option<Box<Connection>> {
        let connection = self.waiting.remove(site)?.connection;
        if let Some(address) = connection.address
            && let Some(neighbours) = self.addresses.get_mut(&address)
        {
            neighbours.retain(|one| one != site);
            if neighbours.is_empty() {
                self.addresses.remove(&address);
            }
        }
        Some(connection)
    }
}
