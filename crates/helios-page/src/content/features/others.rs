//! The blocks before a block, behind it and like it, and texts that say the same.

use super::super::hints::runs;
use super::super::kind::inside;
use super::super::outline::Block;
use super::super::page::{Page, ratio};
use super::{Row, Way, flag, log};

pub(super) fn alike(page: &Page<'_>, at: usize, row: &mut impl Row) {
    for group in [page.paths.group(at), page.looks.group(at)] {
        row.put("alike", log(group.blocks));
        row.put("alike_words", log(group.words));
        row.put("alike_link", ratio(group.link_words, group.words));
        row.put("alike_long", log(group.long));
        row.put("alike_per_block", ratio(group.words, group.blocks));
        row.put("alike_share", ratio(group.words, page.words));
    }
}

pub(super) fn neighbours(page: &Page<'_>, at: usize, block: &Block, way: &Way, row: &mut impl Row) {
    let outline = page.outline;
    let path = outline.of(block).path;
    for distance in 1..=3 {
        for other in [at.checked_sub(distance), at.checked_add(distance)] {
            let found = other.and_then(|other| outline.blocks.get(other));
            let told = found.is_some();
            let other = found.unwrap_or(block);
            let mut put = |name, value: f32| row.put(name, if told { value } else { -1.0 });
            put("n_words", log(other.words));
            put("n_link", ratio(other.link_words, other.words));
            put("n_end", f32::from(other.letters.end));
            if distance < 3 {
                let element = outline.of(other);
                put("n_kind", f32::from(element.kind));
                put("n_heading", flag(element.inside & inside::HEADING != 0));
                put("n_steps", way.meeting(outline, other.element).0);
                put("n_same", flag(element.path == path));
            }
        }
    }
}

pub(super) fn near(page: &Page<'_>, at: usize, row: &mut impl Row) {
    let last = page.before.len() - 1;
    for width in [4, 12] {
        let sum = |at: usize| page.before.get(at.min(last)).copied().unwrap_or_default();
        let (from, to) = (sum(at.saturating_sub(width)), sum(at + width + 1));
        row.put("around_words", log(to.0 - from.0));
        row.put("around_link", ratio(to.1 - from.1, to.0 - from.0));
    }
    for distances in [&page.since_good, &page.until_good] {
        let (blocks, words) = distances.get(at).copied().unwrap_or_default();
        row.put("good_blocks", blocks as f32);
        row.put("good_words", log(words));
    }
    row.put("first_good", (at as f32 - page.first_good as f32).clamp(-50.0, 200.0));
    row.put("last_good", (page.last_good as f32 - at as f32).clamp(-50.0, 200.0));
}

pub(super) fn repeats(page: &Page<'_>, at: usize, block: &Block, row: &mut impl Row) {
    let hashes = page.outline.hashes_of(block);
    let hints = page.hints;
    row.put("repeated", page.repeated.get(at).copied().unwrap_or(0) as f32);
    row.put("repeats", page.texts.group(at).blocks as f32);
    let in_title = page.in_title.get(at).copied().unwrap_or_default();
    row.put("in_title", in_title);
    row.put("in_heading", hints.heading.share(hashes.iter().copied()));
    row.put("of_title", (in_title * hashes.len() as f32 / hints.title.len().max(1) as f32).min(3.0));
    row.put("in_description", hints.description.share(runs(hashes, 2)));
    let article = |at: Option<usize>| at.and_then(|at| page.article.get(at).copied()).unwrap_or(-1.0);
    row.put("in_article", article(Some(at)));
    row.put("in_article_before", article(at.checked_sub(1)));
    row.put("in_article_after", article(Some(at + 1)));
    row.put("article_found", page.article_found);
}
