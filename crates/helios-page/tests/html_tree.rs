//! The tree that everything else reads: names, attributes, texts and ways through it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on must stop")]

use helios_page::html::{NodeId, Tag, Tree};

fn find(tree: &Tree<'_>, tag: Tag) -> NodeId {
    tree.descendants(tree.root()).find(|&id| tree.tag(id) == tag).unwrap()
}

#[test]
fn house_every_text_has_a_document_an_html_a_head_and_a_body() {
    for text in ["", " ", "x", "<!-- -->", "</p>", "\0", "<title>", "<", "\u{FEFF}"] {
        let tree = Tree::parse(text);
        assert_eq!(tree.tag(tree.root()), Tag::DOCUMENT, "{text:?}");
        assert_eq!(tree.parent(tree.html()), Some(tree.root()), "{text:?}");
        assert_eq!(tree.parent(tree.head().unwrap()), Some(tree.html()), "{text:?}");
        assert_eq!(tree.parent(tree.body().unwrap()), Some(tree.html()), "{text:?}");
    }
}

#[test]
fn house_the_frameset_stands_for_the_body() {
    let tree = Tree::parse("<frameset><frame src=a></frameset>");
    assert_eq!(tree.tag(tree.body().unwrap()), Tag::FRAMESET);
}

#[test]
fn house_names_and_attributes_are_in_lower_case_and_values_are_decoded() {
    let tree = Tree::parse("<DIV ID=One Data-X='a &amp; b' id=Two><X-Y></div>");
    let div = find(&tree, Tag::DIV);
    assert_eq!(tree.name(div), "div");
    assert_eq!(tree.attr(div, "id"), Some("One"), "the first of a name counts");
    assert_eq!(tree.attrs(div).collect::<Vec<_>>(), [("id", "One"), ("data-x", "a & b")]);
    assert_eq!(tree.attr(div, "class"), None);
    let other = tree.first_child(div).unwrap();
    assert_eq!((tree.name(other), tree.tag(other).known_name()), ("x-y", None));
    assert_eq!(tree.attr(tree.root(), "id"), None);
}

#[test]
fn house_attributes_of_repeated_tags_are_added() {
    let tree = Tree::parse("<html a=1><body b=1><html a=2 c=2><body b=2 d=2>");
    assert_eq!(tree.attrs(tree.html()).collect::<Vec<_>>(), [("a", "1"), ("c", "2")]);
    assert_eq!(tree.attrs(tree.body().unwrap()).collect::<Vec<_>>(), [("b", "1"), ("d", "2")]);
}

#[test]
fn house_texts_join_across_what_is_ignored() {
    let tree = Tree::parse("<p>a\r\nb</x>c&lt;d</>e\rf");
    let p = find(&tree, Tag::P);
    assert_eq!(tree.children(p).count(), 1);
    assert_eq!(tree.text(tree.first_child(p).unwrap()), "a\nbc<de\nf");
    assert_eq!(tree.text(p), "", "an element has no text of its own");
}

#[test]
fn house_walks_follow_the_order_of_the_page() {
    let tree = Tree::parse("<ul><li>a<b>b</b><li>c</ul><p>d");
    let (ul, body) = (find(&tree, Tag::UL), tree.body().unwrap());
    assert_eq!(tree.text_of(body), "abcd");
    assert_eq!(tree.text_of(ul), "abc");
    let names = |ids: &mut dyn Iterator<Item = NodeId>| ids.map(|id| tree.name(id)).collect::<Vec<_>>();
    assert_eq!(names(&mut tree.descendants(ul)), ["li", "#text", "b", "#text", "li", "#text"]);
    assert_eq!(names(&mut tree.children(body)), ["ul", "p"]);
    assert_eq!(names(&mut tree.ancestors(find(&tree, Tag::B))), ["li", "ul", "body", "html", "#document"]);
    let mut nodes = tree.descendants(body);
    nodes.next();
    nodes.skip_inside(ul);
    assert_eq!(names(&mut nodes), ["p", "#text"]);
    let li = tree.first_child(ul).unwrap();
    assert_eq!(tree.after(li, ul), tree.next_sibling(li));
    assert_eq!(tree.after(tree.last_child(ul).unwrap(), ul), None);
    assert_eq!(tree.next_in_document(li, ul), tree.first_child(li));
}

#[test]
fn house_a_crawler_sees_what_is_in_noscript() {
    let tree = Tree::parse("<head><noscript><link href=a></noscript></head><noscript><p>text</noscript>");
    assert_eq!(tree.text_of(find(&tree, Tag::P)), "text");
    assert_eq!(tree.parent(find(&tree, Tag::LINK)), Some(find(&tree, Tag::NOSCRIPT)));
}

#[test]
fn house_foreign_elements_are_not_those_of_html() {
    let tree = Tree::parse("<svg viewBox=x><title>t</title><a xlink:href=y>z</svg><math><mi>m");
    let svg = find(&tree, Tag::SVG);
    let title = tree.first_child(svg).unwrap();
    assert_ne!(tree.tag(title), Tag::TITLE);
    assert_eq!((tree.tag(title).local(), tree.tag(title).is_svg()), (Tag::TITLE, true));
    assert_eq!(tree.attrs(svg).next(), Some(("viewBox", "x")));
    assert_eq!(tree.attr(svg, "viewbox"), Some("x"));
    assert!(tree.tag(find(&tree, Tag::MATH)).is_math());
}

#[test]
fn house_templates_are_inert_unless_they_are_shown() {
    let tree =
        Tree::parse("<template><p>a</template><div><template shadowrootmode=open><b>c</template></div>");
    let templates: Vec<bool> = tree
        .descendants(tree.root())
        .filter(|&id| tree.tag(id) == Tag::TEMPLATE)
        .map(|id| tree.is_inert(id))
        .collect();
    assert_eq!(templates, [true, false]);
}

#[test]
fn house_a_fragment_is_read_as_the_content_of_an_element() {
    let tree = Tree::parse_fragment("<td>a<td>b", Tag::TR);
    let names: Vec<_> = tree.children(tree.html()).map(|id| tree.name(id)).collect();
    assert_eq!(names, ["td", "td"]);
    assert_eq!((tree.head(), tree.body()), (None, None));
}

#[test]
fn house_ids_of_another_tree_are_harmless() {
    let (large, small) = (Tree::parse("<p>a<p>b<p>c"), Tree::parse(""));
    for id in large.descendants(large.root()) {
        small.text(id);
        small.name(id);
        small.attr(id, "a");
        assert!(small.descendants(id).count() < small.len());
    }
}
