//! What every block asks of the elements above it, found once for each element on the way down.

use super::kind::inside;
use super::outline::{Element, NO_ONE, Outline};
use super::page::links_of;

/// Elements of which the nearest is told; the order is part of the model.
pub(super) const NEAREST: [u32; 5] =
    [inside::ARTICLE, inside::MAIN, inside::SECTION, inside::LIST, inside::TABLE];

#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Above {
    /// The nearest of each sort, itself included; `NO_ONE` if there is none.
    pub(super) nearest: [u32; 5],
    /// The nearest above with other words than these, and how many times that goes on.
    wider: u32,
    pub(super) containers: u16,
    /// The greatest score of it and of all above.
    pub(super) most_score: f32,
}

#[derive(Debug)]
pub(super) struct All(Vec<Above>);

/// How much paragraphs speak for an element.
pub(super) fn score(element: &Element) -> f32 {
    element.score * (1.0 - links_of(element))
}

pub(super) fn above(outline: &Outline) -> All {
    let mut all: Vec<Above> = Vec::with_capacity(outline.elements.len());
    for (at, element) in (0..).zip(&outline.elements) {
        // Parents stand before their children; the root is its own.
        let mut here = all.get(element.parent as usize).copied().unwrap_or_default();
        for (nearest, sort) in here.nearest.iter_mut().zip(NEAREST) {
            *nearest = if element.own & sort == 0 { *nearest } else { at };
        }
        if at != NO_ONE && outline.element(element.parent).words != element.words {
            here.wider = element.parent;
            here.containers += 1;
        }
        here.most_score = here.most_score.max(score(element));
        all.push(here);
    }
    All(all)
}

impl All {
    pub(super) fn get(&self, at: u32) -> Above {
        self.0.get(at as usize).copied().unwrap_or_default()
    }

    /// The next element above with other words.
    pub(super) fn wider(&self, at: u32) -> Option<u32> {
        let here = self.0.get(at as usize)?;
        (here.containers > 0).then_some(here.wider)
    }
}
