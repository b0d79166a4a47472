//! Which tables hold data, and which only put things beside each other.

use super::build::Base;
use super::draft::{Draft, NONE, bits};
use crate::html::{Tag, Tree};

#[derive(Clone, Copy, Default)]
struct Inside {
    tables: bool,
    /// A caption, a head, a column or a heading cell.
    parts: bool,
    rows: u32,
    columns: u32,
    cells: u32,
}

/// Marks the tables of data inside of `top`.
pub(super) fn mark(tree: &Tree<'_>, base: &Base, draft: &mut Draft, top: u32) {
    let mut open = vec![(top, Inside::default())];
    let mut at = draft.node(top).first;
    while let Some((node, inside)) = open.last().copied() {
        if at != NONE {
            open.push((at, Inside::default()));
            at = draft.node(at).first;
            continue;
        }
        open.pop();
        let Some((_, outer)) = open.last_mut() else { return };
        outer.add(draft, node, &inside, |name| {
            let source = base.sources.get(node as usize).copied().flatten();
            let said = source.and_then(|source| tree.attr(source, name)).and_then(|said| said.parse().ok());
            said.filter(|&count: &u32| count > 0).unwrap_or(1).min(1000)
        });
        if draft.tag(node) == Tag::TABLE && inside.is_data(draft.node(node).bits) {
            draft.change(node, |node| node.bits |= bits::DATA);
        }
        at = draft.node(node).next;
    }
}

impl Inside {
    fn add(&mut self, draft: &Draft, node: u32, inner: &Inside, span: impl Fn(&str) -> u32) {
        let tag = draft.tag(node);
        let caption = tag == Tag::CAPTION && draft.node(node).first != NONE;
        let part = matches!(tag, Tag::COL | Tag::COLGROUP | Tag::TFOOT | Tag::THEAD | Tag::TH);
        self.tables |= inner.tables || tag == Tag::TABLE;
        self.parts |= inner.parts || part || caption;
        self.rows = self.rows.saturating_add(inner.rows);
        self.columns = self.columns.max(inner.columns);
        self.cells = self.cells.saturating_add(inner.cells);
        match tag {
            Tag::TR => {
                self.rows = self.rows.saturating_add(span("rowspan"));
                self.columns = self.columns.max(inner.cells);
            }
            Tag::TD => self.cells = self.cells.saturating_add(span("colspan")),
            _ => {}
        }
    }

    fn is_data(&self, own: u32) -> bool {
        if own & bits::LAYOUT != 0 {
            return false;
        }
        if own & bits::SUMMARY != 0 || self.parts {
            return true;
        }
        let (rows, columns) = (u64::from(self.rows), u64::from(self.columns));
        !self.tables && rows != 1 && columns != 1 && (rows >= 10 || columns > 4 || rows * columns > 10)
    }
}
