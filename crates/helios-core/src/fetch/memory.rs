//! Credits in bytes: what all bodies may occupy together, from the request until the result is dropped.
//!
//! A request is sent only when there is credit for a first part of its answer; reading on takes more, and waits when
//! there is none. So that bodies half read never wait for each other, one at a time may go over the ceiling, until its
//! result is handed over: what is held is at most the ceiling and one body, and something always goes on.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::http1::ROOM;

/// Credits are counted in these.
const UNIT: u64 = 1024;

/// Taken before a request is sent, in units: half of all pages need no more. It covers the first read of an answer.
const FIRST: u32 = (ROOM / UNIT as usize) as u32;

/// A growing body takes at least so many units at once.
const STEP: u32 = 64;

/// The ceiling that all visits share.
#[derive(Debug)]
pub(super) struct Memory {
    credits: Arc<Semaphore>,
    /// Whoever holds this one may go over the ceiling.
    over: Arc<Semaphore>,
    units: u32,
}

/// What one request or result occupies. Dropping it gives the bytes back.
#[derive(Debug, Default)]
pub struct Held {
    credits: Option<OwnedSemaphorePermit>,
    over: Option<OwnedSemaphorePermit>,
}

impl Memory {
    pub(super) fn new(bytes: u64) -> Self {
        let units = units_of(bytes).min(Semaphore::MAX_PERMITS as u64).max(1);
        let units = u32::try_from(units).unwrap_or(u32::MAX);
        Self { credits: Arc::new(Semaphore::new(units as usize)), over: Arc::new(Semaphore::new(1)), units }
    }

    /// Waits until there is room for one more request.
    pub(super) async fn first(&self) -> Held {
        let units = FIRST.min(self.units);
        // Mostly there is: then nothing need be made that could wait.
        if let Ok(credits) = Arc::clone(&self.credits).try_acquire_many_owned(units) {
            return Held { credits: Some(credits), over: None };
        }
        let mut held = Held::default();
        held.take(units, self).await;
        held
    }

    /// Bytes that are held now, without what went over the ceiling.
    pub(super) fn held(&self) -> u64 {
        u64::from(self.units).saturating_sub(self.credits.available_permits() as u64) * UNIT
    }
}

impl Held {
    /// So many bytes are covered without a wait.
    pub(super) fn covers(&self, bytes: u64) -> bool {
        self.over.is_some() || units_of(bytes) <= self.units()
    }

    /// Bytes that may be read without asking for more.
    pub(super) fn bytes(&self) -> u64 {
        if self.over.is_some() { u64::MAX } else { self.units() * UNIT }
    }

    /// Waits until so many bytes are covered.
    pub(super) async fn cover(&mut self, bytes: u64, memory: &Memory) {
        if self.covers(bytes) {
            return;
        }
        let missing = units_of(bytes).saturating_sub(self.units());
        self.take(u32::try_from(missing).unwrap_or(u32::MAX).max(STEP.min(memory.units)), memory).await;
    }

    async fn take(&mut self, units: u32, memory: &Memory) {
        let credits = Arc::clone(&memory.credits).acquire_many_owned(units);
        // Neither is ever closed; without a permit the bytes would merely be uncounted.
        match either(credits, Arc::clone(&memory.over).acquire_owned()).await {
            First::Left(more) => match (&mut self.credits, more.ok()) {
                (Some(credits), Some(more)) => credits.merge(more),
                (credits, more) => *credits = credits.take().or(more),
            },
            First::Right(over) => self.over = over.ok(),
        }
    }

    /// Gives back what is not needed for so many bytes.
    pub(super) fn shrink(&mut self, bytes: u64) {
        let surplus = self.units().saturating_sub(units_of(bytes));
        if let Some(credits) = &mut self.credits {
            drop(credits.split(surplus as usize));
        }
        if units_of(bytes) <= self.units() {
            self.over = None;
        }
    }

    /// Whoever has it now may keep it: that must not stop everyone else.
    pub(super) fn hand_over(&mut self) {
        self.over = None;
    }

    fn units(&self) -> u64 {
        self.credits.as_ref().map_or(0, |credits| credits.num_permits() as u64)
    }
}

fn units_of(bytes: u64) -> u64 {
    bytes.div_ceil(UNIT)
}

enum First<L, R> {
    Left(L),
    Right(R),
}

/// Whichever is ready first; the left one where both are.
async fn either<L: Future, R: Future>(left: L, right: R) -> First<L::Output, R::Output> {
    let (mut left, mut right) = (pin!(left), pin!(right));
    std::future::poll_fn(|context| {
        if let Poll::Ready(done) = left.as_mut().poll(context) {
            return Poll::Ready(First::Left(done));
        }
        right.as_mut().poll(context).map(First::Right)
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now<F: Future>(future: F) -> Option<F::Output> {
        let mut future = pin!(future);
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        match future.as_mut().poll(&mut context) {
            Poll::Ready(done) => Some(done),
            Poll::Pending => None,
        }
    }

    #[test]
    fn a_request_waits_while_others_hold_everything() {
        let memory = Memory::new(2 * u64::from(FIRST) * UNIT);
        let (one, two) = (now(memory.first()).unwrap(), now(memory.first()).unwrap());
        assert_eq!(memory.held(), 2 * u64::from(FIRST) * UNIT);
        let mut over = now(memory.first()).unwrap();
        assert!(now(memory.first()).is_none(), "only one goes over the ceiling");
        over.hand_over();
        assert!(now(memory.first()).is_some(), "and the next one, when that is not read any more");
        drop((one, two));
        assert_eq!(memory.held(), 0);
    }

    #[test]
    fn bodies_half_read_never_wait_for_each_other_for_ever() {
        let memory = Memory::new(2 * u64::from(FIRST) * UNIT);
        let (mut one, mut two) = (now(memory.first()).unwrap(), now(memory.first()).unwrap());
        assert!(now(one.cover(1_000 * UNIT, &memory)).is_some(), "one may go over the ceiling");
        assert!(now(two.cover(1_000 * UNIT, &memory)).is_none(), "but not two");
        drop(one);
        assert!(now(two.cover(1_000 * UNIT, &memory)).is_some());
    }

    #[test]
    fn a_body_larger_than_everything_passes_alone() {
        let memory = Memory::new(1);
        let mut held = now(memory.first()).unwrap();
        assert!(now(held.cover(1 << 40, &memory)).is_some());
        assert!(held.covers(1 << 50));
    }

    #[test]
    fn what_is_not_needed_is_given_back() {
        let memory = Memory::new(1_000 * UNIT);
        let mut held = now(memory.first()).unwrap();
        now(held.cover(500 * UNIT, &memory)).unwrap();
        assert_eq!(memory.held(), 500 * UNIT);
        held.shrink(10 * UNIT + 1);
        assert_eq!(memory.held(), 11 * UNIT);
        held.shrink(0);
        assert_eq!(memory.held(), 0);
    }
}
