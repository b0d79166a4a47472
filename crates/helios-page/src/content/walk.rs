//! Goes through the tree once and writes the outline.

use super::kind::{self, Flow, inside};
use super::outline::{Block, DEEPEST, Element, NO_ONE, Namer, Outline};
use super::words::{SEED, is_word_alone, lower, mix, of_names};
use crate::html::{NodeId, Tag, Tree};

struct Walk<'t, N> {
    tree: &'t Tree<'t>,
    out: Outline,
    namer: N,
    at: u32,
    opened: Vec<u32>,
    block: Block,
    /// The word that is being read, and what stands before the next letter.
    word: Option<u32>,
    space: bool,
    line: bool,
    broken: bool,
    before: char,
}

/// Reads a page.
pub(super) fn outline<N: Namer>(tree: &Tree<'_>, namer: N) -> (Outline, N) {
    let out = Outline {
        elements: vec![Element { kind: kind::number(Tag::HTML), ..Element::default() }],
        ..Outline::default()
    };
    let mut walk = Walk {
        tree,
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
        if tag == Tag::TEXT {
            self.read(node);
            return false;
        }
        if !tag.is_element() {
            return false;
        }
        match kind::flow(tag) {
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
                self.enter(node, tag);
                true
            }
            Flow::Inline if self.tree.attr(node, "style").is_some_and(kind::hides) => false,
            Flow::Inline => {
                self.enter(node, tag);
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

    fn has_text(&self) -> bool {
        self.out.text.len() > self.block.text.0 as usize
    }

    fn enter(&mut self, node: NodeId, tag: Tag) {
        let mut own = kind::by_name(tag);
        let mut look = mix(
            SEED,
            tag.known_name().map_or(0, |name| name.len() as u32 + 1) ^ (u32::from(kind::number(tag)) << 8),
        );
        self.namer.begin();
        for (name, value) in self.tree.attrs(node) {
            own |= kind::by_attribute(name, value);
            match name {
                "href" if tag == Tag::A => own |= inside::LINK,
                "class" | "id" | "role" | "itemprop" | "aria-label" | "data-testid" | "data-component"
                | "itemtype" => {
                    of_names(value, |hash| {
                        own |= kind::by_word(hash);
                        self.namer.name(hash);
                    });
                }
                _ => {}
            }
            if name == "class" {
                look = value
                    .bytes()
                    .take(200)
                    .filter(|byte| !byte.is_ascii_digit())
                    .fold(look, |hash, byte| mix(hash, u32::from(byte)));
            }
        }
        if !matches!(tag, Tag::DIV | Tag::SPAN | Tag::P | Tag::A) {
            let name = self.tree.name(node).bytes().take(40);
            self.namer.name(name.fold(mix(SEED, u32::from(b'<')), |hash, byte| mix(hash, u32::from(byte))));
        }
        let worth = self.namer.worth();
        if own & inside::LINK != 0 {
            self.block.links += 1;
        }
        self.push(Element {
            kind: kind::number(tag),
            own,
            look,
            worth,
            node: Some(node),
            ..Element::default()
        });
    }

    fn push(&mut self, mut element: Element) {
        let number = self.out.elements.len() as u32;
        let (mut parent, mut at) = (Element::default(), self.at);
        if let Some(found) = self.out.elements.get_mut(self.at as usize) {
            // Beyond the deepest level elements become sisters.
            at = if found.depth >= DEEPEST { found.parent } else { at };
            found.children += 1;
            parent = found.clone();
        }
        element.parent = at;
        element.depth = (parent.depth + 1).min(DEEPEST);
        element.inside = parent.inside | element.own;
        element.path = parent.path.rotate_left(5).wrapping_mul(0x9E37_79B1) ^ element.look;
        element.index = parent.children.saturating_sub(1);
        self.out.elements.push(element);
        self.opened.push(number);
        self.at = number;
    }

    fn close(&mut self, node: NodeId) {
        if kind::flow(self.tree.tag(node)) == Flow::Block {
            self.flush();
        }
        let end = self.out.elements.len() as u32;
        if let Some(element) = self.out.elements.get_mut(self.at as usize) {
            element.end = end;
        }
        self.opened.pop();
        self.at = self.opened.last().copied().unwrap_or(NO_ONE);
    }

    fn read(&mut self, node: NodeId) {
        let inside = self.out.element(self.at).inside;
        let text = self.tree.text(node);
        let (from, words) = (self.out.text.len(), self.block.words);
        for c in text.chars() {
            self.letter(c, inside);
        }
        if self.out.text.len() == from {
            return;
        }
        let read = self.block.words - words;
        if inside & inside::LINK != 0 {
            self.block.link_words += read;
        }
        if inside & inside::STRONG != 0 {
            self.block.strong_words += read;
        }
        let first = self.block.nodes.map_or(node, |(first, _)| first);
        self.block.nodes = Some((first, node));
    }

    fn letter(&mut self, c: char, inside: u32) {
        if c.is_whitespace() {
            self.blank(c, inside & inside::PRE != 0);
            return;
        }
        if c == '\u{ad}' || c == '\u{200b}' || c == '\u{feff}' {
            return;
        }
        if (self.line || self.space) && self.has_text() {
            self.out.text.push(if self.line { '\n' } else { ' ' });
            self.before = ' ';
            self.end_word();
        }
        (self.space, self.line, self.broken) = (false, false, false);
        self.out.text.push(c);
        self.count(c);
        self.before = c;
    }

    /// White space: kept as it is in code, else one space, and none at the start.
    fn blank(&mut self, c: char, code: bool) {
        if !code || (c == '\n' && !self.has_text()) {
            self.space = true;
            return;
        }
        if self.line && self.has_text() {
            self.out.text.push('\n');
        }
        (self.line, self.space, self.broken, self.before) = (false, false, false, ' ');
        self.out.text.push(c);
        self.end_word();
    }

    fn end_word(&mut self) {
        self.out.hashes.extend(self.word.take());
    }

    fn count(&mut self, c: char) {
        let letters = &mut self.block.letters;
        letters.all += 1;
        if c.is_alphanumeric() {
            if c.is_ascii_digit() {
                letters.digits += 1;
            } else {
                letters.alphabetic += 1;
                if c.is_uppercase() {
                    letters.upper += 1;
                    letters.capitals += u32::from(!self.before.is_alphanumeric());
                }
            }
            self.block.words += u32::from(self.word.is_none() && self.before != '\'' && self.before != '’');
            let hash = lower(self.word.unwrap_or(SEED), c);
            self.word = Some(hash);
            if is_word_alone(c) {
                self.end_word();
            }
            return;
        }
        match c {
            '.' | '!' | '?' | ';' | ':' | '。' | '！' | '？' | '।' | '…' => letters.stops += 1,
            ',' | '，' | '、' | '،' => letters.commas += 1,
            '|' | '©' | '»' | '›' | '•' | '·' | '→' | '>' | '/' | '«' => letters.bars += 1,
            '$' | '€' | '£' | '¥' | '₹' | '%' => letters.money += 1,
            _ => {}
        }
        self.end_word();
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
