//! CSS selectors: what they find, and what is wrong with those that are refused.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on must stop")]

use helios_page::html::Tree;
use helios_page::html::select::Selector;

const PAGE: &str = r#"<!doctype html><html lang=en-GB><head><title>T</title></head><body>
<div id=one class="a b"><p id=p1 class=x>One <b id=b1>bold</b> two</p><!-- c --><p id=p2>Two</p><span id=s1></span></div>
<div id=two class="B c"><p id=p3 data-k="v-1 w">Three<img id=i1 src=/i.png alt=""></p>
<ul id=ul><li id=l1 class=y>1<li id=l2>2<li id=l3 class=y>3<li id=l4 class=y>4</ul>
<a id=a1 href="https://x.test/a.PDF" rel="NoFollow me">A</a><a id=a2 href="/b">B <i id=e1>b</i></a><x-y id=z1> </x-y>
<svg id=g1 viewBox="0 0 1 1"><foreignObject id=f1></foreignObject><a id=sa href=q></a></svg></div></body></html>"#;

const FOUND: [(&str, &str); 68] = [
    ("p", "p1 p2 p3"),
    ("P#p2", "p2"),
    (".a", "one"),
    (".b", "one"),
    (".a.b, .c", "one two"),
    ("div p", "p1 p2 p3"),
    ("body p", "p1 p2 p3"),
    ("#one > p", "p1 p2"),
    ("body>p", ""),
    ("p + p", "p2"),
    ("p ~ span", "s1"),
    ("p + span", "s1"),
    ("#p1 + span", ""),
    ("div div", ""),
    ("html > body > div > p > b", "b1"),
    ("[href]", "a1 a2 sa"),
    ("[data-k='v-1 w']", "p3"),
    ("[data-k~=w]", "p3"),
    ("[data-k|=v]", "p3"),
    ("[lang|=en]", "html"),
    ("[href^='https:']", "a1"),
    ("[href$=\".pdf\"]", ""),
    ("[href$=\".pdf\" i]", "a1"),
    ("[href*=x]", "a1"),
    ("[href*='']", ""),
    ("[rel=nofollow]", ""),
    ("[rel~=nofollow]", "a1"),
    ("[rel~=nofollow s]", ""),
    ("[alt='']", "i1"),
    ("[viewbox]", "g1"),
    ("[viewBox]", "g1"),
    ("foreignObject", "f1"),
    ("x-y", "z1"),
    ("nothing", ""),
    ("li:first-child", "l1"),
    ("li:last-child", "l4"),
    ("li:nth-child(2)", "l2"),
    ("li:nth-child(odd)", "l1 l3"),
    ("li:nth-child(2n)", "l2 l4"),
    ("li:nth-child(n+3)", "l3 l4"),
    ("li:nth-child(-n+2)", "l1 l2"),
    ("li:nth-last-child(1)", "l4"),
    ("li:nth-last-child(-n+2)", "l3 l4"),
    (":nth-child(2 of .y)", "l3"),
    ("li:nth-child(even of .y, #l2)", "l2 l4"),
    ("p:nth-of-type(2)", "p2"),
    ("a:last-of-type", "a2 sa"),
    ("span:only-of-type", "s1"),
    ("b:only-child", "b1"),
    ("div :first-of-type:not(li)", "p1 b1 s1 p3 i1 ul a1 e1 z1 g1 f1 sa"),
    (":empty:not(title)", "s1 i1 f1 sa"),
    (":root", "html"),
    (":is(#one, #two) > :is(p, a)", "p1 p2 p3 a1 a2"),
    ("li:not(.y)", "l2"),
    ("li:not(.y, :first-child)", "l2"),
    (":not(div) > p", ""),
    ("p:not(#one p)", "p3"),
    ("div:has(ul)", "two"),
    ("p:has(> b, > img)", "p1 p3"),
    ("p:has(+ span)", "p2"),
    ("p:has(~ span)", "p1 p2"),
    ("a:has(i)", "a2"),
    ("*:has(> li.y):not(ol)", "ul"),
    ("ul li.y + li", "l2 l4"),
    ("div p b, div li:first-child", "b1 l1"),
    ("#\\70 1", "p1"),
    ("svg a", "sa"),
    ("div > * > *", "b1 i1 l1 l2 l3 l4 e1 f1 sa"),
];

fn ids(selector: &str) -> String {
    let tree = Tree::parse(PAGE);
    let found = Selector::parse(selector).unwrap_or_else(|error| panic!("{selector}: {error}")).find(&tree);
    found.iter().map(|&id| tree.attr(id, "id").unwrap_or(tree.name(id))).collect::<Vec<_>>().join(" ")
}

#[test]
fn css_selectors_find_elements_in_the_order_of_the_page() {
    for (selector, found) in FOUND {
        assert_eq!(ids(selector), found, "{selector}");
    }
}

#[test]
fn house_pseudo_elements_ask_for_strings_as_in_parsel() {
    let tree = Tree::parse(PAGE);
    for (selector, values) in [
        ("#p1::text", vec!["One ", " two"]),
        ("#p1 ::text", vec!["One ", "bold", " two"]),
        ("#p1 *::text", vec!["One ", "bold", " two"]),
        ("#p1 > ::text", vec!["bold"]),
        ("#one > p::text", vec!["One ", " two", "Two"]),
        ("#p1::text, b::text", vec!["One ", "bold", " two"]),
        ("#p1, #p2::text", vec!["One bold two", "Two"]),
        ("a::attr(href)", vec!["https://x.test/a.PDF", "/b", "q"]),
        ("a::attr( ID )", vec!["a1", "a2", "sa"]),
        ("p::attr(href)", vec![]),
        ("#b1", vec!["bold"]),
        ("#b1::text, #b1::attr(id)", vec!["b1", "bold"]),
    ] {
        assert_eq!(Selector::parse(selector).unwrap().values(&tree), values, "{selector}");
    }
}

#[test]
fn house_a_bad_selector_is_refused_with_place_and_reason() {
    for (selector, at) in [
        ("", 0),
        ("p,", 2),
        ("p >", 3),
        ("> p", 0),
        ("p[", 2),
        ("p[a=", 4),
        ("p[a='x", 6),
        ("p[a=b", 5),
        ("p:hover", 7),
        ("p::before", 9),
        ("p::text b", 8),
        (":not(p", 6),
        (":not()", 5),
        (":nth-child(x)", 12),
        (":is(p::text)", 11),
        (":has(a b)", 7),
        (":has(:has(a))", 10),
        ("p)", 1),
        ("p..a", 2),
        ("a|b", 1),
        ("1a", 0),
        ("p\\", 2),
    ] {
        let error = Selector::parse(selector).expect_err(selector);
        assert_eq!(error.at, at, "{selector}: {error}");
        assert!(error.to_string().starts_with("bad selector at byte"));
    }
}

#[test]
fn house_long_and_deep_selectors_are_refused() {
    assert!(Selector::parse(&"a ".repeat(65)).is_err());
    assert!(Selector::parse(&"a,".repeat(2_000)).is_err());
    assert!(Selector::parse(&":not(".repeat(100_000)).is_err());
    assert!(Selector::parse(&":has(a)".repeat(33)).is_err());
    assert!(Selector::parse(&"a ".repeat(64)).is_ok());
}

#[test]
fn house_texts_within_texts_are_not_told_without_end() {
    let text = "<div>".repeat(400) + &"words ".repeat(100_000);
    let values = Selector::parse("div").unwrap().values(&Tree::parse(&text)).concat();
    assert!(values.len() > text.len() && values.len() < 6 * text.len());
}

#[test]
fn house_a_hostile_selector_takes_one_walk() {
    let text = "<div>".repeat(400) + &"<p><b></b></p>".repeat(20_000);
    let tree = Tree::parse(&text);
    let selector =
        Selector::parse(&("div ".repeat(60) + "p ~ p:has(~ p) b:nth-of-type(1):last-of-type")).unwrap();
    assert_eq!(selector.find(&tree).len(), 19_998);
}
