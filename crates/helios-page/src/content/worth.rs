//! What the names on an element and on all around it are worth, as numbers for the model.

use super::features::Row;
use super::outline::{Outline, Worth};

/// How much of it the next element inside hears.
const FADES: f32 = 0.7;

/// Handed down: least, greatest, sum, and a sum in which farther elements count less.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Handed {
    least: f32,
    most: f32,
    sum: f32,
    fading: f32,
}

pub(super) fn handed(outline: &Outline) -> Vec<Handed> {
    let mut all: Vec<Handed> = Vec::with_capacity(outline.elements.len());
    for element in &outline.elements {
        let Worth { least, most, sum } = element.worth;
        // Parents stand before their children; the root is its own.
        let above = all.get(element.parent as usize).copied().unwrap_or_default();
        all.push(Handed {
            least: least.min(above.least),
            most: most.max(above.most),
            sum: sum + above.sum,
            fading: sum + FADES * above.fading,
        });
    }
    all
}

pub(super) fn row(outline: &Outline, handed: &[Handed], element: u32, row: &mut impl Row) {
    let own = outline.element(element);
    let parent = outline.element(own.parent);
    let grand = outline.element(parent.parent);
    row.put("w_least", own.worth.least);
    row.put("w_most", own.worth.most);
    row.put("w_sum", own.worth.sum);
    row.put("w_parent_least", parent.worth.least);
    row.put("w_parent_most", parent.worth.most);
    row.put("w_parent_sum", parent.worth.sum);
    row.put("w_grand_least", grand.worth.least);
    row.put("w_grand_most", grand.worth.most);
    let here = handed.get(element as usize).copied().unwrap_or_default();
    let above = handed.get(own.parent as usize).copied().unwrap_or_default();
    row.put("w_all_least", here.least);
    row.put("w_all_most", here.most);
    row.put("w_all_sum", here.sum);
    row.put("w_fading", here.fading);
    row.put("w_parent_fading", above.fading);
}
