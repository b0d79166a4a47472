//! Facts of a page: what it says about itself, for people and for programs.
//!
//! A tree in, one `Facts` out: the best title, description, authors, dates, topics and so on, each taken from the most trusted place
//! that has it, and the structured data of the page as JSON. Always: URLs stand as written, except inside structured data,
//! where the caller's `resolve` makes them absolute.
//!
//! `seen` walks the page once and keeps what may matter; `title`, `people`, `dates`, `topics` and `license` choose. `hints` looks
//! for a byline, a date or topics that nothing else gave where `clues` in classes lead. `ld`, `microdata`, `rdfa` and `microformats` read the syntaxes,
//! and only on pages that use them.

mod clues;
mod dates;
mod hints;
mod ld;
mod license;
mod markup;
mod microdata;
mod microformats;
mod moments;
mod people;
mod rdfa;
mod seen;
mod title;
mod topics;
mod words;

use crate::date::Moment;
use crate::html::Tree;
use crate::json::Value;
use hints::Hints;
use ld::Article;
use seen::Seen;

/// What a page says about itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// The title of what the page shows, without the name of the site.
    pub title: Option<String>,
    /// The text of `<title>`, as it is.
    pub document_title: Option<String>,
    pub description: Option<String>,
    pub headings: Vec<Heading>,
    /// As the page declares it.
    pub language: Option<String>,
    pub authors: Vec<String>,
    pub published: Option<Moment>,
    pub modified: Option<Moment>,
    pub site_name: Option<String>,
    pub categories: Vec<String>,
    pub tags: Vec<String>,
    /// A short name (`CC BY-SA 4.0`), or the address of the licence.
    pub license: Option<String>,
    pub image: Option<String>,
    pub favicon: Option<String>,
    pub canonical: Option<String>,
    /// `og:type`, or the type of the main thing in JSON-LD.
    pub kind: Option<String>,
    /// Open Graph and its relatives (`article:`, `fb:`, `product:`, …), in the order of the page.
    pub open_graph: Vec<(String, String)>,
    pub twitter: Vec<(String, String)>,
    pub structured: Structured,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// One to six.
    pub level: u8,
    pub text: String,
}

/// Structured data, for each syntax a JSON array; none where the page does not use it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Structured {
    pub json_ld: Option<String>,
    pub microdata: Option<String>,
    /// Expanded JSON-LD.
    pub rdfa: Option<String>,
    pub microformats: Option<String>,
}

/// Reads the facts of a page. `url` is its own address, `resolve` makes a reference of the page absolute.
pub fn read(tree: &Tree<'_>, url: &str, resolve: &dyn Fn(&str) -> Option<String>) -> Facts {
    let seen = Seen::of(tree);
    let blocks = ld::blocks(tree, &seen);
    let article = Article::of(&blocks);
    let hints = hints::Wanted::of(&seen, &article).look(tree, &seen);
    let main = main(tree, &seen, &article, &hints, url);
    Facts {
        categories: topics::categories(&seen, &article, &hints),
        tags: topics::tags(&seen, &article, &hints),
        license: license::of(tree, &seen, &article),
        favicon: seen.favicon(),
        open_graph: seen.pairs(is_open_graph),
        twitter: seen.pairs(|name| name.starts_with("twitter:")),
        structured: Structured {
            json_ld: text(blocks),
            microdata: seen.has_items.then(|| microdata::read(tree, resolve)).and_then(text),
            rdfa: seen.has_rdfa.then(|| rdfa::read(tree, url, resolve)).and_then(text),
            microformats: seen.has_microformats.then(|| microformats::read(tree, resolve)).and_then(text),
        },
        headings: seen.headings,
        ..main
    }
}

/// As `read`, but only what is said of a page in one line or two, in half the time: titles, description, language, authors, dates, name
/// of the site, image, canonical address and kind.
pub fn read_main(tree: &Tree<'_>, url: &str) -> Facts {
    let seen = Seen::of(tree);
    let article = Article::of(&ld::blocks(tree, &seen));
    let hints = hints::Wanted::of(&seen, &article).without_topics().look(tree, &seen);
    main(tree, &seen, &article, &hints, url)
}

fn main(tree: &Tree<'_>, seen: &Seen<'_>, article: &Article, hints: &Hints, url: &str) -> Facts {
    let site_name = title::site_name(seen, article);
    let images = ["og:image", "og:image:url", "twitter:image", "twitter:image:src"];
    Facts {
        title: title::best(seen, article, site_name.as_deref()),
        document_title: seen.title.clone(),
        description: title::description(seen, article),
        language: language(seen),
        authors: people::authors(tree, seen, article, hints),
        published: dates::published(tree, seen, article, hints, url),
        modified: dates::modified(seen, article),
        image: seen.meta(&images).or_else(|| article.image.clone()),
        canonical: seen.link("canonical"),
        kind: seen.meta(&["og:type"]).or_else(|| article.kind.clone()),
        site_name,
        ..Facts::default()
    }
}

fn text(values: Vec<Value>) -> Option<String> {
    (!values.is_empty()).then(|| Value::Array(values).to_string())
}

fn language(seen: &Seen<'_>) -> Option<String> {
    let declared = seen.language.map(str::to_owned);
    let said = declared
        .or_else(|| seen.meta(&["content-language", "language", "dc.language", "og:locale", "inlanguage"]));
    said.map(|said| said.trim().replace('_', "-")).filter(|said| !said.is_empty() && said.len() <= 35)
}

fn is_open_graph(name: &str) -> bool {
    const SPACES: [&str; 11] = [
        "og:",
        "article:",
        "book:",
        "profile:",
        "video:",
        "music:",
        "product:",
        "fb:",
        "place:",
        "business:",
        "books:",
    ];
    SPACES.iter().any(|space| name.starts_with(space))
}
