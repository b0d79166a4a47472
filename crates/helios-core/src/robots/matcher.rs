//! One rule against one path: prefix match with `*` and a final `$`, octet by octet after percent-normalisation (RFC 9309 §2.2.2, §2.2.3).

/// An allow or disallow line, cut at its wildcards so that matching never backtracks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rule {
    allow: bool,
    text: String,
    /// The normalised pattern between wildcards; the first one is anchored at the start of the path.
    parts: Vec<Vec<u8>>,
    /// The pattern ended with `$`: its last part is anchored at the end of the path.
    anchored: bool,
    specificity: usize,
}

impl Rule {
    /// An empty value is no rule (RFC 9309 §2.2.2).
    pub(super) fn new(value: &[u8], allow: bool) -> Option<Self> {
        if value.is_empty() {
            return None;
        }
        let (body, anchored) = value.strip_suffix(b"$").map_or((value, false), |body| (body, true));
        let parts: Vec<Vec<u8>> = body.split(|&byte| byte == b'*').map(normalise).collect();
        let verb = if allow { "allow" } else { "disallow" };
        Some(Self {
            allow,
            text: format!("{verb}: {}", String::from_utf8_lossy(value)),
            specificity: parts.iter().map(Vec::len).sum::<usize>() + parts.len() - 1 + usize::from(anchored),
            parts,
            anchored,
        })
    }

    pub(super) fn allows(&self) -> bool {
        self.allow
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn specificity(&self) -> usize {
        self.specificity
    }

    /// `path` is normalised. Each part is taken at its first place after the one before, which is enough for a prefix
    /// match; only an anchored last part must stand at the very end.
    pub(super) fn matches(&self, path: &[u8]) -> bool {
        let Some((first, rest)) = self.parts.split_first() else { return false };
        let Some(mut left) = path.strip_prefix(first.as_slice()) else { return false };
        let Some((last, middle)) = rest.split_last() else {
            return !self.anchored || left.is_empty();
        };
        for part in middle {
            let Some(at) = memchr::memmem::find(left, part) else { return false };
            left = left.get(at + part.len()..).unwrap_or_default();
        }
        if self.anchored { left.ends_with(last) } else { memchr::memmem::find(left, last).is_some() }
    }
}

/// Escapes compare equal to what they stand for: unreserved characters are written plainly, all else outside printable
/// ASCII as upper-case `%XX`.
pub(super) fn normalise(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        let escaped = (byte == b'%').then(|| hex_pair(after)).flatten();
        match escaped {
            Some(value) => {
                rest = after.get(2..).unwrap_or_default();
                if value.is_ascii_alphanumeric() || matches!(value, b'-' | b'.' | b'_' | b'~') {
                    out.push(value);
                } else {
                    push_escape(&mut out, value);
                }
            }
            None if byte.is_ascii_graphic() => out.push(byte),
            None => push_escape(&mut out, byte),
        }
    }
    out
}

fn hex_pair(bytes: &[u8]) -> Option<u8> {
    let digit = |at: usize| bytes.get(at).and_then(|&byte| char::from(byte).to_digit(16));
    Some((digit(0)? * 16 + digit(1)?) as u8)
}

fn push_escape(out: &mut Vec<u8>, byte: u8) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    out.push(b'%');
    out.extend([byte >> 4, byte & 15].iter().filter_map(|&nibble| HEX.get(usize::from(nibble))));
}
