//! What a block is made of, where it stands, and what the elements around it say of all that is inside.

use super::super::kind::inside;
use super::super::outline::Block;
use super::super::page::{Page, ratio};
use super::{Row, Way, flag, log};

#[rustfmt::skip]
const BITS: [(&str, u32); 30] = [
    ("nav", inside::NAV), ("footer", inside::FOOTER), ("header", inside::HEADER), ("aside",
    inside::ASIDE), ("article", inside::ARTICLE), ("main", inside::MAIN), ("form", inside::FORM),
    ("table", inside::TABLE), ("list", inside::LIST), ("item", inside::ITEM), ("figure",
    inside::FIGURE), ("quote", inside::QUOTE), ("pre", inside::PRE), ("in_link", inside::LINK),
    ("hidden", inside::HIDDEN), ("button", inside::BUTTON), ("section", inside::SECTION), ("details",
    inside::DETAILS), ("dialog", inside::DIALOG), ("body", inside::BODY), ("definitions",
    inside::DEFINITIONS), ("label", inside::LABEL), ("caption", inside::CAPTION), ("paragraph",
    inside::PARAGRAPH), ("noscript", inside::NOSCRIPT), ("in_heading_element", inside::HEADING),
    ("comments", inside::COMMENTS), ("related", inside::RELATED), ("notice", inside::NOTICE), ("about",
    inside::ABOUT),
];

pub(super) fn itself(page: &Page<'_>, at: usize, block: &Block, way: &Way, row: &mut impl Row) {
    let outline = page.outline;
    let letters = &block.letters;
    row.put("kind", f32::from(way.shown));
    row.put("own_kind", f32::from(outline.of(block).kind));
    row.put("level", f32::from(way.level));
    row.put("words", block.words as f32);
    row.put("letters", log(letters.all));
    row.put("word_length", ratio(letters.all, block.words.max(1)));
    row.put("link", ratio(block.link_words, block.words));
    row.put("links", block.links as f32);
    row.put("strong", ratio(block.strong_words, block.words));
    row.put("breaks", block.breaks as f32);
    row.put("upper", ratio(letters.upper, letters.alphabetic));
    row.put("capitals", ratio(letters.capitals, block.words.max(1)));
    row.put("digits", ratio(letters.digits, letters.all));
    row.put("stops", ratio(letters.stops, block.words.max(1)));
    row.put("commas", ratio(letters.commas, block.words.max(1)));
    row.put("end", f32::from(letters.end));
    row.put("bars", letters.bars as f32);
    row.put("money", letters.money as f32);
    row.put("date", flag(letters.digits >= 4 && letters.all < 60));
    row.put("alphabetic", ratio(letters.alphabetic, letters.all));
    let blocks = outline.blocks.len();
    let before = page.before.get(at).map_or(0, |before| before.0);
    row.put("place", at as f32 / blocks as f32);
    row.put("place_words", ratio(before, page.words));
    row.put("from_start", log(at as u32));
    row.put("to_end", log((blocks - at) as u32));
    row.put("words_before", log(before));
    row.put("words_after", log(page.words.saturating_sub(before)));
    row.put("depth", f32::from(outline.of(block).depth));
}

/// What the block's element and all above it say.
pub(super) fn inside(page: &Page<'_>, block: &Block, row: &mut impl Row) {
    let element = page.outline.of(block);
    for (name, bit) in BITS {
        row.put(name, flag(element.inside & bit != 0));
    }
}
