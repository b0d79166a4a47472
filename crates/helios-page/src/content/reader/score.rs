//! Which element holds the text: paragraphs speak for what is around them, and the best of those is it, or something above it.

use super::build::Base;
use super::draft::{BODY, Draft};
use super::sums::{Fate, judge};
use super::tags::{weight, worth};
use super::text::Text;
use crate::html::Tag;

/// A paragraph that is shorter says nothing.
const SHORTEST: u32 = 25;
/// As far up as a paragraph speaks.
const REACH: usize = 5;
/// How many of the best are compared.
const BEST: usize = 5;
/// How many of the best something above them must hold, to be taken instead.
const MANY: usize = 3;

pub(super) struct Scores {
    points: Vec<Option<f32>>,
    texts: Vec<(Text, f32)>,
    weigh: bool,
}

impl Scores {
    pub(super) fn of(&self, at: u32) -> Option<f32> {
        self.points.get(at as usize).copied().flatten()
    }

    pub(super) fn text(&self, at: u32) -> Text {
        self.texts.get(at as usize).copied().unwrap_or_default().0
    }

    /// The part of its text that is in links.
    pub(super) fn link_share(&self, at: u32) -> f32 {
        let (text, links) = self.texts.get(at as usize).copied().unwrap_or_default();
        links / text.shown.max(1) as f32
    }

    /// The score, given as one by its name if it has none.
    pub(super) fn begun(&mut self, draft: &Draft, at: u32) -> f32 {
        let weigh = self.weigh;
        let Some(score) = self.points.get_mut(at as usize) else { return worth(Tag::DIV) };
        *score.get_or_insert_with(|| {
            let node = draft.node(at);
            worth(node.tag) + if weigh { weight(node.bits) } else { 0.0 }
        })
    }

    fn add(&mut self, at: u32, points: f32) {
        if let Some(Some(score)) = self.points.get_mut(at as usize) {
            *score += points;
        }
    }
}

/// Lets paragraphs speak. Gives the scores and the best elements, best first.
pub(super) fn score(base: &Base, draft: &mut Draft, speakers: &[u32], weigh: bool) -> (Scores, Vec<u32>) {
    let mut texts = vec![(Text::default(), 0.0); draft.len()];
    let whole = judge(base, draft, BODY, |_, at, sums| {
        if let Some(place) = texts.get_mut(at as usize) {
            *place = (sums.text, sums.links);
        }
        Fate::Stays
    });
    if let Some(place) = texts.first_mut() {
        *place = (whole.text, whole.links);
    }
    let mut scores = Scores { points: vec![None; draft.len()], texts, weigh };
    let mut candidates = Vec::new();
    for &at in speakers {
        let text = scores.text(at);
        if text.shown < SHORTEST {
            continue;
        }
        let said = 2.0 + text.commas as f32 + (text.shown / 100).min(3) as f32;
        for (level, above) in draft.above(at).take(REACH).enumerate() {
            if scores.of(above).is_none() {
                scores.begun(draft, above);
                candidates.push(above);
            }
            let part = if level < 2 { level + 1 } else { level * 3 };
            scores.add(above, said / part as f32);
        }
    }
    let best = best(&mut scores, &candidates);
    (scores, best)
}

/// Lowers scores by the part of links, and gives the best few.
fn best(scores: &mut Scores, candidates: &[u32]) -> Vec<u32> {
    let mut best: Vec<(u32, f32)> = Vec::with_capacity(BEST + 1);
    for &at in candidates {
        let links = scores.link_share(at);
        let Some(Some(score)) = scores.points.get_mut(at as usize) else { continue };
        *score *= 1.0 - links;
        let place = best.iter().take_while(|(_, other)| *other >= *score).count();
        best.insert(place, (at, *score));
        best.truncate(BEST);
    }
    best.into_iter().map(|(at, _)| at).collect()
}

/// The element that holds the text. If nothing does, all of the page is put into one.
pub(super) fn top(draft: &mut Draft, scores: &mut Scores, best: &[u32]) -> u32 {
    match best.first() {
        Some(&first) if first != BODY => {
            let first = shared(draft, scores, best).unwrap_or(first);
            let first = outer(draft, scores, first);
            alone(draft, first)
        }
        _ => {
            let all = draft.add(Tag::DIV, 0, 0);
            let children: Vec<u32> = draft.children(BODY).collect();
            for child in children {
                draft.remove(child);
                draft.append(all, child);
            }
            draft.append(BODY, all);
            all
        }
    }
}

/// What holds several elements that are about as good as the best.
fn shared(draft: &Draft, scores: &Scores, best: &[u32]) -> Option<u32> {
    let (&first, others) = best.split_first()?;
    let top = scores.of(first)?;
    let rivals: Vec<u32> =
        others.iter().copied().filter(|&at| scores.of(at).is_some_and(|score| score / top >= 0.75)).collect();
    if rivals.len() < MANY {
        return None;
    }
    let mut held = vec![0_usize; draft.len()];
    for above in rivals.iter().flat_map(|&rival| draft.above(rival)) {
        if let Some(count) = held.get_mut(above as usize) {
            *count += 1;
        }
    }
    draft
        .above(first)
        .take_while(|&above| above != BODY)
        .find(|&above| held.get(above as usize).is_some_and(|&count| count >= MANY))
}

/// Something above that scores more: then there is more of the text beside the best.
fn outer(draft: &Draft, scores: &mut Scores, first: u32) -> u32 {
    let own = scores.begun(draft, first);
    let mut last = own;
    for above in draft.above(first).take_while(|&above| above != BODY) {
        let Some(score) = scores.of(above) else { continue };
        if score < own / 3.0 {
            break;
        }
        if score > last {
            return above;
        }
        last = score;
    }
    first
}

/// The outermost element that holds nothing else.
fn alone(draft: &Draft, mut at: u32) -> u32 {
    for above in draft.above(at).take_while(|&above| above != BODY) {
        if draft.elements(above).nth(1).is_some() {
            break;
        }
        at = above;
    }
    at
}
