//! Text for people: white space collapsed, references resolved, length bounded.

use std::borrow::Cow;

use crate::html::{NodeId, Tag, Tree};
use crate::xml;

/// Text with white space as one space each, none around it.
pub(super) fn collapsed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Text that was escaped once too often, as many sites do in metas and JSON-LD.
pub(super) fn unescaped(text: &str) -> Cow<'_, str> {
    if text.contains(';') { xml::unescape(text) } else { Cow::Borrowed(text) }
}

/// The text people see below a node, collapsed; empty if it is longer than `most` bytes, or has more nodes than that.
pub(super) fn text(tree: &Tree<'_>, node: NodeId, most: usize) -> String {
    let mut out = String::new();
    let mut walk = tree.descendants(node);
    let mut space = false;
    let mut nodes = 0;
    while let Some(below) = walk.next() {
        let tag = tree.tag(below);
        if tag == Tag::TEXT {
            let before = tree.prev_sibling(below).map(|before| tree.tag(before));
            space |= before.is_some_and(|before| before != Tag::TEXT && !is_inline(before));
            push(tree.text(below), &mut out, &mut space);
        } else if matches!(tag, Tag::SCRIPT | Tag::STYLE | Tag::TEMPLATE | Tag::SVG | Tag::NOSCRIPT) {
            walk.skip_inside(below);
        } else if !is_inline(tag) {
            space = true;
        }
        nodes += 1;
        if out.len() > most || nodes > most {
            return String::new();
        }
    }
    out
}

fn push(text: &str, out: &mut String, space: &mut bool) {
    *space |= text.starts_with(char::is_whitespace);
    for word in text.split_whitespace() {
        if *space && !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
        *space = true;
    }
    *space = text.ends_with(char::is_whitespace) || (*space && text.trim().is_empty());
}

fn is_inline(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::SPAN
            | Tag::A
            | Tag::B
            | Tag::I
            | Tag::EM
            | Tag::STRONG
            | Tag::SMALL
            | Tag::SUP
            | Tag::SUB
            | Tag::FONT
            | Tag::COMMENT
    )
}

/// For comparing: lower case, letters and digits only.
pub(super) fn folded(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Appends what is not there yet, case aside.
pub(super) fn add(list: &mut Vec<String>, text: &str) {
    let text = text.trim();
    if !text.is_empty() && !list.iter().any(|known| known.to_lowercase() == text.to_lowercase()) {
        list.push(text.to_owned());
    }
}

/// Whether `text` contains a word in lower case, whatever its own case is. For short texts.
pub(super) fn mentions(text: &str, word: &str) -> bool {
    text.len() >= word.len()
        && text.as_bytes().windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
}
