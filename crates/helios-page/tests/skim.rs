//! A text that is only skimmed is not looked at as a whole first: whatever its line ends are, it says the same.

use helios_page::html::{Cut, Tag, Tree, cut_from};
use helios_page::links::{LinkSettings, Links};
use proptest::prelude::*;

/// Pieces that may stand anywhere; `\n` stands for any line end.
const PIECES: [&str; 34] = [
    "\n",
    "\n",
    "\n",
    "\0",
    " ",
    "a",
    "=",
    "'",
    "\"",
    ">",
    "/",
    "&amp;",
    "&#13;",
    "&#13;&#10;",
    "&",
    "<a\nhref\n=\nb\n>",
    "<a href=\"x\ny\">",
    "<A HREF=c\n>",
    "<a\n\nhref='\n&amp;d\n'\nrel\n=nofollow\n>",
    "<area\nhref=e\n/>",
    "<title>",
    "</title\n>",
    "<title\n>",
    "<script\n>",
    "</script\n>",
    "<style>",
    "</style\n>",
    "<textarea\n>",
    "</textarea\n>",
    "<!--",
    "-->",
    "<!doctype\nhtml\n>",
    "<base\nhref=/b\n/>",
    "<meta\nname=robots\ncontent='no\nindex'>",
];

/// All that is taken out of a text.
fn skimmed(text: &str) -> (String, Vec<String>) {
    let tree = Tree::skim(text);
    let said = tree.children(tree.root()).map(|node| {
        let attrs = ["href", "rel", "name", "content"].map(|name| tree.attr(node, name));
        let title = if tree.tag(node) == Tag::TITLE { tree.text_of(node) } else { String::new() };
        format!("{:?} {attrs:?} {title:?}", tree.tag(node))
    });
    (format!("{:?}", Links::read(&tree, &LinkSettings::default())), said.collect())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(5_000) })]

    #[test]
    fn line_ends_of_every_kind_are_the_same(
        pieces in prop::collection::vec((prop::sample::select(&PIECES[..]), 0..3_usize), 0..12),
    ) {
        let plain: String = pieces.iter().map(|(piece, _)| *piece).collect();
        let odd: String = pieces.iter().map(|(piece, kind)| piece.replace('\n', ["\n", "\r\n", "\r"][*kind])).collect();
        // A carriage return and a line feed that came together by chance are one line end, not two.
        let expected = odd.replace("\r\n", "\n").replace('\r', "\n");
        prop_assert_eq!(skimmed(&odd), skimmed(&expected), "{:?} {:?}", odd, plain);
    }
}

#[test]
fn what_is_taken_out_of_a_text_has_plain_line_ends_and_no_nul() {
    let tree = Tree::skim("<title>A\r\nB\rC\0</title\r><meta name=\"x\r\ny\0&#13;\"\rcontent\r\n=\rz\r>");
    let title = tree.children(tree.root()).find(|&node| tree.tag(node) == Tag::TITLE);
    assert_eq!(title.map(|title| tree.text_of(title)).as_deref(), Some("A\nB\nC\u{FFFD}"));
    let meta = tree.children(tree.root()).find(|&node| tree.tag(node) == Tag::META);
    assert_eq!(meta.and_then(|meta| tree.attr(meta, "name")), Some("x\ny\u{FFFD}\r"));
    assert_eq!(meta.and_then(|meta| tree.attr(meta, "content")), Some("z"));
}

/// Attributes that somebody asks for.
const ASKED: [&str; 5] = ["href", "hreflang", "rel", "type", "xlink:href"];

/// Tags of every sort, none of which makes its content something else than tags.
const TAGS: [&str; 41] = [
    "<p =\">",
    " x=\"y\"=\">",
    " /='",
    " xLink:href=v",
    "<b x=1/",
    "strong",
    " REL=y",
    " rel = \"a&amp;b\" ",
    " class='a>b'",
    " type=t/u",
    " hrefLang=de",
    "<",
    "</",
    ">",
    "/>",
    " ",
    "=",
    "\"",
    "'",
    "a",
    "A",
    "li",
    "link",
    "div",
    "di=v",
    "area",
    "b",
    "base",
    "i",
    "meta",
    "m",
    "html",
    "h1",
    "p",
    " href=x",
    " href='>'",
    "<a href=1>",
    "<div class=\"<a href=2>\">",
    "</a x='>'>",
    "&lt;",
    "<!-- <a href=3> -->",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(20_000) })]

    #[test]
    fn what_is_passed_over_ends_where_it_ends(pieces in prop::collection::vec(prop::sample::select(&TAGS[..]), 0..14)) {
        let text = pieces.concat();
        let wanted = ["a", "area", "base", "html", "link", "meta"];
        let all = cut_from(&text, "Data state", "");
        let all = all.into_iter().filter_map(|token| match token {
            Cut::Start { name, attrs, .. } if wanted.contains(&name.as_str()) => {
                Some((name, ASKED.map(|asked| attrs.iter().find(|(name, _)| name == asked).map(|(_, value)| value.clone()))))
            }
            Cut::Start { .. } | Cut::Text(_) | Cut::End(_) | Cut::Comment(_) | Cut::Doctype { .. } => None,
        });
        let tree = Tree::skim(&text);
        let ours = tree.children(tree.root());
        let ours = ours.map(|node| (tree.name(node).to_owned(), ASKED.map(|asked| tree.attr(node, asked).map(str::to_owned))));
        prop_assert_eq!(ours.collect::<Vec<_>>(), all.collect::<Vec<_>>(), "{}", text);
    }
}

#[test]
fn every_element_that_matters_is_seen() {
    for name in ["a", "A", "area", "base", "frame", "html", "iframe", "link", "LINK", "meta", "title"] {
        for end in [">", " x>", "\n>", "\r>", "/>", "\t>", "\u{C}>"] {
            let text = format!("<{name}{end}");
            let tree = Tree::skim(&text);
            assert_eq!(tree.children(tree.root()).count(), 1, "{text:?}");
        }
    }
    for name in [
        "script",
        "style",
        "title",
        "textarea",
        "iframe",
        "xmp",
        "noembed",
        "noframes",
        "plaintext",
        "template",
        "Template",
    ] {
        let text = format!("<{name}><a href=x></{name}>");
        let tree = Tree::skim(&text);
        assert!(tree.children(tree.root()).all(|node| tree.tag(node) != Tag::A), "{text}");
    }
    let tree = Tree::skim(
        "<template><a href=x></template ><a href=y><svg><p><a href=z><math><![CDATA[<a href=w>]]></math>",
    );
    assert_eq!(
        tree.children(tree.root()).filter_map(|node| tree.attr(node, "href")).collect::<Vec<_>>(),
        ["y", "z"]
    );
}
