//! The queue between visits, which fill it, and `completed`, which empties it. It needs no bound of its own: results with
//! bodies hold credits (`memory`), and a visit has few tasks.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Finished;
use crate::error::{Error, Result};

/// The queue keeps room for so many when it is empty.
const MOST_ROOM: usize = 1_000;

#[derive(Default)]
pub(super) struct Results {
    state: Mutex<State>,
    changed: Condvar,
}

/// A visit's task on the runtime. Dropped by a panic, it says so.
pub(super) struct Life<'a> {
    results: &'a Results,
    well: bool,
}

impl<'a> Life<'a> {
    pub(super) fn of(results: &'a Results) -> Self {
        Self { results, well: false }
    }

    pub(super) fn ends_well(mut self) {
        self.well = true;
    }
}

impl Drop for Life<'_> {
    fn drop(&mut self) {
        // Tasks are also dropped when the fetcher is closed; that is no death.
        if !self.well && std::thread::panicking() {
            self.results.died("it panicked");
        }
    }
}

#[derive(Default)]
struct State {
    queue: Vec<Finished>,
    /// Visits submitted whose last result has not been handed back.
    in_flight: usize,
    /// Of these: visits whose last result is not even here.
    running: usize,
    /// Somebody waits, and is woken when there are so many: once, since every wake-up is a system call.
    waiting: bool,
    wanted: usize,
    /// Why a visit died: a dead task must not look like a slow one.
    died: Option<String>,
    closed: bool,
}

impl State {
    /// There is nothing to wait for.
    fn is_over(&self) -> bool {
        self.running == 0 || self.closed || self.died.is_some()
    }
}

impl Results {
    pub(super) fn in_flight(&self) -> usize {
        self.lock().in_flight
    }

    pub(super) fn submitted(&self, visits: usize) {
        let mut state = self.lock();
        state.in_flight += visits;
        state.running += visits;
    }

    pub(super) fn push(&self, finished: Finished) {
        let mut state = self.lock();
        state.running -= usize::from(finished.last);
        state.queue.push(finished);
        let enough = state.queue.len() >= state.wanted || state.is_over();
        if enough && std::mem::take(&mut state.waiting) {
            drop(state); // or whoever wakes would wait again at once, for the lock
            self.changed.notify_all();
            // Where both share a core, bodies are taken and their memory comes back while it is warm, not a time slice later.
            std::thread::yield_now();
        }
    }

    pub(super) fn died(&self, why: &str) {
        self.lock().died.get_or_insert_with(|| why.to_owned());
        self.changed.notify_all();
    }

    /// Whoever waits need not wait any more.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// Waits up to `wait` for a first result, then `linger` more for company, up to `max`.
    pub(super) fn take(&self, wait: Duration, linger: Duration, max: usize) -> Result<Vec<Finished>> {
        let max = max.max(1);
        let mut state = self.lock();
        if state.queue.is_empty() {
            // While results flow, one wait is enough: nobody need be woken for the first.
            state = self.wait_for(state, max, linger.min(wait));
            if state.queue.is_empty() {
                state = self.wait_for(state, 1, wait.saturating_sub(linger));
                state = if state.queue.is_empty() { state } else { self.wait_for(state, max, linger) };
            }
        } else {
            state = self.wait_for(state, max, linger);
        }
        if let Some(why) = &state.died {
            return Err(Error::Fetch(format!("a visit died: {why}")));
        }
        let mut done = if state.queue.len() <= max {
            let room = Vec::with_capacity(state.queue.len().min(MOST_ROOM));
            std::mem::replace(&mut state.queue, room) // none of them is moved
        } else {
            state.queue.drain(..max).collect()
        };
        state.in_flight -= done.iter().filter(|finished| finished.last).count();
        drop(state);
        for finished in &mut done {
            finished.held.hand_over();
        }
        Ok(done)
    }

    fn wait_for<'a>(
        &self,
        mut state: MutexGuard<'a, State>,
        wanted: usize,
        time: Duration,
    ) -> MutexGuard<'a, State> {
        state.wanted = wanted;
        let lacking = |state: &mut State| {
            state.waiting = state.queue.len() < wanted && !state.is_over();
            state.waiting
        };
        let ended = self.changed.wait_timeout_while(state, time, lacking);
        let mut state = ended.unwrap_or_else(PoisonError::into_inner).0;
        state.waiting = false;
        state
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
