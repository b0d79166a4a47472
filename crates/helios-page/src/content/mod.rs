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
mod reader;
mod rows;
mod set;
mod shown;
#[doc(hidden)]
pub mod study;
mod walk;
mod words;
mod worth;

use crate::html::{NodeId, Tree};
use outline::{Block, Outline};
use shown::Shown;

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
    /// What a reader view shows, if that was asked for: all of it is kept.
    view: Option<(Outline, Shown)>,
}

/// Finds the main content. The address, where it is known, helps to tell what sort of page it is.
pub fn read<'t>(tree: &'t Tree<'t>, address: Option<&str>) -> Content<'t> {
    let hints = hints::hints(tree, address);
    let (outline, _) = walk::outline(tree, None, names::Lookup::new(&model::model().names));
    let (kept, kind) = choose(&outline, &hints);
    Content { tree, outline, kept, kind, view: None }
}

/// Finds what the reader view of a browser would show, instead of what the model keeps.
pub fn read_as_reader<'t>(tree: &'t Tree<'t>, address: Option<&str>) -> Content<'t> {
    let main = read(tree, address);
    let shown = reader::choose(tree);
    let (outline, _) = walk::outline(tree, Some(&shown), names::Silent);
    let kept = (0..outline.blocks.len() as u32).collect();
    Content { kept, view: Some((outline, shown)), ..main }
}

fn choose(outline: &Outline, hints: &hints::Hints) -> (Vec<u32>, PageKind) {
    let page = page::page(outline, hints);
    let look = look::look(&page);
    let article = look.kinds.first().copied().unwrap_or_default();
    (keep::keep(outline, &look.second, article), keep::kind(&look.kinds))
}

impl Content<'_> {
    /// There is something to read on the page, in its main text or beside it.
    pub fn has_text(&self) -> bool {
        self.outline.blocks.iter().any(|block| !self.outline.text_of(block).is_empty())
    }

    /// The sort of page; a guess that means nothing where there is no text.
    pub fn kind(&self) -> PageKind {
        self.kind
    }

    /// The outline that the kept blocks are of.
    fn read(&self) -> &Outline {
        self.view.as_ref().map_or(&self.outline, |(outline, _)| outline)
    }

    fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.kept.iter().filter_map(|&number| self.read().blocks.get(number as usize))
    }

    /// The main text, a line per paragraph, item or cell.
    pub fn text(&self) -> String {
        lines(self.read(), self.blocks())
    }

    /// The main text as markdown. Addresses stand as the page wrote them.
    pub fn markdown(&self) -> String {
        markdown::markdown(self.tree, self.view.as_ref().map(|(_, shown)| shown), self.read(), &self.kept)
    }

    /// All text that the page could show, menus and all.
    pub fn full_text(&self) -> String {
        lines(&self.outline, self.outline.blocks.iter())
    }

    /// The elements whose text was kept, in document order.
    pub fn kept(&self) -> impl Iterator<Item = NodeId> {
        self.blocks().filter_map(|block| self.read().of(block).node)
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
