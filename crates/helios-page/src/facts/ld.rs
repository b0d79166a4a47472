//! JSON-LD: the blocks of a page, and what they say of the thing that the page is about.

use super::seen::Seen;
use super::words::{add, collapsed, unescaped};
use crate::date::{self, Moment};
use crate::html::Tree;
use crate::json::{self, Value};

/// A block that is longer says nothing of use.
const BLOCK: usize = 4_000_000;
const BLOCKS: usize = 200;
/// Things that are looked at for the best of each fact.
const THINGS: usize = 400;

/// All blocks; an array gives its elements.
pub(super) fn blocks(tree: &Tree<'_>, seen: &Seen<'_>) -> Vec<Value> {
    let mut found = Vec::new();
    for &script in &seen.scripts {
        let text = tree.text_of(script);
        if text.len() > BLOCK {
            continue;
        }
        for value in json::all(unwrapped(&text), BLOCKS) {
            if let Value::Array(items) = value {
                found.extend(items);
            } else {
                found.push(value);
            }
        }
    }
    found.retain(|value| matches!(value, Value::Object(_) | Value::Array(_)));
    found
}

/// Without the marks that hide a script from old programs.
fn unwrapped(text: &str) -> &str {
    let text = text.trim();
    let text = text.strip_prefix("//").map_or(text, str::trim_start);
    let text = text.strip_prefix("<![CDATA[").or_else(|| text.strip_prefix("<!--")).unwrap_or(text).trim();
    text.trim_end_matches("//]]>").trim_end_matches("]]>").trim_end_matches("-->")
}

/// What the main thing of a page says of itself.
#[derive(Default)]
pub(super) struct Article {
    pub(super) kind: Option<String>,
    pub(super) headline: Option<String>,
    pub(super) description: Option<String>,
    pub(super) authors: Vec<String>,
    pub(super) published: Option<Moment>,
    pub(super) created: Option<Moment>,
    pub(super) modified: Option<Moment>,
    pub(super) publisher: Option<String>,
    pub(super) site: Option<String>,
    pub(super) sections: Vec<String>,
    pub(super) keywords: Vec<String>,
    pub(super) image: Option<String>,
    pub(super) license: Option<String>,
}

impl Article {
    /// From the first thing that is a text, then from others where it says nothing.
    pub(super) fn of(blocks: &[Value]) -> Article {
        let things = things(blocks);
        let mut article = Article::default();
        for wanted in [Rank::Article, Rank::Page, Rank::Other] {
            for thing in things.iter().filter(|thing| rank(thing) == Some(wanted)) {
                article.take(thing, wanted, &things);
            }
        }
        for thing in things.iter().filter(|thing| is_a(thing, "WebSite")) {
            article.site = article.site.or_else(|| text(thing, "name"));
        }
        article
    }

    fn take(&mut self, thing: &Value, rank: Rank, things: &[&Value]) {
        let moment = |name: &str| thing.text(name).and_then(date::parse);
        self.kind = self.kind.take().or_else(|| types(thing).next().map(str::to_owned));
        self.published = self.published.or_else(|| moment("datePublished")).or_else(|| moment("uploadDate"));
        self.created = self.created.or_else(|| moment("dateCreated"));
        self.modified = self.modified.or_else(|| moment("dateModified"));
        self.description = self.description.take().or_else(|| text(thing, "description"));
        self.image = self.image.take().or_else(|| thing.get("image").and_then(address));
        self.license = self.license.take().or_else(|| thing.get("license").and_then(address));
        if rank != Rank::Other {
            let headline = text(thing, "headline");
            let headline =
                headline.or_else(|| (rank == Rank::Article).then(|| text(thing, "name")).flatten());
            self.headline = self.headline.take().or(headline);
            self.publisher =
                self.publisher.take().or_else(|| names(thing.get("publisher"), things).into_iter().next());
        }
        if self.authors.is_empty() {
            self.authors = names(thing.get("author").or_else(|| thing.get("creator")), things);
        }
        if self.keywords.is_empty() {
            self.keywords = list(thing.get("keywords"));
        }
        if self.sections.is_empty() {
            self.sections = list(thing.get("articleSection"));
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rank {
    Article,
    Page,
    Other,
}

fn rank(thing: &Value) -> Option<Rank> {
    let article = types(thing).any(|kind| {
        kind.ends_with("Article")
            || kind.ends_with("Posting")
            || matches!(
                kind,
                "Report" | "Review" | "Recipe" | "LiveBlogPosting" | "Blog" | "CreativeWork" | "Book"
            )
    });
    let page = types(thing).any(|kind| kind.ends_with("Page"));
    let other = types(thing).any(|kind| {
        matches!(
            kind,
            "Product"
                | "Event"
                | "VideoObject"
                | "AudioObject"
                | "Course"
                | "SoftwareApplication"
                | "Dataset"
                | "Movie"
                | "Question"
                | "DiscussionForumPosting"
        )
    });
    match (article, page, other) {
        (true, ..) => Some(Rank::Article),
        (_, true, _) => Some(Rank::Page),
        (.., true) => Some(Rank::Other),
        _ => {
            ["datePublished", "headline"].iter().any(|name| thing.get(name).is_some()).then_some(Rank::Other)
        }
    }
}

fn types(thing: &Value) -> impl Iterator<Item = &str> {
    let all = thing.get("@type").map(Value::items).unwrap_or_default();
    all.iter().filter_map(Value::as_str).map(|kind| kind.rsplit(['/', '#', ':']).next().unwrap_or(kind))
}

fn is_a(thing: &Value, wanted: &str) -> bool {
    types(thing).any(|kind| kind == wanted)
}

/// The things of all blocks: in arrays, in graphs, and what a page names as its main thing.
fn things(blocks: &[Value]) -> Vec<&Value> {
    let mut found: Vec<&Value> = Vec::new();
    let mut waiting: Vec<&Value> = blocks.iter().rev().collect();
    while let Some(value) = waiting.pop() {
        if found.len() == THINGS {
            break;
        }
        match value {
            Value::Array(items) => waiting.extend(items.iter().rev()),
            Value::Object(_) => {
                found.push(value);
                for name in ["mainEntity", "mainEntityOfPage", "@graph"] {
                    waiting.extend(
                        value.get(name).filter(|inner| matches!(inner, Value::Object(_) | Value::Array(_))),
                    );
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    found
}

fn text(thing: &Value, name: &str) -> Option<String> {
    let text = thing.get(name)?.items().first()?.as_str()?;
    let text = collapsed(&unescaped(text));
    (!text.is_empty()).then_some(text)
}

/// Names of people or organisations, by name, as objects, or by reference.
fn names(value: Option<&Value>, things: &[&Value]) -> Vec<String> {
    let mut found = Vec::new();
    for one in value.map(Value::items).unwrap_or_default().iter().take(50) {
        if let Some(name) = one.as_str() {
            add(&mut found, &collapsed(&unescaped(name)));
            continue;
        }
        let own = text(one, "name").or_else(|| {
            let id = one.text("@id")?;
            things.iter().filter(|thing| thing.text("@id") == Some(id)).find_map(|thing| text(thing, "name"))
        });
        let own = own.or_else(|| Some(format!("{} {}", text(one, "givenName")?, text(one, "familyName")?)));
        if let Some(name) = own {
            add(&mut found, &name);
        }
        // A list of names where one is wanted.
        for name in one
            .get("name")
            .filter(|name| matches!(name, Value::Array(_)))
            .map(Value::items)
            .unwrap_or_default()
        {
            add(&mut found, name.as_str().unwrap_or_default());
        }
    }
    found
}

/// Words in a list, or in one text with commas.
fn list(value: Option<&Value>) -> Vec<String> {
    let mut found = Vec::new();
    let items = value.map(Value::items).unwrap_or_default();
    for item in items.iter().take(200) {
        let word = item.as_str().map(str::to_owned).or_else(|| text(item, "name")).unwrap_or_default();
        if items.len() == 1 {
            word.split([',', ';']).for_each(|word| add(&mut found, &collapsed(&unescaped(word))));
        } else {
            add(&mut found, &collapsed(&unescaped(&word)));
        }
    }
    found
}

fn address(value: &Value) -> Option<String> {
    let first = value.items().first()?;
    let address = first
        .as_str()
        .or_else(|| first.text("url"))
        .or_else(|| first.text("contentUrl"))
        .or_else(|| first.text("@id"));
    address.map(str::to_owned)
}
