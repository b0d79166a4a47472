//! The tree of a page → a draft of its body, and what is known of each element before anything is cut.

use super::super::kind::hides;
use super::draft::{BODY, Draft, bits};
use super::names::Words;
use super::tags;
use super::text::Text;
use crate::html::{NodeId, Tag, Tree};

pub(super) struct Base {
    pub(super) draft: Draft,
    /// The node of the page for each of the draft.
    pub(super) sources: Vec<Option<NodeId>>,
    /// The text of each node, and the part of it that is in links.
    pub(super) texts: Vec<Text>,
    pub(super) links: Vec<f32>,
}

impl Base {
    pub(super) fn text(&self, at: u32) -> Text {
        self.texts.get(at as usize).copied().unwrap_or_default()
    }

    /// The part of its text that is in links.
    pub(super) fn link_share(&self, at: u32) -> f32 {
        let links = self.links.get(at as usize).copied().unwrap_or_default();
        links / self.text(at).shown.max(1) as f32
    }
}

/// Copies what a reader view starts from: no scripts, no styles, no comments, and no pictures without an address.
pub(super) fn base(tree: &Tree<'_>) -> Base {
    let mut draft = Draft::with_room(tree.len());
    let mut sources = Vec::with_capacity(tree.len());
    let mut texts = Vec::with_capacity(tree.len());
    let body = tree.body().unwrap_or_else(|| tree.html());
    let words = Words::new();
    let (bits, class) = element(tree, body, Tag::BODY, &words);
    draft.add(Tag::BODY, bits, class);
    sources.push(Some(body));
    texts.push(Text::default());
    let (mut inside, mut parent) = (body, BODY);
    let mut next = tree.first_child(body);
    while let Some(node) = next {
        let tag = tree.tag(node);
        let copied = tag == Tag::TEXT || (tag.is_element() && !is_left_out(tree, node, tag));
        let mut deeper = None;
        if copied {
            let (bits, class) = if tag == Tag::TEXT { (0, 0) } else { element(tree, node, tag, &words) };
            let tag = if tag == Tag::FONT { Tag::SPAN } else { tag };
            let at = draft.add(tag, bits, class);
            draft.append(parent, at);
            sources.push(Some(node));
            texts.push(if tag == Tag::TEXT { Text::of(tree.text(node)) } else { Text::default() });
            deeper = tree.first_child(node).filter(|_| !tag.is_svg());
            if deeper.is_some() {
                (inside, parent) = (node, at);
            }
        }
        next = deeper.or_else(|| {
            let mut at = node;
            loop {
                if let Some(next) = tree.next_sibling(at) {
                    return Some(next);
                }
                if inside == body {
                    return None;
                }
                at = inside;
                inside = tree.parent(at)?;
                parent = draft.node(parent).parent;
            }
        });
    }
    let links = sum(&mut draft, &mut texts);
    Base { draft, sources, texts, links }
}

fn is_left_out(tree: &Tree<'_>, node: NodeId, tag: Tag) -> bool {
    match tag {
        Tag::SCRIPT | Tag::NOSCRIPT | Tag::STYLE | Tag::TEMPLATE => true,
        Tag::IMG => !tree.attrs(node).any(|(name, value)| {
            matches!(name, "src" | "srcset" | "data-src" | "data-srcset")
                || [".jpg", ".jpeg", ".png", ".webp"].iter().any(|end| has(value, end))
        }),
        _ => false,
    }
}

/// Does a text hold another one, in any case?
fn has(text: &str, part: &str) -> bool {
    text.as_bytes().windows(part.len()).any(|here| here.eq_ignore_ascii_case(part.as_bytes()))
}

/// What the attributes say, and the class as a hash.
fn element(tree: &Tree<'_>, node: NodeId, tag: Tag, words: &Words) -> (u32, u32) {
    let (mut own, mut class) = (0, 0);
    let (mut hidden, mut fallback, mut modal, mut role) = (false, false, false, "");
    for (name, value) in tree.attrs(node) {
        match name.as_bytes() {
            b"class" if !tag.is_svg() => {
                own |= words.say(value);
                class = value.bytes().fold(7, |hash: u32, byte| hash.rotate_left(5) ^ u32::from(byte));
                class = if value.is_empty() { 0 } else { class | 1 };
                fallback = value.contains("fallback-image");
            }
            b"id" => own |= of_id(words.say(value)),
            b"rel" if value == "author" => own |= bits::BYLINE,
            b"itemprop" if value.contains("author") => own |= bits::BYLINE,
            b"style" if hides(value) => own |= bits::HIDDEN,
            b"hidden" => own |= bits::HIDDEN,
            b"aria-hidden" => hidden = value == "true",
            b"aria-modal" => modal = value == "true",
            b"role" => role = value,
            b"datatable" if value == "0" => own |= bits::LAYOUT,
            b"summary" if !value.is_empty() => own |= bits::SUMMARY,
            b"href" if tag == Tag::A && value.len() > 1 && value.starts_with('#') => own |= bits::JUMP,
            _ => {}
        }
        if matches!(tag, Tag::IFRAME | Tag::EMBED | Tag::OBJECT) && is_video(value) {
            own |= bits::VIDEO;
        }
    }
    if (hidden && !fallback) || (modal && role == "dialog") {
        own |= bits::HIDDEN;
    }
    match role {
        "menu" | "menubar" | "complementary" | "navigation" | "alert" | "alertdialog" | "dialog" => {
            own |= bits::BESIDE;
        }
        "presentation" => own |= bits::LAYOUT,
        _ => {}
    }
    (own, class)
}

/// What a name says as an id: two of the bits stand elsewhere.
fn of_id(said: u32) -> u32 {
    let class = bits::GOOD_CLASS | bits::BAD_CLASS;
    (said & !class)
        | (if said & bits::GOOD_CLASS == 0 { 0 } else { bits::GOOD_ID })
        | (if said & bits::BAD_CLASS == 0 { 0 } else { bits::BAD_ID })
}

/// Hosts whose films a reader view shows.
#[rustfmt::skip]
const VIDEOS: [&str; 10] = [
    "dailymotion.com", "youtube.com", "youtube-nocookie.com", "player.vimeo.com", "v.qq.com", "bilibili.com", "live.bilibili.com",
    "archive.org", "upload.wikimedia.org", "player.twitch.tv",
];

fn is_video(address: &str) -> bool {
    let Some((_, rest)) = address.split_once("//") else { return false };
    let host = rest.strip_prefix("www.").unwrap_or(rest);
    VIDEOS.iter().any(|known| host.get(..known.len()).is_some_and(|host| host.eq_ignore_ascii_case(known)))
}

/// Sums texts and what is inside up to the body, from the last node to the first: whatever is inside of a node has a higher number.
fn sum(draft: &mut Draft, texts: &mut [Text]) -> Vec<f32> {
    let mut links = vec![0.0; texts.len()];
    for at in (1..draft.len()).rev() {
        let node = *draft.node(at as u32);
        let own = texts.get(at).copied().unwrap_or_default();
        let linked = links.get(at).copied().unwrap_or_default() + link_length(node.tag, node.bits, own);
        let (parent, place) = (node.parent, node.parent as usize);
        if let (Some(text), Some(link)) = (texts.get_mut(place), links.get_mut(place)) {
            *text = own.then(*text);
            *link += linked;
        }
        if node.tag == Tag::TEXT {
            continue;
        }
        if !tags::is_in_line(node.tag, node.bits) {
            draft.change(parent, |parent| parent.bits |= bits::BROKEN);
        }
        if tags::is_block(node.tag) || node.bits & bits::BLOCKS != 0 {
            draft.change(parent, |parent| parent.bits |= bits::BLOCKS);
        }
        if node.tag != Tag::IFRAME && node.bits & bits::VIDEO != 0 && draft.tag(parent) == Tag::OBJECT {
            draft.change(parent, |parent| parent.bits |= bits::VIDEO);
        }
    }
    links
}

/// How much of a link counts as one: those to the same page count less.
pub(super) fn link_length(tag: Tag, own: u32, text: Text) -> f32 {
    let weight = match tag {
        Tag::A if own & bits::JUMP != 0 => 0.3,
        Tag::A => 1.0,
        _ => 0.0,
    };
    weight * text.shown as f32
}
