//! The tests of html5lib (`shared/data/html5lib`): tokens and trees, with scripting off.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test that cannot go on must stop"
)]

mod common;

use std::collections::BTreeSet;
use std::fmt::Write;

use common::{data, files, unpacked};
use helios_page::html::{Cut, NodeId, Tag, Tree, cut_from};
use serde_json::Value;

/// Trees that differ on purpose, with the reason: file and number within it.
const OTHER_TREES: [(&str, usize, &str); 3] = [
    ("webkit02.dat", 25, SELECTED_CONTENT),
    ("webkit02.dat", 26, SELECTED_CONTENT),
    ("webkit02.dat", 27, SELECTED_CONTENT),
];
const SELECTED_CONTENT: &str =
    "a browser copies the chosen option into selectedcontent; the text is already there once";
/// Token tests that are not asked: these want comments changed so that XML could hold them.
const FOR_XML: &str = "xmlViolation.test";

#[derive(Default)]
struct Case {
    data: String,
    inside: Option<String>,
    script_on: bool,
    tree: String,
}

fn cases(file: &[u8]) -> Vec<Case> {
    let text = String::from_utf8_lossy(file);
    let mut cases: Vec<Case> = Vec::new();
    let mut part = String::new();
    for line in text.split('\n') {
        if line == "#data" {
            cases.push(Case::default());
        }
        if ["#data", "#errors", "#new-errors", "#document-fragment", "#script-on", "#script-off", "#document"]
            .contains(&line)
        {
            line.clone_into(&mut part);
            if let Some(case) = cases.last_mut() {
                case.script_on |= line == "#script-on";
            }
            continue;
        }
        let Some(case) = cases.last_mut() else { continue };
        match part.as_str() {
            "#data" => writeln!(case.data, "{line}").unwrap(),
            "#document-fragment" => case.inside = Some(line.to_owned()),
            "#document" => writeln!(case.tree, "{line}").unwrap(),
            _ => {}
        }
    }
    for case in &mut cases {
        case.data.pop();
        case.tree = case.tree.trim_end_matches('\n').to_owned();
    }
    cases
}

fn context(name: &str) -> Tag {
    let known = |name: &str| Tag::known(name).unwrap_or(Tag::DATA);
    match name.split_once(' ') {
        Some(("svg", name)) => known(name).in_svg(),
        Some(("math", name)) => known(name).in_math(),
        _ => known(name),
    }
}

/// The tree as the tests write it.
fn written(tree: &Tree<'_>, top: NodeId) -> String {
    let mut lines = Vec::new();
    let mut below: Vec<(NodeId, usize)> = tree.children(top).map(|child| (child, 0)).collect();
    below.reverse();
    while let Some((id, depth)) = below.pop() {
        let tag = tree.tag(id);
        let pad = "  ".repeat(depth);
        match tag {
            Tag::TEXT => lines.push(format!("| {pad}\"{}\"", tree.text(id))),
            Tag::COMMENT => lines.push(format!("| {pad}<!-- {} -->", tree.text(id))),
            Tag::DOCTYPE => {
                let part = |name| tree.attr(id, name).unwrap_or_default();
                let ids = match (tree.attr(id, "public"), tree.attr(id, "system")) {
                    (None, None) => String::new(),
                    _ => format!(" \"{}\" \"{}\"", part("public"), part("system")),
                };
                lines.push(format!("| <!DOCTYPE {}{ids}>", part("name")));
            }
            _ => {
                let space = [(tag.is_svg(), "svg "), (tag.is_math(), "math ")];
                let space = space.iter().find(|(is, _)| *is).map_or("", |(_, space)| space);
                lines.push(format!("| {pad}<{space}{}>", tree.name(id)));
                let mut attrs: Vec<String> = tree
                    .attrs(id)
                    .map(|(name, value)| format!("{}=\"{value}\"", foreign(tag, name)))
                    .collect();
                attrs.sort();
                lines.extend(attrs.into_iter().map(|attr| format!("| {pad}  {attr}")));
            }
        }
        let is_template = tag == Tag::TEMPLATE;
        if is_template {
            lines.push(format!("| {pad}  content"));
        }
        let children: Vec<_> = tree.children(id).collect();
        below.extend(children.into_iter().rev().map(|child| (child, depth + 1 + usize::from(is_template))));
    }
    lines.join("\n")
}

/// Attributes with namespaces are written with a space.
fn foreign(tag: Tag, name: &str) -> String {
    const SPACED: [&str; 10] = [
        "xlink:actuate",
        "xlink:arcrole",
        "xlink:href",
        "xlink:role",
        "xlink:show",
        "xlink:title",
        "xlink:type",
        "xml:lang",
        "xml:space",
        "xmlns:xlink",
    ];
    if tag.is_math() && name == "definitionurl" {
        return "definitionURL".to_owned();
    }
    if !tag.is_html() && SPACED.contains(&name) { name.replace(':', " ") } else { name.to_owned() }
}

#[test]
fn whatwg_trees_are_those_of_html5lib() {
    let Some(folder) = data("html5lib") else { return };
    let Some(archive) = unpacked(&folder.join("tree-construction.tar.xz")) else { return };
    let (mut asked, mut failed) = (0, BTreeSet::new());
    for (name, file) in files(&archive) {
        let name = name.trim_start_matches("./").to_owned();
        if name.starts_with("scripted") {
            continue;
        }
        for (number, case) in cases(file).iter().enumerate().filter(|(_, case)| !case.script_on) {
            asked += 1;
            let tree = match &case.inside {
                Some(inside) => Tree::parse_fragment(&case.data, context(inside)),
                None => Tree::parse(&case.data),
            };
            let top = if case.inside.is_some() { tree.html() } else { tree.root() };
            let ours = written(&tree, top);
            if ours != case.tree {
                eprintln!(
                    "{name} {number}: {:?} {:?}\n{ours}\n-- expected\n{}\n",
                    case.inside, case.data, case.tree
                );
                failed.insert((name.clone(), number));
            }
        }
    }
    eprintln!("{} of {asked} trees as expected", asked - failed.len());
    let listed: BTreeSet<(String, usize)> =
        OTHER_TREES.iter().map(|(name, number, _)| ((*name).to_owned(), *number)).collect();
    assert_eq!(failed, listed, "deviations are listed, each with its reason");
    assert!(asked > 500, "the data set is smaller than expected");
}

fn unescaped(text: &str) -> String {
    let mut units = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("\\u") {
        units.extend(rest[..at].encode_utf16());
        units.push(u16::from_str_radix(&rest[at + 2..at + 6], 16).unwrap());
        rest = &rest[at + 6..];
    }
    units.extend(rest.encode_utf16());
    String::from_utf16_lossy(&units)
}

fn expected(tokens: &Value, text: impl Fn(&Value) -> String) -> Vec<Cut> {
    let mut cuts = Vec::new();
    for token in tokens.as_array().unwrap() {
        let optional = |at: usize| token.get(at).filter(|value| !value.is_null()).map(&text);
        let cut = match token[0].as_str().unwrap() {
            "Character" => Cut::Text(text(&token[1])),
            "StartTag" => {
                let attrs = token[2].as_object().unwrap();
                let mut attrs: Vec<_> = attrs
                    .iter()
                    .map(|(name, value)| (text(&Value::String(name.clone())), text(value)))
                    .collect();
                attrs.sort();
                Cut::Start {
                    name: text(&token[1]),
                    attrs,
                    self_closing: token.get(3) == Some(&Value::Bool(true)),
                }
            }
            "EndTag" => Cut::End(text(&token[1])),
            "Comment" => Cut::Comment(text(&token[1])),
            _ => Cut::Doctype {
                name: optional(1),
                public: optional(2),
                system: optional(3),
                quirks: token[4] == Value::Bool(false),
            },
        };
        if let (Some(Cut::Text(before)), Cut::Text(more)) = (cuts.last_mut(), &cut) {
            before.push_str(more);
        } else {
            cuts.push(cut);
        }
    }
    cuts
}

#[test]
fn whatwg_tokens_are_those_of_html5lib() {
    let Some(folder) = data("html5lib") else { return };
    let Some(json) = unpacked(&folder.join("tokenizer.json.gz")) else { return };
    let tests: Value = serde_json::from_slice(&json).unwrap();
    let (mut asked, mut failed) = (0, 0);
    for test in tests.as_array().unwrap().iter().filter(|test| test["file"] != FOR_XML) {
        let escaped = test["doubleEscaped"] == Value::Bool(true);
        let text = |value: &Value| {
            let text = value.as_str().unwrap_or_default();
            if escaped { unescaped(text) } else { text.to_owned() }
        };
        let data_state = [Value::String("Data state".to_owned())];
        let states = test["initialStates"].as_array().map_or(&data_state[..], Vec::as_slice);
        for state in states {
            asked += 1;
            let input = text(&test["input"]);
            let last = test["lastStartTag"].as_str().unwrap_or_default();
            let mut ours = cut_from(&input, state.as_str().unwrap(), last);
            for cut in &mut ours {
                if let Cut::Start { attrs, .. } = cut {
                    attrs.sort();
                }
            }
            let expected = expected(&test["output"], text);
            if ours != expected {
                failed += 1;
                eprintln!(
                    "{} {}: {input:?} {state}\n{ours:?}\n-- expected\n{expected:?}",
                    test["file"], test["description"]
                );
            }
        }
    }
    eprintln!("{} of {asked} token lists as expected", asked - failed);
    assert_eq!(failed, 0);
    assert!(asked > 2_000, "the data set is smaller than expected");
}
