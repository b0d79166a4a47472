//! Goes through the tree once and writes the outline.

use super::kind::{self, Flow, Nature, inside};
use super::outline::{Block, DEEPEST, Element, NO_ONE, Namer, Outline};
use super::shown::Shown;
use super::words::{SEED, mix};
use crate::html::{NodeId, Tag, Tree};

pub(super) struct Walk<'t, N> {
    pub(super) tree: &'t Tree<'t>,
    /// All that is read; none: everything.
    pub(super) only: Option<&'t Shown>,
    pub(super) out: Outline,
    namer: N,
    pub(super) at: u32,
    opened: Vec<u32>,
    pub(super) block: Block,
    /// The word that is being read, and what stands before the next letter.
    pub(super) word: Option<u32>,
    pub(super) space: bool,
    pub(super) line: bool,
    pub(super) broken: bool,
    pub(super) before: char,
}

/// Reads a page, or what is shown of it.
pub(super) fn outline<N: Namer>(tree: &Tree<'_>, only: Option<&Shown>, namer: N) -> (Outline, N) {
    // About what most pages need: lists that grow are copied.
    let mut elements = Vec::with_capacity(tree.len() * 2 / 5);
    elements.push(Element { kind: kind::nature(Tag::HTML).number, ..Element::default() });
    let out = Outline {
        elements,
        blocks: Vec::with_capacity(tree.len() / 8),
        text: String::with_capacity(tree.len() * 8),
        hashes: Vec::with_capacity(tree.len()),
        ..Outline::default()
    };
    let mut walk = Walk {
        tree,
        only,
        out,
        namer,
        at: NO_ONE,
        opened: Vec::new(),
        block: Block::default(),
        word: None,
        space: false,
        line: false,
        broken: false,
        before: ' ',
    };
    walk.all(tree.html());
    walk.flush();
    walk.out.sum();
    (walk.out, walk.namer)
}

impl<N: Namer> Walk<'_, N> {
    fn all(&mut self, root: NodeId) {
        let mut node = root;
        loop {
            let entered = self.open(node);
            if let Some(child) = self.tree.first_child(node).filter(|_| entered) {
                node = child;
                continue;
            }
            if entered {
                self.close(node);
            }
            loop {
                if node == root {
                    return;
                }
                if let Some(next) = self.tree.next_sibling(node) {
                    node = next;
                    break;
                }
                let Some(parent) = self.tree.parent(node) else { return };
                node = parent;
                self.close(node);
            }
        }
    }

    /// Takes a node; true when it is an element whose inside matters.
    fn open(&mut self, node: NodeId) -> bool {
        let tag = self.tree.tag(node);
        if self.only.is_some_and(|only| !only.has(node) && !matches!(tag, Tag::BR | Tag::HR)) {
            // What is not shown parts the lines before and after it all the same.
            if tag.is_element() && kind::nature(tag).flow == Flow::Block {
                self.flush();
            }
            return false;
        }
        if tag == Tag::TEXT {
            self.read(node);
            return false;
        }
        if !tag.is_element() {
            return false;
        }
        let nature = kind::nature(tag);
        match nature.flow {
            Flow::Skip => false,
            Flow::Break => {
                self.line_break();
                false
            }
            Flow::Rule => {
                self.flush();
                false
            }
            Flow::Image => {
                if let Some(element) = self.out.elements.get_mut(self.at as usize) {
                    element.images += 1;
                }
                match &mut self.block.nodes {
                    Some((_, last)) => *last = node,
                    None => self.out.images.push((self.out.blocks.len() as u32, node)),
                }
                false
            }
            Flow::Block => {
                self.flush();
                self.enter(node, tag, nature);
                true
            }
            Flow::Inline if self.tree.attr(node, "style").is_some_and(kind::hides) => false,
            Flow::Inline => {
                self.enter(node, tag, nature);
                true
            }
        }
    }

    fn line_break(&mut self) {
        if self.broken {
            self.flush();
        } else if self.has_text() {
            (self.line, self.broken) = (true, true);
            self.block.breaks += 1;
        }
    }

    pub(super) fn has_text(&self) -> bool {
        self.out.text.len() > self.block.text.0 as usize
    }

    fn enter(&mut self, node: NodeId, tag: Tag, nature: Nature) {
        let Nature { number, inside: mut own, mut look, .. } = nature;
        self.namer.begin();
        for (name, value) in self.tree.attrs(node) {
            // Bytes, because the compiler compares texts one after the other.
            match name.as_bytes() {
                b"class" => {
                    let said = self.namer.class(value);
                    own |= said.inside;
                    // A class of nothing, or of digits only, is none.
                    look = if said.look == SEED { look } else { mix(look, said.look) };
                }
                b"id" | b"aria-label" | b"data-testid" | b"data-component" | b"itemtype" => {
                    own |= self.namer.value(value);
                }
                b"role" => own |= kind::by_role(value) | self.namer.value(value),
                b"itemprop" => own |= kind::by_property(value) | self.namer.value(value),
                b"href" if tag == Tag::A => own |= inside::LINK,
                b"hidden" => own |= inside::HIDDEN,
                b"aria-hidden" if value == "true" => own |= inside::HIDDEN,
                b"aria-modal" if value == "true" => own |= inside::DIALOG,
                b"style" if kind::hides(value) => own |= inside::HIDDEN,
                _ => {}
            }
        }
        if !matches!(tag, Tag::DIV | Tag::SPAN | Tag::P | Tag::A) {
            self.namer.tag(tag, self.tree.name(node));
        }
        let worth = self.namer.worth();
        if own & inside::LINK != 0 {
            self.block.links += 1;
        }
        self.push(Element { kind: number, own, look, worth, node: Some(node), ..Element::default() });
    }

    fn push(&mut self, mut element: Element) {
        let number = self.out.elements.len() as u32;
        if let Some(parent) = self.out.elements.get_mut(self.at as usize) {
            // Beyond the deepest level elements become sisters.
            element.parent = if parent.depth >= DEEPEST { parent.parent } else { self.at };
            parent.children += 1;
            element.depth = (parent.depth + 1).min(DEEPEST);
            element.inside = parent.inside | element.own;
            element.path = parent.path.rotate_left(5).wrapping_mul(0x9E37_79B1) ^ element.look;
            element.index = parent.children - 1;
        }
        self.out.elements.push(element);
        self.opened.push(number);
        self.at = number;
    }

    fn close(&mut self, node: NodeId) {
        if kind::nature(self.tree.tag(node)).flow == Flow::Block {
            self.flush();
        }
        let end = self.out.elements.len() as u32;
        if let Some(element) = self.out.elements.get_mut(self.at as usize) {
            element.end = end;
        }
        self.opened.pop();
        self.at = self.opened.last().copied().unwrap_or(NO_ONE);
    }

    /// Ends the block that is being read.
    fn flush(&mut self) {
        self.end_word();
        let from = self.block.text.0;
        let written = self.out.text.get(from as usize..).unwrap_or_default();
        self.out.text.truncate(from as usize + written.trim_end().len());
        let to = self.out.text.len() as u32;
        let mut block = std::mem::take(&mut self.block);
        (self.space, self.line, self.broken, self.before) = (false, false, false, ' ');
        if to > from {
            block.element = self.at;
            block.text.1 = to;
            block.hashes.1 = self.out.hashes.len() as u32;
            block.letters.end = ending(self.out.text_of(&block));
            if block.words > 0 || block.letters.all > 1 {
                self.out.blocks.push(block);
            }
        }
        self.block.text.0 = to;
        self.block.hashes.0 = self.out.hashes.len() as u32;
    }
}

fn ending(text: &str) -> u8 {
    match text.trim_end_matches(['"', '”', '’', '\'', ')', '»']).chars().next_back() {
        Some('.' | '。' | '।' | '؟') => 3,
        Some('!' | '?' | '！' | '？' | '…') => 2,
        Some(':' | ',' | ';') => 1,
        _ => 0,
    }
}
