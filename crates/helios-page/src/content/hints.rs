//! What the head of a page says of its text: title, description, kind, and the article that JSON-LD carries.

use super::set::Set;
use super::words;
use crate::html::{NodeId, Tag, Tree};
use memchr::memmem;

/// JSON-LD types that tell pages apart; the order is part of the model.
#[rustfmt::skip]
const TYPES: [&str; 18] = [
    "Article", "NewsArticle", "BlogPosting", "Product", "QAPage", "DiscussionForumPosting", "ItemList",
    "CollectionPage", "TechArticle", "Service", "FAQPage", "LocalBusiness", "BreadcrumbList",
    "Organization", "Review", "WebPage", "ReportageNewsArticle", "Recipe",
];

/// At most this much of JSON-LD is read.
const LONGEST: usize = 1 << 20;

#[derive(Default, Debug)]
pub(super) struct Hints {
    /// Words.
    pub(super) title: Set,
    pub(super) heading: Set,
    /// Pairs and triples of words.
    pub(super) description: Set,
    pub(super) article: Set,
    /// Words of the article that JSON-LD carries.
    pub(super) article_words: usize,
    /// 0 nothing, 1 article, 2 website, 3 product, 4 something else.
    pub(super) og_type: u8,
    pub(super) types: u32,
    /// Where the page says that it is, or where it was found.
    pub(super) address: Option<String>,
}

pub(super) fn hints(tree: &Tree<'_>, found_at: Option<&str>) -> Hints {
    let mut hints = Hints::default();
    let (mut title, mut heading) = (None, None);
    let mut canonical = None;
    let (mut description, mut article) = ("", String::new());
    for node in tree.descendants(tree.root()) {
        match tree.tag(node) {
            Tag::TITLE if title.is_none() => title = Some(tree.text_of(node)),
            Tag::H1 if heading.is_none() => heading = Some(tree.text_of(node)),
            Tag::LINK if is_canonical(tree, node) => {
                canonical = tree.attr(node, "href").filter(|href| href.contains("://"));
            }
            Tag::META => meta(tree, node, &mut hints, &mut description),
            Tag::SCRIPT if is_json_ld(tree, node) => {
                for text in tree.children(node).map(|child| tree.text(child)) {
                    json_ld(text, &mut hints, &mut article);
                }
            }
            _ => {}
        }
    }
    hints.title = Set::of(words::hashes(&title.unwrap_or_default()));
    hints.heading = Set::of(words::hashes(&heading.unwrap_or_default()));
    hints.description = Set::of(runs(&words::hashes(description), 2).collect());
    let article = words::hashes(&article);
    hints.article = Set::of(runs(&article, 3).collect());
    hints.article_words = article.len();
    hints.address = canonical.or(found_at).map(str::to_owned).or(hints.address);
    hints
}

/// Every run of `length` words as one number.
pub(super) fn runs(hashes: &[u32], length: usize) -> impl Iterator<Item = u32> {
    hashes.windows(length).map(|run| run.iter().fold(7, |hash, &word| words::pair(hash, word)))
}

fn is_canonical(tree: &Tree<'_>, node: NodeId) -> bool {
    tree.attr(node, "rel").is_some_and(|rel| rel.trim().eq_ignore_ascii_case("canonical"))
}

fn is_json_ld(tree: &Tree<'_>, node: NodeId) -> bool {
    tree.attr(node, "type").is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/ld+json"))
}

fn meta<'t>(tree: &'t Tree<'_>, node: NodeId, hints: &mut Hints, description: &mut &'t str) {
    let name = tree.attr(node, "property").or_else(|| tree.attr(node, "name")).unwrap_or_default();
    let content = tree.attr(node, "content").unwrap_or_default();
    match name {
        "og:type" => {
            hints.og_type = match content {
                "" => 0,
                "article" => 1,
                "website" => 2,
                other if other.contains("product") => 3,
                _ => 4,
            };
        }
        "og:url" if content.contains("://") => hints.address = Some(content.to_owned()),
        "description" | "og:description" if content.len() > description.len() => *description = content,
        _ => {}
    }
}

fn json_ld(text: &str, hints: &mut Hints, article: &mut String) {
    let text = text.get(..LONGEST).unwrap_or(text);
    for at in memmem::find_iter(text.as_bytes(), b"\"@type\"") {
        let rest =
            text.get(at + 7..).unwrap_or_default().trim_start_matches([':', ' ', '\n', '\t', '\r', '[']);
        let name = rest.strip_prefix('"').and_then(|rest| rest.split('"').next()).unwrap_or_default();
        if let Some(number) = TYPES.iter().position(|&known| known == name) {
            hints.types |= 1 << number;
        }
    }
    for key in ["\"articleBody\"", "\"text\"", "\"reviewBody\""] {
        for at in memmem::find_iter(text.as_bytes(), key.as_bytes()) {
            let rest = text
                .get(at + key.len()..)
                .unwrap_or_default()
                .trim_start_matches([':', ' ', '\n', '\t', '\r']);
            if article.len() < LONGEST
                && let Some(rest) = rest.strip_prefix('"')
            {
                article.push(' ');
                unquote(rest, article);
            }
        }
    }
}

/// Reads a JSON string to its closing quote. Markup inside it counts as a space.
fn unquote(text: &str, out: &mut String) {
    let mut chars = text.chars();
    let mut tag = false;
    while let Some(c) = chars.next() {
        let c = match c {
            '"' => return,
            '\\' => match chars.next() {
                Some('u') => {
                    let code = chars.as_str().get(..4).and_then(|hex| u32::from_str_radix(hex, 16).ok());
                    chars = chars.as_str().get(4..).unwrap_or_default().chars();
                    code.and_then(char::from_u32).unwrap_or(' ')
                }
                Some(c @ ('"' | '\\' | '/')) => c,
                _ => ' ',
            },
            c => c,
        };
        tag = c == '<' || (tag && c != '>');
        out.push(if tag || c == '>' { ' ' } else { c });
    }
}
