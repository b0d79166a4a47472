//! The tree of a page: nodes in one list, attributes in another, texts as ranges of the source.

use std::borrow::Cow;

use super::names::{Names, svg_attribute, svg_name};
use super::tag::Tag;
use super::walk::{Ancestors, Children, Descendants};

/// A node of one tree. It means nothing in another tree, but asking another one is harmless.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// Its place in a list with one place per node.
    pub(crate) const fn place(self) -> usize {
        self.0 as usize
    }
}

/// No node: the end of a list.
pub(super) const NONE: u32 = u32::MAX;

/// A range of the source, or of what had to be decoded (top bit set). Also a range of attributes.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Span {
    pub(super) at: u32,
    pub(super) len: u32,
}

pub(super) const DECODED: u32 = 1 << 31;

impl Span {
    pub(super) fn source(from: usize, to: usize) -> Span {
        Span { at: from as u32, len: to.saturating_sub(from) as u32 }
    }

    pub(super) fn decoded(from: usize, to: usize) -> Span {
        Span { at: from as u32 | DECODED, len: to.saturating_sub(from) as u32 }
    }

    /// The first bytes of it, and the rest.
    pub(super) fn split(self, bytes: usize) -> (Span, Span) {
        let bytes = (bytes as u32).min(self.len);
        (Span { at: self.at, len: bytes }, Span { at: self.at + bytes, len: self.len - bytes })
    }

    pub(super) fn of<'t>(self, source: &'t str, decoded: &'t str) -> &'t str {
        let text = if self.at & DECODED == 0 { source } else { decoded };
        let from = (self.at & !DECODED) as usize;
        text.get(from..from + self.len as usize).unwrap_or_default()
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Attr {
    pub(super) name: Span,
    pub(super) value: Span,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) tag: Tag,
    pub(super) parent: u32,
    pub(super) prev: u32,
    pub(super) next: u32,
    pub(super) first: u32,
    pub(super) last: u32,
    /// The text of a text or a comment; the attributes of an element.
    pub(super) content: Span,
}

pub(super) const ALONE: Node = Node {
    tag: Tag::DOCUMENT,
    parent: NONE,
    prev: NONE,
    next: NONE,
    first: NONE,
    last: NONE,
    content: Span { at: 0, len: 0 },
};

/// A parsed page.
#[derive(Debug)]
pub struct Tree<'a> {
    pub(super) source: Cow<'a, str>,
    pub(super) decoded: String,
    pub(super) nodes: Vec<Node>,
    pub(super) attrs: Vec<Attr>,
    pub(super) names: Names,
    pub(super) html: u32,
    pub(super) head: u32,
    pub(super) body: u32,
    pub(super) quirks: bool,
}

fn some(link: u32) -> Option<NodeId> {
    (link != NONE).then_some(NodeId(link))
}

impl<'a> Tree<'a> {
    /// Reads a page. Any text gives a tree; what is beyond 512 MiB of it is left out.
    pub fn parse(text: &'a str) -> Tree<'a> {
        super::build::document(text)
    }

    /// Reads only what leads elsewhere and what the head says (`a`, `area`, `base`, `frame`, `iframe`, `link`, `meta`, `title`),
    /// as children of the document: several times as fast. Of `a` and `area` it keeps the attributes that links are read from, and few others.
    pub fn skim(text: &'a str) -> Tree<'a> {
        super::skim::skim(text)
    }

    /// Reads a page and keeps its text.
    pub fn parse_owned(text: String) -> Tree<'static> {
        let Tree { source, decoded, nodes, attrs, names, html, head, body, quirks } = Tree::parse(&text);
        // What the parser had to mend is its own already.
        let mended = match source {
            Cow::Owned(mended) => Some(mended),
            Cow::Borrowed(_) => None,
        };
        let source = Cow::Owned(mended.unwrap_or(text));
        Tree { source, decoded, nodes, attrs, names, html, head, body, quirks }
    }

    /// Reads a text as the content of an element, as `innerHTML` does. The content is under [`Tree::html`].
    pub fn parse_fragment(text: &'a str, inside: Tag) -> Tree<'a> {
        super::build::fragment(text, inside)
    }

    /// The document: the one node without a parent.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// The `html` element; every page has one.
    pub fn html(&self) -> NodeId {
        NodeId(self.html)
    }

    /// The `head` element; only a fragment has none.
    pub fn head(&self) -> Option<NodeId> {
        some(self.head)
    }

    /// The `body`, or the `frameset` that is there instead.
    pub fn body(&self) -> Option<NodeId> {
        some(self.body)
    }

    /// Is the page shown as in the nineties?
    pub fn is_quirky(&self) -> bool {
        self.quirks
    }

    /// How many nodes there are. Ids are below it, so it is the length of a list with one place per node.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Memory that the tree holds besides the text it was given.
    pub fn heap_bytes(&self) -> usize {
        let own = if let Cow::Owned(text) = &self.source { text.capacity() } else { 0 };
        own + self.decoded.capacity()
            + self.nodes.capacity() * size_of::<Node>()
            + self.attrs.capacity() * size_of::<Attr>()
            + self.names.heap_bytes()
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        self.nodes.get(id.0 as usize).unwrap_or(&ALONE)
    }

    pub fn tag(&self, id: NodeId) -> Tag {
        self.node(id).tag
    }

    /// The name of an element as the standard writes it (`div`, `foreignObject`), or `#text`, `#comment`, `#document`, `#doctype`.
    pub fn name(&self, id: NodeId) -> &str {
        let tag = self.tag(id);
        let name = self.names.name(tag);
        if tag.is_svg() { svg_name(name) } else { name }
    }

    pub fn is_text(&self, id: NodeId) -> bool {
        self.tag(id) == Tag::TEXT
    }

    pub fn is_comment(&self, id: NodeId) -> bool {
        self.tag(id) == Tag::COMMENT
    }

    pub fn is_element(&self, id: NodeId) -> bool {
        self.tag(id).is_element()
    }

    /// Is it a `template` whose content nobody sees? Its content is below it all the same; links and selectors pass it over.
    pub fn is_inert(&self, id: NodeId) -> bool {
        self.tag(id) == Tag::TEMPLATE && self.attr(id, "shadowrootmode").is_none()
    }

    /// The text of a text or a comment; nothing for others.
    pub fn text(&self, id: NodeId) -> &str {
        let node = self.node(id);
        if node.tag == Tag::TEXT || node.tag == Tag::COMMENT { self.str(node.content) } else { "" }
    }

    pub(super) fn str(&self, span: Span) -> &str {
        span.of(&self.source, &self.decoded)
    }

    fn attr_list(&self, id: NodeId) -> &[Attr] {
        let node = self.node(id);
        if node.tag == Tag::TEXT || node.tag == Tag::COMMENT {
            return &[];
        }
        let from = node.content.at as usize;
        self.attrs.get(from..from + node.content.len as usize).unwrap_or_default()
    }

    /// The value of an attribute; `name` is in lower case. A doctype has `name`, `public` and `system`.
    pub fn attr(&self, id: NodeId, name: &str) -> Option<&str> {
        let found = self
            .attr_list(id)
            .iter()
            .find(|attr| attr.name.len as usize == name.len() && self.str(attr.name) == name)?;
        Some(self.str(found.value))
    }

    /// Several at once: the attributes are looked at one time.
    #[inline]
    pub(crate) fn attrs_named<const N: usize>(&self, id: NodeId, names: [&str; N]) -> [Option<&str>; N] {
        let mut values = [None; N];
        for attr in self.attr_list(id) {
            let name = self.str(attr.name);
            for (value, wanted) in values.iter_mut().zip(names) {
                if name == wanted {
                    *value = Some(self.str(attr.value));
                }
            }
        }
        values
    }

    /// Names and values in the order of the page.
    pub fn attrs(&self, id: NodeId) -> impl Iterator<Item = (&str, &str)> {
        let svg = self.tag(id).is_svg();
        self.attr_list(id).iter().map(move |attr| {
            let name = self.str(attr.name);
            (if svg { svg_attribute(name) } else { name }, self.str(attr.value))
        })
    }

    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        some(self.node(id).parent)
    }

    pub fn first_child(&self, id: NodeId) -> Option<NodeId> {
        some(self.node(id).first)
    }

    pub fn last_child(&self, id: NodeId) -> Option<NodeId> {
        some(self.node(id).last)
    }

    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        some(self.node(id).next)
    }

    pub fn prev_sibling(&self, id: NodeId) -> Option<NodeId> {
        some(self.node(id).prev)
    }

    /// The children, texts and comments included.
    pub fn children(&self, id: NodeId) -> Children<'_> {
        Children::of(self, id)
    }

    /// All below `id`, without it, in the order of the page.
    pub fn descendants(&self, id: NodeId) -> Descendants<'_> {
        Descendants::of(self, id)
    }

    /// The parent, its parent, … up to the document.
    pub fn ancestors(&self, id: NodeId) -> Ancestors<'_> {
        Ancestors::of(self, id)
    }

    /// Appends every text below `id`, scripts and styles included, as `textContent` does.
    pub fn text_into(&self, id: NodeId, out: &mut String) {
        out.push_str(if self.is_text(id) { self.text(id) } else { "" });
        for node in self.descendants(id).filter(|&node| self.is_text(node)) {
            out.push_str(self.text(node));
        }
    }

    /// Every text below `id`.
    pub fn text_of(&self, id: NodeId) -> String {
        let mut out = String::new();
        self.text_into(id, &mut out);
        out
    }
}
