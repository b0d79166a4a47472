//! One walk over a page that keeps what may matter.

use super::Heading;
use super::clues::{Clues, Memory};
use super::words;
use crate::html::{NodeId, Tag, Tree};

/// More than any honest page has of one kind.
const MOST: usize = 2000;
const HEADINGS: usize = 500;
const HEADING: usize = 1000;

#[derive(Default)]
pub(super) struct Seen<'t> {
    pub(super) title: Option<String>,
    pub(super) language: Option<&'t str>,
    /// Names in lower case, in the order of the page.
    metas: Vec<(String, &'t str)>,
    /// `rel`, in lower case, and the element.
    pub(super) rels: Vec<(String, NodeId)>,
    links: Vec<(String, &'t str, &'t str)>,
    pub(super) headings: Vec<Heading>,
    pub(super) scripts: Vec<NodeId>,
    pub(super) times: Vec<NodeId>,
    /// Elements with an `itemprop`, which stands before them.
    pub(super) props: Vec<(&'t str, NodeId)>,
    /// Links to Creative Commons.
    pub(super) commons: Vec<NodeId>,
    /// Elements whose class or id promises something, without those that are not about this page.
    pub(super) clues: Vec<(Clues, NodeId)>,
    memory: Memory<'t>,
    pub(super) has_items: bool,
    pub(super) has_rdfa: bool,
    pub(super) has_microformats: bool,
}

impl<'t> Seen<'t> {
    pub(super) fn of(tree: &'t Tree<'_>) -> Seen<'t> {
        let mut seen = Seen { language: tree.attr(tree.html(), "lang"), ..Seen::default() };
        if seen.language.is_none() {
            seen.language = tree.attr(tree.html(), "xml:lang");
        }
        // Where what is beside the text ends; nothing ends before the document.
        let (mut beside, mut end) = (false, None);
        for node in tree.descendants(tree.root()) {
            beside &= end != Some(node);
            if !tree.is_element(node) {
                continue;
            }
            let clues = seen.element(tree, node);
            if clues.has(Clues::BESIDE) && !beside && !is_whole(tree.tag(node)) {
                (beside, end) = (true, tree.after(node, tree.root()));
            }
            if clues.has(Clues::OF_USE) && !beside && seen.clues.len() < MOST {
                seen.clues.push((clues, node));
            }
        }
        seen
    }

    fn element(&mut self, tree: &'t Tree<'_>, node: NodeId) -> Clues {
        match tree.tag(node) {
            Tag::META => self.meta_element(tree, node),
            Tag::LINK => self.link_element(tree, node),
            Tag::TITLE if self.title.is_none() => {
                self.title = Some(words::collapsed(&tree.text_of(node))).filter(|title| !title.is_empty());
            }
            Tag::SCRIPT => {
                let kind = tree.attr(node, "type").unwrap_or_default();
                if kind.to_ascii_lowercase().contains("ld+json") && self.scripts.len() < MOST {
                    self.scripts.push(node);
                }
                return Clues::default();
            }
            Tag::TIME if self.times.len() < MOST => self.times.push(node),
            Tag::H1 => self.heading(tree, node, 1),
            Tag::H2 => self.heading(tree, node, 2),
            Tag::H3 => self.heading(tree, node, 3),
            Tag::H4 => self.heading(tree, node, 4),
            Tag::H5 => self.heading(tree, node, 5),
            Tag::H6 => self.heading(tree, node, 6),
            _ => {}
        }
        self.attributes(tree, node)
    }

    fn attributes(&mut self, tree: &'t Tree<'_>, node: NodeId) -> Clues {
        let tag = tree.tag(node);
        let mut clues = Clues::default();
        for (name, value) in tree.attrs(node) {
            // Bytes, because the compiler compares texts one after the other.
            match name.as_bytes() {
                b"class" => {
                    clues = clues.with(self.memory.of(value));
                    self.has_microformats |= clues.has(Clues::MICROFORMAT);
                }
                b"id" => clues = clues.with(self.memory.of(value)),
                b"rel" if tag == Tag::A && self.rels.len() < MOST => {
                    self.rels.push((value.to_ascii_lowercase(), node));
                }
                b"href" if tag == Tag::A && self.commons.len() < 16 && is_commons(value) => {
                    self.commons.push(node);
                }
                b"itemprop" if self.props.len() < MOST => self.props.push((value, node)),
                b"itemscope" => self.has_items = true,
                b"typeof" | b"vocab" => self.has_rdfa = true,
                b"property" => self.has_rdfa |= tag != Tag::META,
                _ => {}
            }
        }
        clues
    }

    fn meta_element(&mut self, tree: &'t Tree<'_>, node: NodeId) {
        let (mut names, mut content) = ([None; 4], None);
        for (name, value) in tree.attrs(node) {
            match name {
                "property" => names[0] = Some(value),
                "name" => names[1] = Some(value),
                "itemprop" => names[2] = Some(value),
                "http-equiv" => names[3] = Some(value),
                "content" => content = Some(value.trim()),
                _ => {}
            }
        }
        let Some(content) = content.filter(|content| !content.is_empty()) else { return };
        for name in names.into_iter().flatten() {
            if self.metas.len() < MOST {
                self.metas.push((name.trim().to_ascii_lowercase(), content));
            }
        }
    }

    fn link_element(&mut self, tree: &'t Tree<'_>, node: NodeId) {
        let (Some(rel), Some(href)) = (tree.attr(node, "rel"), tree.attr(node, "href")) else { return };
        if self.links.len() < MOST && !href.trim().is_empty() {
            let sizes = tree.attr(node, "sizes").unwrap_or_default();
            self.links.push((rel.to_ascii_lowercase(), href.trim(), sizes));
        }
    }

    fn heading(&mut self, tree: &'t Tree<'_>, node: NodeId, level: u8) {
        if self.headings.len() < HEADINGS {
            let text = words::text(tree, node, HEADING);
            if !text.is_empty() {
                self.headings.push(Heading { level, text });
            }
        }
    }

    /// The content of the first of these names that the page has; the order of the names counts, not the page's.
    pub(super) fn meta(&self, names: &[&str]) -> Option<String> {
        let found = names.iter().find_map(|name| self.metas.iter().find(|(known, _)| known == name));
        found.map(|(_, content)| words::collapsed(&words::unescaped(content)))
    }

    /// The contents of all metas of these names, in the order of the names, then of the page.
    pub(super) fn all<'s>(&'s self, names: &'s [&str]) -> impl Iterator<Item = &'t str> + 's {
        names.iter().flat_map(|name| {
            self.metas.iter().filter(move |(known, _)| known == name).map(|(_, value)| *value)
        })
    }

    pub(super) fn pairs(&self, wanted: impl Fn(&str) -> bool) -> Vec<(String, String)> {
        let pairs = self.metas.iter().filter(|(name, _)| wanted(name));
        pairs.map(|(name, content)| (name.clone(), (*content).to_owned())).collect()
    }

    /// The address of the first `link` with this relation.
    pub(super) fn link(&self, rel: &str) -> Option<String> {
        let found = self.links.iter().find(|(rels, ..)| rels.split_ascii_whitespace().any(|one| one == rel));
        found.map(|(_, href, _)| (*href).to_owned())
    }

    /// The icon; the last one is what browsers take of equals, the one for touch if there is no other.
    pub(super) fn favicon(&self) -> Option<String> {
        self.link("icon")
            .or_else(|| self.link("apple-touch-icon"))
            .or_else(|| self.link("apple-touch-icon-precomposed"))
    }
}

/// Elements that hold all of a page: their classes are about all of it.
fn is_whole(tag: Tag) -> bool {
    matches!(tag, Tag::HTML | Tag::BODY | Tag::MAIN | Tag::ARTICLE)
}

fn is_commons(address: &str) -> bool {
    let host =
        address.strip_prefix("https://").or_else(|| address.strip_prefix("http://")).unwrap_or_default();
    host.strip_prefix("www.").unwrap_or(host).starts_with("creativecommons.org/")
}
