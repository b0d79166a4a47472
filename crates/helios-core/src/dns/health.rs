//! Whether a server is worth asking first. Pure.

use crate::clock::Millis;

/// Silent so often in a row: taken for dead.
const MOST_STRIKES: u32 = 3;
const FIRST_REST_MS: u64 = 10_000;
const LONGEST_REST_MS: u64 = 120_000;

#[derive(Debug, Default)]
pub(super) struct Health {
    strikes: u32,
    rest_ms: u64,
    down_until: Millis,
    heard: Millis,
}

impl Health {
    /// It said something, whatever that was.
    pub(super) fn answered(&mut self, now: Millis) {
        *self = Self { heard: now, ..Self::default() };
    }

    /// A question asked at `asked` has no answer. If others had one since then it is the name that is slow.
    pub(super) fn silent(&mut self, asked: Millis, now: Millis) {
        if self.heard >= asked {
            return;
        }
        self.strikes += 1;
        if self.strikes >= MOST_STRIKES {
            self.rest(now);
        }
    }

    /// Nobody is there.
    pub(super) fn refused(&mut self, now: Millis) {
        self.rest(now);
    }

    fn rest(&mut self, now: Millis) {
        if now < self.down_until {
            return; // Several questions found out the same.
        }
        self.rest_ms = (self.rest_ms * 2).clamp(FIRST_REST_MS, LONGEST_REST_MS);
        self.down_until = now + self.rest_ms;
        // After its rest one more silence is enough.
        self.strikes = MOST_STRIKES - 1;
    }

    pub(super) fn is_down(&self, now: Millis) -> bool {
        now < self.down_until
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_server_rests_longer_each_time_until_it_answers() {
        let mut health = Health::default();
        for asked in 1..=3 {
            assert!(!health.is_down(100));
            health.silent(asked, 100);
        }
        assert!(health.is_down(100 + FIRST_REST_MS - 1));
        let later = 100 + FIRST_REST_MS;
        assert!(!health.is_down(later));
        health.silent(later, later);
        assert!(health.is_down(later + 2 * FIRST_REST_MS - 1));
        health.answered(later);
        assert!(!health.is_down(later));
    }

    #[test]
    fn a_slow_name_is_no_fault_of_a_server_that_answers_others() {
        let mut health = Health::default();
        for _ in 0..10 {
            health.answered(50);
            health.silent(10, 60);
        }
        assert!(!health.is_down(60));
    }
}
