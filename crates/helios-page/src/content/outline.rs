//! The page as two flat lists: elements in document order, and the blocks of text that they carry.
//!
//! A block is what a browser would show as one paragraph, item or cell: a run of text that no block element interrupts.

use super::kind::{self, inside};
use crate::html::{NodeId, Tag};

/// Deeper elements count as if they were this deep, so that work along ancestors is bounded.
pub(super) const DEEPEST: u16 = 200;
/// The root, which stands for no element of the page.
pub(super) const NO_ONE: u32 = 0;

/// Word values of an element: least, greatest, sum. They come from the model's table.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Worth {
    pub(super) least: f32,
    pub(super) most: f32,
    pub(super) sum: f32,
}

#[derive(Clone, Default, Debug)]
pub(super) struct Element {
    pub(super) parent: u32,
    /// One after the last element inside.
    pub(super) end: u32,
    pub(super) depth: u16,
    pub(super) kind: u8,
    /// What the element itself says, and what it and all above it say (`kind::inside`).
    pub(super) own: u32,
    pub(super) inside: u32,
    /// Name and classes, and those of the whole way from the root.
    pub(super) look: u32,
    pub(super) path: u32,
    pub(super) index: u32,
    pub(super) children: u32,
    pub(super) worth: Worth,
    pub(super) node: Option<NodeId>,
    /// Sums over all below.
    pub(super) words: u32,
    pub(super) link_words: u32,
    pub(super) blocks: u32,
    pub(super) paragraphs: u32,
    pub(super) images: u32,
    pub(super) commas: u32,
    pub(super) score: f32,
}

#[derive(Clone, Default, Debug)]
pub(super) struct Block {
    pub(super) element: u32,
    /// Ranges of `Outline::text` and `Outline::hashes`.
    pub(super) text: (u32, u32),
    pub(super) hashes: (u32, u32),
    pub(super) words: u32,
    pub(super) link_words: u32,
    pub(super) strong_words: u32,
    pub(super) links: u32,
    pub(super) breaks: u32,
    pub(super) letters: Letters,
    /// The first and the last text or image.
    pub(super) nodes: Option<(NodeId, NodeId)>,
}

/// What a block is made of, in characters.
#[derive(Clone, Default, Debug)]
pub(super) struct Letters {
    pub(super) all: u32,
    pub(super) alphabetic: u32,
    pub(super) upper: u32,
    pub(super) capitals: u32,
    pub(super) digits: u32,
    pub(super) stops: u32,
    pub(super) commas: u32,
    pub(super) bars: u32,
    pub(super) money: u32,
    /// How the text ends: 3 a full stop, 2 another end of a sentence, 1 something goes on, 0 none.
    pub(super) end: u8,
}

#[derive(Default, Debug)]
pub(super) struct Outline {
    pub(super) elements: Vec<Element>,
    pub(super) blocks: Vec<Block>,
    pub(super) text: String,
    pub(super) hashes: Vec<u32>,
    /// Images outside of blocks, each with the number of the block that comes next.
    pub(super) images: Vec<(u32, NodeId)>,
    pub(super) nothing: Element,
}

impl Outline {
    pub(super) fn element(&self, at: u32) -> &Element {
        self.elements.get(at as usize).unwrap_or(&self.nothing)
    }

    pub(super) fn of(&self, block: &Block) -> &Element {
        self.element(block.element)
    }

    pub(super) fn text_of(&self, block: &Block) -> &str {
        self.text.get(block.text.0 as usize..block.text.1 as usize).unwrap_or_default()
    }

    pub(super) fn hashes_of(&self, block: &Block) -> &[u32] {
        self.hashes.get(block.hashes.0 as usize..block.hashes.1 as usize).unwrap_or_default()
    }

    /// Does it hold most of the page? Then the names on it (`has-sidebar`, `no-comments`) tell nothing of what is inside.
    pub(super) fn is_wide(&self, element: &Element) -> bool {
        u64::from(element.words) * 10 > u64::from(self.element(NO_ONE).words) * 6
    }

    /// The element and all above it, innermost first.
    pub(super) fn upwards(&self, from: u32) -> impl Iterator<Item = (u32, &Element)> {
        let mut next = Some(from);
        std::iter::from_fn(move || {
            let at = next?;
            let element = self.elements.get(at as usize)?;
            next = (at != NO_ONE).then_some(element.parent);
            Some((at, element))
        })
    }
}

/// What a list of classes says: of all that is inside (`kind::inside`), and of the look of the element.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Said {
    pub(super) inside: u32,
    pub(super) look: u32,
}

/// Says what the names on an element are worth, and may note them.
pub(super) trait Namer {
    fn begin(&mut self);
    fn tag(&mut self, tag: Tag, name: &str);
    fn class(&mut self, value: &str) -> Said;
    /// What the value of another attribute than `class` says of all that is inside.
    fn value(&mut self, value: &str) -> u32;
    fn worth(&mut self) -> Worth;
}

impl Outline {
    /// Sums what blocks carry up to the root.
    pub(super) fn sum(&mut self) {
        let end = self.elements.len() as u32;
        for element in &mut self.elements {
            element.end = if element.end == 0 { end } else { element.end };
        }
        for block in &self.blocks {
            if let Some(element) = self.elements.get_mut(block.element as usize) {
                element.words += block.words;
                element.link_words += block.link_words;
                element.blocks += 1;
                element.commas += block.letters.commas;
                element.paragraphs +=
                    u32::from(matches!(element.kind, kind::P | kind::DIV) && block.words >= 8);
            }
        }
        for at in (1..self.elements.len()).rev() {
            let element = self.element(at as u32).clone();
            if matches!(element.kind, kind::P | kind::TD | kind::PRE | kind::BLOCKQUOTE | kind::DIV)
                && element.words >= 6
            {
                self.score(&element);
            }
            if let Some(parent) = self.elements.get_mut(element.parent as usize) {
                parent.words += element.words;
                parent.link_words += element.link_words;
                parent.blocks += element.blocks;
                parent.paragraphs += element.paragraphs;
                parent.images += element.images;
                parent.commas += element.commas;
            }
        }
        self.unname();
    }

    /// Takes back what the names on wide elements said.
    fn unname(&mut self) {
        for at in 1..self.elements.len() {
            let element = self.element(at as u32);
            let wide = self.is_wide(element);
            let above = self.element(element.parent).inside;
            if let Some(element) = self.elements.get_mut(at) {
                if wide {
                    element.own &= !inside::NAMED;
                    element.worth = Worth::default();
                }
                element.inside = above | element.own;
            }
        }
    }

    /// A paragraph speaks for its parent, half as much for the next, a sixth for the one above.
    fn score(&mut self, element: &Element) {
        let mut points = 1.0 + element.commas as f32 + (element.words as f32 / 16.0).min(3.0);
        let mut above = element.parent;
        for share in [0.5, 1.0 / 3.0, 0.0] {
            let Some(found) = self.elements.get_mut(above as usize) else { return };
            found.score += points;
            points *= share;
            if above == NO_ONE {
                return;
            }
            above = found.parent;
        }
    }
}
