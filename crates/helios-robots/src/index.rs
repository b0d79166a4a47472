//! [`Index`]: the rules that could match a path, without a look at all of them.
//!
//! Rules without a wildcard inside are *literals*: sorted, each linked to the longest other one that it begins with. Those
//! that match a path are the chain above the last literal that sorts before it, and each knows the best of its chain.
//! The others are found by a *gram* of theirs (see `grams`).

use super::grams::Grams;
use super::matcher::Patterns;
use super::pattern::anchor;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Index {
    /// Sorted by their text.
    literals: Box<[Literal]>,
    wild: Option<Grams>,
}

/// Ranks and places count from one; zero is none.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Literal {
    /// Its text, as part of a pattern's.
    start: u32,
    length: u32,
    /// The place of the longest other literal that this one begins with.
    above: u32,
    /// The highest rank here and above.
    best: u32,
    /// The rule that matches only a path which ends here.
    exact: u32,
}

impl Index {
    pub(super) fn new(patterns: &Patterns) -> Self {
        let (mut literal, mut wild) = (Vec::new(), Vec::new());
        for rank in 0..patterns.len() {
            match literal_of(patterns.get(rank)) {
                Some(text) => literal.push((first_octets(text), text, rank)),
                None => wild.push(rank),
            }
        }
        literal.sort_unstable();
        Self { literals: chain(patterns, &literal), wild: Grams::new(patterns, &wild) }
    }

    /// The highest rank that matches.
    pub(super) fn last_match(&self, patterns: &Patterns, path: &[u8]) -> Option<u32> {
        let best = self.best_literal(patterns, path);
        let best = self.wild.as_ref().map_or(best, |wild| wild.better(patterns, path, best));
        best.checked_sub(1)
    }

    /// Counts from one. All texts between a literal and a path that begins with it begin with it, too: so it is above the last
    /// text that sorts before the path.
    fn best_literal(&self, patterns: &Patterns, path: &[u8]) -> u32 {
        let mut place = self.literals.partition_point(|literal| literal.text(patterns) <= path);
        let Some(nearest) = self.at(place) else { return 0 };
        let shared = nearest.text(patterns).iter().zip(path).take_while(|(one, other)| one == other).count();
        while let Some(literal) = self.at(place) {
            let length = literal.length as usize;
            if length <= shared {
                return if length == path.len() { literal.best.max(literal.exact) } else { literal.best };
            }
            place = literal.above as usize;
        }
        0
    }

    fn at(&self, place: usize) -> Option<&Literal> {
        self.literals.get(place.checked_sub(1)?)
    }

    pub(super) fn heap_bytes(&self) -> usize {
        size_of_val(&*self.literals) + self.wild.as_ref().map_or(0, Grams::heap_bytes)
    }
}

impl Literal {
    fn text<'a>(&self, patterns: &'a Patterns) -> &'a [u8] {
        patterns.part(self.start, self.length)
    }
}

/// What the path has to begin with, if that is all that the pattern asks; or, after a `$`, what it has to be. Stars at the end
/// change nothing but the rank.
fn literal_of(pattern: &[u8]) -> Option<&[u8]> {
    let (mut body, _) = anchor(pattern);
    while let Some(shorter) = body.strip_suffix(b"*") {
        body = shorter;
    }
    memchr::memchr(b'*', body).is_none().then_some(body)
}

/// As a number that sorts like them: most texts can be told apart without a look at the rest.
fn first_octets(text: &[u8]) -> u128 {
    let mut octets = [0; 16];
    octets.iter_mut().zip(text).for_each(|(octet, byte)| *octet = *byte);
    u128::from_be_bytes(octets)
}

fn is_exact(pattern: &[u8]) -> bool {
    let (body, anchored) = anchor(pattern);
    anchored && body.last() != Some(&b'*')
}

/// Links sorted literals; those with the same text become one.
fn chain(patterns: &Patterns, sorted: &[(u128, &[u8], u32)]) -> Box<[Literal]> {
    let mut literals: Vec<Literal> = Vec::with_capacity(sorted.len());
    let mut above: Vec<(&[u8], u32)> = Vec::new();
    for &(_, text, rank) in sorted {
        while above.pop_if(|(outer, _)| !text.starts_with(outer)).is_some() {}
        let outer = above.last().map_or(0, |outer| outer.1);
        if above.last().is_none_or(|outer| outer.0 != text) {
            let best = literals.get((outer as usize).wrapping_sub(1)).map_or(0, |literal| literal.best);
            let (start, length) = (patterns.start(rank), text.len() as u32);
            literals.push(Literal { start, length, above: outer, best, exact: 0 });
            above.push((text, literals.len() as u32));
        }
        if let Some(literal) = literals.last_mut() {
            let slot = if is_exact(patterns.get(rank)) { &mut literal.exact } else { &mut literal.best };
            *slot = (rank + 1).max(*slot);
        }
    }
    literals.into()
}
