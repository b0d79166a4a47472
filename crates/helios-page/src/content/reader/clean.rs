//! What is cut from the text once it is found: forms, notes, and lists, tables and boxes that look like no text.

use super::build::Base;
use super::draft::{Draft, bits};
use super::join::text;
use super::sums::{Fate, Sums, judge};
use super::tables;
use super::tags::weight;
use crate::html::{Tag, Tree};

/// What asks to share the page is shorter than this.
const SHARING: u32 = 500;
/// An element with so many commas is text for certain.
const COMMAS: u32 = 10;

pub(super) struct Clean<'b> {
    pub(super) tree: &'b Tree<'b>,
    pub(super) base: &'b Base,
    /// Heed the names on elements; cut what looks like no text.
    pub(super) weigh: bool,
    pub(super) doubt: bool,
}

impl Clean<'_> {
    /// Cuts, and gives the length of what is left.
    pub(super) fn clean(&self, draft: &mut Draft, top: u32) -> u32 {
        tables::mark(self.tree, self.base, draft, top);
        self.doubtful(draft, top, Tag::FORM);
        self.doubtful(draft, top, Tag::FIELDSET);
        judge(self.base, draft, top, |draft, at, sums| self.plainly(draft, top, at, sums));
        self.doubtful(draft, top, Tag::TABLE);
        self.doubtful(draft, top, Tag::UL);
        self.doubtful(draft, top, Tag::DIV);
        judge(self.base, draft, top, |_, _, _| Fate::Stays).text.shown
    }

    fn weight(&self, own: u32) -> f32 {
        if self.weigh { weight(own) } else { 0.0 }
    }

    /// What goes by its name alone.
    fn plainly(&self, draft: &Draft, top: u32, at: u32, sums: &Sums) -> Fate {
        let node = draft.node(at);
        let video = node.bits & bits::VIDEO != 0;
        match node.tag {
            Tag::FOOTER | Tag::LINK | Tag::ASIDE => Fate::Goes,
            Tag::OBJECT | Tag::EMBED if !video => Fate::Goes,
            Tag::IFRAME if !video => Fate::GoesUnnoticed,
            Tag::INPUT | Tag::TEXTAREA | Tag::SELECT | Tag::BUTTON => Fate::GoesUnnoticed,
            Tag::H1 | Tag::H2 if self.weight(node.bits) < 0.0 => Fate::GoesUnnoticed,
            _ if node.bits & bits::SHARE != 0 && sums.text.written < SHARING && node.parent != top => {
                Fate::GoesUnnoticed
            }
            _ => Fate::Stays,
        }
    }

    /// Cuts elements of one name that look like no text.
    fn doubtful(&self, draft: &mut Draft, top: u32, tag: Tag) {
        if self.doubt {
            judge(self.base, draft, top, |draft, at, sums| {
                let goes = draft.tag(at) == tag && self.is_no_text(draft, at, sums);
                if goes { Fate::Goes } else { Fate::Stays }
            });
        }
    }

    fn is_no_text(&self, draft: &Draft, at: u32, sums: &Sums) -> bool {
        let node = draft.node(at);
        if node.bits & bits::DATA != 0 || sums.in_data || sums.data || draft.is_in(at, Tag::CODE) {
            return false;
        }
        let weight = self.weight(node.bits);
        if weight < 0.0 {
            return true;
        }
        if sums.text.plain_commas >= COMMAS || sums.video {
            return false;
        }
        if self.is_empty_word(draft, at, sums) {
            return true;
        }
        let list = node.tag == Tag::UL || sums.share(sums.lists) > 0.9;
        looks_wrong(sums, weight, list, draft.is_in(at, Tag::FIGURE))
            && !(list && is_gallery(draft, at, sums))
    }

    /// All that it says is that it loads, or that it is an advertisement.
    fn is_empty_word(&self, draft: &Draft, at: u32, sums: &Sums) -> bool {
        if sums.text.shown == 0 || sums.text.shown > 20 {
            return false;
        }
        let text = text(self.tree, self.base, draft, at).to_lowercase();
        let loading = text.strip_suffix('…').or_else(|| text.strip_suffix("...")).unwrap_or(&text);
        let ads = [
            "ad",
            "advertising",
            "advertisement",
            "pub",
            "publicité",
            "werb",
            "werbung",
            "广告",
            "реклама",
            "anuncio",
        ];
        let waits = ["loading", "正在加载", "загрузка", "chargement", "cargando"];
        ads.contains(&text.as_str()) || waits.contains(&loading)
    }
}

/// A list of one picture each, with nothing else.
fn is_gallery(draft: &Draft, at: u32, sums: &Sums) -> bool {
    draft.elements(at).all(|child| draft.elements(child).nth(1).is_none()) && sums.images == sums.items
}

fn looks_wrong(sums: &Sums, weight: f32, list: bool, figure: bool) -> bool {
    let Sums { paragraphs, images, items, inputs, embeds, .. } = *sums;
    let links = sums.link_share();
    let length = sums.text.shown;
    (!figure && images > 1 && paragraphs * 2 < images)
        || (!list && items > paragraphs + 100)
        || inputs > paragraphs / 3
        || (!list
            && !figure
            && sums.share(sums.headings) < 0.9
            && length < 25
            && (images == 0 || images > 2)
            && links > 0.0)
        || (!list && weight < 25.0 && links > 0.2)
        || (weight >= 25.0 && links > 0.5)
        || (embeds == 1 && length < 75)
        || embeds > 1
        || (images == 0 && (sums.held == 0.0 || length == 0))
}
