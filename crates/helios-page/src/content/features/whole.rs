//! Numbers of the page.

use super::super::address;
use super::super::page::{Page, ratio};
use super::{Row, flag, log};

/// Numbers of the page, the same for all blocks, so that one model reads pages of all kinds.
pub(in crate::content) fn whole(page: &Page<'_>, row: &mut impl Row) {
    let whole = &page.whole;
    row.put("p_words", log(page.words));
    row.put("p_blocks", log(page.outline.blocks.len() as u32));
    for (name, words) in [
        ("p_links", whole.links),
        ("p_long", whole.long),
        ("p_main", whole.in_main),
        ("p_article", whole.in_article),
        ("p_items", whole.in_items),
        ("p_cells", whole.in_cells),
        ("p_code", whole.in_code),
        ("p_paragraphs", whole.in_paragraphs),
        ("p_widest", whole.widest),
    ] {
        row.put(name, ratio(words, page.words));
    }
    for (name, count) in [
        ("p_long_blocks", whole.long_blocks),
        ("p_articles", whole.articles),
        ("p_mains", whole.mains),
        ("p_forms", whole.forms),
        ("p_money", whole.money),
        ("p_most", whole.most),
        ("p_headings", whole.headings),
        ("p_dated", whole.dated),
        ("p_images", page.outline.element(0).images),
    ] {
        row.put(name, log(count));
    }
    row.put("p_has_heading", flag(page.first_heading.is_some()));
    row.put("p_has_title", flag(page.title.is_some()));
    row.put("p_og_type", f32::from(page.hints.og_type));
    for bit in 0..18 {
        row.put("p_type", flag(page.hints.types & (1 << bit) != 0));
    }
    row.put("p_comments", ratio(whole.in_comments, page.words));
    row.put("p_related", ratio(whole.in_related, page.words));
    row.put("p_good_comments", ratio(whole.good_comments, whole.long));
    address::row(page.hints.address.as_deref(), row);
}
