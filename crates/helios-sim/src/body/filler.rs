//! The static bulk of pages: styles, scripts, icons and wrappers, compressed once and shared by all pages of all webs.
//!
//! Always: plain ASCII (right in every charset), no anchors, hardly any visible text; about 11:1 under gzip.

use std::fmt::Write;
use std::sync::OnceLock;

use super::coding::{Draft, Segment};
use super::words::SLUGS;
use crate::chance::{Chance, For};

/// Sizes of segments in bytes and how many there are of each: few pieces per page, and sizes met within 1 KB.
const SIZES: [(usize, usize); 4] = [(64 << 10, 6), (16 << 10, 12), (4 << 10, 20), (1 << 10, 20)];

/// Where a segment may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// In the head or at the end of the body: style and script elements.
    Code,
    /// In the body: wrappers, icons, forms.
    Markup,
}

/// Segments by size, largest first.
#[derive(Debug)]
struct Shelf(Vec<Vec<Segment>>);

fn shelf(place: Place) -> &'static Shelf {
    static SHELVES: OnceLock<[Shelf; 2]> = OnceLock::new();
    let [code, markup] = SHELVES.get_or_init(|| [Shelf::new(Place::Code), Shelf::new(Place::Markup)]);
    match place {
        Place::Code => code,
        Place::Markup => markup,
    }
}

impl Shelf {
    fn new(place: Place) -> Self {
        let root = Chance::new(0x6669_6c6c_6572).at(place as u64);
        let row = |(index, &(size, count)): (usize, &(usize, usize))| {
            (0..count).map(|i| Segment::new(bulk(place, root.at(index as u64).at(i as u64), size))).collect()
        };
        Self(SIZES.iter().enumerate().map(row).collect())
    }
}

/// Makes the segments now, so that the first answer is as quick as the next.
pub(crate) fn prepare() {
    shelf(Place::Code);
}

/// Fills about `bytes` into the draft.
pub(crate) fn fill(draft: &mut Draft<'_>, place: Place, chance: Chance, mut bytes: usize) {
    let rows = &shelf(place).0;
    let mut draw = chance.of(For::Filler);
    for ((size, _), row) in SIZES.iter().zip(rows) {
        while bytes >= *size && !row.is_empty() {
            draw = draw.at(bytes as u64);
            let segment = draw.choose(row);
            draft.place(segment);
            bytes = bytes.saturating_sub(segment.len());
        }
    }
}

fn bulk(place: Place, chance: Chance, size: usize) -> Vec<u8> {
    let mut out = String::with_capacity(size + 512);
    let mut block = 0;
    // Each segment has few class names of its own, as generated styles do: that is what makes real pages compress.
    let names: Vec<String> = (0..10).map(|i| class(chance.of(For::Head).at(i))).collect();
    while out.len() + 420 < size {
        let draw = chance.at(block);
        match place {
            Place::Code if draw.bits() & 1 == 0 => style(&mut out, draw, &names, size),
            Place::Code => script(&mut out, draw, &names, size),
            Place::Markup => wrapper(&mut out, draw, &names),
        }
        block += 1;
    }
    let room = size.saturating_sub(out.len() + 9);
    out.push_str("<!-- ");
    out.extend(std::iter::repeat_n('=', room.min(420)));
    out.push_str(" -->\n");
    out.into_bytes()
}

fn class(chance: Chance) -> String {
    format!("{}-{}__{}", chance.choose(&SLUGS), chance.at(1).choose(&SLUGS), chance.at(2).choose(&SLUGS))
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    let written = out.write_fmt(text);
    debug_assert!(written.is_ok());
}

fn style(out: &mut String, chance: Chance, names: &[String], size: usize) {
    out.push_str("<style>\n");
    let end = (out.len() + 4_000).min(size.saturating_sub(300));
    let mut rule = 0;
    while out.len() < end {
        let draw = chance.at(rule);
        let (name, bits) = (draw.choose(names), draw.bits());
        push(
            out,
            format_args!(
                ".{name}--v{}{{display:flex;flex-direction:column;box-sizing:border-box;margin:0 auto;padding:{}px {}px;color:var(--color-text-default)}}\n",
                rule % 16,
                bits % 8 * 4,
                (bits >> 8) % 4 * 8
            ),
        );
        rule += 1;
    }
    out.push_str("</style>\n");
}

fn script(out: &mut String, chance: Chance, names: &[String], size: usize) {
    out.push_str("<script>(window.__state=window.__state||[]).push(");
    let end = (out.len() + 6_000).min(size.saturating_sub(300));
    let mut item = 0;
    while out.len() < end {
        let draw = chance.at(item);
        let (name, bits) = (draw.choose(names), draw.bits());
        push(
            out,
            format_args!(
                "{{\"id\":{},\"component\":\"{name}\",\"props\":{{\"visible\":true,\"lazy\":false,\"width\":{},\"height\":{},\"theme\":\"default\"}},\"children\":[]}},\n",
                bits % 10_000,
                (bits >> 16) % 4 * 160,
                (bits >> 24) % 4 * 90
            ),
        );
        item += 1;
    }
    out.push_str("null);</script>\n");
}

fn wrapper(out: &mut String, chance: Chance, names: &[String]) {
    let (name, bits) = (chance.choose(names), chance.bits());
    match bits % 8 {
        0 => push(
            out,
            format_args!(
                "<svg class=\"icon icon--{name}\" width=\"24\" height=\"24\" viewBox=\"0 0 24 24\" aria-hidden=\"true\"><path fill=\"currentColor\" d=\"M12 2C6.48 2 2 6.48 2 12s4.48 10 10 10 10-4.48 10-10S17.52 2 12 2zm{} {}h-2v-6h2v6z\"/></svg>\n",
                (bits >> 8) % 9,
                (bits >> 16) % 17
            ),
        ),
        1 => push(
            out,
            format_args!(
                "<form class=\"{name}\" method=\"post\"><input type=\"hidden\" name=\"token\" value=\"{:04x}\"><button type=\"button\" class=\"{name}-button\" aria-label=\"menu\"><span></span></button></form>\n",
                bits >> 48
            ),
        ),
        2 => push(
            out,
            format_args!(
                "<picture class=\"{name}\"><source type=\"image/webp\" media=\"(min-width: 768px)\"><img class=\"{name}-image\" alt=\"\" loading=\"lazy\" width=\"320\" height=\"180\" data-ratio=\"{}\"></picture>\n",
                (bits >> 8) % 100
            ),
        ),
        _ => push(
            out,
            format_args!(
                "<div class=\"{name} grid grid--{} col-12 col-md-6 u-margin-bottom\" data-module=\"{name}\" data-id=\"{}\"><div class=\"{name}-inner\"><span class=\"{name}-label\"></span></div></div>\n",
                (bits >> 8) % 4,
                (bits >> 16) % 100_000
            ),
        ),
    }
}
