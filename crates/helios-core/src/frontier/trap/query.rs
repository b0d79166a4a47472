//! The parameters of a query, read once.

use super::dates::{self, Date};
use super::sessions;

#[derive(Default)]
pub(super) struct Parameters<'u> {
    pub(super) count: usize,
    /// Those that can make another page: no trackers.
    pub(super) telling: usize,
    /// The name of the one that holds a session id.
    pub(super) session: Option<&'u [u8]>,
    pub(super) date: Option<Date>,
}

impl<'u> Parameters<'u> {
    pub(super) fn of(query: &'u str) -> Self {
        let mut all = Self::default();
        if query.is_empty() {
            return all;
        }
        let mut parts = dates::Parts::default();
        for parameter in query.as_bytes().split(|&byte| byte == b'&') {
            let (name, value) = split_once(parameter, b'=');
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
pub(super) fn is_telling(name: &[u8]) -> bool {
    !name.is_empty() && !name.starts_with(b"utm_")
}

/// `name=value`; without the sign, all of it is the name.
pub(super) fn split_once(text: &[u8], sign: u8) -> (&[u8], &[u8]) {
    let at = memchr::memchr(sign, text).unwrap_or(text.len());
    (text.get(..at).unwrap_or_default(), text.get(at + 1..).unwrap_or_default())
}
