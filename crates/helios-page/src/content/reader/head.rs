//! What the page says of itself that a reader view shows above the text, so not in it: its title, and that it names an author.

use crate::html::{NodeId, Tag, Tree};
use crate::json::{self, Value};

/// Longer JSON-LD is not read.
const LONGEST: usize = 1 << 20;
/// Headings that are looked at; they may stand in each other.
pub(super) const HEADINGS: usize = 200;
/// Nodes of a heading, and bytes of its text, after which it ends.
const NODES: usize = 500;
const LONGEST_HEADING: usize = 5000;
/// A heading repeats the title if that much of it is in the title.
const REPEATED: f32 = 0.75;
/// Marks between a title and the name of the site.
const MARKS: [char; 8] = ['|', '-', '–', '—', '\\', '/', '>', '»'];
/// The last of them stand between the parts of a path.
const PATH_MARKS: usize = 4;

#[derive(Default, Debug)]
pub(super) struct Head {
    pub(super) title: String,
    pub(super) byline: bool,
}

impl Head {
    pub(super) fn is_repeated_by(&self, heading: &str) -> bool {
        likeness(&self.title, heading) > REPEATED
    }
}

pub(super) fn head(tree: &Tree<'_>) -> Head {
    let mut seen = Seen::default();
    for node in tree.descendants(tree.root()) {
        match tree.tag(node) {
            Tag::TITLE if seen.title.is_none() => seen.title = Some(tree.text_of(node).trim().to_owned()),
            Tag::H1 | Tag::H2 if seen.headings.len() < HEADINGS => seen.headings.push(node),
            Tag::META => seen.meta(tree, node),
            Tag::SCRIPT if seen.article.is_none() && is_json_ld(tree, node) => {
                seen.article = article(tree, node);
            }
            _ => {}
        }
    }
    let document = document_title(tree, &seen);
    let told = seen.article.as_ref().map(|article| article_title(article, &document));
    let byline = seen.article.as_ref().is_some_and(names_author) || seen.byline;
    let title = told.flatten().or(seen.titles.into_iter().flatten().next()).unwrap_or(document);
    Head { title, byline }
}

#[derive(Default)]
struct Seen {
    title: Option<String>,
    /// By rank.
    titles: [Option<String>; 8],
    byline: bool,
    headings: Vec<NodeId>,
    article: Option<Value>,
}

/// Names that a title has, in the order in which they are believed.
#[rustfmt::skip]
const TITLES: [&str; 8] = [
    "dc:title", "dcterm:title", "og:title", "weibo:article:title", "weibo:webpage:title", "title", "twitter:title", "parsely-title",
];
const BYLINES: [&str; 4] = ["dc:creator", "dcterm:creator", "author", "parsely-author"];

impl Seen {
    fn meta(&mut self, tree: &Tree<'_>, node: NodeId) {
        let content = tree.attr(node, "content").unwrap_or_default().trim();
        if content.is_empty() {
            return;
        }
        let property = tree.attr(node, "property").unwrap_or_default();
        for name in property.split_whitespace().chain(tree.attr(node, "name")) {
            let mut name = name.to_lowercase().replace('.', ":");
            name.retain(|c| !c.is_whitespace());
            if let Some(place) = TITLES.iter().position(|&known| known == name)
                && let Some(title) = self.titles.get_mut(place)
            {
                *title = Some(content.to_owned());
            }
            let address = content.starts_with("http://") || content.starts_with("https://");
            self.byline |= BYLINES.contains(&name.as_str()) || (name == "article:author" && !address);
        }
    }
}

fn is_json_ld(tree: &Tree<'_>, node: NodeId) -> bool {
    tree.attr(node, "type").is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/ld+json"))
}

/// The article that a block of JSON-LD speaks of.
fn article(tree: &Tree<'_>, node: NodeId) -> Option<Value> {
    let text = tree.text_of(node);
    if text.len() > LONGEST {
        return None;
    }
    let block = json::first(&text)?;
    let things: Vec<&Value> = block.items().iter().collect();
    let thing = things.iter().copied().find(|thing| is_article(thing)).or(things.first().copied())?;
    let inner = thing.get("@graph").map(Value::items).unwrap_or_default();
    let found = if is_article(thing) { Some(thing) } else { inner.iter().find(|thing| is_article(thing)) };
    found.cloned()
}

fn is_article(thing: &Value) -> bool {
    let known = ["Article", "Posting", "Report", "APIReference"];
    let kinds = thing.get("@type").map(Value::items).unwrap_or_default();
    kinds.iter().filter_map(Value::as_str).any(|kind| known.iter().any(|known| kind.contains(known)))
}

/// Its name or its headline: the one that the document bears, if only one of them is like it.
fn article_title(article: &Value, document: &str) -> Option<String> {
    let (name, headline) = (article.text("name"), article.text("headline"));
    let like = |title: &str| likeness(title, document) > REPEATED;
    let chosen = match (name, headline) {
        (Some(name), Some(headline)) if like(headline) && !like(name) => Some(headline),
        (Some(name), _) => Some(name),
        (None, headline) => headline,
    };
    chosen.map(str::to_owned)
}

fn names_author(article: &Value) -> bool {
    let authors = article.get("author").map(Value::items).unwrap_or_default();
    authors.first().is_some_and(|author| author.text("name").is_some())
}

/// The title of the document, without the name of the site where that can be told.
fn document_title(tree: &Tree<'_>, seen: &Seen) -> String {
    let whole = seen.title.as_deref().unwrap_or_default();
    let marks = separators(whole);
    let title = match marks.last() {
        Some(&(last, _)) => before_site(whole, last).to_owned(),
        None if whole.contains(": ") => after_colon(tree, seen, whole).to_owned(),
        None if (15..=150).contains(&whole.chars().count()) => whole.to_owned(),
        None => only_heading(tree, seen).unwrap_or_else(|| whole.to_owned()),
    };
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let path = marks.iter().any(|&(_, mark)| MARKS.iter().skip(PATH_MARKS).any(|&known| known == mark));
    let without: String = whole.chars().filter(|c| !MARKS.contains(c)).collect();
    let few = count(&title) <= 4 && (!path || count(&title) + 1 != count(&without));
    if few { whole.to_owned() } else { title }
}

/// What stands before the last mark; if that is little, what stands behind the first.
fn before_site(whole: &str, last: usize) -> &str {
    let title = whole.get(..last).unwrap_or_default();
    if count(title) < 3 { whole.split_once(MARKS).map_or(whole, |(_, rest)| rest) } else { title }
}

/// What stands behind the last colon, or behind the first if that is little; the whole if it is a heading, or if much stands before.
fn after_colon<'w>(tree: &Tree<'_>, seen: &Seen, whole: &'w str) -> &'w str {
    let (before, behind) = whole.split_once(':').unwrap_or_default();
    let (_, last) = whole.rsplit_once(':').unwrap_or_default();
    if seen.headings.iter().any(|&node| heading(tree, node).trim() == whole) {
        whole
    } else if count(last) < 3 {
        behind
    } else if count(before) > 5 {
        whole
    } else {
        last
    }
}

/// The text of the main heading, if there is one.
fn only_heading(tree: &Tree<'_>, seen: &Seen) -> Option<String> {
    let mut main = seen.headings.iter().filter(|&&node| tree.tag(node) == Tag::H1);
    let only = main.next()?;
    main.next().is_none().then(|| heading(tree, *only))
}

/// The text of a heading; one that is very long ends somewhere.
pub(super) fn heading(tree: &Tree<'_>, node: NodeId) -> String {
    let mut text = String::new();
    for node in tree.descendants(node).take(NODES).filter(|&node| tree.is_text(node)) {
        text.push_str(tree.text(node));
        if text.len() > LONGEST_HEADING {
            break;
        }
    }
    text
}

/// Marks with a space on both sides, and where each such space begins.
fn separators(title: &str) -> Vec<(usize, char)> {
    let spaced = title.match_indices(' ').filter_map(|(at, _)| {
        let mut after = title.get(at + 1..)?.chars();
        let mark = after.next().filter(|mark| MARKS.contains(mark))?;
        (after.next() == Some(' ')).then_some((at, mark))
    });
    spaced.collect()
}

fn count(text: &str) -> usize {
    text.split_whitespace().count()
}

/// How much of the second text is in the first, by the letters of its words.
fn likeness(first: &str, second: &str) -> f32 {
    let words = |text: &str| -> Vec<String> {
        let lower = text.to_lowercase();
        let words = lower.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let (known, said) = (words(first), words(second));
    if known.is_empty() || said.is_empty() {
        return 0.0;
    }
    let length =
        |words: &[&String]| (words.iter().map(|word| word.len() + 1).sum::<usize>()).saturating_sub(1);
    let other: Vec<&String> = said.iter().filter(|word| !known.contains(word)).collect();
    let all: Vec<&String> = said.iter().collect();
    1.0 - length(&other) as f32 / length(&all) as f32
}
