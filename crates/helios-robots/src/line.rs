//! One line of a robots.txt → what it says (RFC 9309 §2.2).

/// What a line is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    Agent,
    Allow,
    Disallow,
    CrawlDelay,
    Sitemap,
}

/// Names of lines, also as they are often misspelt (docs/robots.md).
const NAMES: [(&[u8], Key); 15] = [
    (b"disallow", Key::Disallow),
    (b"allow", Key::Allow),
    (b"user-agent", Key::Agent),
    (b"sitemap", Key::Sitemap),
    (b"crawl-delay", Key::CrawlDelay),
    (b"useragent", Key::Agent),
    (b"user agent", Key::Agent),
    (b"dissallow", Key::Disallow),
    (b"dissalow", Key::Disallow),
    (b"disalow", Key::Disallow),
    (b"diasllow", Key::Disallow),
    (b"disallaw", Key::Disallow),
    (b"site-map", Key::Sitemap),
    (b"crawl delay", Key::CrawlDelay),
    (b"crawldelay", Key::CrawlDelay),
];

/// `name : value # comment`; a forgotten colon is forgiven.
pub(super) fn read(line: &[u8]) -> Option<(Key, &[u8])> {
    let line = trim(line);
    if !matches!(line.first()?.to_ascii_lowercase(), b'd' | b'a' | b'u' | b's' | b'c') {
        return None;
    }
    let (after, key) = NAMES.iter().find_map(|(name, key)| {
        let (start, after) = line.split_at_checked(name.len())?;
        start.eq_ignore_ascii_case(name).then_some((after, *key))
    })?;
    let spaced = trim(after);
    let value = match spaced.strip_prefix(b":") {
        Some(value) => value,
        None if spaced.len() < after.len() => spaced,
        None => return None,
    };
    let value = memchr::memchr(b'#', value).and_then(|at| value.get(..at)).unwrap_or(value);
    Some((key, trim(value)))
}

/// Without blanks and control characters at both ends: hosts write all of them.
pub(super) fn trim(text: &[u8]) -> &[u8] {
    let Some(start) = text.iter().position(|&byte| byte > b' ') else { return &[] };
    let end = text.iter().rposition(|&byte| byte > b' ').map_or(0, |at| at + 1);
    text.get(start..end).unwrap_or_default()
}

/// The text's lines, however they end; the empty ones between CR and LF as well.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let left = rest?;
        let (line, after) = match memchr::memchr2(b'\n', b'\r', left) {
            Some(at) => (left.get(..at)?, left.get(at + 1..)),
            None => (left, None),
        };
        rest = after;
        Some(line)
    })
}
