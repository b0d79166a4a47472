//! What one block cannot know: how often a look, a path or a text occurs, where the title stands, what the page is full of.

use super::above::{All, above, score};
use super::features::Way;
use super::hints::{Hints, runs};
use super::kind::{self, inside};
use super::outline::{Block, Element, NO_ONE, Outline};
use super::words::{self, pair};

/// Sums over blocks that look alike.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Group {
    pub(super) blocks: u32,
    pub(super) words: u32,
    pub(super) link_words: u32,
    pub(super) long: u32,
}

#[derive(Debug)]
pub(super) struct Page<'o> {
    pub(super) outline: &'o Outline,
    pub(super) hints: &'o Hints,
    pub(super) words: u32,
    /// Words and link words before each block, and at the end.
    pub(super) before: Vec<(u32, u32)>,
    /// The group of each block: same path, same look of the last three elements, same text.
    pub(super) paths: Alike,
    pub(super) looks: Alike,
    pub(super) texts: Alike,
    /// Elements with the same parent and the same look.
    pub(super) sisters: Alike,
    /// Blocks of the same text so far.
    pub(super) repeated: Vec<u32>,
    /// Blocks and words since the last good paragraph, and until the next.
    pub(super) since_good: Vec<(u32, u32)>,
    pub(super) until_good: Vec<(u32, u32)>,
    pub(super) first_good: usize,
    pub(super) last_good: usize,
    /// The share of each block that the article of JSON-LD holds; below zero: there is none.
    pub(super) article: Vec<f32>,
    pub(super) article_found: f32,
    /// Main headings so far.
    pub(super) headings: Vec<u32>,
    pub(super) first_heading: Option<usize>,
    pub(super) title: Option<usize>,
    /// The share of each block's words that are in the title.
    pub(super) in_title: Vec<f32>,
    /// The steps from the title to the element that also holds the best one, and the words there.
    pub(super) title_best: (f32, u32),
    /// The `article` that holds the title.
    pub(super) title_article: Option<u32>,
    /// The element that paragraphs speak for most, and how much.
    pub(super) best: u32,
    pub(super) best_score: f32,
    /// The number of each `article` among its kind.
    pub(super) articles: Vec<u32>,
    pub(super) above: All,
    pub(super) whole: Whole,
}

/// Numbers of the whole page.
#[derive(Default, Debug)]
pub(super) struct Whole {
    pub(super) links: u32,
    pub(super) in_main: u32,
    pub(super) in_article: u32,
    pub(super) in_items: u32,
    pub(super) in_cells: u32,
    pub(super) in_code: u32,
    pub(super) in_paragraphs: u32,
    pub(super) long: u32,
    pub(super) long_blocks: u32,
    pub(super) money: u32,
    pub(super) headings: u32,
    pub(super) articles: u32,
    pub(super) mains: u32,
    pub(super) forms: u32,
    pub(super) widest: u32,
    pub(super) most: u32,
    pub(super) dated: u32,
    pub(super) in_comments: u32,
    pub(super) in_related: u32,
    pub(super) good_comments: u32,
}

/// Things sorted into groups of equal keys.
#[derive(Default, Debug)]
pub(super) struct Alike {
    of: Vec<u32>,
    groups: Vec<Group>,
}

impl Alike {
    fn by(keys: impl Iterator<Item = u32>) -> Alike {
        let sorted = sorted(keys);
        Alike::number_all(sorted.len(), sorted.iter().map(|&entry| (entry >> 32, entry as u32)))
    }

    /// Numbers things that come with their keys, equal ones together.
    fn number_all<K: PartialEq>(count: usize, sorted: impl Iterator<Item = (K, u32)>) -> Alike {
        let mut of = vec![0; count];
        let (mut number, mut last) = (0, None);
        for (key, at) in sorted {
            number += u32::from(last.as_ref().is_some_and(|last| *last != key));
            last = Some(key);
            if let Some(place) = of.get_mut(at as usize) {
                *place = number;
            }
        }
        Alike { of, groups: vec![Group::default(); number as usize + 1] }
    }

    fn add(&mut self, at: usize, words: u32, link_words: u32) {
        let number = self.number(at);
        if let Some(group) = self.groups.get_mut(number) {
            group.blocks += 1;
            group.words += words;
            group.link_words += link_words;
            group.long += u32::from(words >= 12);
        }
    }

    pub(super) fn number(&self, at: usize) -> usize {
        self.of.get(at).copied().unwrap_or_default() as usize
    }

    pub(super) fn group(&self, at: usize) -> Group {
        self.groups.get(self.number(at)).copied().unwrap_or_default()
    }

    pub(super) fn groups(&self) -> &[Group] {
        &self.groups
    }
}

/// A paragraph that is text for certain.
pub(super) fn is_good(block: &Block) -> bool {
    block.words >= 15 && block.link_words * 3 < block.words
}

pub(super) fn ratio(part: u32, whole: u32) -> f32 {
    // Divided in any case: there is nothing to foresee, then.
    let ratio = part as f32 / whole.max(1) as f32;
    if whole == 0 { 0.0 } else { ratio }
}

pub(super) fn links_of(element: &Element) -> f32 {
    ratio(element.link_words, element.words)
}

pub(super) fn page<'o>(outline: &'o Outline, hints: &'o Hints) -> Page<'o> {
    let blocks = &outline.blocks;
    let mut paths = Alike::by(blocks.iter().map(|block| outline.of(block).path));
    let mut looks = Alike::by(blocks.iter().map(|block| look(outline, block)));
    let mut texts = Alike::by(blocks.iter().map(|block| text(outline, block)));
    let mut repeated = Vec::with_capacity(blocks.len());
    let mut before = vec![(0, 0)];
    let (mut words, mut link_words) = (0, 0);
    for (at, block) in blocks.iter().enumerate() {
        for alike in [&mut paths, &mut looks] {
            alike.add(at, block.words, block.link_words);
        }
        repeated.push(texts.group(at).blocks);
        texts.add(at, block.words, block.link_words);
        words += block.words;
        link_words += block.link_words;
        before.push((words, link_words));
    }
    let sisters = sisters(outline);
    let article: Vec<f32> = blocks.iter().map(|block| in_article(outline, hints, block)).collect();
    let found: f32 = article.iter().zip(blocks).map(|(share, block)| share * block.words as f32).sum();
    let (best, best_score) = best(outline);
    let mut page = Page {
        outline,
        hints,
        words: words.max(1),
        before,
        paths,
        looks,
        texts,
        sisters,
        repeated,
        since_good: distances(blocks.iter()),
        until_good: distances(blocks.iter().rev()),
        first_good: blocks.iter().position(is_good).unwrap_or(blocks.len()),
        last_good: blocks.iter().rposition(is_good).unwrap_or(0),
        article_found: if hints.article_words < 20 {
            0.0
        } else {
            (found / hints.article_words as f32).min(2.0)
        },
        article,
        headings: headings(outline),
        first_heading: blocks.iter().position(|block| is_first_heading(outline, block)),
        title: None,
        in_title: blocks.iter().map(|block| in_title(outline, hints, block)).collect(),
        title_best: (-1.0, outline.element(NO_ONE).words),
        title_article: None,
        best,
        best_score,
        articles: articles(outline),
        above: above(outline),
        whole: Whole::default(),
    };
    page.until_good.reverse();
    page.title = title(&page);
    if let Some(title) = page.title.and_then(|title| outline.blocks.get(title)) {
        let mut way = Way::default();
        way.go(outline, title.element);
        let (steps, meet) = way.meeting(outline, best);
        page.title_best = (steps, meet.words);
    }
    page.title_article = page.title.and_then(|title| article_of(outline, outline.blocks.get(title)?));
    page.whole = whole(&page, link_words);
    page
}

fn look(outline: &Outline, block: &Block) -> u32 {
    let looks = outline.upwards(block.element).take(3).map(|(_, element)| element.look);
    looks.fold(1, pair)
}

fn text(outline: &Outline, block: &Block) -> u32 {
    outline.hashes_of(block).iter().fold(words::SEED, |hash, &word| pair(hash, word))
}

/// Keys, each with its number, in the order of the keys. Sorting, not hashing: no page can make it slow.
fn sorted(keys: impl Iterator<Item = u32>) -> Vec<u64> {
    let mut sorted: Vec<u64> = keys.zip(0_u64..).map(|(key, at)| u64::from(key) << 32 | at).collect();
    sorted.sort_unstable();
    sorted
}

fn sisters(outline: &Outline) -> Alike {
    let elements = &outline.elements;
    // Dealt out to the parents, which are numbered already, then sorted by look.
    let mut starts = vec![0_u32; elements.len() + 1];
    for element in elements {
        if let Some(count) = starts.get_mut(element.parent as usize + 1) {
            *count += 1;
        }
    }
    let mut all = 0;
    for start in &mut starts {
        all += *start;
        *start = all;
    }
    let mut dealt = vec![0_u64; elements.len()];
    for (at, element) in (0_u64..).zip(elements) {
        if let Some(start) = starts.get_mut(element.parent as usize)
            && let Some(place) = dealt.get_mut(*start as usize)
        {
            *place = u64::from(element.look) << 32 | at;
            *start += 1;
        }
    }
    // Each start has become an end.
    let mut from = 0;
    for &end in &starts {
        if let Some(sisters) = dealt.get_mut(from as usize..end as usize) {
            sisters.sort_unstable();
        }
        from = end;
    }
    let key = |element: &Element| (element.parent, element.look);
    let keys = dealt.iter().map(|&entry| entry as u32).map(|at| (key(outline.element(at)), at));
    let mut sisters = Alike::number_all(elements.len(), keys);
    for (at, element) in elements.iter().enumerate() {
        sisters.add(at, element.words, element.link_words);
    }
    sisters
}

fn in_article(outline: &Outline, hints: &Hints, block: &Block) -> f32 {
    if hints.article_words < 20 { -1.0 } else { hints.article.share(runs(outline.hashes_of(block), 3)) }
}

fn best(outline: &Outline) -> (u32, f32) {
    let scores = outline.elements.iter().map(score);
    (0..).zip(scores).fold((0, 0.0), |best, next| if next.1 > best.1 { next } else { best })
}

fn distances<'b>(blocks: impl Iterator<Item = &'b Block>) -> Vec<(u32, u32)> {
    let mut distance = (99, 9999);
    blocks
        .map(|block| {
            let here = distance;
            distance = if is_good(block) {
                (0, 0)
            } else {
                ((here.0 + 1).min(99), (here.1 + block.words).min(9999))
            };
            here
        })
        .collect()
}

fn is_first_heading(outline: &Outline, block: &Block) -> bool {
    let found = outline.upwards(block.element).take(3).any(|(_, element)| element.kind == kind::H1);
    found && outline.of(block).inside & inside::HEADING != 0
}

fn headings(outline: &Outline) -> Vec<u32> {
    let mut so_far = 0;
    let each = outline.blocks.iter().map(|block| {
        so_far += u32::from(is_first_heading(outline, block));
        so_far
    });
    each.collect()
}

fn in_title(outline: &Outline, hints: &Hints, block: &Block) -> f32 {
    hints.title.share(outline.hashes_of(block).iter().copied())
}

/// The block that says the title of the page: best a heading, and the first of equals.
fn title(page: &Page<'_>) -> Option<usize> {
    let (outline, title) = (page.outline, page.hints.title.len());
    let score = |(block, held): (&Block, &f32)| {
        let words = outline.hashes_of(block).len();
        if words > 60 || words == 0 || title == 0 {
            return 0.0;
        }
        let of = (words as f32 / title as f32).min(1.0);
        let inside = outline.of(block).inside;
        let heading = if inside & inside::HEADING != 0 { 0.3 } else { 0.0 };
        let link = if inside & inside::LINK != 0 { 0.2 } else { 0.0 };
        held * of + heading - link
    };
    let scores = outline.blocks.iter().zip(&page.in_title).map(score).enumerate();
    let best = scores.fold((0, 0.0), |best, next| if next.1 > best.1 { next } else { best });
    (best.1 > 0.55).then_some(best.0)
}

fn article_of(outline: &Outline, block: &Block) -> Option<u32> {
    outline.upwards(block.element).find(|(_, element)| element.own & inside::ARTICLE != 0).map(|(at, _)| at)
}

fn articles(outline: &Outline) -> Vec<u32> {
    let mut so_far = 0;
    let each = outline.elements.iter().map(|element| {
        so_far += u32::from(element.own & inside::ARTICLE != 0);
        so_far
    });
    each.collect()
}

fn whole(page: &Page<'_>, links: u32) -> Whole {
    let outline = page.outline;
    let mut whole = Whole { links, ..Whole::default() };
    for block in &outline.blocks {
        let within = outline.of(block).inside;
        let add = |sum: &mut u32, bit: u32| *sum += if within & bit == 0 { 0 } else { block.words };
        add(&mut whole.in_main, inside::MAIN);
        add(&mut whole.in_article, inside::ARTICLE);
        add(&mut whole.in_items, inside::ITEM);
        add(&mut whole.in_cells, inside::CELL);
        add(&mut whole.in_code, inside::PRE);
        add(&mut whole.in_paragraphs, inside::PARAGRAPH);
        add(&mut whole.in_comments, inside::COMMENTS);
        add(&mut whole.in_related, inside::RELATED);
        add(&mut whole.good_comments, if is_good(block) { inside::COMMENTS } else { 0 });
        whole.long += if is_good(block) { block.words } else { 0 };
        whole.long_blocks += u32::from(is_good(block));
        whole.money += u32::from(block.letters.money > 0 && block.letters.all < 40);
        whole.dated += u32::from(block.letters.digits >= 4 && block.letters.all < 60);
        whole.headings += u32::from(within & inside::HEADING != 0);
    }
    for element in &outline.elements {
        whole.articles += u32::from(element.own & inside::ARTICLE != 0);
        whole.mains += u32::from(element.own & inside::MAIN != 0);
        whole.forms += u32::from(element.own & inside::FORM != 0);
    }
    whole.widest = page.paths.groups().iter().map(|group| group.words).max().unwrap_or(0);
    whole.most = page.paths.groups().iter().map(|group| group.long).max().unwrap_or(0);
    whole
}
