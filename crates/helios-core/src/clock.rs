//! The only place that knows what time it is. Everything else is told.

use std::time::Duration;

/// A moment: milliseconds since 1970. Stored, compared and handed over the border as such.
pub type Millis = u64;

/// Now, for shells that must stamp what happened (the fetcher). Decisions take `now` as an argument instead.
#[allow(clippy::disallowed_methods, reason = "this is the door through which time comes in")]
pub fn now() -> Millis {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |since| since.as_millis() as Millis)
}

/// Waits, for shells that pace what they do.
#[allow(clippy::disallowed_methods, reason = "this is the door through which waiting comes in")]
pub async fn sleep(duration: Duration) {
    tokio::time::sleep(duration).await;
}
