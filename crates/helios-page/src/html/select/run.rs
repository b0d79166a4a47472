//! One walk in the order of the page. For every element and chain it knows which beginnings of the chain end there, as bits;
//! what an element matches then depends only on its parent, the elements before it and itself.

use std::collections::HashMap;

use super::super::tag::Tag;
use super::super::tree::{NodeId, Tree};
use super::{Chain, Combinator, Nth, Output, Selector, Test};

/// What is known among the children of one element, up to the current one.
#[derive(Default)]
pub(super) struct Level {
    parent: Vec<u64>,
    above: Vec<u64>,
    before: Vec<u64>,
    earlier: Vec<u64>,
    /// Elements so far, and of each name.
    pub(super) place: u32,
    pub(super) places: HashMap<Tag, u32>,
    /// Elements in all, and of each name; only if someone counts from the end.
    pub(super) count: u32,
    pub(super) counts: HashMap<Tag, u32>,
    pub(super) counters: Vec<u32>,
}

pub(super) struct Run<'r> {
    pub(super) selector: &'r Selector,
    pub(super) tree: &'r Tree<'r>,
    pub(super) levels: Vec<Level>,
    pub(super) depth: usize,
    /// For each chain, which beginnings end at this element.
    pub(super) now: Vec<u64>,
    /// For each relation of `:has`, the nodes that have it.
    pub(super) has: Vec<Vec<bool>>,
    counts_types: bool,
    counts_ends: bool,
    counters: usize,
}

/// Calls `found` for every element that matches, once per kind of output, until it says no.
pub(super) fn walk<'s>(
    selector: &'s Selector,
    tree: &Tree<'_>,
    top: NodeId,
    found: &mut dyn FnMut(NodeId, &'s Output) -> bool,
) {
    let mut run = Run::new(selector, tree);
    run.find_relatives(top);
    run.go(top, &mut |run, id| {
        let mut told: Vec<&Output> = Vec::new();
        for (chain, output) in &selector.tops {
            let matches = run.ends(*chain) || (*output == Output::AllText && run.almost_ends(*chain));
            if matches && !told.contains(&output) {
                told.push(output);
                if !found(id, output) {
                    return false;
                }
            }
        }
        true
    });
}

impl<'r> Run<'r> {
    fn new(selector: &'r Selector, tree: &'r Tree<'_>) -> Run<'r> {
        let ends = |test: &Test| matches!(test, Test::Nth(Nth { from_end: true, .. }) | Test::OnlyOfType);
        let types = |test: &Test| matches!(test, Test::Nth(Nth { of_type: true, .. }) | Test::OnlyOfType);
        Run {
            selector,
            tree,
            levels: Vec::new(),
            depth: 0,
            now: vec![0; selector.chains.len()],
            has: Vec::new(),
            counts_types: selector.tests().any(types),
            counts_ends: selector.tests().any(ends),
            counters: selector.counters(),
        }
    }

    /// Does the whole chain match the current element?
    pub(super) fn ends(&self, chain: usize) -> bool {
        let last = self.selector.chains.get(chain).map_or(0, |chain| chain.links.len().saturating_sub(1));
        self.now.get(chain).is_some_and(|bits| bits >> last & 1 == 1)
    }

    /// Does the chain without its last link match the current element?
    fn almost_ends(&self, chain: usize) -> bool {
        let last = self.selector.chains.get(chain).map_or(0, |chain| chain.links.len().saturating_sub(1));
        last > 0 && self.now.get(chain).is_some_and(|bits| bits >> (last - 1) & 1 == 1)
    }

    fn go(&mut self, top: NodeId, visit: &mut dyn FnMut(&Run<'_>, NodeId) -> bool) {
        let Some(mut id) = self.tree.first_child(top) else { return };
        self.depth = 0;
        self.now.fill(0);
        self.enter(top);
        loop {
            let tag = self.tree.tag(id);
            if tag.is_element() {
                self.element(id, tag);
                if !visit(self, id) {
                    return;
                }
                if let Some(child) = self.tree.first_child(id).filter(|_| !self.tree.is_inert(id)) {
                    self.depth += 1;
                    self.enter(id);
                    id = child;
                    continue;
                }
            }
            loop {
                if let Some(next) = self.tree.next_sibling(id) {
                    id = next;
                    break;
                }
                let Some(parent) = self.tree.parent(id).filter(|&parent| parent != top) else { return };
                id = parent;
                self.depth -= 1;
            }
        }
    }

    /// Makes the level of the children of a node ready; `now` is still about that node.
    fn enter(&mut self, parent: NodeId) {
        let chains = self.now.len();
        let mut level = if self.depth < self.levels.len() {
            self.levels.get_mut(self.depth).map(std::mem::take).unwrap_or_default()
        } else {
            self.levels.push(Level::default());
            Level::default()
        };
        level.parent.clone_from(&self.now);
        level.above.clone_from(&self.now);
        if let Some(outer) = self.depth.checked_sub(1).and_then(|depth| self.levels.get(depth)) {
            level.above.iter_mut().zip(&outer.above).for_each(|(bits, more)| *bits |= more);
        }
        for list in [&mut level.before, &mut level.earlier] {
            list.clear();
            list.resize(chains, 0);
        }
        (level.place, level.count) = (0, 0);
        level.places.clear();
        level.counts.clear();
        level.counters.clear();
        level.counters.resize(self.counters, 0);
        if self.counts_ends {
            for tag in
                self.tree.children(parent).map(|child| self.tree.tag(child)).filter(|tag| tag.is_element())
            {
                level.count += 1;
                *level.counts.entry(tag).or_default() += 1;
            }
        }
        if let Some(place) = self.levels.get_mut(self.depth) {
            *place = level;
        }
    }

    fn element(&mut self, id: NodeId, tag: Tag) {
        let Some(mut level) = self.levels.get_mut(self.depth).map(std::mem::take) else { return };
        level.place += 1;
        if self.counts_types {
            *level.places.entry(tag).or_default() += 1;
        }
        let selector = self.selector;
        for (number, chain) in selector.chains.iter().enumerate() {
            if self.counters > 0 {
                self.count(chain, &mut level);
            }
            let at = |list: &[u64]| list.get(number).copied().unwrap_or_default();
            let (parent, above) = (at(&level.parent), at(&level.above));
            let (before, earlier) = (at(&level.before), at(&level.earlier));
            let mut bits = 0;
            for (position, (combinator, compound)) in chain.links.iter().enumerate() {
                let reachable = match (position, combinator) {
                    (0, _) => true,
                    (_, Combinator::Descendant) => above >> (position - 1) & 1 == 1,
                    (_, Combinator::Child) => parent >> (position - 1) & 1 == 1,
                    (_, Combinator::Next) => before >> (position - 1) & 1 == 1,
                    (_, Combinator::Later) => earlier >> (position - 1) & 1 == 1,
                };
                if reachable && self.is(id, tag, compound, &level) {
                    bits |= 1 << position;
                }
            }
            if let Some(now) = self.now.get_mut(number) {
                *now = bits;
            }
        }
        level.before.clone_from(&self.now);
        level.earlier.iter_mut().zip(&self.now).for_each(|(bits, more)| *bits |= more);
        if let Some(place) = self.levels.get_mut(self.depth) {
            *place = level;
        }
    }

    /// Counts the element for `of S`, whose chains have been asked already.
    fn count(&self, chain: &Chain, level: &mut Level) {
        for test in chain.links.iter().flat_map(|(_, compound)| &compound.tests) {
            if let Test::Nth(Nth { of: Some((counter, chains)), .. }) = test
                && chains.iter().any(|&chain| self.ends(chain))
                && let Some(place) = level.counters.get_mut(*counter)
            {
                *place += 1;
            }
        }
    }

    /// Finds what `:has` asks for, before the walk that needs it.
    fn find_relatives(&mut self, top: NodeId) {
        let selector = self.selector;
        if selector.relatives.is_empty() {
            return;
        }
        let mut has = vec![vec![false; self.tree.len()]; selector.relatives.len()];
        self.has.clone_from(&has);
        self.go(top, &mut |run, id| {
            for (relative, marks) in selector.relatives.iter().zip(&mut has) {
                if run.ends(relative.chain) {
                    mark(run.tree, id, relative.combinator, marks);
                }
            }
            true
        });
        self.has = has;
    }
}

/// Marks every element that has `id` in this relation; stops where another has marked the rest.
fn mark(tree: &Tree<'_>, id: NodeId, combinator: Combinator, marks: &mut [bool]) {
    let elements_before = std::iter::successors(tree.prev_sibling(id), |&at| tree.prev_sibling(at))
        .filter(|&at| tree.is_element(at));
    let mut set =
        |at: NodeId| marks.get_mut(at.0 as usize).is_some_and(|mark| !std::mem::replace(mark, true));
    match combinator {
        Combinator::Descendant => {
            tree.ancestors(id).all(&mut set);
        }
        Combinator::Child => {
            tree.parent(id).map(set);
        }
        Combinator::Next => {
            elements_before.take(1).for_each(|at| {
                set(at);
            });
        }
        Combinator::Later => {
            let mut elements_before = elements_before;
            elements_before.all(&mut set);
        }
    }
}
