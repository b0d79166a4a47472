//! The learned part: what names on elements are worth, and a forest of decision trees. `tools/content_model` makes the file.
//!
//! The file, little-endian: the mark, then the counts of names, trees, nodes and leaves of each forest; names as sorted hashes
//! and their worth in 1/100; of each tree where its nodes and leaves begin; of each node the number it asks for, the bound, and where to go
//! for "at most" and for "more" (below zero: leaf `-1 - n` of the tree).

use std::sync::LazyLock;

use super::outline::{Namer, Worth};

static FILE: &[u8] = include_bytes!("model.bin");
static MODEL: LazyLock<Model> = LazyLock::new(|| Model::read(FILE).unwrap_or_default());

const MARK: u32 = 0x4c45_4448;

/// A question, or a leaf: a question that leads to itself whatever the answer.
#[derive(Clone, Copy, Default, Debug)]
struct Node {
    bound: f32,
    asks: u16,
    most: u16,
    more: u16,
}

/// Trees that are walked side by side: one chain of loads hides the wait of the others.
const ABREAST: usize = 8;

/// Decision trees whose leaves are summed.
#[derive(Default, Debug)]
pub(super) struct Forest {
    /// Where trees begin, the shallow ones first, and the depth of the deepest of each group of `ABREAST`.
    trees: Vec<u32>,
    depths: Vec<u32>,
    nodes: Vec<Node>,
    /// What each node adds when the walk ends at it.
    values: Vec<f32>,
}

#[derive(Default, Debug)]
pub(super) struct Model {
    names: Vec<u32>,
    worth: Vec<i8>,
    pub(super) block: Forest,
    pub(super) context: Forest,
    pub(super) kinds: Vec<Forest>,
}

pub(super) fn model() -> &'static Model {
    &MODEL
}

struct Reader<'f>(&'f [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*taken)
    }

    fn number(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn many<T>(&mut self, count: u32, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        (0..count).map(|_| one(self)).collect()
    }

    fn forest(&mut self) -> Option<Forest> {
        let (trees, nodes, leaves) = (self.number()?, self.number()?, self.number()?);
        let trees = self.many(trees, |file| Some((file.number()?, file.number()?)))?;
        let nodes = self.many(nodes, |file| {
            let (bound, asks) = (file.take().map(f32::from_le_bytes)?, file.take().map(u16::from_le_bytes)?);
            Some((bound, asks, [file.take().map(i16::from_le_bytes)?, file.take().map(i16::from_le_bytes)?]))
        })?;
        let leaves = self.many(leaves, |file| file.take().map(f32::from_le_bytes))?;
        Some(grown(&trees, &nodes, &leaves))
    }
}

type Question = (f32, u16, [i16; 2]);

/// Trees in the form in which they are walked.
fn grown(trees: &[(u32, u32)], questions: &[Question], leaves: &[f32]) -> Forest {
    let mut forest = Forest::default();
    let mut starts = Vec::with_capacity(trees.len());
    for (number, &(first, leaf)) in trees.iter().enumerate() {
        let end = trees.get(number + 1).map_or(questions.len(), |next| next.0 as usize);
        let own = questions.get(first as usize..end).unwrap_or_default();
        let start = forest.nodes.len() as u32;
        // Leaves stand after the questions. A question leads to a later one, so depths are known from the front.
        let mut depths = vec![0_u32; own.len()];
        let place =
            |to: i16| u16::try_from(to).unwrap_or_else(|_| own.len() as u16 + (-1 - to).unsigned_abs());
        for (at, &(bound, asks, [most, more])) in own.iter().enumerate() {
            let below = depths.get(at).copied().unwrap_or(0) + 1;
            for to in [most, more].into_iter().filter_map(|to| usize::try_from(to).ok()) {
                if let Some(depth) = depths.get_mut(to) {
                    *depth = below;
                }
            }
            forest.nodes.push(Node { bound, asks, most: place(most), more: place(more) });
            forest.values.push(0.0);
        }
        let last = trees.get(number + 1).map_or(leaves.len(), |next| next.1 as usize);
        for (at, &value) in (own.len() as u16..).zip(leaves.get(leaf as usize..last).unwrap_or_default()) {
            forest.nodes.push(Node { bound: 0.0, asks: 0, most: at, more: at });
            forest.values.push(value);
        }
        starts.push((depths.iter().max().map_or(0, |depth| depth + 1), start));
    }
    starts.sort_unstable();
    forest.depths = starts.chunks(ABREAST).filter_map(|group| group.last()).map(|group| group.0).collect();
    forest.trees = starts.iter().map(|start| start.1).collect();
    forest
}

impl Model {
    fn read(file: &[u8]) -> Option<Model> {
        let mut file = Reader(file);
        if file.number()? != MARK {
            return None;
        }
        let (names, kinds) = (file.number()?, file.number()?);
        Some(Model {
            names: file.many(names, Reader::number)?,
            worth: file.many(names, |file| file.take().map(i8::from_le_bytes))?,
            block: file.forest()?,
            context: file.forest()?,
            kinds: file.many(kinds, Reader::forest)?,
        })
    }

    fn worth(&self, name: u32) -> f32 {
        let at = self.names.binary_search(&name).ok();
        at.and_then(|at| self.worth.get(at)).map_or(0.0, |&worth| f32::from(worth) / 100.0)
    }
}

impl Forest {
    /// The sum of the leaves that a row reaches.
    pub(super) fn sum(&self, row: &[f32]) -> f32 {
        self.trees.chunks(ABREAST).zip(&self.depths).map(|(trees, &depth)| self.walk(row, trees, depth)).sum()
    }

    fn walk(&self, row: &[f32], trees: &[u32], depth: u32) -> f32 {
        let mut at = [0_u32; ABREAST];
        let mut starts = [0_u32; ABREAST];
        for ((at, start), &tree) in at.iter_mut().zip(&mut starts).zip(trees) {
            (*at, *start) = (tree, tree);
        }
        for _ in 0..depth {
            for (at, start) in at.iter_mut().zip(starts) {
                let Some(node) = self.nodes.get(*at as usize) else { return 0.0 };
                let Some(&value) = row.get(usize::from(node.asks)) else { return 0.0 };
                *at = start + u32::from(if value <= node.bound { node.most } else { node.more });
            }
        }
        at.iter().take(trees.len()).filter_map(|&at| self.values.get(at as usize)).sum()
    }
}

/// Looks names up while the page is read.
pub(super) struct Lookup {
    model: &'static Model,
    found: Worth,
}

impl Default for Lookup {
    fn default() -> Lookup {
        Lookup { model: model(), found: Worth::default() }
    }
}

impl Namer for Lookup {
    fn begin(&mut self) {
        self.found = Worth::default();
    }

    fn name(&mut self, hash: u32) {
        let worth = self.model.worth(hash);
        self.found.least = self.found.least.min(worth);
        self.found.most = self.found.most.max(worth);
        self.found.sum += worth;
    }

    fn worth(&mut self) -> Worth {
        self.found
    }
}
