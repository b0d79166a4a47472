//! [`RuleSet`]: which of many rules decides about a path (RFC 9309 §2.2.2).

use super::index::Index;
use super::pattern::{matches, push_pattern};

/// With fewer rules than this, looking at each of them is fast, and an index would only take room.
const FEW: u32 = 9;

/// An allow or disallow line as it stands in the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct RuleLine<'a> {
    pub(super) allow: bool,
    pub(super) value: &'a [u8],
    /// As if a `$` followed.
    pub(super) exact: bool,
}

/// Rules in order of rank: a longer pattern is more specific, and of two as long as each other the one that allows wins. So
/// of all rules that match, the last one decides.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RuleSet {
    patterns: Patterns,
    index: Option<Box<Index>>,
}

/// The normal patterns in one piece of memory, named by their rank.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Patterns {
    text: Box<[u8]>,
    /// Where each pattern ends, times two, plus one if it allows.
    ends: Box<[u32]>,
}

impl RuleSet {
    /// Nothing if no line says anything: an empty value is no rule (RFC 9309 §2.2.2).
    pub(super) fn new(lines: &[RuleLine<'_>]) -> Option<Self> {
        let patterns = Patterns::new(lines);
        if patterns.len() == 0 {
            return None;
        }
        let index = (patterns.len() >= FEW).then(|| Box::new(Index::new(&patterns)));
        Some(Self { patterns, index })
    }

    /// The rank of the rule that decides about this normal path.
    pub(super) fn deciding(&self, path: &[u8]) -> Option<u32> {
        match &self.index {
            Some(index) => index.last_match(&self.patterns, path),
            None => (0..self.patterns.len()).rev().find(|&rank| matches(self.patterns.get(rank), path)),
        }
    }

    pub(super) fn allows(&self, rank: u32) -> bool {
        self.patterns.allows(rank)
    }

    /// As people read it: `disallow: /x`.
    pub(super) fn text(&self, rank: u32) -> String {
        let verb = if self.allows(rank) { "allow" } else { "disallow" };
        format!("{verb}: {}", String::from_utf8_lossy(self.patterns.get(rank)))
    }

    pub(super) fn len(&self) -> usize {
        self.patterns.len() as usize
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let index = self.index.as_ref().map_or(0, |index| size_of::<Index>() + index.heap_bytes());
        self.patterns.text.len() + size_of_val(&*self.patterns.ends) + index
    }
}

impl Patterns {
    fn new(lines: &[RuleLine<'_>]) -> Self {
        let mut text = Vec::new();
        // Length, verdict and place in one number each, which sorts fast.
        let mut spans = Vec::with_capacity(lines.len());
        for line in lines.iter().filter(|line| !line.value.is_empty()) {
            let start = text.len();
            push_pattern(&mut text, line.value);
            text.extend(line.exact.then_some(b'$'));
            spans.push((((text.len() - start) << 1 | usize::from(line.allow)) as u64) << 32 | start as u64);
        }
        spans.sort_unstable();
        let mut sorted = Vec::with_capacity(text.len());
        let mut ends = Vec::with_capacity(spans.len());
        for span in spans {
            let (length, allow, start) =
                ((span >> 33) as usize, (span >> 32) as u32 & 1, span as u32 as usize);
            sorted.extend_from_slice(text.get(start..start + length).unwrap_or_default());
            ends.push((sorted.len() as u32) << 1 | allow);
        }
        Self { text: sorted.into(), ends: ends.into() }
    }

    pub(super) fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    pub(super) fn get(&self, rank: u32) -> &[u8] {
        let (start, end) = (self.start(rank), self.start(rank + 1));
        self.part(start, end - start)
    }

    pub(super) fn part(&self, start: u32, length: u32) -> &[u8] {
        self.text.get(start as usize..(start + length) as usize).unwrap_or_default()
    }

    /// Each begins where the one before ends.
    pub(super) fn start(&self, rank: u32) -> u32 {
        let before = rank.checked_sub(1).and_then(|before| self.ends.get(before as usize));
        before.map_or(0, |end| end >> 1)
    }

    fn allows(&self, rank: u32) -> bool {
        self.ends.get(rank as usize).is_some_and(|end| end & 1 == 1)
    }
}
