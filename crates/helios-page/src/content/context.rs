//! The second look: what the first one thought of a block's neighbours, of the elements around it and of blocks like it.

use super::features::Row;
use super::page::{Alike, Page};

/// Ancestors whose mean is told.
const LEVELS: usize = 6;

/// Means of probabilities, each weighted by words.
#[derive(Clone, Copy, Default, Debug)]
struct Mean {
    words: f32,
    kept: f32,
}

impl Mean {
    fn add(&mut self, words: f32, probability: f32) {
        self.words += words;
        self.kept += words * probability;
    }

    fn value(self) -> f32 {
        self.kept / self.words.max(1e-9)
    }
}

#[derive(Debug)]
pub(super) struct Context<'p> {
    page: &'p Page<'p>,
    first: &'p [f32],
    elements: Vec<Mean>,
    paths: Vec<Mean>,
    looks: Vec<Mean>,
    /// Sums up to each block.
    before: Vec<Mean>,
    all: Mean,
    doubt: f32,
    kinds: &'p [f32],
}

/// The weight of a block: its words, and something for a block without.
pub(super) fn weight(words: u32) -> f32 {
    (words as f32).max(0.5)
}

/// `first` are the probabilities of the first look, `kinds` those of the kinds of pages.
pub(super) fn context<'p>(page: &'p Page<'p>, first: &'p [f32], kinds: &'p [f32]) -> Context<'p> {
    let outline = page.outline;
    let mut elements = vec![Mean::default(); outline.elements.len()];
    let mut before = vec![Mean::default()];
    let (mut all, mut doubt) = (Mean::default(), 0.0);
    for (block, &probability) in outline.blocks.iter().zip(first) {
        let words = weight(block.words);
        if let Some(mean) = elements.get_mut(block.element as usize) {
            mean.add(words, probability);
        }
        all.add(words, probability);
        doubt += words * probability * (1.0 - probability);
        before.push(all);
    }
    for at in (1..elements.len()).rev() {
        let own = elements.get(at).copied().unwrap_or_default();
        if let Some(above) = elements.get_mut(outline.element(at as u32).parent as usize) {
            above.words += own.words;
            above.kept += own.kept;
        }
    }
    let grouped = |alike: &Alike| {
        let mut means = vec![Mean::default(); alike.groups().len()];
        for (at, (block, &probability)) in outline.blocks.iter().zip(first).enumerate() {
            if let Some(mean) = means.get_mut(alike.number(at)) {
                mean.add(weight(block.words), probability);
            }
        }
        means
    };
    let (paths, looks) = (grouped(&page.paths), grouped(&page.looks));
    Context { page, first, elements, paths, looks, before, all, doubt, kinds }
}

impl Context<'_> {
    pub(super) fn row(&self, at: usize, row: &mut impl Row) {
        let Some(block) = self.page.outline.blocks.get(at) else { return };
        let probability = |at: Option<usize>| at.and_then(|at| self.first.get(at).copied()).unwrap_or(-1.0);
        row.put("s_own", probability(Some(at)));
        for distance in 1..=3 {
            row.put("s_before", probability(at.checked_sub(distance)));
            row.put("s_after", probability(Some(at + distance)));
        }
        let upto = |at: usize| self.before.get(at.min(self.before.len() - 1)).copied().unwrap_or_default();
        for width in [4, 12] {
            let (from, to) = (upto(at.saturating_sub(width)), upto(at + width + 1));
            row.put("s_around", Mean { words: to.words - from.words, kept: to.kept - from.kept }.value());
        }
        let mut element = block.element;
        for _ in 0..LEVELS {
            let mean = self.elements.get(element as usize).copied().unwrap_or_default();
            row.put("s_inside", mean.value());
            row.put("s_inside_words", (1.0 + mean.kept).ln());
            element = self.page.outline.element(element).parent;
        }
        for (means, alike) in [(&self.paths, &self.page.paths), (&self.looks, &self.page.looks)] {
            row.put("s_alike", means.get(alike.number(at)).copied().unwrap_or_default().value());
        }
        row.put("s_all", self.all.value());
        row.put("s_all_words", (1.0 + self.all.kept).ln());
        row.put("s_doubt", self.doubt / self.all.kept.max(1.0));
        for &kind in self.kinds {
            row.put("s_kind", kind);
        }
        row.put("s_so_far", upto(at + 1).kept / self.all.kept.max(1e-9));
    }
}
