//! What an element is for the reader: how its name splits text into blocks, and what being inside it says.

use std::sync::LazyLock;

use super::words::{SEED, mix};
use crate::html::Tag;

/// Being inside an element of some sort, as bits that are handed down.
pub(super) mod inside {
    pub(in super::super) const NAV: u32 = 1;
    pub(in super::super) const FOOTER: u32 = 1 << 1;
    pub(in super::super) const HEADER: u32 = 1 << 2;
    pub(in super::super) const ASIDE: u32 = 1 << 3;
    pub(in super::super) const ARTICLE: u32 = 1 << 4;
    pub(in super::super) const MAIN: u32 = 1 << 5;
    pub(in super::super) const FORM: u32 = 1 << 6;
    pub(in super::super) const TABLE: u32 = 1 << 7;
    pub(in super::super) const LIST: u32 = 1 << 8;
    pub(in super::super) const ITEM: u32 = 1 << 9;
    pub(in super::super) const FIGURE: u32 = 1 << 10;
    pub(in super::super) const QUOTE: u32 = 1 << 11;
    pub(in super::super) const PRE: u32 = 1 << 12;
    pub(in super::super) const LINK: u32 = 1 << 13;
    pub(in super::super) const HIDDEN: u32 = 1 << 14;
    pub(in super::super) const BUTTON: u32 = 1 << 15;
    pub(in super::super) const SECTION: u32 = 1 << 16;
    pub(in super::super) const DETAILS: u32 = 1 << 17;
    pub(in super::super) const HEADING: u32 = 1 << 18;
    pub(in super::super) const DIALOG: u32 = 1 << 19;
    pub(in super::super) const BODY: u32 = 1 << 20;
    pub(in super::super) const DEFINITIONS: u32 = 1 << 21;
    pub(in super::super) const CELL: u32 = 1 << 22;
    pub(in super::super) const LABEL: u32 = 1 << 23;
    pub(in super::super) const CAPTION: u32 = 1 << 24;
    pub(in super::super) const PARAGRAPH: u32 = 1 << 25;
    pub(in super::super) const NOSCRIPT: u32 = 1 << 26;
    pub(in super::super) const STRONG: u32 = 1 << 27;
    pub(in super::super) const COMMENTS: u32 = 1 << 28;
    pub(in super::super) const RELATED: u32 = 1 << 29;
    pub(in super::super) const NOTICE: u32 = 1 << 30;
    pub(in super::super) const ABOUT: u32 = 1 << 31;
    /// What only names of classes say.
    pub(in super::super) const NAMED: u32 = COMMENTS | RELATED | NOTICE | ABOUT;
}

/// How the walk treats an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flow {
    /// It and all inside it is no text.
    Skip,
    /// Its text belongs to the line around it.
    Inline,
    /// It begins and ends blocks.
    Block,
    Break,
    Rule,
    Image,
}

/// Elements that hold no text of the page.
#[rustfmt::skip]
const SKIPPED: [Tag; 20] = [
    Tag::SCRIPT, Tag::STYLE, Tag::TEMPLATE, Tag::HEAD, Tag::IFRAME, Tag::SELECT, Tag::TEXTAREA, Tag::OBJECT, Tag::EMBED,
    Tag::CANVAS, Tag::VIDEO, Tag::AUDIO, Tag::DATALIST, Tag::TITLE, Tag::META, Tag::LINK, Tag::MAP, Tag::PROGRESS,
    Tag::NOEMBED, Tag::NOFRAMES,
];

#[rustfmt::skip]
const INLINE: [Tag; 39] = [
    Tag::A, Tag::ABBR, Tag::B, Tag::BDI, Tag::BDO, Tag::CITE, Tag::CODE, Tag::DATA, Tag::DFN, Tag::EM, Tag::FONT, Tag::I,
    Tag::KBD, Tag::MARK, Tag::Q, Tag::S, Tag::SAMP, Tag::SMALL, Tag::SPAN, Tag::STRONG, Tag::SUB, Tag::SUP, Tag::TIME,
    Tag::TT, Tag::U, Tag::VAR, Tag::WBR, Tag::INS, Tag::DEL, Tag::BIG, Tag::STRIKE, Tag::ACRONYM, Tag::NOBR, Tag::RUBY,
    Tag::RT, Tag::RB, Tag::RP, Tag::PICTURE, Tag::SOURCE,
];

/// All that the name of an element says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nature {
    pub(super) flow: Flow,
    pub(super) number: u8,
    /// What it says of all that is inside.
    pub(super) inside: u32,
    /// Where the hash of its look begins.
    pub(super) look: u32,
}

static NATURES: LazyLock<Vec<Nature>> = LazyLock::new(|| Tag::all_known().map(nature_of).collect());

pub(super) fn nature(tag: Tag) -> Nature {
    let known = if tag.is_svg() || tag.is_math() { None } else { NATURES.get(tag.number()) };
    known.copied().unwrap_or_else(|| nature_of(tag))
}

fn nature_of(tag: Tag) -> Nature {
    let number = number(tag);
    let length = tag.known_name().map_or(0, |name| name.len() as u32 + 1);
    Nature {
        flow: flow(tag),
        number,
        inside: by_name(tag),
        look: mix(SEED, length ^ (u32::from(number) << 8)),
    }
}

fn flow(tag: Tag) -> Flow {
    match tag {
        Tag::BR => Flow::Break,
        Tag::HR => Flow::Rule,
        Tag::IMG => Flow::Image,
        Tag::INPUT => Flow::Inline,
        _ if tag.is_svg() || SKIPPED.contains(&tag) => Flow::Skip,
        _ if tag.is_math() => {
            if tag.local() == Tag::ANNOTATION_XML {
                Flow::Skip
            } else {
                Flow::Inline
            }
        }
        _ if INLINE.contains(&tag) => Flow::Inline,
        _ => Flow::Block,
    }
}

/// Numbers of names for the model; the order is part of it. Zero is any other name.
#[rustfmt::skip]
const NUMBERED: [Tag; 45] = [
    Tag::P, Tag::LI, Tag::TD, Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6, Tag::PRE,
    Tag::BLOCKQUOTE, Tag::DIV, Tag::DD, Tag::DT, Tag::TH, Tag::FIGCAPTION, Tag::BUTTON, Tag::LABEL,
    Tag::SECTION, Tag::ARTICLE, Tag::MAIN, Tag::BODY, Tag::HEADER, Tag::FOOTER, Tag::NAV, Tag::ASIDE,
    Tag::UL, Tag::OL, Tag::TABLE, Tag::TR, Tag::FORM, Tag::CENTER, Tag::ADDRESS, Tag::SUMMARY,
    Tag::CAPTION, Tag::DETAILS, Tag::FIGURE, Tag::DL, Tag::TBODY, Tag::FIELDSET, Tag::LEGEND, Tag::A,
    Tag::SPAN, Tag::HTML, Tag::THEAD,
];

pub(super) const P: u8 = 1;
pub(super) const TD: u8 = 3;
pub(super) const H1: u8 = 4;
pub(super) const H6: u8 = 9;
pub(super) const PRE: u8 = 10;
pub(super) const BLOCKQUOTE: u8 = 11;
pub(super) const DIV: u8 = 12;
pub(super) const A: u8 = 42;
pub(super) const SPAN: u8 = 43;

fn number(tag: Tag) -> u8 {
    NUMBERED.iter().position(|&known| known == tag).map_or(0, |at| at as u8 + 1)
}

/// What a name says of all that is inside.
fn by_name(tag: Tag) -> u32 {
    match tag {
        Tag::NAV => inside::NAV,
        Tag::FOOTER => inside::FOOTER,
        Tag::HEADER => inside::HEADER,
        Tag::ASIDE => inside::ASIDE,
        Tag::ARTICLE => inside::ARTICLE,
        Tag::MAIN => inside::MAIN,
        Tag::FORM => inside::FORM,
        Tag::TABLE => inside::TABLE,
        Tag::UL | Tag::OL | Tag::MENU => inside::LIST,
        Tag::LI => inside::ITEM,
        Tag::FIGURE => inside::FIGURE,
        Tag::BLOCKQUOTE => inside::QUOTE,
        Tag::PRE | Tag::LISTING | Tag::XMP => inside::PRE,
        Tag::BUTTON => inside::BUTTON,
        Tag::SECTION => inside::SECTION,
        Tag::DETAILS => inside::DETAILS,
        Tag::DIALOG => inside::DIALOG,
        Tag::DL => inside::DEFINITIONS,
        Tag::TD | Tag::TH => inside::CELL,
        Tag::LABEL => inside::LABEL,
        Tag::FIGCAPTION | Tag::CAPTION => inside::CAPTION,
        Tag::P => inside::PARAGRAPH,
        Tag::NOSCRIPT => inside::NOSCRIPT,
        Tag::B | Tag::STRONG => inside::STRONG,
        _ if tag.is_heading() => inside::HEADING,
        _ => 0,
    }
}

/// Words in the names of classes that say what is inside.
#[rustfmt::skip]
const NAMED: [(u32, &[&str]); 5] = [
    (
        inside::COMMENTS,
        &["comment", "comments", "disqus", "respond", "replies", "reply", "commentlist", "discussion"],
    ),
    (
        inside::RELATED,
        &[
            "related", "recommended", "recommendations", "recommendation", "recommend",
            "popular", "trending", "latest", "teaser", "teasers", "promo", "promos", "sidebar",
            "outbrain", "taboola", "suggested", "suggestions", "recirc", "carousel", "upsell",
            "also", "headlines", "mostread", "readmore", "further",
        ],
    ),
    (
        inside::NOTICE,
        &[
            "cookie", "cookies", "gdpr", "consent", "modal", "popup", "privacy", "overlay",
            "subscribe", "newsletter", "signup", "paywall", "login", "registration", "banner",
            "disclaimer", "copyright", "legal",
        ],
    ),
    (
        inside::ABOUT,
        &[
            "author", "authors", "byline", "bio", "date", "timestamp", "meta", "tags", "share",
            "sharing", "social", "breadcrumb", "breadcrumbs", "profile", "rating", "votes",
        ],
    ),
    (inside::CAPTION, &["caption", "captions", "credit", "credits", "figcaption", "imagecaption"]),
];

/// Those words as hashes, each with what it says.
pub(super) fn named() -> impl Iterator<Item = (u32, u32)> {
    let hash = |word: &str| word.bytes().fold(SEED, |hash, byte| mix(hash, u32::from(byte)));
    NAMED.iter().flat_map(move |(bit, words)| words.iter().map(move |word| (hash(word), *bit)))
}

/// What `itemprop` says of all that is inside.
pub(super) fn by_property(value: &str) -> u32 {
    match value {
        "articleBody" | "mainContentOfPage" | "text" | "description" | "reviewBody" => inside::BODY,
        _ => 0,
    }
}

/// What `role` says of all that is inside.
pub(super) fn by_role(value: &str) -> u32 {
    match value {
        "navigation" | "menu" | "menubar" | "tablist" => inside::NAV,
        "main" => inside::MAIN,
        "complementary" => inside::ASIDE,
        "banner" => inside::HEADER,
        "contentinfo" => inside::FOOTER,
        "dialog" | "alertdialog" => inside::DIALOG,
        "article" => inside::ARTICLE,
        "button" => inside::BUTTON,
        "search" => inside::FORM,
        "heading" => inside::HEADING,
        "listitem" => inside::ITEM,
        "list" => inside::LIST,
        _ => 0,
    }
}

/// Does a style attribute hide the element? Reads `display:none` and `visibility:hidden` with any white space.
pub(super) fn hides(style: &str) -> bool {
    style.split(';').take(64).filter_map(|rule| rule.split_once(':')).any(|(name, value)| {
        let (name, value) = (name.trim(), value.trim());
        let hidden =
            |what: &str| value.get(..what.len()).is_some_and(|value| value.eq_ignore_ascii_case(what));
        (name.eq_ignore_ascii_case("display") && hidden("none"))
            || (name.eq_ignore_ascii_case("visibility") && hidden("hidden"))
    })
}
