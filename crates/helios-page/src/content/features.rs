//! A block as a row of numbers, for the model. The order of the numbers is part of the model.

use super::above::{NEAREST, score};
use super::kind::{self, inside};
use super::outline::{Block, Element, NO_ONE, Outline};
use super::page::{Page, links_of, ratio, share};

/// Takes the numbers of a row. Names are for people who study the model.
pub(super) trait Row {
    fn put(&mut self, name: &'static str, value: f32);
}

impl Row for Vec<f32> {
    fn put(&mut self, _name: &'static str, value: f32) {
        self.push(value);
    }
}

fn log(value: u32) -> f32 {
    // A logarithm that is cheap and the same on every machine: the place of the first bit, and a straight line between.
    let bits = (value.saturating_add(1) as f32).to_bits();
    let between = f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000);
    (bits >> 23) as f32 - 127.0 + between - 1.0
}

fn flag(yes: bool) -> f32 {
    f32::from(u8::from(yes))
}

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

/// How many containers of a block are told.
const CONTAINERS: usize = 6;
/// And of how many more is told.
const CLOSE: usize = 3;

/// The numbers of one block, and those of the whole page, which are the same for each.
pub(super) fn row(page: &Page<'_>, at: usize, row: &mut impl Row) {
    own(page, at, &mut Way::default(), row);
    whole(page, row);
}

/// The elements from a block up to the root, where each begins and ends, and its sort.
#[derive(Default, Debug)]
pub(super) struct Way {
    from: u32,
    steps: Vec<(u32, u32)>,
    shown: u8,
    level: u8,
    /// The innermost container, when it was looked for (`u32::MAX`: there is none), all that are told, and how many more there are.
    innermost: Option<u32>,
    containers: [Container; CONTAINERS],
    more: f32,
}

impl Way {
    pub(super) fn go(&mut self, outline: &Outline, from: u32) {
        if self.from == from && !self.steps.is_empty() {
            return;
        }
        self.steps.clear();
        (self.from, self.shown, self.level) = (from, 0, 0);
        for (at, element) in outline.upwards(from) {
            if self.shown == 0 && element.kind != kind::A && element.kind != kind::SPAN {
                self.shown = element.kind;
            }
            if self.level == 0 && self.steps.len() < 4 && (kind::H1..=kind::H6).contains(&element.kind) {
                self.level = element.kind - kind::H1 + 1;
            }
            self.steps.push((at, element.end));
        }
    }

    /// The steps to the element that also holds `other`, and that element.
    pub(super) fn meeting<'o>(&self, outline: &'o Outline, other: u32) -> (f32, &'o Element) {
        let found = self.steps.iter().position(|&(at, end)| at <= other && other < end);
        let meet = found.and_then(|steps| self.steps.get(steps));
        (found.map_or(99.0, |steps| steps as f32), outline.element(meet.map_or(NO_ONE, |&(at, _)| at)))
    }
}

/// The numbers of one block.
pub(super) fn own(page: &Page<'_>, at: usize, way: &mut Way, row: &mut impl Row) {
    let Some(block) = page.outline.blocks.get(at) else { return };
    way.go(page.outline, block.element);
    itself(page, at, block, way, row);
    let element = page.outline.of(block);
    for (name, bit) in BITS {
        row.put(name, flag(element.inside & bit != 0));
    }
    containers(page, block, way, row);
    nearest(page, block, row);
    against_best(page, block, way, row);
    against_title(page, at, block, way, row);
    alike(page, at, row);
    neighbours(page, at, block, way, row);
    around(page, at, row);
    repeats(page, at, block, row);
}

fn itself(page: &Page<'_>, at: usize, block: &Block, way: &Way, row: &mut impl Row) {
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

/// An element around a block: its words, and its numbers before and after the block's share of them; the second ones of close elements only.
#[derive(Clone, Copy, Default, Debug)]
struct Container {
    words: Option<u32>,
    first: [f32; 6],
    close: [f32; 6],
}

impl Container {
    const FIRST: [&str; 6] = ["c_link", "c_words", "c_share", "c_per_block", "c_paragraphs", "c_kind"];
    const LAST: [&str; 6] =
        ["c_sisters", "c_sister_words", "c_sister_link", "c_index", "c_images", "c_commas"];

    fn of(page: &Page<'_>, at: Option<u32>) -> Container {
        let Some(at) = at else { return Container { words: None, first: [-1.0; 6], close: [-1.0; 6] } };
        let element = page.outline.element(at);
        let sisters = page.sisters.group(at as usize);
        Container {
            words: Some(element.words),
            first: [
                links_of(element),
                log(element.words),
                ratio(element.words, page.words),
                ratio(element.words, element.blocks),
                log(element.paragraphs),
                f32::from(element.kind),
            ],
            close: [
                log(sisters.blocks),
                log(sisters.words),
                ratio(sisters.link_words, sisters.words),
                log(element.index),
                log(element.images),
                ratio(element.commas, element.words),
            ],
        }
    }
}

/// Elements around the block, each with more words than the last, innermost first.
fn containers(page: &Page<'_>, block: &Block, way: &mut Way, row: &mut impl Row) {
    let outline = page.outline;
    let own = Some(block.element).filter(|&own| outline.element(own).words != block.words);
    let mut next = own.or_else(|| page.above.wider(block.element));
    // Blocks that follow one another are mostly in the same ones.
    let innermost = Some(next.unwrap_or(u32::MAX));
    if way.innermost != innermost {
        way.innermost = innermost;
        for container in &mut way.containers {
            *container = Container::of(page, next);
            next = next.and_then(|at| page.above.wider(at));
        }
        way.more = next.map_or(0.0, |at| 1.0 + f32::from(page.above.get(at).containers));
    }
    for (number, container) in way.containers.iter().enumerate() {
        for (name, value) in Container::FIRST.into_iter().zip(container.first) {
            row.put(name, value);
        }
        row.put("c_mine", container.words.map_or(-1.0, |words| ratio(block.words, words)));
        if number < CLOSE {
            for (name, value) in Container::LAST.into_iter().zip(container.close) {
                row.put(name, value);
            }
        }
    }
    row.put("containers", way.more);
}

fn nearest(page: &Page<'_>, block: &Block, row: &mut impl Row) {
    let outline = page.outline;
    for (bit, at) in NEAREST.into_iter().zip(page.above.get(block.element).nearest) {
        let found = (at != NO_ONE).then(|| (at, outline.element(at)));
        let mut put = |name, value: fn(&Element) -> f32| {
            row.put(name, found.map_or(-1.0, |(_, element)| value(element)));
        };
        put("near_link", links_of);
        if matches!(bit, inside::LIST | inside::TABLE) {
            put("near_children", |element| log(element.children));
            put("near_per_block", |element| ratio(element.words, element.blocks));
        }
        row.put("near_share", found.map_or(-1.0, |(_, element)| ratio(element.words, page.words)));
        if bit == inside::ARTICLE {
            let number = found.and_then(|(at, _)| page.articles.get(at as usize).copied());
            row.put("near_number", number.map_or(-1.0, log));
        }
    }
}

fn against_best(page: &Page<'_>, block: &Block, way: &Way, row: &mut impl Row) {
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

fn against_title(page: &Page<'_>, at: usize, block: &Block, way: &Way, row: &mut impl Row) {
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

fn alike(page: &Page<'_>, at: usize, row: &mut impl Row) {
    for group in [page.paths.group(at), page.looks.group(at)] {
        row.put("alike", log(group.blocks));
        row.put("alike_words", log(group.words));
        row.put("alike_link", ratio(group.link_words, group.words));
        row.put("alike_long", log(group.long));
        row.put("alike_per_block", ratio(group.words, group.blocks));
        row.put("alike_share", ratio(group.words, page.words));
    }
}

fn neighbours(page: &Page<'_>, at: usize, block: &Block, way: &Way, row: &mut impl Row) {
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

fn around(page: &Page<'_>, at: usize, row: &mut impl Row) {
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

fn repeats(page: &Page<'_>, at: usize, block: &Block, row: &mut impl Row) {
    let hashes = page.outline.hashes_of(block);
    let all = || hashes.iter().copied();
    let hints = page.hints;
    row.put("repeated", page.repeated.get(at).copied().unwrap_or(0) as f32);
    row.put("repeats", page.texts.group(at).blocks as f32);
    let in_title = share(all(), &hints.title);
    row.put("in_title", in_title);
    row.put("in_heading", share(all(), &hints.heading));
    row.put("of_title", (in_title * hashes.len() as f32 / hints.title.len().max(1) as f32).min(3.0));
    row.put("in_description", share(super::hints::runs(hashes, 2), &hints.description));
    let article = |at: Option<usize>| at.and_then(|at| page.article.get(at).copied()).unwrap_or(-1.0);
    row.put("in_article", article(Some(at)));
    row.put("in_article_before", article(at.checked_sub(1)));
    row.put("in_article_after", article(Some(at + 1)));
    row.put("article_found", page.article_found);
}

/// Numbers of the page, the same for all blocks, so that one model reads pages of all kinds.
pub(super) fn whole(page: &Page<'_>, row: &mut impl Row) {
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
    super::address::row(page.hints.address.as_deref(), row);
}
