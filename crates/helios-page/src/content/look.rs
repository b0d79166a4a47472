//! The two looks at a page: each block by itself, then again with what was thought of the others.

use std::cell::Cell;

use super::context::{Context, context};
use super::forest::Pruned;
use super::keep;
use super::kind::inside;
use super::model::model;
use super::page::{Page, ratio};
use super::rows::{self, Column, GROUP, ROWS, Rows, WIDTH};

/// Rows of this many blocks are kept from the first look to the second; a longer page makes them twice.
const REMEMBERED: usize = 8_000;
/// The model reads this many blocks; what follows is kept or not by a plain rule, so that a page of millions takes no minutes.
const MODELLED: usize = 50_000;
const _: () = assert!(MODELLED.is_multiple_of(ROWS) && GROUP.is_multiple_of(ROWS));

/// How much the first look counts in the end.
const FIRST: f32 = 0.4;

/// Blocks below this are not looked at again: menus, mostly, and more than half of all.
const HOPELESS: f32 = 0.02;

/// Where the sums of all blocks of a batch are below this after some trees, the others are not asked: it is far below `HOPELESS`.
const LOST: f32 = -6.0;

/// What is above the first and in the article that JSON-LD carries has at least the second.
const DOUBTFUL: f32 = 0.15;
const TOLD: f32 = 0.9;

thread_local! {
    /// The room for a pruned forest, which is as large for every page.
    static PRUNED: Cell<Pruned> = Cell::default();
}

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

pub(super) fn look(page: &Page<'_>) -> Look {
    let model = model();
    let blocks = page.outline.blocks.len();
    let rows = Rows::of(page);
    let (mut pruned, mut remembered) = (PRUNED.take(), Vec::new());
    let mut first = Vec::with_capacity(blocks.next_multiple_of(ROWS));
    for from in (0..blocks.min(MODELLED)).step_by(GROUP) {
        let columns = rows.make(from);
        let batches = columns.chunks_exact(WIDTH).take((blocks - from).min(GROUP).div_ceil(ROWS));
        model.block.prune(&rows.ranges(batches.clone(), rows::FIRST), &mut pruned);
        for batch in batches {
            let lost = |sums: &[f32; ROWS]| sums.iter().all(|&sum| sum < LOST);
            first.extend(model.block.sum_until(&pruned, batch, lost).map(probability));
        }
        if from < REMEMBERED {
            remembered.push(columns);
        } else {
            rows::leave(columns);
        }
    }
    first.truncate(blocks.min(MODELLED));
    first.extend((MODELLED..blocks).map(|at| plain(page, at)));
    let kinds = keep::kinds(page, &rows.whole, &first, model);
    let second = again(&rows, remembered, &context(page, &first, &kinds), &first, &mut pruned);
    PRUNED.set(pruned);
    Look { first, second, kinds }
}

fn again(
    rows: &Rows<'_>,
    made: Vec<Vec<Column>>,
    context: &Context<'_>,
    first: &[f32],
    pruned: &mut Pruned,
) -> Vec<f32> {
    let forest = &model().context;
    let mut second = first.to_vec();
    let mut made = made.into_iter();
    let (modelled, _) = second.split_at_mut(MODELLED.min(first.len()));
    for (from, group) in (0..).step_by(GROUP).zip(modelled.chunks_mut(GROUP)) {
        let made = made.next();
        let mut columns = made.unwrap_or_else(|| rows.make(from));
        let batches = (from..).step_by(ROWS).zip(group.chunks_mut(ROWS));
        let mut hopeful: Vec<(usize, &mut [f32], &[Column])> = Vec::new();
        for ((from, batch), columns) in batches.zip(columns.chunks_exact_mut(WIDTH)) {
            if batch.iter().any(|&before| before >= HOPELESS) {
                rows.add(from, context, columns);
                hopeful.push((from, batch, columns));
            }
        }
        if !hopeful.is_empty() {
            let batches = hopeful.iter().map(|(.., columns)| *columns);
            forest.prune(&rows.ranges(batches, WIDTH), pruned);
        }
        for (from, batch, columns) in hopeful {
            let sums = forest.sum_until(pruned, columns, |_| false);
            for (at, (place, sum)) in (from..).zip(batch.iter_mut().zip(sums)) {
                *place = blend(rows.page, at, *place, sum);
            }
        }
        rows::leave(columns);
    }
    second
}

/// The first look is the steadier one, the second the sharper one.
fn blend(page: &Page<'_>, at: usize, before: f32, sum: f32) -> f32 {
    if before < HOPELESS {
        return before;
    }
    let odds = (before / (1.0 - before).max(1e-6)).max(1e-6).ln();
    let found = probability(FIRST * odds + (1.0 - FIRST) * sum);
    if found > DOUBTFUL && is_article(page, at) { found.max(TOLD) } else { found }
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
