//! Two line breaks in a row part paragraphs: what follows them in the line becomes one.

use super::build::Base;
use super::draft::{NONE, bits};
use super::tags::is_in_line;
use crate::html::Tag;

pub(super) fn part(base: &mut Base) {
    for at in 1..base.draft.len() as u32 {
        if base.draft.tag(at) == Tag::BR && base.draft.node(at).parent != NONE && base.swallow(at) {
            base.paragraph(at);
        }
    }
}

impl Base {
    /// The node itself, or the next one beside it that is no blank.
    fn seen(&self, mut at: u32) -> u32 {
        while self.draft.is_text(at) && self.text(at).shown == 0 {
            at = self.draft.node(at).next;
        }
        at
    }

    /// Removes the breaks that follow a break; true if there were any.
    fn swallow(&mut self, at: u32) -> bool {
        let mut swallowed = false;
        loop {
            let next = self.seen(self.draft.node(at).next);
            if self.draft.tag(next) != Tag::BR {
                return swallowed;
            }
            // The blanks between are of no use any more, and must not be passed again.
            while self.draft.node(at).next != next {
                self.draft.remove(self.draft.node(at).next);
            }
            self.draft.remove(next);
            swallowed = true;
        }
    }

    /// Puts a paragraph at the place of a break, with all that follows it in the line.
    fn paragraph(&mut self, at: u32) {
        let draft = &mut self.draft;
        let paragraph = draft.add(Tag::P, 0, 0);
        let parent = draft.node(at).parent;
        draft.insert(parent, paragraph, at);
        draft.remove(at);
        loop {
            let next = self.draft.node(paragraph).next;
            if next == NONE || !is_in_line(self.draft.tag(next), self.draft.node(next).bits) {
                break;
            }
            if self.draft.tag(next) == Tag::BR
                && self.draft.tag(self.seen(self.draft.node(next).next)) == Tag::BR
            {
                break;
            }
            self.draft.remove(next);
            self.draft.append(paragraph, next);
        }
        self.trim(paragraph);
        if self.draft.tag(parent) == Tag::P {
            self.draft.change(parent, |node| node.tag = Tag::DIV);
        }
        self.mark(paragraph);
    }

    fn trim(&mut self, paragraph: u32) {
        loop {
            let last = self.draft.node(paragraph).last;
            let blank = self.draft.is_text(last) && self.text(last).shown == 0;
            if !blank && self.draft.tag(last) != Tag::BR {
                return;
            }
            self.draft.remove(last);
        }
    }

    /// Tells all above that there is a paragraph inside. Ends where it is known, so that it takes no longer than the page is deep, in all.
    fn mark(&mut self, paragraph: u32) {
        let both = bits::BLOCKS | bits::BROKEN;
        let mut at = self.draft.node(paragraph).parent;
        let mut told = both;
        while at != NONE && self.draft.node(at).bits & told != told {
            self.draft.change(at, |node| node.bits |= told);
            if !matches!(self.draft.tag(at), Tag::A | Tag::DEL | Tag::INS) {
                told = bits::BLOCKS;
            }
            at = self.draft.node(at).parent;
        }
    }
}
