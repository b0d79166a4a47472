//! The learned part: what names on elements are worth, and forests of decision trees. `tools/content_model` makes the file.
//!
//! The file, little-endian: the mark; how many names and how many kinds of pages; names as sorted hashes and their worth in 1/100;
//! the forests of the first look, of the second, of each kind. A forest: how many trees, questions and leaves; of each tree where its questions and
//! leaves begin; of each question the bound, the number it asks for, and where to go for "at most" and for "more" (below zero: leaf
//! `-1 - n` of the tree); the leaves.

use std::sync::LazyLock;

use super::forest::{Forest, Question};
use super::names::Names;

static FILE: &[u8] = include_bytes!("model.bin");
static MODEL: LazyLock<Model> = LazyLock::new(|| Model::read(FILE).unwrap_or_default());

const MARK: u32 = 0x4c45_4448;

#[derive(Default, Debug)]
pub(super) struct Model {
    pub(super) names: Names,
    pub(super) block: Forest,
    pub(super) context: Forest,
    pub(super) kinds: Vec<Forest<8>>,
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

    fn real(&mut self) -> Option<f32> {
        self.take().map(f32::from_le_bytes)
    }

    fn many<T>(&mut self, count: u32, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        (0..count).map(|_| one(self)).collect()
    }

    fn question(&mut self) -> Option<Question> {
        let (bound, asks) = (self.real()?, self.take().map(u16::from_le_bytes)?);
        let goes = [self.take().map(i16::from_le_bytes)?, self.take().map(i16::from_le_bytes)?];
        Some(Question { asks, bound, goes })
    }

    fn forest<const LEAVES: usize>(&mut self) -> Option<Forest<LEAVES>> {
        let [trees, questions, leaves] = [self.number()?, self.number()?, self.number()?];
        let trees = self.many(trees, |file| Some([file.number()? as usize, file.number()? as usize]))?;
        let questions = self.many(questions, Reader::question)?;
        let leaves = self.many(leaves, Reader::real)?;
        let ends = trees.iter().skip(1).copied().chain([[questions.len(), leaves.len()]]);
        let mut forest = Forest::default();
        for (&[question, leaf], [last_question, last_leaf]) in trees.iter().zip(ends) {
            forest.grow(questions.get(question..last_question)?, leaves.get(leaf..last_leaf)?)?;
        }
        Some(forest)
    }
}

impl Model {
    fn read(file: &[u8]) -> Option<Model> {
        let mut file = Reader(file);
        if file.number()? != MARK {
            return None;
        }
        let (names, kinds) = (file.number()?, file.number()?);
        let names = file.many(names, Reader::number)?;
        let worth = file.many(names.len() as u32, |file| file.take().map(i8::from_le_bytes))?;
        let learned: Vec<(u32, i8)> = names.into_iter().zip(worth).collect();
        Some(Model {
            names: Names::new(&learned),
            block: file.forest()?,
            context: file.forest()?,
            kinds: file.many(kinds, Reader::forest)?,
        })
    }
}
