//! The open elements (WHATWG HTML §13.2.4.2), at most as many as browsers allow.

use super::super::tag::{BUTTON_SCOPE, IMPLIED, IMPLIED_ALL, KNOWN, SCOPE, Tag};

/// Browsers stop nesting here too: deeper elements become siblings.
const DEEPEST: usize = 512;

/// What a foreign element means for the tokens inside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Html,
    Foreign,
    /// Texts and most start tags inside are HTML.
    MathText,
    /// Texts and start tags inside are HTML.
    HtmlPoint,
    /// Only `svg` inside is HTML's business.
    AnnotationXml,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) node: u32,
    pub(super) tag: Tag,
    pub(super) kind: Kind,
}

#[derive(Debug)]
pub(super) struct Stack {
    open: Vec<Open>,
    /// How many of each known HTML element are open: most searches end here.
    counts: [u16; KNOWN],
    /// Open elements that had to make room for a deeper one, which is their sibling. They come back when it is closed.
    aside: Vec<Open>,
}

impl Stack {
    pub(super) fn new(root: u32) -> Stack {
        let mut stack = Stack { open: Vec::with_capacity(64), counts: [0; KNOWN], aside: Vec::new() };
        stack.push(Open { node: root, tag: Tag::HTML, kind: Kind::Html });
        stack
    }

    pub(super) fn len(&self) -> usize {
        self.open.len()
    }

    pub(super) fn get(&self, at: usize) -> Option<&Open> {
        self.open.get(at)
    }

    pub(super) fn top(&self) -> Open {
        self.open.last().copied().unwrap_or(Open { node: 0, tag: Tag::HTML, kind: Kind::Html })
    }

    pub(super) fn all(&self) -> &[Open] {
        &self.open
    }

    fn count(&mut self, tag: Tag, more: bool) {
        if let Some(count) = self.counts.get_mut(tag.0 as usize) {
            *count = if more { *count + 1 } else { count.saturating_sub(1) };
        }
    }

    /// May an element of this name be open? If not, no search is needed.
    pub(super) fn may_have(&self, tag: Tag) -> bool {
        self.counts.get(tag.0 as usize).is_none_or(|&count| count > 0)
    }

    /// To be called before a place for an element is looked for that will be pushed.
    pub(super) fn make_room(&mut self) {
        if self.open.len() >= DEEPEST
            && let Some(top) = self.open.pop()
        {
            self.count(top.tag, false);
            self.aside.push(top);
        }
    }

    pub(super) fn push(&mut self, open: Open) {
        self.count(open.tag, true);
        self.open.push(open);
    }

    /// Closes the current node; never the root.
    pub(super) fn pop(&mut self) {
        if self.open.len() > 1
            && let Some(top) = self.open.pop()
        {
            self.count(top.tag, false);
            if let Some(back) = self.aside.pop() {
                self.push(back);
            }
        }
    }

    /// Closes all from this place up, those aside too.
    pub(super) fn cut(&mut self, at: usize) {
        self.aside.clear();
        while self.open.len() > at.max(1) {
            self.pop();
        }
    }

    pub(super) fn remove(&mut self, at: usize) {
        if at > 0 && at < self.open.len() {
            let gone = self.open.remove(at);
            self.count(gone.tag, false);
        }
    }

    pub(super) fn insert(&mut self, at: usize, open: Open) {
        self.count(open.tag, true);
        self.open.insert(at.min(self.open.len()), open);
    }

    pub(super) fn replace(&mut self, at: usize, node: u32) {
        if let Some(open) = self.open.get_mut(at) {
            open.node = node;
        }
    }

    pub(super) fn position(&self, node: u32) -> Option<usize> {
        self.open.iter().rposition(|open| open.node == node)
    }

    /// The place of the innermost element that `is` accepts, unless a border of the scope is nearer.
    pub(super) fn find(&self, border: u16, is: impl Fn(&Open) -> bool) -> Option<usize> {
        for (at, open) in self.open.iter().enumerate().rev() {
            if is(open) {
                return Some(at);
            }
            if open.tag.has(border) {
                return None;
            }
        }
        None
    }

    pub(super) fn has(&self, tag: Tag, border: u16) -> bool {
        self.may_have(tag) && self.find(border, |open| open.tag == tag).is_some()
    }

    pub(super) fn has_any(&self, tags: &[Tag], border: u16) -> bool {
        self.find(border, |open| tags.contains(&open.tag)).is_some()
    }

    pub(super) fn has_node(&self, node: u32) -> bool {
        self.find(SCOPE, |open| open.node == node).is_some()
    }

    pub(super) fn has_p(&self) -> bool {
        self.has(Tag::P, BUTTON_SCOPE)
    }

    pub(super) fn has_template(&self) -> bool {
        self.may_have(Tag::TEMPLATE)
    }

    pub(super) fn pop_until(&mut self, is: impl Fn(Tag) -> bool) {
        while self.open.len() > 1 {
            let found = is(self.top().tag);
            self.pop();
            if found {
                return;
            }
        }
    }

    pub(super) fn pop_to(&mut self, tags: &[Tag]) {
        while self.open.len() > 1 && !tags.contains(&self.top().tag) {
            self.pop();
        }
    }

    /// Generates implied end tags, except of one name.
    pub(super) fn imply(&mut self, except: Tag) {
        while self.top().tag.has(IMPLIED) && self.top().tag != except {
            self.pop();
        }
    }

    pub(super) fn imply_all(&mut self) {
        while self.top().tag.has(IMPLIED_ALL) {
            self.pop();
        }
    }
}
