//! The first way through the page: what nobody sees or what is not likely to be text goes, lines of text become paragraphs.

use super::build::Base;
use super::draft::{BODY, Draft, NONE, bits};
use super::head::{HEADINGS, Head, heading};
use super::tags::{is_in_line, speaks};
use crate::html::{Tag, Tree};

pub(super) struct Strip<'b> {
    pub(super) tree: &'b Tree<'b>,
    pub(super) base: &'b Base,
    pub(super) head: &'b Head,
    /// Take out what its names say is a menu, comments and the like.
    pub(super) unlikely: bool,
    /// The heading that repeats the title was not met yet, nor a line that names the author.
    pub(super) title: bool,
    pub(super) byline: bool,
    /// Headings that were compared with the title.
    pub(super) headings: usize,
}

impl Strip<'_> {
    /// Cuts the draft, and gives the elements that speak for what is around them.
    pub(super) fn strip(&mut self, draft: &mut Draft) -> Vec<u32> {
        let mut speakers = Vec::new();
        let mut at = draft.node(BODY).first;
        while at != NONE {
            if draft.is_text(at) {
                at = draft.after(at, BODY);
                continue;
            }
            if self.goes(draft, at) {
                let next = draft.after(at, BODY);
                draft.remove(at);
                at = next;
                continue;
            }
            if speaks(draft.tag(at)) {
                speakers.push(at);
            }
            if draft.tag(at) == Tag::DIV {
                at = self.divide(draft, at, &mut speakers);
            }
            at = draft.next_in_document(at);
        }
        speakers
    }

    fn goes(&mut self, draft: &Draft, at: u32) -> bool {
        let node = draft.node(at);
        let own = |bits: u32| node.bits & bits != 0;
        let text = self.base.text(at);
        if own(bits::HIDDEN) {
            return true;
        }
        if self.byline && own(bits::BYLINE) && text.shown > 0 && text.shown < 100 {
            self.byline = false;
            return true;
        }
        if self.title && matches!(node.tag, Tag::H1 | Tag::H2) && self.is_title(at) {
            self.title = false;
            return true;
        }
        if self.unlikely
            && (own(bits::BESIDE)
                || (own(bits::UNLIKELY)
                    && !own(bits::MAYBE)
                    && node.tag != Tag::A
                    && !draft.is_in(at, Tag::TABLE)
                    && !draft.is_in(at, Tag::CODE)))
        {
            return true;
        }
        let bare = matches!(node.tag, Tag::DIV | Tag::SECTION | Tag::HEADER) || node.tag.is_heading();
        bare && text.shown == 0 && draft.elements(at).all(|at| matches!(draft.tag(at), Tag::BR | Tag::HR))
    }

    fn is_title(&mut self, at: u32) -> bool {
        self.headings += 1;
        let node = self.base.sources.get(at as usize).copied().flatten();
        self.headings <= HEADINGS
            && node.is_some_and(|node| self.head.is_repeated_by(&heading(self.tree, node)))
    }

    /// Makes paragraphs of the lines in a `div`, or one paragraph of all of it. Gives the element that stands there then.
    fn divide(&self, draft: &mut Draft, at: u32, speakers: &mut Vec<u32>) -> u32 {
        let wrapped = self.wrap(draft, at);
        if let Some(only) = only_paragraph(self.base, draft, at)
            && self.base.link_share(at) < 0.25
        {
            draft.replace(at, only);
            speakers.push(only);
            return only;
        }
        if !wrapped && !draft.has(at, bits::BLOCKS) {
            draft.change(at, |node| node.tag = Tag::P);
            speakers.push(at);
        }
        at
    }

    /// Puts each run of what stands in a line into a paragraph; true if there was one.
    fn wrap(&self, draft: &mut Draft, parent: u32) -> bool {
        let mut wrapped = false;
        let mut at = draft.node(parent).first;
        while at != NONE {
            if !is_line(draft, at) || self.is_blank(draft, at) {
                at = draft.node(at).next;
                continue;
            }
            let paragraph = draft.add(Tag::P, 0, 0);
            draft.insert(parent, paragraph, at);
            wrapped = true;
            while is_line(draft, at) {
                draft.remove(at);
                draft.append(paragraph, at);
                at = draft.node(paragraph).next;
            }
            while self.is_blank(draft, draft.node(paragraph).last) {
                draft.remove(draft.node(paragraph).last);
            }
        }
        wrapped
    }

    fn is_blank(&self, draft: &Draft, at: u32) -> bool {
        draft.tag(at) == Tag::BR || (draft.is_text(at) && self.base.text(at).shown == 0)
    }
}

fn is_line(draft: &Draft, at: u32) -> bool {
    is_in_line(draft.tag(at), draft.node(at).bits)
}

/// The paragraph that is all there is in an element.
fn only_paragraph(base: &Base, draft: &Draft, at: u32) -> Option<u32> {
    let mut elements = draft.elements(at);
    let only = elements.next().filter(|&only| draft.tag(only) == Tag::P)?;
    let alone = elements.next().is_none()
        && draft.children(at).all(|child| !draft.is_text(child) || base.text(child).shown == 0);
    alone.then_some(only)
}
