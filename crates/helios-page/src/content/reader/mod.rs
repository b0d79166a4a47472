//! The text that a browser's reader view would show: a tree in, which of its nodes are shown out.
//!
//! `build` copies the body into a `draft` that can be cut, `breaks` makes paragraphs of lines that two breaks part, `strip` takes out what is not
//! likely to be text, `score` lets paragraphs speak for what is around them and chooses the best, `join` adds what belongs to it, `clean` cuts menus
//! and notices inside of it. Where little is left, all of it is done again with one rule less. After the rules for which Mozilla's Readability is known
//! (docs/decisions/0020-reader-view.md). Always: time and memory grow with the length of the page.

mod breaks;
mod build;
mod clean;
mod draft;
mod head;
mod join;
mod names;
mod score;
mod strip;
mod sums;
mod tables;
mod tags;
mod text;

use super::shown::Shown;
use crate::html::{Tag, Tree};
use build::Base;
use clean::Clean;
use draft::{Draft, NONE};
use head::Head;
use strip::Strip;

/// A text that is shorter is looked for again.
const ENOUGH: u32 = 500;

/// Ways of looking, from the strictest: take out what is unlikely, heed names, cut what looks like no text.
const WAYS: [[bool; 3]; 4] =
    [[true, true, true], [false, true, true], [false, false, true], [false, false, false]];

/// Finds the nodes that a reader view shows.
pub(super) fn choose(tree: &Tree<'_>) -> Shown {
    let mut base = build::base(tree);
    breaks::part(&mut base);
    let head = head::head(tree);
    // Once a line that names the author was met, it is known, and stays where it is in later ways.
    let mut byline = !head.byline;
    let mut best: Option<(u32, Draft, u32)> = None;
    for way in WAYS {
        let (length, draft, top) = attempt(tree, &base, &head, way, &mut byline);
        if best.as_ref().is_none_or(|(longest, ..)| length > *longest) {
            best = Some((length, draft, top));
        }
        if length >= ENOUGH {
            break;
        }
    }
    best.filter(|(length, ..)| *length > 0)
        .map_or_else(|| Shown::nothing(tree), |(_, draft, top)| shown(tree, &base, &draft, top))
}

/// One way of looking: the length of the text, the draft and the element in it that holds the text.
fn attempt(
    tree: &Tree<'_>,
    base: &Base,
    head: &Head,
    [unlikely, weigh, doubt]: [bool; 3],
    byline: &mut bool,
) -> (u32, Draft, u32) {
    let mut draft = base.draft.clone();
    let mut strip = Strip { tree, base, head, unlikely, title: true, byline: *byline, headings: 0 };
    let speakers = strip.strip(&mut draft);
    *byline = strip.byline;
    let (mut scores, best) = score::score(base, &mut draft, &speakers, weigh);
    let top = score::top(&mut draft, &mut scores, &best);
    let article = join::join(tree, base, &mut draft, &mut scores, top);
    let length = Clean { tree, base, weigh, doubt }.clean(&mut draft, article);
    (length, draft, article)
}

fn shown(tree: &Tree<'_>, base: &Base, draft: &Draft, top: u32) -> Shown {
    let mut shown = Shown::nothing(tree);
    let mut at = draft.node(top).first;
    while at != NONE {
        if let Some(&Some(node)) = base.sources.get(at as usize) {
            if matches!(draft.tag(at), Tag::TEXT | Tag::IMG) {
                shown.add(tree, node);
            }
            // A break parts words even where nothing else is in its element, and where paragraphs took its place.
            for child in tree.children(node).filter(|&child| tree.tag(child) == Tag::BR) {
                shown.add(tree, child);
            }
        }
        let first = draft.node(at).first;
        at = if first == NONE { draft.after(at, top) } else { first };
    }
    shown
}
