//! The one place of this crate that reads clocks, waits and starts tasks: the server is a shell around the pure model.

#![allow(
    clippy::disallowed_methods,
    reason = "the shell: time and tasks come in through here and nowhere else"
)]

use std::future::Future;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::task::JoinHandle;

/// Time since this web began.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock(Instant);

impl Clock {
    pub(super) fn start() -> Self {
        Self(Instant::now())
    }

    pub(super) fn now(self) -> Duration {
        self.0.elapsed()
    }
}

/// Time of day, for Retry-After as a date and for the settings of a new web.
pub(super) fn unix_time() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

pub(super) fn sleep(time: Duration) -> tokio::time::Sleep {
    tokio::time::sleep(time)
}

/// On the runtime that `serve` was called in.
pub(super) fn spawn(task: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
    tokio::spawn(task)
}

/// Long work (a judgement) off the threads that answer. None: it panicked.
pub(super) async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    tokio::task::spawn_blocking(work).await.ok()
}
