//! Whether a proxy works, as far as we know. Pure: `(event, now)`.
//!
//! Failures in a row send it to rest, each time for longer. Then one request, the probe, tells whether it works again.

use crate::clock::Millis;

/// What a failure that is surely the proxy's weighs; silence, which may be the site's, weighs 1.
const SURE: u32 = 10;

#[derive(Debug, Clone, Copy)]
pub(super) struct HealthRules {
    pub(super) failures: u32,
    pub(super) cool_down_ms: u64,
    pub(super) ceiling_ms: u64,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Health {
    /// Since it last worked.
    blame: u32,
    /// How often it was sent to rest since it last worked; 0: it works.
    rests: u32,
    until: Millis,
    probing: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Works,
    /// Not before this moment.
    Rests(Millis),
    /// It has rested: one may try.
    Due,
    /// One tries.
    Probed,
}

/// What one use of a proxy told about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Worked,
    Failed,
    /// It does not let us in: no use to try again soon.
    Locked,
    /// Nothing came back through it, and nobody knows why.
    Silent,
    /// Nothing was learned.
    Nothing,
}

impl Health {
    pub(super) fn state(&self, now: Millis) -> State {
        match self {
            Self { rests: 0, .. } => State::Works,
            Self { probing: true, .. } => State::Probed,
            Self { until, .. } if now < *until => State::Rests(*until),
            _ => State::Due,
        }
    }

    /// It is chosen; whether this is the probe.
    pub(super) fn begin(&mut self, now: Millis) -> bool {
        let probes = self.state(now) == State::Due;
        self.probing |= probes;
        probes
    }

    /// `probe`: as `begin` said. What others, who began earlier, say of a proxy that rests does not make it rest longer.
    pub(super) fn end(&mut self, verdict: Verdict, probe: bool, now: Millis, rules: &HealthRules) {
        if probe {
            self.probing = false;
        }
        let counts = probe || self.rests == 0;
        match verdict {
            Verdict::Worked => *self = Self::default(),
            Verdict::Failed if counts => self.blame(SURE, probe, now, rules),
            Verdict::Locked if counts => self.rest(now, rules),
            Verdict::Silent if counts => self.blame(1, probe, now, rules),
            Verdict::Failed | Verdict::Locked | Verdict::Silent | Verdict::Nothing => {}
        }
    }

    /// A look at it while it rests: it may be tried at once, or rests on.
    pub(super) fn looked_at(&mut self, answers: bool, now: Millis, rules: &HealthRules) {
        match self.state(now) {
            State::Rests(_) | State::Due if answers => self.until = now,
            State::Due => self.rest(now, rules),
            State::Works | State::Probed | State::Rests(_) => {}
        }
    }

    fn blame(&mut self, weight: u32, probe: bool, now: Millis, rules: &HealthRules) {
        self.blame = self.blame.saturating_add(weight);
        if probe || self.blame >= rules.failures.max(1).saturating_mul(SURE) {
            self.rest(now, rules);
        }
    }

    fn rest(&mut self, now: Millis, rules: &HealthRules) {
        let doubled = rules.cool_down_ms.max(1).saturating_mul(1 << self.rests.min(30));
        self.rests = self.rests.saturating_add(1);
        self.until = now.saturating_add(doubled.min(rules.ceiling_ms.max(1)));
    }
}
