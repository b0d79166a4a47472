//! RFC 9309 §2.2.2 as one would write it down: every rule is tried, every star by trying all lengths. Slow, and plain to read.

/// Does any way to fill the stars make `pattern` a prefix of `path`, or all of it if the pattern ends with `$`?
pub(crate) fn fits(pattern: &[u8], path: &[u8]) -> bool {
    match pattern {
        [] => true,
        [b'$'] => path.is_empty(),
        [b'*', rest @ ..] => (0..=path.len()).any(|skipped| fits(rest, &path[skipped..])),
        [byte, rest @ ..] => path.first() == Some(byte) && fits(rest, &path[1..]),
    }
}

/// Rules are (allow, pattern), written with nothing to escape. The longest that fits decides, allow on a tie.
pub(crate) fn allows(rules: &[(bool, String)], path: &str) -> bool {
    path == "/robots.txt"
        || rules
            .iter()
            .filter(|(_, pattern)| !pattern.is_empty() && fits(pattern.as_bytes(), path.as_bytes()))
            .max_by_key(|(allow, pattern)| (pattern.len(), *allow))
            .is_none_or(|(allow, _)| *allow)
}
