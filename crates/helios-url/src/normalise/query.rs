//! Queries: parameters that say nothing about the page, and their order.

use std::borrow::Cow;

use super::escapes;
use crate::canonicaliser::Canonicaliser;

/// Nothing where no query is left.
pub(super) fn normal<'q>(by: &Canonicaliser, query: &'q str) -> Option<Cow<'q, str>> {
    let query = if by.rules.escapes { escapes::normal(query) } else { Cow::Borrowed(query) };
    let drops = |parameter: &&str| by.names.drops_from_query(parameter);
    if query.is_empty() {
        return (!by.rules.empty_query).then_some(query);
    }
    if !by.rules.sort_query && !query.split('&').any(|parameter| drops(&parameter)) {
        return Some(query);
    }
    let mut kept: Vec<&str> = query.split('&').filter(|parameter| !drops(parameter)).collect();
    if by.rules.sort_query {
        kept.retain(|parameter| !parameter.is_empty());
        kept.sort_by_key(|parameter| parameter.split('=').next().unwrap_or_default());
    }
    let normal = kept.join("&");
    (!normal.is_empty()).then_some(Cow::Owned(normal))
}
