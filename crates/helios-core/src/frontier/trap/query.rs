//! The parameters of a query, read once.

use super::dates::{self, Date};
use super::sessions;

#[derive(Default)]
pub(super) struct Parameters<'u> {
    pub(super) count: usize,
    /// Those that can make another page: no trackers.
    pub(super) telling: usize,
    /// The name of the one that holds a session id.
    pub(super) session: Option<&'u str>,
    pub(super) date: Option<Date>,
}

impl<'u> Parameters<'u> {
    pub(super) fn of(query: &'u str) -> Self {
        let mut all = Self::default();
        if query.is_empty() {
            return all;
        }
        let mut parts = dates::Parts::default();
        for parameter in query.split('&') {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            all.count += 1;
            all.telling += usize::from(is_telling(name));
            if sessions::is_session(name, value) {
                all.session = Some(name);
            }
            parts.take(name, value);
        }
        all.date = parts.date();
        all
    }
}

/// Says something about the page: not empty, not a tracker that a link carries for the statistics of its site.
pub(super) fn is_telling(name: &str) -> bool {
    !name.is_empty() && !name.starts_with("utm_")
}
