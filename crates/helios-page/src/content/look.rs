//! The two looks at a page: each block by itself, then again with what was thought of the others.

use super::context::{Context, context};
use super::features::{self, Row};
use super::keep;
use super::kind::inside;
use super::model::{Model, model};
use super::page::{Page, ratio};
use super::worth::{self, Handed};

/// About as many numbers as a row has.
const COLUMNS: usize = 340;
/// Rows of this many blocks are kept from the first look to the second; a longer page makes them twice.
const REMEMBERED: usize = 8_000;
/// The model reads this many blocks; what follows is kept or not by a plain rule, so that a page of millions takes no minutes.
const MODELLED: usize = 50_000;
const _: () = assert!(MODELLED.is_multiple_of(ROWS) && REMEMBERED.is_multiple_of(ROWS));

/// How much the first look counts in the end.
const FIRST: f32 = 0.4;

/// Blocks below this are not looked at again: menus, mostly, and more than half of all.
const HOPELESS: f32 = 0.02;

/// Where the sums of all blocks of a batch are below this after some trees, the others are not asked: it is far below `HOPELESS`.
const LOST: f32 = -6.0;

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

/// Rows are asked for side by side.
const ROWS: usize = 16;
/// One number of each row of a batch.
type Column = [f32; ROWS];

/// One row of a batch, from the number `next` on.
struct Lane<'c> {
    columns: &'c mut Vec<Column>,
    at: usize,
    next: usize,
}

impl Row for Lane<'_> {
    fn put(&mut self, _name: &'static str, value: f32) {
        if self.next == self.columns.len() {
            self.columns.push([0.0; ROWS]);
        }
        if let Some(place) = self.columns.get_mut(self.next).and_then(|column| column.get_mut(self.at)) {
            *place = value;
        }
        self.next += 1;
    }
}

struct Rows<'p> {
    page: &'p Page<'p>,
    handed: Vec<Handed>,
    /// The numbers of the page, made once.
    whole: Vec<f32>,
    /// The batches of the first look.
    remembered: Vec<Vec<Column>>,
}

impl Rows<'_> {
    /// The batch of the block `from` and those after it.
    fn make(&self, from: usize) -> Vec<Column> {
        let outline = self.page.outline;
        let mut columns = Vec::with_capacity(COLUMNS);
        for (lane, block) in outline.blocks.iter().skip(from).take(ROWS).enumerate() {
            let mut row = Lane { columns: &mut columns, at: lane, next: 0 };
            features::own(self.page, from + lane, &mut row);
            if lane == 0 {
                row.columns.extend(self.whole.iter().map(|&number| [number; ROWS]));
            }
            row.next += self.whole.len();
            worth::row(outline, &self.handed, block.element, &mut row);
        }
        columns
    }
}

pub(super) fn look(page: &Page<'_>) -> Look {
    let model = model();
    let blocks = page.outline.blocks.len();
    let mut whole = Vec::new();
    features::whole(page, &mut whole);
    let mut rows = Rows { page, handed: worth::handed(page.outline), whole, remembered: Vec::new() };
    let mut first = Vec::with_capacity(blocks.next_multiple_of(ROWS));
    for from in (0..blocks.min(MODELLED)).step_by(ROWS) {
        let columns = rows.make(from);
        let sums = model.block.sum_until(&columns, |sums| sums.iter().all(|&sum| sum < LOST));
        first.extend(sums.map(probability));
        if from < REMEMBERED {
            rows.remembered.push(columns);
        }
    }
    first.truncate(blocks.min(MODELLED));
    first.extend((MODELLED..blocks).map(|at| plain(page, at)));
    let kinds = keep::kinds(page, &rows.whole, &first, model);
    let second = again(rows, &context(page, &first, &kinds), &first, model);
    Look { first, second, kinds }
}

fn again(mut rows: Rows<'_>, context: &Context<'_>, first: &[f32], model: &Model) -> Vec<f32> {
    let mut second = first.to_vec();
    let mut remembered = std::mem::take(&mut rows.remembered).into_iter();
    let (modelled, _) = second.split_at_mut(MODELLED.min(first.len()));
    for (number, batch) in modelled.chunks_mut(ROWS).enumerate() {
        let columns = remembered.next();
        if batch.iter().all(|&before| before < HOPELESS) {
            continue;
        }
        let from = number * ROWS;
        let mut columns = columns.unwrap_or_else(|| rows.make(from));
        let next = columns.len();
        for lane in 0..batch.len() {
            context.row(from + lane, &mut Lane { columns: &mut columns, at: lane, next });
        }
        let sums = model.context.sum(&columns);
        for (at, (place, sum)) in (from..).zip(batch.iter_mut().zip(sums)) {
            *place = blend(rows.page, at, *place, sum);
        }
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
