//! What happened so far, kept through crashes: written with every batch.

use crate::codec::{Reader, Writer};
use crate::error::Result;

/// Each has a name in metrics; the order is that of the record on disk: only append.
macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        pub(super) struct Counters { $($(#[$doc])* pub(super) $name: u64,)* }

        impl Counters {
            pub(super) fn named(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($name), self.$name),)*]
            }

            fn places(&mut self) -> Vec<&mut u64> {
                vec![$(&mut self.$name,)*]
            }
        }
    };
}

counters! {
    /// Pages fetched (2xx): what `max_pages` limits.
    fetched,
    /// Bytes of body on the wire: what `max_bytes` limits.
    bytes,
    denied,
    retried,
    dead,
    out_of_scope,
    too_deep,
    /// Refused as traps.
    trapped,
    /// Redirects beyond `max_redirects`.
    too_many_redirects,
    /// Links offered, known ones included.
    links,
    robots_answers,
    /// URLs that wait in queues, those that are out included.
    queued,
    /// URLs that wait for a time: retries, recrawls.
    later,
    not_modified,
    recrawled,
    /// Pages that were like others of their site.
    duplicates,
    /// Visits that were never heard of again.
    lost_visits,
    /// Results that came after their visit was given up, and were dropped.
    late_results,
    /// Times that this frontier was opened.
    opened,
    /// Not covered by `include`, or covered by `exclude`.
    unwanted,
    /// Pages that were fetched again and were not as before.
    changed,
}

impl Counters {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut to = Writer::new();
        for (_, value) in self.named() {
            to.number(value);
        }
        to.done()
    }

    /// A record of an older version has fewer.
    pub(super) fn decode(bytes: &[u8]) -> Result<Self> {
        let mut counters = Self::default();
        let mut from = Reader::new(bytes);
        for place in counters.places() {
            if from.is_empty() {
                break;
            }
            *place = from.number()?;
        }
        Ok(counters)
    }
}
