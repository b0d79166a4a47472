//! The numbers of a page's blocks as the forests ask for them: a column for each number, with those of some blocks side by side.

use std::sync::{Mutex, PoisonError};

use super::context::Context;
use super::features::{self, Row, Way};
use super::forest::Range;
use super::page::Page;
use super::worth::{self, Handed};

/// Blocks that are asked side by side: a batch.
pub(super) const ROWS: usize = 16;
/// Blocks for which a forest is pruned: the fewer, the more alike, but it is work each time.
pub(super) const GROUP: usize = 16 * ROWS;
/// Groups that are kept for the next pages, in at most some 17 megabytes: fresh memory is dear. Whichever thread reads them, for threads
/// may come and go with each batch of pages.
const SPARE: usize = 64;

/// Numbers of a block in the order of the model: of itself, of its page (they need no columns), of the names around it, and in the second
/// look what the first one thought.
const OWN: usize = 220;
const WORTH: usize = 13;
const CONTEXT: usize = 34;
/// Columns of a batch in the first look, and in the second.
pub(super) const FIRST: usize = OWN + WORTH;
pub(super) const WIDTH: usize = FIRST + CONTEXT;

/// One number of each row of a batch.
pub(super) type Column = [f32; ROWS];

static ROOMS: Mutex<Vec<Vec<Column>>> = Mutex::new(Vec::new());

/// One row of a batch, written from left to right.
struct Lane<'c> {
    columns: std::slice::IterMut<'c, Column>,
    at: usize,
}

impl Row for Lane<'_> {
    #[inline]
    fn put(&mut self, _name: &'static str, value: f32) {
        if let Some(place) = self.columns.next().and_then(|column| column.get_mut(self.at % ROWS)) {
            *place = value;
        }
    }
}

/// A room for the columns of a group.
fn room() -> Vec<Column> {
    ROOMS.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
}

/// Gives the columns of a group back.
pub(super) fn leave(room: Vec<Column>) {
    let mut rooms = ROOMS.lock().unwrap_or_else(PoisonError::into_inner);
    if rooms.len() < SPARE {
        rooms.push(room);
    }
}

pub(super) struct Rows<'p> {
    pub(super) page: &'p Page<'p>,
    handed: Vec<Handed>,
    /// The numbers of the page, made once.
    pub(super) whole: Vec<f32>,
}

impl<'p> Rows<'p> {
    pub(super) fn of(page: &'p Page<'p>) -> Rows<'p> {
        let mut whole = Vec::new();
        features::whole(page, &mut whole);
        Rows { page, handed: worth::handed(page.outline), whole }
    }

    /// The columns of the group that begins at a block.
    pub(super) fn make(&self, from: usize) -> Vec<Column> {
        let mut room = room();
        let mut way = Way::default();
        let blocks = self.page.outline.blocks.iter().enumerate().skip(from).take(GROUP);
        room.resize(room.len().max(blocks.len().div_ceil(ROWS) * WIDTH), [0.0; ROWS]);
        for (at, block) in blocks {
            let (batch, lane) = ((at - from) / ROWS, at % ROWS);
            let columns = room.get_mut(batch * WIDTH..(batch + 1) * WIDTH).unwrap_or_default();
            if lane == 0 && at + ROWS > self.page.outline.blocks.len() {
                // Rows that are not there are rows of zeros.
                columns.fill([0.0; ROWS]);
            }
            let mut row = Lane { columns: columns.iter_mut(), at: lane };
            features::own(self.page, at, &mut way, &mut row);
            worth::row(self.page.outline, &self.handed, block.element, &mut row);
        }
        room
    }

    /// Adds what the first look thought to the columns of the batch that begins at a block.
    pub(super) fn add(&self, from: usize, context: &Context<'_>, columns: &mut [Column]) {
        for lane in 0..ROWS.min(self.page.outline.blocks.len() - from) {
            let columns = columns.get_mut(FIRST..).unwrap_or_default().iter_mut();
            context.row(from + lane, &mut Lane { columns, at: lane });
        }
    }

    /// Between which values all rows of some batches have each number; `width` columns of each batch are looked at.
    pub(super) fn ranges<'c>(&self, batches: impl Iterator<Item = &'c [Column]>, width: usize) -> Vec<Range> {
        let mut bounds = vec![([f32::INFINITY; ROWS], [f32::NEG_INFINITY; ROWS]); width];
        for columns in batches {
            for ((least, most), column) in bounds.iter_mut().zip(columns) {
                *least = each(least, column, lesser);
                *most = each(most, column, greater);
            }
        }
        let columns = (0..).zip(&bounds).map(|(column, (least, most))| Range {
            least: least.iter().fold(f32::INFINITY, |least, &value| lesser(value, least)),
            most: most.iter().fold(f32::NEG_INFINITY, |most, &value| greater(value, most)),
            column,
        });
        let whole = self.whole.iter().map(|&value| Range { least: value, most: value, column: 0 });
        columns.clone().take(OWN).chain(whole).chain(columns.skip(OWN)).collect()
    }
}

/// One instruction each, unlike `f32::min` and `f32::max`: no number is a NaN.
fn lesser(one: f32, other: f32) -> f32 {
    if one < other { one } else { other }
}

fn greater(one: f32, other: f32) -> f32 {
    if one > other { one } else { other }
}

/// A copy, not a change in place: so the compiler makes vectors of it.
fn each(one: &Column, other: &Column, choose: impl Fn(f32, f32) -> f32) -> Column {
    let mut chosen = *one;
    for (place, &value) in chosen.iter_mut().zip(other) {
        *place = choose(value, *place);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::{CONTEXT, OWN, Rows, WORTH};
    use crate::content::context::context;
    use crate::content::features::{self, Way};
    use crate::content::{hints, model, names, page, walk, worth};
    use crate::html::Tree;

    #[test]
    fn a_block_has_as_many_numbers_as_there_are_columns() {
        let tree = Tree::parse("<title>One</title><h1>One</h1><p>Two words.<p><a href=x>Three</a>");
        let hints = hints::hints(&tree, None);
        let (outline, _) = walk::outline(&tree, None, names::Lookup::new(&model::model().names));
        let page = page::page(&outline, &hints);
        let (first, kinds) = (vec![0.5; outline.blocks.len()], [0.0; 7]);
        for (at, block) in outline.blocks.iter().enumerate() {
            let [mut own, mut names, mut around] = [const { Vec::new() }; 3];
            features::own(&page, at, &mut Way::default(), &mut own);
            worth::row(&outline, &Rows::of(&page).handed, block.element, &mut names);
            context(&page, &first, &kinds).row(at, &mut around);
            assert_eq!([own.len(), names.len(), around.len()], [OWN, WORTH, CONTEXT]);
        }
        assert_eq!(outline.blocks.len(), 3);
    }
}
