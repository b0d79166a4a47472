//! A block as a row of numbers, for the model. The order of the numbers is part of the model.
//!
//! `itself` tells what the block is made of, `around` of the elements it is in, `against` of its place beside the best element and the title,
//! `others` of the blocks before, behind and like it, `whole` of the page. `way` goes from the block up to the root once for all of them.

mod against;
mod around;
mod itself;
mod others;
mod way;
mod whole;

use super::page::Page;
pub(super) use way::Way;
pub(super) use whole::whole;

/// Takes the numbers of a row. Names are for people who study the model.
pub(super) trait Row {
    fn put(&mut self, name: &'static str, value: f32);
}

impl Row for Vec<f32> {
    fn put(&mut self, _name: &'static str, value: f32) {
        self.push(value);
    }
}

fn log(value: u32) -> f32 {
    // A logarithm that is cheap and the same on every machine: the place of the first bit, and a straight line between.
    let bits = (value.saturating_add(1) as f32).to_bits();
    let between = f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000);
    (bits >> 23) as f32 - 127.0 + between - 1.0
}

fn flag(yes: bool) -> f32 {
    f32::from(u8::from(yes))
}

/// The numbers of one block, and those of the whole page, which are the same for each.
pub(super) fn row(page: &Page<'_>, at: usize, row: &mut impl Row) {
    own(page, at, &mut Way::default(), row);
    whole(page, row);
}

/// The numbers of one block.
pub(super) fn own(page: &Page<'_>, at: usize, way: &mut Way, row: &mut impl Row) {
    let Some(block) = page.outline.blocks.get(at) else { return };
    way.go(page.outline, block.element);
    itself::itself(page, at, block, way, row);
    itself::inside(page, block, row);
    around::containers(page, block, way, row);
    around::nearest(page, block, row);
    against::best(page, block, way, row);
    against::title(page, at, block, way, row);
    others::alike(page, at, row);
    others::neighbours(page, at, block, way, row);
    others::near(page, at, row);
    others::repeats(page, at, block, row);
}
