//! Any text is a page: no panic, a sound tree, links and selectors that end.
#![no_main]

use std::sync::LazyLock;

use helios_page::html::select::Selector;
use helios_page::html::{Tag, Tree};
use helios_page::links::{LinkSettings, Links};

static SELECTORS: LazyLock<Vec<Selector>> = LazyLock::new(|| {
    ["p ~ b:nth-of-type(2n)", ":has(> a) :not(p *)::text", ":nth-child(2 of b):last-of-type", "* ::text"]
        .map(|text| Selector::parse(text).expect("a constant selector"))
        .into()
});

fn check(tree: &Tree<'_>) {
    let mut seen = 0;
    for id in tree.descendants(tree.root()) {
        seen += 1;
        let parent = tree.parent(id).expect("only the document has no parent");
        match tree.prev_sibling(id) {
            Some(before) => assert_eq!(tree.next_sibling(before), Some(id)),
            None => assert_eq!(tree.first_child(parent), Some(id)),
        }
        if tree.next_sibling(id).is_none() {
            assert_eq!(tree.last_child(parent), Some(id));
        }
        assert!(!tree.is_text(id) || !tree.text(id).is_empty(), "no text is empty");
    }
    let last = tree.descendants(tree.root()).last();
    assert!(last.is_none_or(|id| tree.ancestors(id).count() <= 1_100));
    assert!(seen < tree.len());
    let settings = LinkSettings { resources: true, most: 50, ..LinkSettings::default() };
    assert!(Links::read(tree, &settings).links.len() <= 50);
    for selector in SELECTORS.iter() {
        selector.values(tree);
        assert!(selector.find(tree).windows(2).all(|pair| pair[0] != pair[1]));
    }
}

libfuzzer_sys::fuzz_target!(|input: (&str, &str)| {
    let (text, other) = input;
    check(&Tree::parse(text));
    let skimmed = Tree::skim(text);
    check(&skimmed);
    let plain = text.replace("\r\n", "\n").replace('\r', "\n");
    let links = |tree: &Tree<'_>| format!("{:?}", Links::read(tree, &LinkSettings::default()));
    assert_eq!(links(&skimmed), links(&Tree::skim(&plain)), "line ends of every kind are the same");
    let insides = [Tag::DIV, Tag::TABLE, Tag::TEMPLATE, Tag::SELECT, Tag::SVG, Tag::TR, Tag::TITLE];
    check(&Tree::parse_fragment(text, insides[other.len() % insides.len()]));
    if let Ok(selector) = Selector::parse(other) {
        selector.find(&Tree::parse(text));
    }
});
