//! Links: the tree of a page in, where it leads out, as written in the page.
//!
//! Always: one link per kind and reference; order of the page; references are trimmed as browsers do but not resolved, because
//! that takes the address of the page. `read` walks the tree, `head` reads `link` and `meta`, `text` finds what a link says.

mod head;
mod read;
mod srcset;
mod text;

use std::borrow::Cow;

use crate::html::Tree;
pub use head::refresh_target;

/// What is looked for.
#[derive(Debug, Clone)]
pub struct LinkSettings<'s> {
    /// Images, scripts, styles and media too.
    pub resources: bool,
    /// The first word of the user agent: robots metas of that name count too.
    pub agent: &'s str,
    /// Links that are kept; the rest is ignored.
    pub most: usize,
    /// Bytes of anchor text that are kept for each link; 0 reads none.
    pub text_bytes: usize,
}

impl Default for LinkSettings<'_> {
    fn default() -> Self {
        LinkSettings { resources: false, agent: "", most: 50_000, text_bytes: 256 }
    }
}

/// What a reference is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LinkKind {
    /// `a` and `area`: to follow.
    Anchor,
    /// `frame` and `iframe`.
    Frame,
    /// `meta http-equiv=refresh`
    Refresh,
    /// `link rel=canonical`
    Canonical,
    /// `link rel=alternate`, often with a language.
    Alternate,
    /// `link rel=alternate` to RSS, Atom or JSON Feed.
    Feed,
    Next,
    Prev,
    /// `link rel=amphtml`
    Amp,
    Icon,
    Image,
    Script,
    Style,
    /// Video, sound, captions, plug-ins.
    Media,
}

/// What `rel` says of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rel {
    pub nofollow: bool,
    pub ugc: bool,
    pub sponsored: bool,
}

impl Rel {
    /// Commas between the words are wrong, but meant, and search engines heed them.
    fn read(rel: &str) -> Rel {
        let mut found = Rel::default();
        for word in rel.as_bytes().split(|byte| *byte == b',' || byte.is_ascii_whitespace()) {
            match word.len() {
                8 => found.nofollow |= word.eq_ignore_ascii_case(b"nofollow"),
                3 => found.ugc |= word.eq_ignore_ascii_case(b"ugc"),
                9 => found.sponsored |= word.eq_ignore_ascii_case(b"sponsored"),
                _ => {}
            }
        }
        found
    }

    /// A reference that occurs twice is what both say.
    fn and(self, other: Rel) -> Rel {
        Rel {
            nofollow: self.nofollow && other.nofollow,
            ugc: self.ugc && other.ugc,
            sponsored: self.sponsored && other.sponsored,
        }
    }
}

/// One reference of the page.
#[derive(Debug, Clone)]
pub struct Link<'t> {
    pub kind: LinkKind,
    /// As the page has it, without white space around it and without line ends and tabs in it.
    pub reference: Cow<'t, str>,
    pub rel: Rel,
    /// `hreflang`
    pub language: &'t str,
    /// `type`
    pub mime: &'t str,
    /// A range of the texts of all links.
    text: (u32, u32),
}

/// The links of a page.
#[derive(Debug, Default)]
pub struct Links<'t> {
    /// The reference of the first `base` that has one, trimmed.
    pub base: Option<Cow<'t, str>>,
    /// First seen first.
    pub links: Vec<Link<'t>>,
    /// What metas for robots, or for this crawler by name, say.
    pub robots: Vec<&'t str>,
    texts: String,
}

impl<'t> Links<'t> {
    pub fn read(tree: &'t Tree<'_>, settings: &LinkSettings<'_>) -> Links<'t> {
        read::read(tree, settings)
    }

    /// What the link says, white space as single spaces; the text of its image where it has no words.
    pub fn text(&self, link: &Link<'t>) -> &str {
        self.texts.get(link.text.0 as usize..link.text.1 as usize).unwrap_or_default()
    }

    /// The links of one kind.
    pub fn of(&self, kind: LinkKind) -> impl Iterator<Item = &Link<'t>> {
        self.links.iter().filter(move |link| link.kind == kind)
    }
}
