//! URLs as text: which ones are links, and lists with one on each line.

use std::ops::ControlFlow;

use super::Entry;

/// A location that a crawler can use: absolute, or relative to the host. None for what is no link at all.
pub(super) fn usable(text: &str) -> Option<String> {
    let text = text.trim();
    (absolute(text).or_else(|| text.starts_with('/').then(|| text.to_owned())))
        .filter(|url| !url.contains(['\n', '<', ' ']))
}

/// A URL with a host. `www.` was written by somebody who meant `http://www.`.
fn absolute(text: &str) -> Option<String> {
    let starts = |with: &str| text.get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with));
    if starts("http://") || starts("https://") {
        return Some(text.to_owned());
    }
    starts("www.").then(|| format!("http://{text}"))
}

/// Hands out the lines that are URLs; the number of others that are not empty.
pub(super) fn lines(text: &str, mut each: impl FnMut(Entry) -> ControlFlow<()>) -> usize {
    let mut others = 0;
    for line in text.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty()) {
        let Some(loc) = absolute(line).filter(|url| !url.contains(char::is_whitespace)) else {
            others += 1;
            continue;
        };
        if each(Entry { loc, ..Entry::default() }).is_break() {
            break;
        }
    }
    others
}
