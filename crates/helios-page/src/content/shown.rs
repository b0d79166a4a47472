//! Which nodes of a page are shown, if not all are.

use crate::html::{NodeId, Tree};

#[derive(Debug)]
pub(super) struct Shown {
    /// By the place of the node. What holds something that is shown is shown, too.
    places: Vec<bool>,
}

impl Shown {
    pub(super) fn nothing(tree: &Tree<'_>) -> Shown {
        Shown { places: vec![false; tree.len()] }
    }

    /// Shows a node, and what it is in.
    pub(super) fn add(&mut self, tree: &Tree<'_>, node: NodeId) {
        let mut next = Some(node);
        while let Some(node) = next {
            match self.places.get_mut(node.place()) {
                Some(place) if !*place => *place = true,
                _ => return,
            }
            next = tree.parent(node);
        }
    }

    pub(super) fn has(&self, node: NodeId) -> bool {
        self.places.get(node.place()).copied().unwrap_or_default()
    }
}
