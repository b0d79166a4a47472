//! Active formatting elements (WHATWG HTML §13.2.4.3) and the adoption agency (§13.2.6.4.7): how `<b><p></b></p>` is mended.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::super::tag::{SPECIAL, Tag};
use super::super::token::StartTag;
use super::super::tree::{NONE, Span};
use super::Builder;
use super::insert::Place;
use super::stack::{Kind, Open};

/// More are not kept: each could be copied for every paragraph.
const MOST: usize = 128;
/// Copies of an element keep that many of its attributes.
const MOST_ATTRS: u32 = 64;
/// How many elements of one name and the same attributes are kept ("Noah's Ark").
const SAME: usize = 3;

#[derive(Clone, Copy, Debug)]
pub(super) struct Formatting {
    /// `NONE` for a marker.
    node: u32,
    tag: Tag,
    attrs: Span,
    /// Equal for equal sets of attributes; counted when it is first needed.
    sum: Option<u64>,
}

const MARKER: Formatting =
    Formatting { node: NONE, tag: Tag::DOCUMENT, attrs: Span { at: 0, len: 0 }, sum: None };

impl Builder<'_> {
    pub(super) fn push_marker(&mut self) {
        self.list(MARKER);
    }

    fn list(&mut self, entry: Formatting) {
        if self.formatting.len() >= MOST {
            self.formatting.remove(0);
        }
        self.formatting.push(entry);
    }

    pub(super) fn clear_to_marker(&mut self) {
        while self.formatting.pop().is_some_and(|entry| entry.node != NONE) {}
    }

    pub(super) fn push_formatting(&mut self, start: StartTag, node: u32) {
        let mut entry = Formatting { node, tag: start.tag, attrs: start.attrs, sum: None };
        let since = self.formatting.iter().rposition(|other| other.node == NONE).map_or(0, |at| at + 1);
        let is_like = |other: &Formatting| other.tag == entry.tag && other.attrs.len == entry.attrs.len;
        if self.formatting.iter().skip(since).filter(|other| is_like(other)).count() >= SAME {
            entry.sum = Some(self.sum(start.attrs));
            self.drop_same(since, entry);
        }
        self.list(entry);
    }

    fn drop_same(&mut self, since: usize, entry: Formatting) {
        let mut same = Vec::new();
        for at in since..self.formatting.len() {
            let Some(&other) = self.formatting.get(at) else { return };
            if other.tag != entry.tag || other.attrs.len != entry.attrs.len {
                continue;
            }
            let sum = other.sum.or_else(|| Some(self.sum(other.attrs)));
            if let Some(other) = self.formatting.get_mut(at) {
                other.sum = sum;
            }
            if sum == entry.sum {
                same.push(at);
            }
        }
        if same.len() >= SAME
            && let Some(&earliest) = same.first()
        {
            self.formatting.remove(earliest);
        }
    }

    fn sum(&self, attrs: Span) -> u64 {
        let from = attrs.at as usize;
        let list =
            self.tokenizer.attrs.get(from..from + attrs.len.min(MOST_ATTRS) as usize).unwrap_or_default();
        list.iter().fold(0, |sum: u64, attr| {
            let mut hasher = DefaultHasher::new();
            (self.tokenizer.str(attr.name), self.tokenizer.str(attr.value)).hash(&mut hasher);
            sum.wrapping_add(hasher.finish())
        })
    }

    /// The last formatting element of that name since the last marker.
    pub(super) fn find_formatting(&self, tag: Tag) -> Option<usize> {
        let at = self.formatting.iter().rposition(|entry| entry.node == NONE || entry.tag == tag)?;
        self.formatting.get(at).filter(|entry| entry.node != NONE).map(|_| at)
    }

    fn formatting_of(&self, node: u32) -> Option<usize> {
        self.formatting.iter().rposition(|entry| entry.node == node)
    }

    fn copy(&mut self, entry: Formatting) -> u32 {
        self.clones_left = self.clones_left.saturating_sub(1);
        self.create(entry.tag, Span { at: entry.attrs.at, len: entry.attrs.len.min(MOST_ATTRS) })
    }

    /// Opens again what a block has closed.
    pub(super) fn reconstruct(&mut self) {
        let is_settled = |entry: &Formatting| entry.node == NONE || self.stack.position(entry.node).is_some();
        if self.formatting.last().is_none_or(is_settled) || self.clones_left == 0 {
            return;
        }
        let from = self.formatting.iter().rposition(is_settled).map_or(0, |at| at + 1);
        for at in from..self.formatting.len() {
            let Some(&entry) = self.formatting.get(at) else { return };
            self.stack.make_room();
            let place = self.place();
            let node = self.copy(entry);
            self.attach(node, place);
            self.stack.push(Open { node, tag: entry.tag, kind: Kind::Html });
            if let Some(entry) = self.formatting.get_mut(at) {
                entry.node = node;
            }
        }
    }

    /// The end tag of a formatting element.
    pub(super) fn adopt(&mut self, tag: Tag) {
        let top = self.stack.top();
        if top.tag == tag && self.formatting_of(top.node).is_none() {
            self.stack.pop();
            return;
        }
        for _ in 0..8 {
            let Some(at) = self.find_formatting(tag) else { return self.any_other_end(tag) };
            let Some(&entry) = self.formatting.get(at) else { return };
            let Some(place) = self.stack.position(entry.node) else {
                self.formatting.remove(at);
                return;
            };
            if !self.stack.has_node(entry.node) {
                return;
            }
            let above = self.stack.all().get(place..).unwrap_or_default();
            let block = above.iter().position(|open| open.tag.has(SPECIAL)).map(|block| place + block);
            let Some(block) = block.filter(|_| self.clones_left > 8) else {
                self.stack.cut(place);
                self.formatting.remove(at);
                return;
            };
            self.adopt_block(at, entry, place, block);
        }
    }

    /// One round: the block leaves the formatting element, which goes on inside it.
    fn adopt_block(&mut self, at: usize, entry: Formatting, place: usize, block: usize) {
        let all = self.stack.all();
        let (Some(&ancestor), Some(&furthest)) = (all.get(place.saturating_sub(1)), all.get(block)) else {
            return;
        };
        let (mut bookmark, mut last, mut gone) = (at, furthest.node, 0);
        let mut from_block = 0;
        for index in (place + 1..block).rev() {
            from_block += 1;
            let Some(&open) = self.stack.get(index) else { return };
            let mut listed = self.formatting_of(open.node);
            if from_block > 3
                && let Some(position) = listed.take()
            {
                self.formatting.remove(position);
                bookmark -= usize::from(position < bookmark);
            }
            let Some((position, &old)) = listed.and_then(|at| Some((at, self.formatting.get(at)?))) else {
                self.stack.remove(index);
                gone += 1;
                continue;
            };
            let copy = self.copy(old);
            if let Some(entry) = self.formatting.get_mut(position) {
                entry.node = copy;
            }
            self.stack.replace(index, copy);
            if last == furthest.node {
                bookmark = position + 1;
            }
            self.detach(last);
            self.attach(last, Place { parent: copy, before: NONE });
            last = copy;
        }
        self.detach(last);
        let target = self.place_in(ancestor);
        self.attach(last, target);
        let copy = self.copy(entry);
        self.move_children(furthest.node, copy);
        self.attach(copy, Place { parent: furthest.node, before: NONE });
        self.relist(entry, copy, bookmark);
        self.stack.remove(place);
        // The formatting element and `gone` others left from below the block.
        self.stack.insert(block - gone, Open { node: copy, tag: entry.tag, kind: Kind::Html });
    }

    /// The copy takes the place of the element in the list, at the bookmark.
    fn relist(&mut self, old: Formatting, copy: u32, bookmark: usize) {
        let mut bookmark = bookmark;
        if let Some(at) = self.formatting_of(old.node) {
            self.formatting.remove(at);
            bookmark -= usize::from(at < bookmark);
        }
        let attrs = Span { at: old.attrs.at, len: old.attrs.len.min(MOST_ATTRS) };
        self.formatting.insert(bookmark.min(self.formatting.len()), Formatting { node: copy, attrs, ..old });
    }

    /// Removes an element from the list and from the open elements, wherever it still is.
    pub(super) fn drop_formatting(&mut self, node: u32) {
        if let Some(at) = self.formatting_of(node) {
            self.formatting.remove(at);
        }
        if let Some(at) = self.stack.position(node) {
            self.stack.remove(at);
        }
    }

    pub(super) fn formatting_node(&self, at: usize) -> u32 {
        self.formatting.get(at).map_or(NONE, |entry| entry.node)
    }
}
