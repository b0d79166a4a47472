//! Where a block stands beside the best element of the page, and beside its title.

use super::super::above::score;
use super::super::outline::Block;
use super::super::page::{Page, links_of, ratio};
use super::{Row, Way, flag, log};

pub(super) fn best(page: &Page<'_>, block: &Block, way: &Way, row: &mut impl Row) {
    let outline = page.outline;
    let best = outline.element(page.best);
    let (steps, meet) = way.meeting(outline, page.best);
    let inside = page.best <= block.element && block.element < best.end;
    row.put("in_best", flag(inside));
    row.put("best_share", ratio(best.words, page.words));
    row.put("best_link", links_of(best));
    row.put("best_steps", steps);
    row.put("best_meet", ratio(meet.words, page.words));
    row.put("best_below", f32::from(best.depth) - f32::from(meet.depth));
    let parent = outline.element(outline.of(block).parent);
    row.put("parent_score", score(parent) / page.best_score.max(1.0));
    row.put("most_score", page.above.get(block.element).most_score / page.best_score.max(1.0));
    row.put("best_side", if inside { 0.0 } else { flag(block.element >= best.end) * 2.0 - 1.0 });
}

pub(super) fn title(page: &Page<'_>, at: usize, block: &Block, way: &Way, row: &mut impl Row) {
    let outline = page.outline;
    let title = page.title.and_then(|title| outline.blocks.get(title));
    let (steps, meet) = title.map_or((-1.0, outline.element(0)), |title| way.meeting(outline, title.element));
    let apart =
        |from: Option<usize>| from.map_or(-99.0, |from| (at as f32 - from as f32).clamp(-50.0, 300.0));
    row.put("title_apart", apart(page.title));
    row.put("title_steps", steps);
    row.put("title_meet", if title.is_some() { ratio(meet.words, page.words) } else { -1.0 });
    row.put(
        "title_below",
        title.map_or(-1.0, |title| f32::from(outline.of(title).depth) - f32::from(meet.depth)),
    );
    row.put("title_best", page.title_best.0);
    row.put("title_best_share", ratio(page.title_best.1, page.words));
    let article = page.title_article.map(|at| outline.element(at));
    let within = page
        .title_article
        .zip(article)
        .map(|(at, article)| at <= block.element && block.element < article.end);
    row.put("title_article", within.map_or(-1.0, flag));
    row.put("title_article_share", article.map_or(-1.0, |article| ratio(article.words, page.words)));
    row.put("heading_apart", apart(page.first_heading));
    let words = |at: usize| page.before.get(at).map_or(0, |before| before.0);
    let since = page.first_heading.filter(|&from| from <= at).map(|from| words(at) - words(from));
    row.put("heading_words", since.map_or(-1.0, log));
    row.put("headings", page.headings.get(at).copied().unwrap_or(0).min(20) as f32);
    row.put(
        "headings_after",
        (page.headings.last().copied().unwrap_or(0) - page.headings.get(at).copied().unwrap_or(0)).min(20)
            as f32,
    );
}
