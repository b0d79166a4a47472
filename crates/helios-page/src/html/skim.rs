//! A text in, a flat tree out: what leads elsewhere and what the head says, one after the other under the document.
//!
//! For whoever wants links alone: no tree is built, texts and the attributes of other elements are passed over. Where elements stand in
//! each other is not looked at, but for templates, whose content is inert, and SVG, where other rules hold for texts.

use std::borrow::Cow;

use super::build::bounded;
use super::tag::{BREAKOUT, Tag};
use super::token::{Raw, StartTag, Token, Tokenizer};
use super::tree::{ALONE, NONE, Node, Span, Tree};

/// Bytes of a page for each node, by which room is made.
const BYTES_EACH: usize = 512;

pub(super) fn skim(text: &str) -> Tree<'_> {
    let source = bounded(text);
    let mut nodes = Vec::with_capacity(source.len() / BYTES_EACH + 1);
    nodes.push(ALONE);
    let mut skimmer = Skimmer { tokenizer: Tokenizer::skimming(source), nodes, foreign: 0, inert: 0 };
    skimmer.run();
    let Skimmer { tokenizer, nodes, .. } = skimmer;
    let Tokenizer { decoded, attrs, names, .. } = tokenizer;
    let source = Cow::Borrowed(source);
    Tree { source, decoded, nodes, attrs, names, html: 0, head: NONE, body: NONE, quirks: false }
}

/// Elements whose attributes are read.
pub(super) fn is_wanted(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::A
            | Tag::AREA
            | Tag::BASE
            | Tag::FRAME
            | Tag::HTML
            | Tag::IFRAME
            | Tag::LINK
            | Tag::META
            | Tag::TITLE
    )
}

struct Skimmer<'s> {
    tokenizer: Tokenizer<'s>,
    nodes: Vec<Node>,
    /// Elements of SVG and MathML that are open.
    foreign: u32,
    /// Templates that are open.
    inert: u32,
}

impl Skimmer<'_> {
    fn run(&mut self) {
        loop {
            match self.tokenizer.next(self.foreign > 0) {
                Token::Start(start) => self.start(start),
                Token::End(tag) => self.end(tag),
                Token::Eof => return,
                Token::Text(_) | Token::Comment(_) | Token::Doctype => {}
            }
        }
    }

    fn start(&mut self, start: StartTag) {
        let tag = start.tag;
        match tag {
            Tag::SVG_NAME | Tag::MATH_NAME if !start.self_closing => self.foreign += 1,
            Tag::TEMPLATE => self.inert += 1,
            _ if self.foreign > 0 && tag.has(BREAKOUT) => self.foreign = 0,
            _ => {}
        }
        if self.inert == 0 && is_wanted(tag) {
            let tag = if self.foreign > 0 { tag.in_svg() } else { tag };
            self.tokenizer.keep();
            self.append(tag, start.attrs);
        }
        if self.foreign == 0 {
            self.tokenizer.raw = raw_of(tag);
            if tag == Tag::TITLE && self.inert == 0 {
                self.title();
            }
        }
    }

    /// The text of the title is the one text that is wanted.
    fn title(&mut self) {
        if let Token::Text(text) = self.tokenizer.next(false) {
            let title = self.nodes.len() as u32 - 1;
            let at = self.nodes.len() as u32;
            self.nodes.push(Node { tag: Tag::TEXT, parent: title, content: text, ..ALONE });
            if let Some(node) = self.nodes.get_mut(title as usize) {
                (node.first, node.last) = (at, at);
            }
        }
    }

    fn end(&mut self, tag: Tag) {
        match tag {
            Tag::SVG_NAME | Tag::MATH_NAME => self.foreign = self.foreign.saturating_sub(1),
            Tag::TEMPLATE => self.inert = self.inert.saturating_sub(1),
            _ => {}
        }
    }

    fn append(&mut self, tag: Tag, content: Span) {
        let at = self.nodes.len() as u32;
        let last = self.nodes.first().map_or(NONE, |root| root.last);
        self.nodes.push(Node { tag, parent: 0, prev: last, content, ..ALONE });
        match self.nodes.get_mut(last as usize) {
            Some(before) => before.next = at,
            None => self.nodes.iter_mut().take(1).for_each(|root| root.first = at),
        }
        self.nodes.iter_mut().take(1).for_each(|root| root.last = at);
    }
}

/// What the text in an element is (§13.2.6), with scripting off.
fn raw_of(tag: Tag) -> Raw {
    match tag {
        Tag::TITLE | Tag::TEXTAREA => Raw::Rcdata(tag),
        Tag::STYLE | Tag::XMP | Tag::IFRAME | Tag::NOEMBED | Tag::NOFRAMES => Raw::Rawtext(tag),
        Tag::SCRIPT => Raw::Script,
        Tag::PLAINTEXT => Raw::Plaintext,
        _ => Raw::Data,
    }
}
