//! The way from a block up to the root.

use super::super::kind;
use super::super::outline::{Element, NO_ONE, Outline};
use super::around::Containers;

/// The elements from a block up to the root, where each begins and ends, and its sort.
#[derive(Default, Debug)]
pub(in crate::content) struct Way {
    from: u32,
    steps: Vec<(u32, u32)>,
    pub(super) shown: u8,
    pub(super) level: u8,
    pub(super) containers: Containers,
}

impl Way {
    pub(in crate::content) fn go(&mut self, outline: &Outline, from: u32) {
        if self.from == from && !self.steps.is_empty() {
            return;
        }
        self.steps.clear();
        (self.from, self.shown, self.level) = (from, 0, 0);
        for (at, element) in outline.upwards(from) {
            if self.shown == 0 && element.kind != kind::A && element.kind != kind::SPAN {
                self.shown = element.kind;
            }
            if self.level == 0 && self.steps.len() < 4 && (kind::H1..=kind::H6).contains(&element.kind) {
                self.level = element.kind - kind::H1 + 1;
            }
            self.steps.push((at, element.end));
        }
    }

    /// The steps to the element that also holds `other`, and that element.
    pub(in crate::content) fn meeting<'o>(&self, outline: &'o Outline, other: u32) -> (f32, &'o Element) {
        let found = self.steps.iter().position(|&(at, end)| at <= other && other < end);
        let meet = found.and_then(|steps| self.steps.get(steps));
        (found.map_or(99.0, |steps| steps as f32), outline.element(meet.map_or(NO_ONE, |&(at, _)| at)))
    }
}
