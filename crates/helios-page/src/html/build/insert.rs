//! Where nodes go, and how they get there (WHATWG HTML §13.2.6.1).

use memchr::memchr;

use super::super::tag::{FOSTERS, Tag};
use super::super::token::StartTag;
use super::super::tree::{ALONE, DECODED, NONE, Node, Span};
use super::Builder;
use super::stack::{Kind, Open};

/// The last child of `parent`, or the one before a child of it.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) parent: u32,
    pub(super) before: u32,
}

impl Builder<'_> {
    pub(super) fn node(&self, node: u32) -> Node {
        self.nodes.get(node as usize).copied().unwrap_or(ALONE)
    }

    pub(super) fn change(&mut self, node: u32, change: impl FnOnce(&mut Node)) {
        if let Some(node) = self.nodes.get_mut(node as usize) {
            change(node);
        }
    }

    pub(super) fn create(&mut self, tag: Tag, content: Span) -> u32 {
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { tag, content, ..ALONE });
        node
    }

    /// The appropriate place for a node, were `target` the current node.
    pub(super) fn place_in(&self, target: Open) -> Place {
        if !self.foster || !target.tag.has(FOSTERS) {
            return Place { parent: target.node, before: NONE };
        }
        let open = self.stack.all();
        let last = |tag: Tag| open.iter().rposition(|open| open.tag == tag);
        let inside = |at: usize| Place { parent: open.get(at).map_or(0, |open| open.node), before: NONE };
        match (last(Tag::TEMPLATE), last(Tag::TABLE)) {
            (Some(template), table) if table.is_none_or(|table| table < template) => inside(template),
            (_, None) => inside(0),
            (_, Some(at)) => {
                let table = open.get(at).map_or(0, |open| open.node);
                match self.node(table).parent {
                    NONE => inside(at.saturating_sub(1)),
                    parent => Place { parent, before: table },
                }
            }
        }
    }

    pub(super) fn place(&self) -> Place {
        self.place_in(self.stack.top())
    }

    pub(super) fn attach(&mut self, node: u32, place: Place) {
        let prev =
            if place.before == NONE { self.node(place.parent).last } else { self.node(place.before).prev };
        self.change(node, |node| {
            node.parent = place.parent;
            node.prev = prev;
            node.next = place.before;
        });
        match prev {
            NONE => self.change(place.parent, |parent| parent.first = node),
            _ => self.change(prev, |prev| prev.next = node),
        }
        match place.before {
            NONE => self.change(place.parent, |parent| parent.last = node),
            next => self.change(next, |next| next.prev = node),
        }
    }

    pub(super) fn detach(&mut self, id: u32) {
        let Node { parent, prev, next, .. } = self.node(id);
        if parent == NONE {
            return;
        }
        match prev {
            NONE => self.change(parent, |parent| parent.first = next),
            _ => self.change(prev, |node| node.next = next),
        }
        match next {
            NONE => self.change(parent, |parent| parent.last = prev),
            _ => self.change(next, |node| node.prev = prev),
        }
        self.change(id, |node| {
            node.parent = NONE;
            node.prev = NONE;
            node.next = NONE;
        });
    }

    /// Moves all children of one node to the end of another.
    pub(super) fn move_children(&mut self, from: u32, to: u32) {
        let Node { first, last, .. } = self.node(from);
        let mut child = first;
        while child != NONE {
            let next = self.node(child).next;
            self.change(child, |child| child.parent = to);
            child = next;
        }
        self.change(from, |node| {
            node.first = NONE;
            node.last = NONE;
        });
        self.change(to, |node| {
            node.first = first;
            node.last = last;
        });
    }

    /// Inserts an element that stays open.
    pub(super) fn insert(&mut self, start: StartTag) -> u32 {
        self.stack.make_room();
        let node = self.insert_closed(start);
        self.stack.push(Open { node, tag: start.tag, kind: Kind::Html });
        node
    }

    /// Inserts an element that has no content.
    pub(super) fn insert_closed(&mut self, start: StartTag) -> u32 {
        self.tokenizer.keep();
        let place = self.place();
        let node = self.create(start.tag, start.attrs);
        self.attach(node, place);
        node
    }

    /// Inserts an element that the page only implies.
    pub(super) fn insert_implied(&mut self, tag: Tag) -> u32 {
        self.stack.make_room();
        let place = self.place();
        let node = self.create(tag, Span::default());
        self.attach(node, place);
        self.stack.push(Open { node, tag, kind: Kind::Html });
        node
    }

    pub(super) fn insert_comment(&mut self, text: Span, place: Place) {
        let node = self.create(Tag::COMMENT, text);
        self.attach(node, place);
    }

    pub(super) fn insert_text(&mut self, text: Span) {
        let place = self.place();
        if place.parent == 0 || text.len == 0 {
            return;
        }
        let before =
            if place.before == NONE { self.node(place.parent).last } else { self.node(place.before).prev };
        if before != NONE
            && let Node { tag: Tag::TEXT, content, .. } = self.node(before)
            && let Some(joined) = self.join(content, text)
        {
            self.change(before, |node| node.content = joined);
            return;
        }
        let node = self.create(Tag::TEXT, text);
        self.attach(node, place);
    }

    /// One range for two texts, copied together unless they lie side by side. Too much copying makes two texts of them.
    fn join(&mut self, one: Span, two: Span) -> Option<Span> {
        if one.at + one.len == two.at {
            return Some(Span { at: one.at, len: one.len + two.len });
        }
        let decoded = &mut self.tokenizer.decoded;
        let end = decoded.len();
        let is_last = one.at & DECODED != 0 && (one.at & !DECODED) as usize + one.len as usize == end;
        let from = if is_last { end - one.len as usize } else { end };
        let cost = if is_last { two.len } else { one.len + two.len } as usize;
        self.copies_left = self.copies_left.checked_sub(cost)?;
        for span in if is_last { [Span::default(), two] } else { [one, two] } {
            let at = (span.at & !DECODED) as usize;
            let range = at..at + span.len as usize;
            if span.at & DECODED == 0 {
                decoded.push_str(self.tokenizer.text.get(range).unwrap_or_default());
            } else {
                decoded.extend_from_within(range);
            }
        }
        Some(Span::decoded(from, decoded.len()))
    }

    /// How many bytes of white space a text begins with.
    pub(super) fn spaces_at(&self, text: Span) -> usize {
        let bytes = self.tokenizer.str(text).as_bytes();
        bytes.iter().position(|&byte| !is_space(byte)).unwrap_or(bytes.len())
    }

    pub(super) fn is_space(&self, text: Span) -> bool {
        self.spaces_at(text) == text.len as usize
    }

    /// The text without some of its characters.
    pub(super) fn filtered(&mut self, text: Span, keep: impl Fn(char) -> bool) -> Span {
        let kept: String = self.tokenizer.str(text).chars().filter(|&char| keep(char)).collect();
        let from = self.tokenizer.decoded.len();
        self.tokenizer.decoded.push_str(&kept);
        Span::decoded(from, self.tokenizer.decoded.len())
    }

    /// A text that has NULs: HTML drops them, foreign elements show them.
    pub(super) fn text_with_nul(&mut self, text: Span) {
        if self.is_foreign_text() {
            let shown = self.tokenizer.str(text).replace('\0', "\u{FFFD}");
            let from = self.tokenizer.decoded.len();
            self.tokenizer.decoded.push_str(&shown);
            let is_blank = shown.chars().all(|char| char == '\u{FFFD}' || char.is_ascii_whitespace());
            self.frameset_ok &= is_blank;
            self.insert_text(Span::decoded(from, self.tokenizer.decoded.len()));
            return;
        }
        let mut rest = text;
        while self.is_before_text()
            && let Some(at) = memchr(0, self.tokenizer.str(rest).as_bytes())
        {
            let (before, after) = rest.split(at);
            (_, rest) = after.split(1);
            if before.len > 0 {
                self.process_text(before);
            }
            if self.is_before_text() {
                self.nul_before_text();
            }
        }
        let kept = self.filtered(rest, |char| char != '\0');
        if kept.len > 0 {
            self.process_text(kept);
        }
    }
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\x0C' | b'\r')
}
