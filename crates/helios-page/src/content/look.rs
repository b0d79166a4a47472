//! The two looks at a page: each block by itself, then again with what was thought of the others.

use super::context::{Context, context};
use super::features;
use super::keep;
use super::kind::inside;
use super::model::{Model, model};
use super::page::{Page, ratio};
use super::worth::{self, Handed};

/// Rows of this many blocks are kept from the first look to the second; a longer page makes them twice.
const REMEMBERED: usize = 8_000;
/// The model reads this many blocks; what follows is kept or not by a plain rule, so that a page of millions takes no minutes.
const MODELLED: usize = 50_000;

/// How much the first look counts in the end.
const FIRST: f32 = 0.4;

/// Blocks below this are not looked at again: menus, mostly, and more than half of all.
const HOPELESS: f32 = 0.02;

/// What is above the first and in the article that JSON-LD carries has at least the second.
const DOUBTFUL: f32 = 0.15;
const TOLD: f32 = 0.9;

fn probability(sum: f32) -> f32 {
    1.0 / (1.0 + (-sum).exp())
}

pub(super) struct Look {
    /// How probable it is of each block that it belongs to the main text.
    pub(super) first: Vec<f32>,
    pub(super) second: Vec<f32>,
    /// How probable each kind of page is.
    pub(super) kinds: Vec<f32>,
}

struct Rows<'p> {
    page: &'p Page<'p>,
    handed: Vec<Handed>,
    /// The numbers of the page, made once.
    whole: Vec<f32>,
    remembered: Vec<f32>,
    width: usize,
}

impl Rows<'_> {
    fn make(&self, at: usize, row: &mut Vec<f32>) {
        let outline = self.page.outline;
        let element = outline.blocks.get(at).map_or(0, |block| block.element);
        features::own(self.page, at, row);
        row.extend_from_slice(&self.whole);
        worth::row(outline, &self.handed, element, row);
    }

    fn remember(&mut self, at: usize, row: &[f32]) {
        if at < REMEMBERED {
            self.width = row.len();
            self.remembered.extend_from_slice(row);
        }
    }

    fn recall(&self, at: usize, row: &mut Vec<f32>) {
        let from = at * self.width;
        match self.remembered.get(from..from + self.width) {
            Some(known) => row.extend_from_slice(known),
            None => self.make(at, row),
        }
    }
}

pub(super) fn look(page: &Page<'_>) -> Look {
    let model = model();
    let blocks = page.outline.blocks.len();
    let mut whole = Vec::new();
    features::whole(page, &mut whole);
    let mut rows =
        Rows { page, handed: worth::handed(page.outline), whole, remembered: Vec::new(), width: 0 };
    let mut row = Vec::new();
    let mut first = Vec::with_capacity(blocks);
    for at in 0..blocks.min(MODELLED) {
        row.clear();
        rows.make(at, &mut row);
        first.push(probability(model.block.sum(&row)));
        rows.remember(at, &row);
    }
    first.extend((MODELLED..blocks).map(|at| plain(page, at)));
    let kinds = keep::kinds(page, &first, model);
    let second = again(&rows, &context(page, &first, &kinds), &first, model);
    Look { first, second, kinds }
}

fn again(rows: &Rows<'_>, context: &Context<'_>, first: &[f32], model: &Model) -> Vec<f32> {
    let mut row = Vec::new();
    let each = first.iter().enumerate().map(|(at, &before)| {
        if at >= MODELLED || before < HOPELESS {
            return before;
        }
        row.clear();
        rows.recall(at, &mut row);
        context.row(at, &mut row);
        // The first look is the steadier one, the second the sharper one.
        let odds = (before / (1.0 - before).max(1e-6)).max(1e-6).ln();
        let found = probability(FIRST * odds + (1.0 - FIRST) * model.context.sum(&row));
        if found > DOUBTFUL && is_article(rows.page, at) { found.max(TOLD) } else { found }
    });
    each.collect()
}

/// Does JSON-LD say that the block is part of the article? It is believed where about the whole of its article is on the page.
fn is_article(page: &Page<'_>, at: usize) -> bool {
    let words = page.outline.blocks.get(at).map_or(0, |block| block.words);
    let held = page.article.get(at).copied().unwrap_or(-1.0);
    words >= 6 && held > 0.8 && page.article_found > 0.6 && page.article_found < 1.5
}

/// What is said of a block that the model does not read.
fn plain(page: &Page<'_>, at: usize) -> f32 {
    let Some(block) = page.outline.blocks.get(at) else { return 0.0 };
    let beside =
        inside::NAV | inside::FOOTER | inside::HEADER | inside::ASIDE | inside::DIALOG | inside::HIDDEN;
    let fits = page.outline.of(block).inside & beside == 0 && ratio(block.link_words, block.words) < 0.5;
    if fits { 0.9 } else { 0.1 }
}
