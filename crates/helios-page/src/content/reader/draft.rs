//! A copy of the page that can be cut: the links between nodes alone.
//!
//! Nodes are numbers. What was not removed is what can be reached from the body, which is node 0.

use crate::html::Tag;

/// No node.
pub(super) const NONE: u32 = u32::MAX;
pub(super) const BODY: u32 = 0;

/// What is known of an element before anything is cut, as bits.
pub(super) mod bits {
    pub(in super::super) const UNLIKELY: u32 = 1;
    pub(in super::super) const MAYBE: u32 = 1 << 1;
    pub(in super::super) const BYLINE: u32 = 1 << 2;
    pub(in super::super) const SHARE: u32 = 1 << 3;
    pub(in super::super) const GOOD_CLASS: u32 = 1 << 4;
    pub(in super::super) const BAD_CLASS: u32 = 1 << 5;
    pub(in super::super) const GOOD_ID: u32 = 1 << 6;
    pub(in super::super) const BAD_ID: u32 = 1 << 7;
    /// Nobody sees it, or it lies over the page.
    pub(in super::super) const HIDDEN: u32 = 1 << 8;
    /// Its role is that of a menu, a notice or the like.
    pub(in super::super) const BESIDE: u32 = 1 << 9;
    /// It shows a film of a known site.
    pub(in super::super) const VIDEO: u32 = 1 << 10;
    /// A link to a place on the same page.
    pub(in super::super) const JUMP: u32 = 1 << 11;
    /// Some child is not part of a line.
    pub(in super::super) const BROKEN: u32 = 1 << 12;
    /// There is a paragraph, a list or the like somewhere inside.
    pub(in super::super) const BLOCKS: u32 = 1 << 13;
    /// A table that says which cells belong together.
    pub(in super::super) const DATA: u32 = 1 << 14;
    /// It says of itself that it is no such table.
    pub(in super::super) const LAYOUT: u32 = 1 << 15;
    /// It says of itself that it is one.
    pub(in super::super) const SUMMARY: u32 = 1 << 16;
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) tag: Tag,
    pub(super) parent: u32,
    pub(super) prev: u32,
    pub(super) next: u32,
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) bits: u32,
    /// The class as a hash; zero: none.
    pub(super) class: u32,
}

const ALONE: Node = Node {
    tag: Tag::DOCUMENT,
    parent: NONE,
    prev: NONE,
    next: NONE,
    first: NONE,
    last: NONE,
    bits: 0,
    class: 0,
};

#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    nodes: Vec<Node>,
}

impl Draft {
    pub(super) fn with_room(nodes: usize) -> Draft {
        Draft { nodes: Vec::with_capacity(nodes) }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn node(&self, at: u32) -> &Node {
        self.nodes.get(at as usize).unwrap_or(&ALONE)
    }

    pub(super) fn change(&mut self, at: u32, change: impl FnOnce(&mut Node)) {
        if let Some(node) = self.nodes.get_mut(at as usize) {
            change(node);
        }
    }

    pub(super) fn tag(&self, at: u32) -> Tag {
        self.node(at).tag
    }

    pub(super) fn has(&self, at: u32, bits: u32) -> bool {
        self.node(at).bits & bits != 0
    }

    pub(super) fn is_text(&self, at: u32) -> bool {
        self.tag(at) == Tag::TEXT
    }

    /// A new node that stands nowhere yet.
    pub(super) fn add(&mut self, tag: Tag, bits: u32, class: u32) -> u32 {
        self.nodes.push(Node { tag, bits, class, ..ALONE });
        self.nodes.len() as u32 - 1
    }

    /// Makes a node that stands nowhere the last child.
    pub(super) fn append(&mut self, parent: u32, child: u32) {
        self.insert(parent, child, NONE);
    }

    /// Puts a node that stands nowhere before a child, or at the end.
    pub(super) fn insert(&mut self, parent: u32, child: u32, before: u32) {
        let prev = if before == NONE { self.node(parent).last } else { self.node(before).prev };
        self.change(child, |node| (node.parent, node.prev, node.next) = (parent, prev, before));
        self.join(parent, prev, child);
        self.join(parent, child, before);
    }

    /// Takes a node out, with all below it.
    pub(super) fn remove(&mut self, at: u32) {
        let Node { parent, prev, next, .. } = *self.node(at);
        self.join(parent, prev, next);
        self.change(at, |node| (node.parent, node.prev, node.next) = (NONE, NONE, NONE));
    }

    /// Makes two children neighbours; none of one side is the end of the list.
    fn join(&mut self, parent: u32, prev: u32, next: u32) {
        if prev == NONE {
            self.change(parent, |node| node.first = next);
        } else {
            self.change(prev, |node| node.next = next);
        }
        if next == NONE {
            self.change(parent, |node| node.last = prev);
        } else {
            self.change(next, |node| node.prev = prev);
        }
    }

    /// Puts a node at the place of another one, which is taken out.
    pub(super) fn replace(&mut self, old: u32, new: u32) {
        self.remove(new);
        let Node { parent, next, .. } = *self.node(old);
        self.remove(old);
        self.insert(parent, new, next);
    }

    /// The next node in the order of the page, below the body.
    pub(super) fn next_in_document(&self, at: u32) -> u32 {
        let first = self.node(at).first;
        if first == NONE { self.after(at, BODY) } else { first }
    }

    /// The next node that is not below this one, still inside of `top`.
    pub(super) fn after(&self, mut at: u32, top: u32) -> u32 {
        while at != top && at != NONE {
            let node = self.node(at);
            if node.next != NONE {
                return node.next;
            }
            at = node.parent;
        }
        NONE
    }

    pub(super) fn children(&self, at: u32) -> impl Iterator<Item = u32> {
        let mut next = self.node(at).first;
        std::iter::from_fn(move || {
            let at = next;
            next = self.node(at).next;
            (at != NONE).then_some(at)
        })
    }

    /// The children that are elements.
    pub(super) fn elements(&self, at: u32) -> impl Iterator<Item = u32> {
        self.children(at).filter(|&child| !self.is_text(child))
    }

    /// The nodes above, innermost first, with the body.
    pub(super) fn above(&self, at: u32) -> impl Iterator<Item = u32> {
        let mut next = self.node(at).parent;
        std::iter::from_fn(move || {
            let at = next;
            next = self.node(at).parent;
            (at != NONE).then_some(at)
        })
    }

    /// Is it in such an element, not far below?
    pub(super) fn is_in(&self, at: u32, tag: Tag) -> bool {
        self.above(at).take(4).any(|above| self.tag(above) == tag)
    }
}
