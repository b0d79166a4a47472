//! Main text and markdown: what is kept, how it is written, and that no page is too much.

use helios_page::content::{self, PageKind};
use helios_page::html::Tree;

const SENTENCES: &str = "The river rose by two metres during the night, and by the morning the lower part of the town stood \
    under water. Nobody was hurt, the mayor said, but forty families had to leave their houses until the bridge is safe again.";

fn article() -> String {
    let paragraphs: Vec<String> = (1..8).map(|n| format!("<p>Part {n}. {SENTENCES}</p>")).collect();
    let paragraphs = paragraphs.concat();
    format!(
        "<html><head><title>River floods the town</title></head><body>\
         <nav><ul><li><a href=/>Home</a></li><li><a href=/sport>Sport</a></li><li><a href=/weather>Weather</a></li></ul></nav>\
         <main><article><h1>River floods the town</h1>{paragraphs}</article></main>\
         <aside class=related><h2>Related</h2><ul><li><a href=/a>Another story</a></li><li><a href=/b>One more</a></li></ul></aside>\
         <footer><p>© 2026 The Paper. <a href=/privacy>Privacy</a> <a href=/terms>Terms</a></p></footer></body></html>"
    )
}

/// The markdown of a page whose every block is long enough to be kept.
fn markdown(body: &str) -> String {
    let page = format!(
        "<title>River floods the town</title><main><article><h1>River floods the town</h1><p>{SENTENCES}</p>{body}\
         <p>{SENTENCES}</p><p>{SENTENCES}</p></article></main>"
    );
    let tree = Tree::parse(&page);
    content::read(&tree, None).markdown()
}

#[test]
fn the_text_of_an_article_is_kept_and_the_menu_is_not() {
    let page = article();
    let tree = Tree::parse(&page);
    let main = content::read(&tree, Some("https://paper.example/news/2026/river-floods-the-town"));
    let text = main.text();
    for n in 1..8 {
        assert!(text.contains(&format!("Part {n}. The river rose")), "part {n} in {text}");
    }
    for boilerplate in ["Weather", "Another story", "Privacy"] {
        assert!(!text.contains(boilerplate), "{boilerplate} in {text}");
    }
    assert_eq!(main.kind(), PageKind::Article);
}

#[test]
fn the_full_text_has_the_menu_too() {
    let page = article();
    let tree = Tree::parse(&page);
    let full = content::read(&tree, None).full_text();
    assert!(full.contains("Weather") && full.contains("Part 7.") && full.contains("Privacy"));
}

#[test]
fn scripts_styles_and_hidden_words_are_no_text() {
    let page = "<body><p>seen <span style='display : none'>hidden</span></p><script>code</script><style>rules</style>\
                <template>later</template><noscript>shown without scripts</noscript></body>";
    let tree = Tree::parse(page);
    assert_eq!(content::read(&tree, None).full_text(), "seen\nshown without scripts");
}

#[test]
fn what_is_no_text_is_not_in_the_markdown_either() {
    let words = "Words that a reader of this page would surely like to read. ".repeat(8);
    let page =
        format!("<p>{words} one <span style='display:none'>hidden <b>twice</b></span> two <b>three</b></p>");
    assert!(markdown(&page).contains(" one two **three**"), "{}", markdown(&page));
}

#[test]
fn text_in_code_keeps_its_lines_and_indents() {
    let tree = Tree::parse("<pre>\nfn main() {\n    body();\n}\n</pre><p>a   b\n c</p>");
    assert_eq!(content::read(&tree, None).full_text(), "fn main() {\n    body();\n}\na b c");
}

#[test]
fn two_line_breaks_part_a_paragraph_and_one_breaks_the_line() {
    let tree = Tree::parse("<div>one<br>two<br><br>three</div>");
    assert_eq!(content::read(&tree, None).full_text(), "one\ntwo\nthree");
}

#[test]
fn markdown_has_links_emphasis_and_code() {
    let made = markdown(&format!(
        "<p>{SENTENCES} See <a href='/a (1)'>the <b>map</b></a>, <em>now</em> or <code>a`b</code>, 5 * 3_4 and [x].</p>"
    ));
    assert!(
        made.contains("See [the **map**](/a%20%281%29), *now* or ``a`b``, 5 \\* 3_4 and \\[x\\]."),
        "{made}"
    );
}

#[test]
fn markdown_has_nested_lists_with_numbers() {
    let made = markdown(&format!(
        "<h2>What to do when the water comes</h2><ol start=3><li>{SENTENCES}<ul><li>Inner: {SENTENCES}</li></ul></li><li>Next: {SENTENCES}</li></ol>"
    ));
    assert!(made.contains("\n\n3. The river"), "{made}");
    assert!(made.contains("\n   - Inner: The river"), "{made}");
    assert!(made.contains("\n4. Next: The river"), "{made}");
}

#[test]
fn markdown_fences_code_with_its_language() {
    let made = markdown(&format!(
        "<p>{SENTENCES}</p><pre><code class='language-rust'>fn main() {{\n    let text = \"the river rose\";\n}}</code></pre>"
    ));
    assert!(made.contains("```rust\nfn main() {\n    let text = \"the river rose\";\n}\n```"), "{made}");
}

#[test]
fn what_looks_like_markup_at_the_start_of_a_line_is_escaped() {
    let made = markdown(&format!("<p># {SENTENCES}</p><p>1. {SENTENCES}</p><p>- {SENTENCES}</p>"));
    assert!(
        made.contains("\\# The river") && made.contains("1\\. The river") && made.contains("\\- The river"),
        "{made}"
    );
}

#[test]
fn scripts_in_addresses_are_no_links() {
    let made = markdown(&format!(
        "<p>{SENTENCES} <a href='javascript:alert(1)'>Click</a> <a href=' JavaScript:x'>or here</a></p>"
    ));
    assert!(made.contains("Click or here") && !made.to_lowercase().contains("javascript"), "{made}");
}

#[test]
fn the_same_page_gives_the_same_text() {
    let page = article();
    let (one, other) = (Tree::parse(&page), Tree::parse(&page));
    assert_eq!(content::read(&one, None).markdown(), content::read(&other, None).markdown());
}

#[test]
fn no_page_is_too_much() {
    let nothing = String::new();
    let deep = format!("{}x{}", "<div><p>some words here".repeat(100_000), "</div>".repeat(100_000));
    let items = format!("<ul>{}</ul>", "<li>one <a href=x>two</a> three<ul>".repeat(20_000));
    let cells = format!("<table>{}</table>", "<tr><td>a<td>b<td>c".repeat(50_000));
    let inline = format!("<p>{}</p>", "<b>word <img src=a alt=b> </b><i>and </i>".repeat(50_000));
    let names = format!("<div class='{}'>text</div>", "a-b ".repeat(500_000));
    let quoted =
        format!("<script type=application/ld+json>{}</script><p>a b c", "\"text\":\"\\u12".repeat(50_000));
    let breaks = "<br>a\u{0}\u{feff}".repeat(200_000);
    let word = format!("{}ad", "<div>".repeat(100_000));
    let headings = format!("<title>One: two and three</title>{}x", "<h1>word<div>".repeat(50_000));
    let changes = "<del><ins>word<br><br>".repeat(50_000);
    for page in [nothing, deep, items, cells, inline, names, quoted, breaks, word, headings, changes] {
        let tree = Tree::parse(&page);
        for way in [content::read, content::read_as_reader] {
            let main = way(&tree, None);
            assert!(main.text().len() <= page.len() + 1);
            assert!(main.full_text().len() <= page.len() + 1);
            assert!(main.markdown().len() <= 16 * page.len() + 1);
        }
    }
}
