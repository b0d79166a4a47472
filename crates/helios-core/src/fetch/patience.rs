//! How long one request may take: each phase by itself, and all together.

use std::future::Future;
use std::time::{Duration, Instant};

use tokio::time::timeout_at;

use super::{FetchSettings, Outcome, Timeout};
use crate::clock;

/// The limits of the settings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    connect: Duration,
    tls: Duration,
    first_byte: Duration,
    idle: Duration,
    total: Duration,
}

impl Limits {
    pub(super) fn new(settings: &FetchSettings) -> Self {
        Self {
            connect: Duration::from_millis(settings.connect_timeout_ms),
            tls: Duration::from_millis(settings.tls_timeout_ms),
            first_byte: Duration::from_millis(settings.first_byte_timeout_ms),
            idle: Duration::from_millis(settings.idle_timeout_ms),
            total: Duration::from_millis(settings.total_timeout_ms),
        }
    }

    fn of(&self, phase: Timeout) -> Duration {
        match phase {
            Timeout::Connect => self.connect,
            Timeout::Tls => self.tls,
            Timeout::FirstByte => self.first_byte,
            Timeout::Idle => self.idle,
            Timeout::Total => self.total,
        }
    }
}

/// One request's patience. It begins when it is made.
#[derive(Debug)]
pub(super) struct Patience {
    limits: Limits,
    until: Instant,
}

impl Patience {
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, until: clock::instant() + limits.total }
    }

    /// What `what` gives, unless the phase or the whole takes too long.
    pub(super) async fn within<T>(
        &self,
        phase: Timeout,
        what: impl Future<Output = T>,
    ) -> Result<T, Outcome> {
        let limit = clock::instant() + self.limits.of(phase);
        let (until, phase) = if self.until < limit { (self.until, Timeout::Total) } else { (limit, phase) };
        timeout_at(until.into(), what).await.map_err(|_| Outcome::TimedOut(phase))
    }

    /// Waits for something of our own, which is nobody else's fault: it does not count.
    pub(super) async fn suspend<T>(&mut self, what: impl Future<Output = T>) -> T {
        let before = clock::instant();
        let done = what.await;
        self.until += before.elapsed();
        done
    }
}

/// As timings tell it.
pub(super) fn micros(took: Duration) -> u32 {
    u32::try_from(took.as_micros()).unwrap_or(u32::MAX)
}
