//! Goes through the tree once and writes the outline.

use super::kind::{self, Flow, Nature, inside};
use super::outline::{Block, DEEPEST, Element, NO_ONE, Namer, Outline};
use super::words::{SEED, is_word_alone, lower, mix};
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
    // About a third of the nodes are elements that hold text, and lists that grow are copied.
    let mut elements = Vec::with_capacity(tree.len() / 3);
    elements.push(Element { kind: kind::nature(Tag::HTML).number, ..Element::default() });
    let out = Outline { elements, ..Outline::default() };
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

    fn has_text(&self) -> bool {
        self.out.text.len() > self.block.text.0 as usize
    }

    fn enter(&mut self, node: NodeId, tag: Tag, nature: Nature) {
        let Nature { number, inside: mut own, mut look, .. } = nature;
        self.namer.begin();
        for (name, value) in self.tree.attrs(node) {
            own |= kind::by_attribute(name, value);
            match name {
                "class" => {
                    let said = self.namer.value(value);
                    own |= said.inside;
                    // A class of nothing, or of digits only, is none.
                    look = if said.look == SEED { look } else { mix(look, said.look) };
                }
                "id" | "role" | "itemprop" | "aria-label" | "data-testid" | "data-component" | "itemtype" => {
                    own |= self.namer.value(value).inside;
                }
                "href" if tag == Tag::A => own |= inside::LINK,
                _ => {}
            }
        }
        if !matches!(tag, Tag::DIV | Tag::SPAN | Tag::P | Tag::A) {
            self.namer.tag(self.tree.name(node));
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

    fn read(&mut self, node: NodeId) {
        let inside = self.out.element(self.at).inside;
        let text = self.tree.text(node);
        let (from, words) = (self.out.text.len(), self.block.words);
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            // Most of most texts are words in ASCII, which go at one stroke.
            let length = if c.is_ascii_alphanumeric() {
                self.ascii_word(rest)
            } else {
                self.letter(c, inside);
                c.len_utf8()
            };
            rest = rest.get(length..).unwrap_or_default();
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
        self.part();
        self.out.text.push(c);
        self.count(c);
        self.before = c;
    }

    /// Writes the space or the line break that was read before.
    fn part(&mut self) {
        if (self.line || self.space) && self.has_text() {
            self.out.text.push(if self.line { '\n' } else { ' ' });
            self.before = ' ';
            self.end_word();
        }
        (self.space, self.line, self.broken) = (false, false, false);
    }

    /// Reads the letters and digits with which the text begins, and says how many: the same as one `letter` after the other.
    fn ascii_word(&mut self, text: &str) -> usize {
        self.part();
        let starts_capital =
            text.starts_with(|c: char| c.is_ascii_uppercase()) && !self.before.is_alphanumeric();
        let (mut length, mut digits, mut upper) = (0_u32, 0_u32, 0_u32);
        let mut hash = self.word.unwrap_or(SEED);
        for byte in text.bytes().take_while(u8::is_ascii_alphanumeric) {
            length += 1;
            digits += u32::from(byte <= b'9');
            upper += u32::from(byte.is_ascii_uppercase());
            // The small letter of a capital; digits have the bit already.
            hash = mix(hash, u32::from(byte | 0x20));
        }
        let part = text.get(..length as usize).unwrap_or_default();
        self.out.text.push_str(part);
        let letters = &mut self.block.letters;
        letters.all += length;
        letters.digits += digits;
        letters.alphabetic += length - digits;
        letters.upper += upper;
        letters.capitals += u32::from(starts_capital);
        self.block.words += u32::from(self.begins_word());
        self.word = Some(hash);
        self.before = part.bytes().next_back().map_or(' ', char::from);
        length as usize
    }

    /// Would a letter begin a word here? Not after an apostrophe.
    fn begins_word(&self) -> bool {
        self.word.is_none() && self.before != '\'' && self.before != '’'
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
        let begins = self.begins_word();
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
            self.block.words += u32::from(begins);
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
