//! What a reader view shows: small pages, and the pages by which Readability itself is tested.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]

mod common;

use std::collections::HashMap;

use helios_page::content;
use helios_page::html::Tree;
use proptest::prelude::*;

const SENTENCES: &str = "The river rose by two metres during the night, and by the morning, as many had feared, the lower part of the \
    town stood under water. Nobody was hurt, the mayor said, but forty families had to leave their houses.";

/// An article, with something before its paragraphs, between them and behind its element.
fn page(before: &str, between: &str, behind: &str) -> String {
    let paragraph = format!("<p>{SENTENCES}</p>");
    format!(
        "<title>River floods the town | The Paper</title><body><ul class=menu><li><a href=/>Home</a></ul>\
         <div id=story>{before}{paragraph}{paragraph}{between}{paragraph}{paragraph}</div>{behind}"
    )
}

fn shown(page: &str) -> String {
    content::read_as_reader(&Tree::parse(page), None).text()
}

fn with(before: &str, between: &str, behind: &str) -> String {
    shown(&page(before, between, behind))
}

#[test]
fn the_paragraphs_are_shown_and_the_menu_is_not() {
    let text = with("", "", "");
    assert_eq!(text, [SENTENCES; 4].join("\n"));
}

#[test]
fn what_looks_like_no_text_is_cut_from_between_paragraphs() {
    for (what, cut) in [
        ("a hidden element", "<p style='display:none'>Cut, this is.</p>"),
        ("an element for nobody's eyes", "<div hidden><p>Cut, this is.</p></div>"),
        ("a form", "<form><input><input><p>Cut, this is.</p></form>"),
        ("a note beside", "<aside><p>Cut, this is.</p></aside>"),
        ("comments by their name", "<div class=comment-list><p>Cut, this is, and this.</p></div>"),
        ("buttons to share", "<section class='share tools'>Cut</section>"),
        (
            "a box of links",
            "<div><a href=/1>Cut</a> and <a href=/2>Cut it too</a><p><a href=/3>Cut</a></div>",
        ),
        ("a word of advertisers", "<div><p>Advertisement</p><img src=cut.png><p></p></div>"),
        ("a line that names the author", "<p class=byline>By Cut O'Red</p>"),
    ] {
        assert_eq!(with("", cut, ""), [SENTENCES; 4].join("\n"), "{what}");
    }
}

#[test]
fn what_is_text_stays_between_paragraphs() {
    for (what, kept) in [
        ("a list of words", "<ul><li>Kept one</li><li>Kept two</li></ul>"),
        ("a list of links", "<ul><li><a href=/1>Kept this</a><li><a href=/2>Kept that</a></ul>"),
        ("a table of data", "<table><tr><th>Kept</th></tr><tr><td><a href=/1>Kept</a></td></tr></table>"),
        ("a heading", "<h2>Kept heading</h2>"),
        ("a caption", "<figure><img src=a.png><figcaption>Kept caption</figcaption></figure>"),
        (
            "a box with many commas",
            "<div>Kept, a, b, c, d, e, f, g, h, i, <a href=/x>a long link in it</a></div>",
        ),
        ("text in code", "<pre>Kept</pre>"),
    ] {
        let text = with("", kept, "");
        assert!(text.contains("Kept"), "{what}: {text}");
    }
}

#[test]
fn the_heading_that_repeats_the_title_is_shown_above_the_text_not_in_it() {
    assert!(!with("<h1>River floods the town</h1>", "", "").contains("River floods"));
    assert!(with("<h2>What the mayor says</h2>", "", "").contains("What the mayor says"));
}

#[test]
fn only_the_first_name_of_an_author_is_taken_out() {
    let line = "<p class=author>By Mary Rivers, here</p>";
    assert_eq!(with(line, line, "").matches("Mary Rivers").count(), 1);
    let known = format!("<meta name=author content='Mary Rivers'>{}", page(line, line, ""));
    assert_eq!(shown(&known).matches("Mary Rivers").count(), 2);
}

#[test]
fn paragraphs_beside_the_best_element_join_it() {
    let long = format!("<p>Long beside. {SENTENCES}</p>");
    assert!(with("", "", &long).contains("Long beside."));
    assert!(with("", "", "<p>A sentence beside.</p>").contains("A sentence beside."));
    assert!(!with("", "", "<p>No sentence</p>").contains("No sentence"));
}

#[test]
fn two_line_breaks_make_a_paragraph() {
    let body = format!("{SENTENCES}<br><br>{SENTENCES}<br> <br>{SENTENCES}<br><br>{SENTENCES}");
    let text = shown(&format!("<body><ul><li><a href=/>Home</a></ul><div>{body}</div>"));
    assert_eq!(text, [SENTENCES; 4].join("\n"));
}

#[test]
fn a_break_parts_words_even_where_nothing_else_is_in_its_element() {
    for (what, line, text, markdown) in [
        ("a span", "up the<span><br></span>river, here", "up the\nriver, here", "up the  \nriver, here"),
        ("deeper", "up the<b><i> <br> </i></b>river, here", "up the\nriver, here", "up the  \nriver, here"),
        ("two", "up the<span><br><br></span>river, here", "up the\nriver, here", "up the\n\nriver, here"),
        ("two apart", "up the<br><i><br></i>river, here", "up the\nriver, here", "up the\n\nriver, here"),
        ("hidden", "up the<span hidden><br></span> river, here", "up the river, here", "up the river, here"),
        (
            "cut",
            "up the <span class=sidebar>a<br>b</span>river, here",
            "up the river, here",
            "up the river, here",
        ),
    ] {
        let page = page("", &format!("<p>{line}</p>"), "");
        let tree = Tree::parse(&page);
        let view = content::read_as_reader(&tree, None);
        assert!(view.text().contains(&format!("\n{text}\n")), "{what}: {}", view.text());
        assert!(view.markdown().contains(&format!("\n{markdown}\n")), "{what}: {}", view.markdown());
    }
}

#[test]
fn marks_where_a_word_may_be_parted_stay_as_the_page_has_them() {
    let line = "The may\u{ad}or of the <b>head\u{200b}quarters</b>, \u{ad} \u{200b}he\u{feff}re.";
    let page = page("", &format!("<p>{line}</p><p>\u{ad}\u{ad}</p><p> \u{200b} <b>\u{ad}</b></p>"), "");
    let tree = Tree::parse(&page);
    let view = content::read_as_reader(&tree, None);
    let lines: Vec<_> = view.text().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 5, "{lines:?}");
    assert_eq!(lines[2], "The may\u{ad}or of the head\u{200b}quarters, here.");
    assert_eq!(view.words() as usize, view.text().split_whitespace().count());
    assert!(view.markdown().contains("\nThe may\u{ad}or of the **head\u{200b}quarters**, here.\n"));
    // The main text is for search.
    assert!(content::read(&tree, None).text().contains("The mayor of the headquarters, here."));
}

#[test]
fn a_page_with_little_text_is_looked_at_again_with_fewer_rules() {
    let text = shown(
        "<body><div class=sidebar><p>Only this, a short word beside nothing, is on the page.</p></div>",
    );
    assert_eq!(text, "Only this, a short word beside nothing, is on the page.");
    assert_eq!(
        shown("<body><div style='display:none'><p>Nobody sees this, and nobody should.</p></div>"),
        ""
    );
}

#[test]
fn markdown_words_and_kind_are_those_of_what_is_shown() {
    let page =
        page("", "<p>See <b>the <span hidden>cut</span>map</b>, <a href=/m>here</a> or there, now.</p>", "");
    let tree = Tree::parse(&page);
    let view = content::read_as_reader(&tree, None);
    let markdown = view.markdown();
    assert!(markdown.contains("See **the map**, [here](/m) or there, now."), "{markdown}");
    assert!(!markdown.contains("Home"));
    assert_eq!(view.words() as usize, view.text().split_whitespace().count());
    assert!(view.full_text().contains("Home"));
    assert_eq!(view.kind(), content::read(&tree, None).kind());
}

/// Parts of pages that mean something to a reader view.
#[rustfmt::skip]
const PARTS: [&str; 40] = [
    "<div>", "</div>", "<div class=content>", "<div class='comment share'>", "<p>", "</p>", "<br>", "<br> <br>", "<ul><li>", "</ul>",
    "<table><tr><td>", "</table>", "<th>", "<form>", "</form>", "<fieldset>", "<input>", "<a href=#x>", "<a href=/>", "</a>", "<del>", "</del>", "<span hidden>", "</span>",
    "<h1>", "<h2 class=byline>", "</h2>", "<aside>", "</aside>", "<figure><img src=a>", "</figure>", "<iframe src=//youtube.com/>", "</iframe>", "<svg><p>", "<section>",
    "<!-- -->", " \n ", "word", "A sentence, with commas, and one more, that says something. ", "loading...",
];

proptest! {
    #[test]
    fn any_mix_of_elements_is_shown_in_part_and_never_more_than_it_holds(parts in prop::collection::vec(0..PARTS.len(), 0..120)) {
        let page: String = parts.into_iter().map(|part| PARTS[part]).collect();
        let tree = Tree::parse(&page);
        let view = content::read_as_reader(&tree, None);
        let (all, some) = (texts(&page), view.text());
        let mut letters = all.chars();
        for letter in some.chars().filter(|c| !c.is_whitespace()) {
            prop_assert!(letters.any(|other| other == letter), "{some:?} of {page}");
        }
        prop_assert!(view.markdown().len() <= 16 * page.len() + 1);
    }
}

/// Words of a text, with how often each is there.
fn words(text: &str) -> HashMap<String, usize> {
    let mut words = HashMap::new();
    let lower = text.to_lowercase();
    for word in lower.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()) {
        *words.entry(word.to_owned()).or_default() += 1;
    }
    words
}

/// Words in common, as a part of both.
fn f1(found: &str, wanted: &str) -> f64 {
    let (found, wanted) = (words(found), words(wanted));
    let common: usize = found.iter().map(|(word, &n)| n.min(wanted.get(word).copied().unwrap_or(0))).sum();
    let all: usize = found.values().chain(wanted.values()).sum();
    if all == 0 { 1.0 } else { 2.0 * common as f64 / all as f64 }
}

/// The texts of a page, each apart.
fn texts(page: &str) -> String {
    let tree = Tree::parse(page);
    let texts = tree.descendants(tree.root()).filter(|&node| tree.is_text(node));
    texts.map(|node| tree.text(node)).collect::<Vec<_>>().join(" ")
}

#[test]
fn pages_by_which_readability_is_tested_are_shown_as_it_shows_them() {
    let Some(folder) = common::data("content-readability") else { return };
    let Some(archive) = common::unpacked(&folder.join("pages.tar.xz")) else { return };
    let files: HashMap<String, &[u8]> = common::files(&archive).into_iter().collect();
    let mut scores = Vec::new();
    for (name, page) in files.iter().filter(|(name, _)| !name.ends_with(".expected.html")) {
        let wanted = files[&name.replace(".html", ".expected.html")];
        let found = shown(&String::from_utf8_lossy(page));
        scores.push((f1(&found, &texts(&String::from_utf8_lossy(wanted))), name));
    }
    scores.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mean = scores.iter().map(|(score, _)| score).sum::<f64>() / scores.len() as f64;
    // Most of what is missing is words that the truth parts where an element ends, and we do not.
    assert!(scores.len() >= 78 && mean >= 0.99, "{mean} of {}; {:?}", scores.len(), &scores[..5]);
}
