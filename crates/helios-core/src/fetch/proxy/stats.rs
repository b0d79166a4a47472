//! What each proxy did so far.

use std::sync::atomic::{AtomicU64, Ordering};

/// Filled by uses of a proxy, read by `stats`.
#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) connections: AtomicU64,
    pub(super) failures: AtomicU64,
    pub(super) requests: AtomicU64,
    pub(super) bytes: AtomicU64,
    /// Microseconds until a stream was open, all together.
    pub(super) opening_us: AtomicU64,
}

/// One proxy, for people and metrics.
#[derive(Debug, Clone, PartialEq)]
pub struct ProxyStats {
    /// Without its password.
    pub proxy: String,
    /// Streams opened through it.
    pub connections: u64,
    /// Uses that failed and were its fault.
    pub failures: u64,
    /// Answers that came through it.
    pub requests: u64,
    /// Bytes of body that came through it.
    pub bytes: u64,
    /// Milliseconds until a stream was open, on average.
    pub opening_ms: f64,
    /// It is not used until it has recovered.
    pub in_cool_down: bool,
}

impl Counters {
    pub(super) fn opened(&self, took_us: u32) {
        self.connections.fetch_add(1, Ordering::Relaxed);
        self.opening_us.fetch_add(u64::from(took_us), Ordering::Relaxed);
    }

    pub(super) fn stats(&self, proxy: String, in_cool_down: bool) -> ProxyStats {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let connections = read(&self.connections);
        ProxyStats {
            proxy,
            connections,
            failures: read(&self.failures),
            requests: read(&self.requests),
            bytes: read(&self.bytes),
            opening_ms: read(&self.opening_us) as f64 / 1_000.0 / connections.max(1) as f64,
            in_cool_down,
        }
    }
}
