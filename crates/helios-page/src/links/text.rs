//! What a link says.

use crate::html::{NodeId, Tag, Tree};

/// Nodes inside one link that are looked at.
const MOST_NODES: usize = 512;

/// Appends the words inside `id`, single spaces between them, at most so many bytes; the `alt` of images where there are none.
/// Gives the number of nodes it looked at.
pub(super) fn read(tree: &Tree<'_>, id: NodeId, most: usize, out: &mut String) -> usize {
    let from = out.len();
    let mut picture = None;
    let mut nodes = tree.descendants(id);
    let mut looked = 0;
    while looked < MOST_NODES {
        let Some(node) = nodes.next() else { break };
        looked += 1;
        match tree.tag(node) {
            Tag::TEXT => say(tree.text(node), from, out),
            Tag::SCRIPT | Tag::STYLE | Tag::TEMPLATE => nodes.skip_inside(node),
            Tag::IMG if picture.is_none() => {
                picture = tree.attr(node, "alt").filter(|alt| !alt.trim().is_empty());
            }
            tag if tag.is_element() && !is_inline(tag) && !out.ends_with(' ') && out.len() > from => {
                out.push(' ');
            }
            _ => {}
        }
        if out.len() - from > most {
            break;
        }
    }
    if out.get(from..).unwrap_or_default().trim().is_empty() {
        out.truncate(from);
        say(picture.unwrap_or_default(), from, out);
    }
    let mut end = (from + most).min(out.len());
    while !out.is_char_boundary(end) {
        end -= 1;
    }
    out.truncate(end);
    out.truncate(from + out.get(from..).unwrap_or_default().trim_end().len());
    looked
}

fn is_inline(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::SPAN
            | Tag::B
            | Tag::I
            | Tag::EM
            | Tag::STRONG
            | Tag::FONT
            | Tag::U
            | Tag::S
            | Tag::SMALL
            | Tag::BIG
            | Tag::SUB
            | Tag::SUP
            | Tag::MARK
            | Tag::CODE
            | Tag::ABBR
            | Tag::TT
            | Tag::WBR
            | Tag::BDI
            | Tag::BDO
    )
}

fn say(text: &str, from: usize, out: &mut String) {
    if text.starts_with(char::is_whitespace) && out.len() > from && !out.ends_with(' ') {
        out.push(' ');
    }
    for word in text.split_whitespace() {
        out.push_str(word);
        out.push(' ');
    }
    if !text.ends_with(char::is_whitespace) && out.ends_with(' ') && !text.is_empty() {
        out.pop();
    }
}
