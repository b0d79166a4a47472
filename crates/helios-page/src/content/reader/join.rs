//! What stands beside the element that holds the text and belongs to it.

use super::build::Base;
use super::draft::{Draft, NONE};
use super::score::Scores;
use crate::html::{Tag, Tree};

/// Gathers the text into one new element, and gives it.
pub(super) fn join(tree: &Tree<'_>, base: &Base, draft: &mut Draft, scores: &mut Scores, top: u32) -> u32 {
    let score = scores.begun(draft, top);
    let class = draft.node(top).class;
    let siblings: Vec<u32> = draft.elements(draft.node(top).parent).collect();
    let article = draft.add(Tag::DIV, 0, 0);
    for at in siblings {
        let alike = class != 0 && draft.node(at).class == class;
        let bonus = if alike { score * 0.2 } else { 0.0 };
        let worthy = scores.of(at).is_some_and(|own| own + bonus >= (score * 0.2).max(10.0));
        let joins =
            at == top || worthy || (draft.tag(at) == Tag::P && is_sentence(tree, base, draft, scores, at));
        if !joins {
            continue;
        }
        let keeps = [Tag::DIV, Tag::ARTICLE, Tag::SECTION, Tag::P, Tag::OL, Tag::UL];
        if !keeps.contains(&draft.tag(at)) {
            draft.change(at, |node| node.tag = Tag::DIV);
        }
        draft.remove(at);
        draft.append(article, at);
    }
    article
}

/// A long paragraph with few links, or a short one without any that ends a sentence.
fn is_sentence(tree: &Tree<'_>, base: &Base, draft: &Draft, scores: &Scores, at: u32) -> bool {
    let (length, links) = (scores.text(at).shown, scores.link_share(at));
    match length {
        0 | 80 => false,
        81.. => links < 0.25,
        _ => {
            let text = text(tree, base, draft, at);
            links == 0.0 && (text.ends_with('.') || text.contains(". "))
        }
    }
}

/// Nodes that are gone through for a short text; behind them it ends.
const NODES: usize = 100;

/// The short text below a node of the draft, each white space one.
pub(super) fn text(tree: &Tree<'_>, base: &Base, draft: &Draft, top: u32) -> String {
    let mut text = String::new();
    let mut at = draft.node(top).first;
    for _ in 0..NODES {
        if at == NONE {
            break;
        }
        if draft.is_text(at)
            && let Some(Some(node)) = base.sources.get(at as usize)
        {
            text.push_str(tree.text(*node));
        }
        let first = draft.node(at).first;
        at = if first == NONE { draft.after(at, top) } else { first };
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
