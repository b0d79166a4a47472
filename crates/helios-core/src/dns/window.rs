//! How many questions may be out at once: more while answers take their time, fewer when many are lost.
//!
//! A server's socket holds about 270 questions and drops the rest, so 10,000 at once would cost most of them a repeat. A server
//! that answers from memory needs few out to be busy; one that has to ask others itself needs many.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};

const FIRST: u32 = 128;
const LEAST: u32 = 64;
/// Our own sockets hold 270 answers each, too, and there are 16.
const MOST: u32 = 2_048;
/// 128 questions of this length are 25,000 a second: only slower servers are given more at once.
const SLOW: Duration = Duration::from_millis(5);

/// What happened since the size was last judged. Pure.
#[derive(Debug)]
struct Tally {
    size: u32,
    answered: u32,
    lost: u32,
    took: Duration,
    grows: bool,
    /// Places that are taken and go away when they are given back.
    debt: u32,
}

impl Tally {
    fn new() -> Self {
        Self { size: FIRST, answered: 0, lost: 0, took: Duration::ZERO, grows: false, debt: 0 }
    }

    /// An answer came after `took`; true: there is one more place.
    fn answered(&mut self, took: Duration) -> bool {
        self.answered += 1;
        self.took += took;
        let grows = self.grows && self.size < MOST && self.answered.is_multiple_of(16);
        self.size += u32::from(grows);
        self.judge();
        grows && !self.pays()
    }

    fn lost(&mut self) {
        self.lost += 1;
        self.judge();
    }

    /// Once a window. Slow names do not shrink it: only when a quarter goes unanswered it is the server.
    fn judge(&mut self) {
        let all = self.answered + self.lost;
        if all < self.size {
            return;
        }
        // A loss is noticed late, so the window grows by a sixteenth at a time, and not at all after more than a few.
        self.grows = self.took > SLOW * self.answered && self.lost * 16 <= all;
        if self.lost * 4 > all {
            let size = (self.size / 2).max(LEAST);
            self.debt += self.size - size;
            (self.size, self.grows) = (size, false);
        }
        (self.answered, self.lost, self.took) = (0, 0, Duration::ZERO);
    }

    /// A place is free: does it go away?
    fn pays(&mut self) -> bool {
        let owes = self.debt > 0;
        self.debt -= u32::from(owes);
        owes
    }
}

#[derive(Debug)]
pub(super) struct Window {
    places: Semaphore,
    tally: Mutex<Tally>,
}

/// A question may be out as long as this is held.
pub(super) struct Place<'a> {
    window: &'a Window,
    permit: Option<SemaphorePermit<'a>>,
}

impl Window {
    pub(super) fn new() -> Self {
        Self { places: Semaphore::new(FIRST as usize), tally: Mutex::new(Tally::new()) }
    }

    /// Waits for a place, in turn.
    pub(super) async fn enter(&self) -> Place<'_> {
        Place { window: self, permit: self.places.acquire().await.ok() }
    }

    pub(super) fn answered(&self, took: Duration) {
        if self.tally().answered(took) {
            self.places.add_permits(1);
        }
    }

    pub(super) fn lost(&self) {
        self.tally().lost();
    }

    fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if let Some(permit) = self.permit.take()
            && self.window.tally().pays()
        {
            permit.forget();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The size after so many questions, of which one in `lost_each` was lost.
    fn feed(tally: &mut Tally, count: u32, lost_each: u32, took: Duration) -> u32 {
        for n in 1..=count {
            if n % lost_each == 0 {
                tally.lost();
            } else {
                tally.answered(took);
            }
        }
        tally.size
    }

    #[test]
    fn the_window_grows_only_while_answers_are_slow() {
        let mut tally = Tally::new();
        assert_eq!(feed(&mut tally, 10_000, 10_001, SLOW), FIRST, "128 are enough for a fast server");
        assert_eq!(
            feed(&mut tally, 10_000, 10, 2 * SLOW),
            FIRST,
            "one in ten lost is slow names, or too much"
        );
        let grown = feed(&mut tally, 2 * FIRST, 20, 2 * SLOW);
        assert!((FIRST + 1..FIRST + FIRST / 8).contains(&grown), "{grown}");
        assert_eq!(feed(&mut tally, 200_000, 20, 2 * SLOW), MOST, "never more");
    }

    #[test]
    fn the_window_shrinks_when_a_quarter_is_lost_and_never_to_nothing() {
        let mut tally = Tally::new();
        assert_eq!(feed(&mut tally, FIRST, 3, SLOW), FIRST / 2);
        assert_eq!(tally.debt, FIRST / 2);
        assert!(tally.pays());
        assert_eq!(feed(&mut tally, 10_000, 1, SLOW), LEAST);
    }

    #[tokio::test]
    async fn places_that_were_lost_are_not_given_out_again() {
        let window = Window::new();
        let mut taken = Vec::new();
        for _ in 0..FIRST {
            taken.push(window.enter().await);
            window.lost();
        }
        taken.clear();
        assert_eq!(window.places.available_permits(), LEAST as usize);
    }
}
