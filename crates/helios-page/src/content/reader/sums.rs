//! What is inside an element, summed from the innermost to the outermost, while elements are taken out.

use super::build::{Base, link_length};
use super::draft::{Draft, NONE, bits};
use super::tags::is_block;
use super::text::Text;
use crate::html::Tag;

/// All of it below an element, without itself. Texts inside of each other count twice where it says so.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Sums {
    pub(super) text: Text,
    pub(super) links: f32,
    /// The text of lists, of headings and of what holds text; twice in each other.
    pub(super) lists: f32,
    pub(super) headings: f32,
    pub(super) held: f32,
    pub(super) paragraphs: u32,
    pub(super) images: u32,
    pub(super) items: u32,
    pub(super) inputs: u32,
    pub(super) embeds: u32,
    pub(super) video: bool,
    /// A table of data is inside; it is inside of one.
    pub(super) data: bool,
    pub(super) in_data: bool,
}

impl Sums {
    fn add(&mut self, tag: Tag, own: u32, inner: &Sums) {
        let length = inner.text.shown as f32;
        self.text = self.text.then(inner.text);
        self.links += inner.links + link_length(tag, own, inner.text);
        self.lists += inner.lists + if matches!(tag, Tag::UL | Tag::OL) { length } else { 0.0 };
        self.headings += inner.headings + if tag.is_heading() { length } else { 0.0 };
        let holds = is_block(tag) || matches!(tag, Tag::SPAN | Tag::LI | Tag::TD);
        self.held += inner.held + if holds { length } else { 0.0 };
        self.paragraphs += inner.paragraphs + u32::from(tag == Tag::P);
        self.images += inner.images + u32::from(tag == Tag::IMG);
        self.items += inner.items + u32::from(tag == Tag::LI);
        self.inputs += inner.inputs + u32::from(tag == Tag::INPUT);
        let embed = matches!(tag, Tag::OBJECT | Tag::EMBED | Tag::IFRAME);
        self.embeds += inner.embeds + u32::from(embed);
        self.video |= inner.video || (embed && own & bits::VIDEO != 0);
        self.data |= inner.data || own & bits::DATA != 0;
    }

    /// The part of the text that is in links.
    pub(super) fn link_share(&self) -> f32 {
        self.share(self.links)
    }

    /// A part of the text; of none it is nothing.
    pub(super) fn share(&self, part: f32) -> f32 {
        part / self.text.shown.max(1) as f32
    }
}

/// What becomes of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    Stays,
    Goes,
    /// It goes, but what is around it is judged as if its text was there.
    GoesUnnoticed,
}

/// Asks for the fate of every element inside of `top`, after those inside of it, and gives the sums of what stays.
pub(super) fn judge(
    base: &Base,
    draft: &mut Draft,
    top: u32,
    mut fate: impl FnMut(&Draft, u32, &Sums) -> Fate,
) -> Sums {
    let mut open = vec![(top, Sums::default())];
    let mut at = draft.node(top).first;
    while let Some((parent, sums)) = open.last_mut() {
        if at == NONE {
            let (node, sums) = (*parent, *sums);
            open.pop();
            let Some((_, outer)) = open.last_mut() else { return sums };
            let (tag, own) = (draft.tag(node), draft.node(node).bits);
            at = draft.node(node).next;
            match fate(draft, node, &sums) {
                Fate::Stays => outer.add(tag, own, &sums),
                Fate::Goes => draft.remove(node),
                Fate::GoesUnnoticed => {
                    outer.text.written += sums.text.written;
                    draft.remove(node);
                }
            }
        } else if draft.is_text(at) {
            sums.text = sums.text.then(base.text(at));
            at = draft.node(at).next;
        } else {
            let in_data = sums.in_data || draft.has(*parent, bits::DATA);
            open.push((at, Sums { in_data, ..Sums::default() }));
            at = draft.node(at).first;
        }
    }
    Sums::default()
}
