//! One walk through the tree.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use memchr::{memchr, memchr3};

use super::{Link, LinkKind, LinkSettings, Links, Rel};
use crate::html::{NodeId, Tag, Tree};

/// Links of a page that room is made for.
const USUAL: usize = 256;

pub(super) struct Reader<'t, 's> {
    pub(super) tree: &'t Tree<'t>,
    pub(super) settings: &'s LinkSettings<'s>,
    pub(super) out: Links<'t>,
    /// Links by the hash of kind and reference.
    seen: HashMap<u64, u32, BuildHasherDefault<Hashed>>,
    /// Nodes that may still be looked at for texts: links within links would look at the same ones again and again.
    looks_left: usize,
}

pub(super) fn read<'t>(tree: &'t Tree<'_>, settings: &LinkSettings<'_>) -> Links<'t> {
    let many = tree.len().min(USUAL);
    let mut reader = Reader {
        tree,
        settings,
        out: Links { links: Vec::with_capacity(many), ..Links::default() },
        seen: HashMap::with_capacity_and_hasher(many, BuildHasherDefault::default()),
        looks_left: 2 * tree.len() + 10_000,
    };
    let mut nodes = tree.descendants(tree.root());
    while let Some(id) = nodes.next() {
        let tag = tree.tag(id);
        if tree.is_inert(id) {
            nodes.skip_inside(id);
        } else if tag.is_element() {
            reader.element(id, tag);
        }
    }
    reader.out
}

impl<'t> Reader<'t, '_> {
    fn element(&mut self, id: NodeId, tag: Tag) {
        match tag.local() {
            Tag::A | Tag::AREA => self.anchor(id, tag),
            Tag::LINK => self.link(id),
            Tag::META => self.meta(id),
            Tag::BASE if self.out.base.is_none() => {
                self.out.base = self.tree.attr(id, "href").map(trimmed);
            }
            Tag::IFRAME | Tag::FRAME => self.attribute(id, LinkKind::Frame, "src"),
            _ if self.settings.resources => self.resource(id, tag),
            _ => {}
        }
    }

    fn anchor(&mut self, id: NodeId, tag: Tag) {
        let [mut href, rel, language, mime] = self.tree.attrs_named(id, ["href", "rel", "hreflang", "type"]);
        if tag.is_svg() {
            href = href.or_else(|| self.tree.attr(id, "xlink:href"));
        }
        let Some(href) = href else { return };
        let rel = rel.map_or(Rel::default(), Rel::read);
        let Some(at) = self.add_one(LinkKind::Anchor, href, rel, || [language, mime]) else { return };
        let is_silent = |link: &Link<'_>| link.text.0 == link.text.1;
        let wants_text = self.settings.text_bytes > 0 && self.looks_left > 0;
        if wants_text && self.out.links.get(at).is_some_and(is_silent) {
            let from = self.out.texts.len();
            let looked = super::text::read(self.tree, id, self.settings.text_bytes, &mut self.out.texts);
            self.looks_left = self.looks_left.saturating_sub(looked + 1);
            let to = self.out.texts.len();
            if let Some(link) = self.out.links.get_mut(at) {
                link.text = (from as u32, to as u32);
            }
        }
    }

    pub(super) fn attribute(&mut self, id: NodeId, kind: LinkKind, name: &str) {
        if let Some(reference) = self.tree.attr(id, name) {
            self.add(kind, reference, id);
        }
    }

    fn resource(&mut self, id: NodeId, tag: Tag) {
        match tag.local() {
            Tag::IMG => {
                self.attribute(id, LinkKind::Image, "src");
                self.candidates(id);
            }
            Tag::SOURCE => {
                self.attribute(id, LinkKind::Media, "src");
                self.candidates(id);
            }
            Tag::SCRIPT => self.attribute(id, LinkKind::Script, "src"),
            Tag::VIDEO => {
                self.attribute(id, LinkKind::Media, "src");
                self.attribute(id, LinkKind::Image, "poster");
            }
            Tag::AUDIO | Tag::TRACK | Tag::EMBED => self.attribute(id, LinkKind::Media, "src"),
            Tag::OBJECT => self.attribute(id, LinkKind::Media, "data"),
            Tag::INPUT => self.attribute(id, LinkKind::Image, "src"),
            Tag::IMAGE if tag.is_svg() => {
                self.attribute(id, LinkKind::Image, "href");
                self.attribute(id, LinkKind::Image, "xlink:href");
            }
            _ => {}
        }
    }

    fn candidates(&mut self, id: NodeId) {
        let Some(list) = self.tree.attr(id, "srcset") else { return };
        for reference in super::srcset::references(list) {
            self.add(LinkKind::Image, reference, id);
        }
    }

    pub(super) fn add(&mut self, kind: LinkKind, reference: &'t str, id: NodeId) {
        let tree = self.tree;
        self.add_one(kind, reference, Rel::default(), || tree.attrs_named(id, ["hreflang", "type"]));
    }

    /// Adds a link with the language and MIME type that it says, or joins it with the one that is there already; gives its place in the list.
    fn add_one(
        &mut self,
        kind: LinkKind,
        reference: &'t str,
        rel: Rel,
        says: impl FnOnce() -> [Option<&'t str>; 2],
    ) -> Option<usize> {
        let reference = trimmed(reference);
        let hash = xxhash_rust::xxh3::xxh3_64_with_seed(whole(&reference).as_bytes(), kind as u64);
        if let Some(&at) = self.seen.get(&hash)
            && let Some(link) = self.out.links.get_mut(at as usize)
            && (link.kind, whole(&link.reference)) == (kind, whole(&reference))
        {
            link.rel = link.rel.and(rel);
            return Some(at as usize);
        }
        if self.out.links.len() >= self.settings.most {
            return None;
        }
        let at = self.out.links.len();
        self.seen.insert(hash, at as u32);
        let [language, mime] = says().map(Option::unwrap_or_default);
        self.out.links.push(Link { kind, reference, rel, language, mime, text: (0, 0) });
        Some(at)
    }
}

/// What is a hash already need not be hashed.
#[derive(Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// A reference without its fragment: two that differ only there lead to one page.
fn whole(reference: &str) -> &str {
    memchr(b'#', reference.as_bytes()).and_then(|at| reference.get(..at)).unwrap_or(reference)
}

/// A reference as the URL standard reads it: no C0 controls and spaces around it, no tabs and line ends in it.
pub(super) fn trimmed(reference: &str) -> Cow<'_, str> {
    let reference = reference.trim_matches(|char| char <= ' ');
    if memchr3(b'\t', b'\n', b'\r', reference.as_bytes()).is_some() {
        Cow::Owned(reference.replace(['\t', '\n', '\r'], ""))
    } else {
        Cow::Borrowed(reference)
    }
}
