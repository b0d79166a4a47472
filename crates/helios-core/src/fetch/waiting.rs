//! Connections between two visits: what a visit leaves open, the next one of its site goes on with. A site is never connected to twice: its
//! next visit takes the connection first, and closes it where it leads to another origin. So they are closed under the lock.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::FetchSettings;
use super::connection::Connection;
use crate::url::SiteKey;

/// Names are looked up again after this long, however busy a site is.
const OLDEST: Duration = Duration::from_secs(300);

pub(super) struct Waiting {
    state: Mutex<State>,
    /// How long a connection may wait; zero: none may.
    patience: Duration,
    most: usize,
    /// To one address, whatever its sites: an open connection that nobody uses is a burden to a server, too.
    most_each: usize,
}

#[derive(Default)]
struct State {
    left: HashMap<SiteKey, Left>,
    /// In the order in which they are given up. Who was taken meanwhile does not wait since that moment any more.
    line: VecDeque<(Instant, SiteKey)>,
    /// The sites of each address, in the same order.
    addresses: HashMap<IpAddr, VecDeque<SiteKey>>,
    closed: bool,
}

struct Left {
    connection: Box<Connection>,
    until: Instant,
}

impl Waiting {
    pub(super) fn new(settings: &FetchSettings) -> Self {
        let (most, most_each) = (settings.most_kept_open, settings.most_kept_open_each);
        let keeps = most > 0 && most_each > 0;
        let patience = Duration::from_millis(if keeps { settings.keep_open_ms } else { 0 });
        Self { state: Mutex::default(), patience, most, most_each }
    }

    /// For the next visit of the site, which comes after `pause` at the soonest. A way through a proxy is not kept: which one it is, is
    /// chosen for each visit.
    pub(super) fn leave(
        &self,
        site: &SiteKey,
        connection: Box<Connection>,
        (now, pause): (Instant, Duration),
    ) {
        let fit = pause < self.patience && connection.via.is_none() && connection.opened + OLDEST > now;
        let Some(address) = connection.address.filter(|_| fit && connection.can_wait()) else { return };
        let until = now + self.patience;
        let mut state = self.lock();
        if state.closed {
            return;
        }
        state.remove(site);
        let neighbours = state.addresses.entry(address).or_default();
        neighbours.push_back(site.clone());
        if neighbours.len() > self.most_each
            && let Some(oldest) = neighbours.front().cloned()
        {
            state.remove(&oldest);
        }
        state.line.push_back((until, site.clone()));
        state.left.insert(site.clone(), Left { connection, until });
    }

    pub(super) fn take(&self, site: &SiteKey) -> Option<Box<Connection>> {
        if self.patience.is_zero() { None } else { self.lock().remove(site) }
    }

    /// Closes what has waited long enough, and the oldest of too many. Do any still wait?
    pub(super) fn thin(&self, now: Instant) -> bool {
        let mut state = self.lock();
        while let Some((until, site)) = state.line.front().cloned()
            && (until <= now || state.left.len() > self.most)
        {
            state.line.pop_front();
            if state.left.get(&site).is_some_and(|left| left.until == until) {
                state.remove(&site);
            }
        }
        !state.left.is_empty()
    }

    /// Closes all, also those that come later.
    pub(super) fn close(&self) {
        *self.lock() = State { closed: true, ..State::default() };
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn remove(&mut self, site: &SiteKey) -> Option<Box<Connection>> {
        let connection = self.left.remove(site)?.connection;
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
