//! What a crawl knows beyond the standard: spellings that servers do not tell apart, and parameters that say who came and not what
//! is wanted. docs/urls.md explains each rule.

mod escapes;
mod names;
mod path;
mod query;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::canonicaliser::Canonicaliser;
use crate::url::Url;
pub(crate) use names::Names;

/// Settings `[urls]`. They cannot change once a crawl has begun: known pages would be new.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[allow(clippy::struct_excessive_bools, reason = "switches that have nothing to do with each other")]
pub struct Normalise {
    /// `%7e` → `~`, `%c3` → `%C3` (RFC 3986 §6.2.2).
    pub escapes: bool,
    /// `/a?` → `/a`.
    pub empty_query: bool,
    /// `?b=1&a=2` → `?a=2&b=1`. Off: some servers read parameters in order.
    pub sort_query: bool,
    /// Parameters that are taken out of the query, whatever they hold; `utm_*` stands for all that begin so.
    pub tracking: Vec<String>,
    /// Parameters that are taken out of query and path where their value is 8 bytes long or more.
    pub sessions: Vec<String>,
    /// The same, but only where the value looks random: these also name sections, stories and seasons.
    pub doubtful_sessions: Vec<String>,
    /// `/(S(lit3py55t21z5v55vlm25s55))/page.aspx` → `/page.aspx`.
    pub session_folders: bool,
}

impl Default for Normalise {
    fn default() -> Self {
        let list = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Self {
            escapes: true,
            empty_query: true,
            sort_query: false,
            tracking: list(names::TRACKING),
            sessions: list(names::SESSIONS),
            doubtful_sessions: list(names::DOUBTFUL),
            session_folders: true,
        }
    }
}

impl Normalise {
    /// Nothing but the standard, and no fragment.
    pub fn nothing() -> Self {
        Self {
            escapes: false,
            empty_query: false,
            sort_query: false,
            tracking: Vec::new(),
            sessions: Vec::new(),
            doubtful_sessions: Vec::new(),
            session_folders: false,
        }
    }
}

/// Writes the normal form into `out`, unless the URL without its fragment is that already.
pub(crate) fn push_normal(by: &Canonicaliser, url: &Url, out: &mut String) -> bool {
    let path = path::normal(by, url.path());
    let query = url.query().map(|query| query::normal(by, query));
    let same_query = matches!(&query, None | Some(Some(Cow::Borrowed(_))));
    if same_query && matches!(path, Cow::Borrowed(_)) {
        return false;
    }
    out.reserve(url.text.len());
    out.push_str(url.text.get(..url.marks.path).unwrap_or_default());
    out.push_str(&path);
    if let Some(query) = query.flatten() {
        out.push('?');
        out.push_str(&query);
    }
    true
}
