//! [`Glob`]: a text in which `*` stands for any run of characters, also for none and across `/`.

/// A text with `*` in it, cut at the stars, so that matching takes each part at its first place and never goes back.
#[derive(Debug, Clone)]
pub(super) struct Glob {
    parts: Vec<Box<str>>,
}

impl Glob {
    pub(super) fn new(pattern: &str) -> Self {
        Self { parts: pattern.split('*').map(Box::from).collect() }
    }

    pub(super) fn matches(&self, text: &str) -> bool {
        let Some((first, rest)) = self.parts.split_first() else { return false };
        let Some(mut left) = text.strip_prefix(&**first) else { return false };
        let Some((last, middle)) = rest.split_last() else { return left.is_empty() };
        for part in middle {
            let Some(at) = memchr::memmem::find(left.as_bytes(), part.as_bytes()) else { return false };
            left = left.get(at + part.len()..).unwrap_or_default();
        }
        left.ends_with(&**last)
    }
}
