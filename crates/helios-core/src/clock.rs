//! The only place that knows what time it is. Everything else is told.

use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A moment: milliseconds since 1970. Stored, compared and handed over the border as such.
pub type Millis = u64;

/// What the two clocks of the machine said when we first looked.
static ANCHOR: OnceLock<(Millis, Instant)> = OnceLock::new();

/// Now. The time of day is read once and then runs on by the monotonic clock, so that setting the clock of the machine
/// neither shortens nor stretches a delay. Python's clock asks here, too: there is one time.
pub fn now() -> Millis {
    at(instant())
}

/// What [`now`] was or will be at a moment of the monotonic clock.
#[allow(clippy::disallowed_methods, reason = "this is the door through which time comes in")]
pub fn at(moment: Instant) -> Millis {
    let (epoch, instant) = ANCHOR.get_or_init(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        (since.as_millis() as Millis, Instant::now())
    });
    epoch + moment.saturating_duration_since(*instant).as_millis() as Millis
}

/// The monotonic clock itself, for what is timed or must end in time.
#[allow(clippy::disallowed_methods, reason = "this is the door through which time comes in")]
pub fn instant() -> Instant {
    Instant::now()
}

/// Waits, for shells that pace what they do.
#[allow(clippy::disallowed_methods, reason = "this is the door through which waiting comes in")]
pub async fn sleep(duration: Duration) {
    tokio::time::sleep(duration).await;
}

/// The same, to be put off or polled.
#[allow(clippy::disallowed_methods, reason = "this is the door through which waiting comes in")]
pub fn sleep_until(deadline: tokio::time::Instant) -> tokio::time::Sleep {
    tokio::time::sleep_until(deadline)
}
