//! The elements that a block is in.

use super::super::above::NEAREST;
use super::super::kind::inside;
use super::super::outline::{Block, Element, NO_ONE};
use super::super::page::{Page, links_of, ratio};
use super::{Row, Way, log};

/// How many containers of a block are told.
const CONTAINERS: usize = 6;

/// And of how many more is told.
const CLOSE: usize = 3;

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

/// The containers of the block that was read last: blocks that follow one another are mostly in the same ones.
#[derive(Default, Debug)]
pub(super) struct Containers {
    /// The innermost one, when it was looked for (`u32::MAX`: there is none), all that are told, and how many more there are.
    innermost: Option<u32>,
    told: [Container; CONTAINERS],
    more: f32,
}

/// Elements around the block, each with more words than the last, innermost first.
pub(super) fn containers(page: &Page<'_>, block: &Block, way: &mut Way, row: &mut impl Row) {
    let outline = page.outline;
    let own = Some(block.element).filter(|&own| outline.element(own).words != block.words);
    let mut next = own.or_else(|| page.above.wider(block.element));
    let innermost = Some(next.unwrap_or(u32::MAX));
    let known = &mut way.containers;
    if known.innermost != innermost {
        known.innermost = innermost;
        for container in &mut known.told {
            *container = Container::of(page, next);
            next = next.and_then(|at| page.above.wider(at));
        }
        known.more = next.map_or(0.0, |at| 1.0 + f32::from(page.above.get(at).containers));
    }
    for (number, container) in known.told.iter().enumerate() {
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
    row.put("containers", known.more);
}

pub(super) fn nearest(page: &Page<'_>, block: &Block, row: &mut impl Row) {
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
