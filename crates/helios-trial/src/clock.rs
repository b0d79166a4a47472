//! Two clocks. True time: microseconds since the web began, which the server's log is written in. Wall time: what the
//! process believes, in milliseconds since 1970; it may jump when the process starts again.

use std::time::Duration;

/// True time in microseconds.
pub(crate) type Micros = u64;

/// Wall time when the web began, with a clock that is right: 2026-01-01, which is also when the synthetic web begins.
const EPOCH_MS: u64 = 1_767_225_600_000;

pub(crate) const SECOND: Micros = 1_000_000;
pub(crate) const MINUTE: Micros = 60 * SECOND;
pub(crate) const HOUR: Micros = 60 * MINUTE;

/// The clock of one process.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Wall {
    /// How far it is ahead, in milliseconds.
    pub(crate) ahead_ms: i64,
}

impl Wall {
    /// Rounded down, as a clock that counts whole milliseconds.
    pub(crate) fn at(self, now: Micros) -> u64 {
        (EPOCH_MS + now / 1_000).saturating_add_signed(self.ahead_ms)
    }

    /// When this clock will show `wall`, at the earliest.
    pub(crate) fn when(self, wall: u64) -> Micros {
        wall.saturating_add_signed(-self.ahead_ms).saturating_sub(EPOCH_MS).saturating_mul(1_000)
    }
}

pub(crate) fn duration(at: Micros) -> Duration {
    Duration::from_micros(at)
}
