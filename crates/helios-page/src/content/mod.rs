//! The main text of a page: a tree in; the text without menus, teasers and notices out, as plain text or as markdown.
//!
//! `walk` flattens the tree to blocks of text (`outline`), `page` and `features` turn each block into a row of numbers, `model` (learned;
//! `tools/content_model` makes it) gives each the probability that it belongs to the main text, `look` asks it once, and again with what
//! was thought of the neighbours (`context`), `keep` chooses, `markdown` and `inline` write. Always: time and memory grow with the length of
//! the page (and its logarithm); the same page gives the same text on every machine.

mod above;
mod address;
mod context;
mod features;
mod forest;
mod hints;
mod inline;
mod keep;
mod kind;
mod letters;
mod look;
mod markdown;
mod model;
mod names;
mod outline;
mod page;
mod rows;
#[doc(hidden)]
pub mod study;
mod walk;
mod words;
mod worth;

use crate::html::{NodeId, Tree};
use outline::{Block, Outline};

/// What sort of page it is, as far as its text tells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PageKind {
    Article,
    Service,
    Forum,
    Listing,
    Documentation,
    Product,
    Collection,
}

impl PageKind {
    /// All kinds; the order is part of the model.
    const ALL: [PageKind; 7] = [
        PageKind::Article,
        PageKind::Service,
        PageKind::Forum,
        PageKind::Listing,
        PageKind::Documentation,
        PageKind::Product,
        PageKind::Collection,
    ];

    pub fn name(self) -> &'static str {
        match self {
            PageKind::Article => "article",
            PageKind::Service => "service",
            PageKind::Forum => "forum",
            PageKind::Listing => "listing",
            PageKind::Documentation => "documentation",
            PageKind::Product => "product",
            PageKind::Collection => "collection",
        }
    }
}

/// The main content of one page.
#[derive(Debug)]
pub struct Content<'t> {
    tree: &'t Tree<'t>,
    outline: Outline,
    kept: Vec<u32>,
    kind: PageKind,
}

/// Finds the main content. The address, where it is known, helps to tell what sort of page it is.
pub fn read<'t>(tree: &'t Tree<'t>, address: Option<&str>) -> Content<'t> {
    let hints = hints::hints(tree, address);
    let (outline, _) = walk::outline(tree, names::Lookup::new(&model::model().names));
    let (kept, kind) = choose(&outline, &hints);
    Content { tree, outline, kept, kind }
}

fn choose(outline: &Outline, hints: &hints::Hints) -> (Vec<u32>, PageKind) {
    let page = page::page(outline, hints);
    let look = look::look(&page);
    let article = look.kinds.first().copied().unwrap_or_default();
    (keep::keep(outline, &look.second, article), keep::kind(&look.kinds))
}

impl Content<'_> {
    /// The sort of page.
    pub fn kind(&self) -> PageKind {
        self.kind
    }

    fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.kept.iter().filter_map(|&number| self.outline.blocks.get(number as usize))
    }

    /// The main text, a line per paragraph, item or cell.
    pub fn text(&self) -> String {
        lines(&self.outline, self.blocks())
    }

    /// The main text as markdown. Addresses stand as the page wrote them.
    pub fn markdown(&self) -> String {
        markdown::markdown(self.tree, &self.outline, &self.kept)
    }

    /// All text that the page could show, menus and all.
    pub fn full_text(&self) -> String {
        lines(&self.outline, self.outline.blocks.iter())
    }

    /// The elements whose text was kept, in document order.
    pub fn kept(&self) -> impl Iterator<Item = NodeId> {
        self.blocks().filter_map(|block| self.outline.of(block).node)
    }

    /// Words of the main text.
    pub fn words(&self) -> u32 {
        self.blocks().map(|block| block.words).sum()
    }
}

fn lines<'b>(outline: &Outline, blocks: impl Iterator<Item = &'b Block>) -> String {
    let mut text = String::new();
    for block in blocks {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(outline.text_of(block));
    }
    text
}
