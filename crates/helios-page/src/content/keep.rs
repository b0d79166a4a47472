//! From probabilities to a choice.

use super::PageKind;
use super::context::weight;
use super::features::Row;
use super::kind::inside;
use super::model::Model;
use super::outline::{Block, NO_ONE, Outline};
use super::page::{Page, ratio};

/// The bound above which a block of an article is kept.
const ARTICLE: f32 = 0.58;
/// The bound on other pages that are understood well, and how it falls with the expected F1 of the page.
const OTHER: f32 = 0.48;
const SURE: f32 = 0.9;
const SLOPE: f32 = 0.65;
const LOWEST: f32 = 0.18;
const HIGHEST: f32 = 0.6;

/// The heart of a page: the innermost element that holds this share of what is above the bound.
const HEART: f32 = 0.6;
/// How much higher the bound of an article is before its heart, where teasers and summaries stand, and after it, where other stories do.
const BEFORE: f32 = 0.15;
const AFTER: f32 = 0.3;

/// The numbers of the blocks to keep. `article` is the probability that the page is one.
pub(super) fn keep(outline: &Outline, probabilities: &[f32], article: f32) -> Vec<u32> {
    let bound = bound(&outline.blocks, probabilities, article);
    let heart = heart(outline, probabilities, bound);
    let end = outline.element(heart).end;
    let mut seen = false;
    let blocks = (0..).zip(outline.blocks.iter().zip(probabilities));
    let kept = blocks.filter(|(_, (block, p))| {
        let inside = heart <= block.element && block.element < end;
        seen |= inside;
        let more = match (inside, seen) {
            (true, _) => 0.0,
            (false, false) => BEFORE,
            (false, true) => AFTER,
        };
        **p >= bound + more * article
    });
    kept.map(|(at, _)| at).collect()
}

/// The probability from which on a block is kept.
///
/// The best that a choice of blocks can be expected to reach (F1 over words, if the probabilities are right) says how well the
/// page is understood. Where it is not, more is kept: one block too many costs less than
/// one too few. Articles are the exception: what follows them is long and looks like them.
fn bound(blocks: &[Block], probabilities: &[f32], article: f32) -> f32 {
    let mut sorted: Vec<(f32, f32)> =
        blocks.iter().zip(probabilities).map(|(block, &p)| (p, weight(block.words))).collect();
    sorted.sort_unstable_by(|one, other| other.0.total_cmp(&one.0));
    let wanted: f32 = sorted.iter().map(|(p, words)| p * words).sum();
    let (mut kept, mut right, mut best) = (0.0, 0.0, 0.0_f32);
    for (p, words) in sorted {
        kept += words;
        right += p * words;
        best = best.max(2.0 * right / (kept + wanted).max(1e-9));
    }
    let other = (OTHER + SLOPE * (best - SURE)).clamp(LOWEST, HIGHEST);
    article * ARTICLE + (1.0 - article) * other
}

fn heart(outline: &Outline, probabilities: &[f32], bound: f32) -> u32 {
    let mut held = vec![0.0_f32; outline.elements.len()];
    for (block, &p) in outline.blocks.iter().zip(probabilities).filter(|(_, p)| **p >= bound) {
        if let Some(sum) = held.get_mut(block.element as usize) {
            *sum += p * weight(block.words);
        }
    }
    for (at, element) in outline.elements.iter().enumerate().skip(1).rev() {
        let own = held.get(at).copied().unwrap_or_default();
        if let Some(above) = held.get_mut(element.parent as usize) {
            *above += own;
        }
    }
    // Elements that hold more than half stand in one another, so the last is the innermost.
    let all = held.first().copied().unwrap_or_default();
    held.iter().rposition(|&sum| sum >= HEART * all).map_or(NO_ONE, |at| at as u32)
}

/// How probable each kind of page is, in the order of `PageKind::ALL`.
///
/// `whole` are the numbers of the page.
pub(super) fn kinds(page: &Page<'_>, whole: &[f32], probabilities: &[f32], model: &Model) -> Vec<f32> {
    let mut row = whole.to_vec();
    kept_row(page, probabilities, &mut row);
    let powers = model.kinds.iter().map(|forest| forest.sum(&row).exp());
    let powers: Vec<f32> = powers.collect();
    let all: f32 = powers.iter().sum();
    powers.iter().map(|power| power / all.max(f32::MIN_POSITIVE)).collect()
}

/// The most probable kind.
pub(super) fn kind(kinds: &[f32]) -> PageKind {
    let all = kinds.iter().copied().zip(PageKind::ALL);
    all.fold((0.0, PageKind::Article), |best, next| if next.0 > best.0 { next } else { best }).1
}

/// What the text that will probably be kept is made of.
fn kept_row(page: &Page<'_>, probabilities: &[f32], row: &mut impl Row) {
    let outline = page.outline;
    let (mut all, mut kept, mut doubt, mut count) = (0.0, 0.0, 0.0, 0.0);
    let (mut links, mut items, mut paragraphs, mut linked, mut headings, mut alike) =
        (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for (at, (block, &p)) in outline.blocks.iter().zip(probabilities).enumerate() {
        let words = weight(block.words);
        let within = outline.of(block).inside;
        let part = |bit: u32| if within & bit == 0 { 0.0 } else { words * p };
        all += words;
        kept += words * p;
        doubt += words * p * (1.0 - p);
        count += p;
        links += words * p * ratio(block.link_words, block.words);
        items += part(inside::ITEM);
        paragraphs += part(inside::PARAGRAPH);
        linked += part(inside::LINK);
        headings += if within & inside::HEADING == 0 { 0.0 } else { p };
        alike += words * p * ratio(page.paths.group(at).words, page.words);
    }
    let share = |part: f32| part / kept.max(1.0);
    row.put("k_share", kept / all.max(1.0));
    row.put("k_words", (1.0 + kept).ln());
    row.put("k_doubt", share(doubt));
    row.put("k_links", share(links));
    row.put("k_items", share(items));
    row.put("k_paragraphs", share(paragraphs));
    row.put("k_per_block", kept / count.max(0.1));
    row.put("k_linked", share(linked));
    row.put("k_headings", headings / count.max(0.1));
    row.put("k_alike", share(alike));
}
