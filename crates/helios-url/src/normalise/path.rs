//! Session ids in paths.

use std::borrow::Cow;

use super::escapes;
use crate::canonicaliser::Canonicaliser;

pub(super) fn normal<'p>(by: &Canonicaliser, path: &'p str) -> Cow<'p, str> {
    let path = if by.rules.escapes { escapes::normal(path) } else { Cow::Borrowed(path) };
    if memchr::memchr2(b';', b'(', path.as_bytes()).is_none() {
        return path;
    }
    if !path.split('/').any(|segment| without_sessions(by, segment) != Some(Cow::Borrowed(segment))) {
        return path;
    }
    let mut normal = String::with_capacity(path.len());
    for segment in path.split('/').skip(1) {
        if let Some(segment) = without_sessions(by, segment) {
            normal.push('/');
            normal.push_str(&segment);
        }
    }
    if normal.is_empty() {
        normal.push('/');
    }
    Cow::Owned(normal)
}

/// Nothing where the whole segment is a session.
fn without_sessions<'s>(by: &Canonicaliser, segment: &'s str) -> Option<Cow<'s, str>> {
    if by.rules.session_folders && is_session_folder(segment) {
        return None;
    }
    let mut parameters = segment.split(';');
    let name = parameters.next().unwrap_or_default();
    if !parameters.clone().any(|parameter| by.names.drops_from_path(parameter)) {
        return Some(Cow::Borrowed(segment));
    }
    let mut kept = name.to_owned();
    for parameter in parameters.filter(|parameter| !by.names.drops_from_path(parameter)) {
        kept.push(';');
        kept.push_str(parameter);
    }
    if by.rules.session_folders && is_session_folder(&kept) {
        return None;
    }
    // It would be a dot segment when read again.
    let dots = kept.len() <= 6 && !kept.is_empty() && kept.bytes().all(|byte| b".%2eE".contains(&byte));
    Some(if dots { Cow::Borrowed(segment) } else { Cow::Owned(kept) })
}

/// ASP.NET without cookies: `(S(lit3py55t21z5v55vlm25s55))`, or several such in one pair of parentheses.
fn is_session_folder(segment: &str) -> bool {
    let Some(inner) = segment.strip_prefix('(').and_then(|rest| rest.strip_suffix("))")) else {
        return false;
    };
    inner.split(')').all(|part| {
        let (letter, id) = part.split_once('(').unwrap_or_default();
        letter.len() == 1
            && id.len() >= 20
            && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    })
}
