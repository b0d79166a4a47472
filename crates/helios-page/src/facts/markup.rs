//! Markup of a part of a tree, as `innerHTML` gives it.

use crate::html::{NodeId, Tag, Tree};

/// The markup inside a node; links are made absolute. What is longer than `most` is cut, between two tags.
pub(super) fn inner(tree: &Tree<'_>, node: NodeId, absolute: &dyn Fn(&str) -> String, most: usize) -> String {
    let mut out = String::new();
    let mut open: Vec<NodeId> = Vec::new();
    for below in tree.descendants(node) {
        let parent = tree.parent(below);
        while let Some(last) = open.pop_if(|last| Some(*last) != parent) {
            close(tree, last, &mut out);
        }
        if out.len() > most || open.len() > most {
            break;
        }
        match tree.tag(below) {
            Tag::TEXT => escape(tree.text(below), &mut out),
            Tag::COMMENT => out.extend(["<!--", tree.text(below), "-->"]),
            _ => {
                start(tree, below, absolute, &mut out);
                open.push(below);
            }
        }
    }
    while let Some(last) = open.pop() {
        close(tree, last, &mut out);
    }
    out
}

fn start(tree: &Tree<'_>, node: NodeId, absolute: &dyn Fn(&str) -> String, out: &mut String) {
    out.extend(["<", tree.name(node)]);
    for (name, value) in tree.attrs(node) {
        out.extend([" ", name, "=\""]);
        let value = if matches!(name, "href" | "src") { &absolute(value) } else { value };
        for letter in value.chars() {
            match letter {
                '"' => out.push_str("&quot;"),
                '&' => out.push_str("&amp;"),
                _ => out.push(letter),
            }
        }
        out.push('"');
    }
    out.push('>');
}

fn close(tree: &Tree<'_>, node: NodeId, out: &mut String) {
    const VOID: [&str; 13] = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
    ];
    if !VOID.contains(&tree.name(node)) {
        out.extend(["</", tree.name(node), ">"]);
    }
}

fn escape(text: &str, out: &mut String) {
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            _ => out.push(letter),
        }
    }
}
