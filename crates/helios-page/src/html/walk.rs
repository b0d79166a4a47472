//! Ways through a tree. None of them allocates.

use super::tree::{NONE, NodeId, Tree};

/// The children of a node, first to last.
#[derive(Debug, Clone)]
pub struct Children<'t> {
    tree: &'t Tree<'t>,
    next: u32,
}

impl<'t> Children<'t> {
    pub(super) fn of(tree: &'t Tree<'_>, id: NodeId) -> Children<'t> {
        Children { tree, next: tree.node(id).first }
    }
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        let node = NodeId(self.next);
        (self.next != NONE).then(|| {
            self.next = self.tree.node(node).next;
            node
        })
    }
}

/// All nodes below a node in the order of the page.
#[derive(Debug, Clone)]
pub struct Descendants<'t> {
    tree: &'t Tree<'t>,
    top: u32,
    next: u32,
}

impl<'t> Descendants<'t> {
    pub(super) fn of(tree: &'t Tree<'_>, id: NodeId) -> Descendants<'t> {
        Descendants { tree, top: id.0, next: tree.node(id).first }
    }

    /// Leaves out what is below the node that `next` gave last.
    pub fn skip_inside(&mut self, last: NodeId) {
        self.next = self.tree.after(last, NodeId(self.top)).map_or(NONE, |node| node.0);
    }
}

impl Iterator for Descendants<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        if self.next == NONE {
            return None;
        }
        let node = NodeId(self.next);
        let first = self.tree.node(node).first;
        if first == NONE {
            self.skip_inside(node);
        } else {
            self.next = first;
        }
        Some(node)
    }
}

/// The nodes above a node, innermost first.
#[derive(Debug, Clone)]
pub struct Ancestors<'t> {
    tree: &'t Tree<'t>,
    next: u32,
}

impl<'t> Ancestors<'t> {
    pub(super) fn of(tree: &'t Tree<'_>, id: NodeId) -> Ancestors<'t> {
        Ancestors { tree, next: tree.node(id).parent }
    }
}

impl Iterator for Ancestors<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        let node = NodeId(self.next);
        (self.next != NONE).then(|| {
            self.next = self.tree.node(node).parent;
            node
        })
    }
}

impl Tree<'_> {
    /// The node after `id` in the order of the page, still inside `top`: its first child, or whatever follows it.
    pub fn next_in_document(&self, id: NodeId, top: NodeId) -> Option<NodeId> {
        self.first_child(id).or_else(|| self.after(id, top))
    }

    /// The node after `id` and all below it, still inside `top`.
    pub fn after(&self, id: NodeId, top: NodeId) -> Option<NodeId> {
        let mut at = id;
        while at != top {
            let node = self.node(at);
            if node.next != NONE {
                return Some(NodeId(node.next));
            }
            if node.parent == NONE {
                return None;
            }
            at = NodeId(node.parent);
        }
        None
    }
}
