//! A second look at elements whose classes mean a byline, a date or topics, for what neither the head nor the data said.

use super::clues::Clues;
use super::dates;
use super::ld::Article;
use super::seen::Seen;
use super::words::{add, mentions, text};
use crate::date::{self, Moment};
use crate::html::{NodeId, Tag, Tree};

/// Candidates of one kind.
const MOST: usize = 24;
/// A byline or a date is not longer.
const LINE: usize = 160;

#[derive(Default)]
pub(super) struct Hints {
    /// The best first.
    pub(super) authors: Vec<String>,
    /// A date in an element that says that it is one.
    pub(super) marked_date: Option<Moment>,
    pub(super) dates: Vec<Moment>,
    pub(super) categories: Vec<String>,
    pub(super) tags: Vec<String>,
}

#[derive(Clone, Copy)]
pub(super) struct Wanted {
    authors: bool,
    dates: bool,
    topics: Topics,
}

/// Which topics are wanted: none, those of links that are marked as such, or also those of elements that list them.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Topics {
    None,
    Marked,
    Listed,
}

impl Wanted {
    pub(super) fn of(seen: &Seen<'_>, article: &Article) -> Wanted {
        let told = !article.keywords.is_empty() || seen.meta(&["article:tag"]).is_some();
        Wanted {
            authors: article.authors.is_empty(),
            dates: article.published.is_none() && dates::in_metas(seen).is_none(),
            topics: if told { Topics::Marked } else { Topics::Listed },
        }
    }

    pub(super) fn without_topics(self) -> Wanted {
        Wanted { topics: Topics::None, ..self }
    }

    pub(super) fn look(self, tree: &Tree<'_>, seen: &Seen<'_>) -> Hints {
        let mut hints = Hints::default();
        if self.dates {
            hints.marked_date = marked(tree, seen);
        }
        if self.topics >= Topics::Marked {
            rel_tags(tree, seen, &mut hints);
        }
        let mut ranked: Vec<(u8, String)> = Vec::new();
        for &(clues, node) in &seen.clues {
            if self.authors && ranked.len() < MOST && clues.has(Clues::AUTHOR) && !clues.has(Clues::NO_NAME) {
                ranked.extend(author(tree, node));
            }
            if self.dates && hints.dates.len() < MOST && clues.has(Clues::DATE) {
                hints.dates.extend(day(tree, node));
            }
            if self.topics == Topics::Listed && clues.has(Clues::CATEGORIES.with(Clues::TAGS)) {
                let into = if clues.has(Clues::CATEGORIES) { &mut hints.categories } else { &mut hints.tags };
                topics(tree, node, into);
            }
        }
        ranked.sort_by_key(|(rank, _)| *rank);
        hints.authors.extend(ranked.into_iter().map(|(_, name)| name));
        hints
    }
}

/// A name in an element whose class means one; the lower the rank the better.
fn author(tree: &Tree<'_>, node: NodeId) -> Option<(u8, String)> {
    let class = tree.attr(node, "class").unwrap_or_default();
    let exact = |word: &str| class.split_ascii_whitespace().any(|name| name.eq_ignore_ascii_case(word));
    let rank = if exact("author-name") || exact("author_name") || exact("fn") {
        0
    } else if exact("author") || exact("autor") || exact("byline") || exact("byline-name") {
        1
    } else {
        2
    };
    // The link in a byline is the name.
    let link = tree
        .descendants(node)
        .take(LINE)
        .filter(|&below| tree.tag(below) == Tag::A)
        .map(|link| text(tree, link, 60))
        .find(|name| !name.is_empty());
    let name = if tree.tag(node) == Tag::A { None } else { link }.unwrap_or_else(|| text(tree, node, LINE));
    (!name.is_empty()).then_some((rank, name))
}

fn day(tree: &Tree<'_>, node: NodeId) -> Option<Moment> {
    let own = ["datetime", "data-datetime", "data-date", "title"]
        .into_iter()
        .find_map(|name| dates::readable(tree.attr(node, name)?));
    own.or_else(|| date::parse(&text(tree, node, LINE)).filter(dates::plausible))
}

/// The links in an element that lists topics. WordPress writes the categories of a text into the classes of all of it.
fn topics(tree: &Tree<'_>, node: NodeId, into: &mut Vec<String>) {
    if matches!(tree.tag(node), Tag::ARTICLE | Tag::MAIN | Tag::BODY | Tag::SECTION | Tag::NAV) {
        return;
    }
    for link in tree.descendants(node).take(LINE).filter(|&below| tree.tag(below) == Tag::A).take(MOST) {
        if into.len() < MOST {
            add(into, text(tree, link, 60).trim_start_matches('#'));
        }
    }
}

/// The first short line of text that is a date, outside of scripts.
pub(super) fn first_line(tree: &Tree<'_>) -> Option<Moment> {
    let mut walk = tree.descendants(tree.body()?);
    while let Some(node) = walk.next() {
        let tag = tree.tag(node);
        if matches!(tag, Tag::SCRIPT | Tag::STYLE | Tag::TEMPLATE | Tag::NOSCRIPT) {
            walk.skip_inside(node);
        } else if tag == Tag::TEXT
            && let Some(moment) = line(tree.text(node))
        {
            return Some(moment);
        }
    }
    None
}

/// A short text with a year in it that can be read as a date.
fn line(text: &str) -> Option<Moment> {
    let text = text.trim();
    if !(8..=80).contains(&text.len()) {
        return None;
    }
    let year = |four: &[u8]| {
        (four.starts_with(b"19") || four.starts_with(b"20")) && four.iter().all(u8::is_ascii_digit)
    };
    text.as_bytes().windows(4).any(year).then(|| dates::readable(text)).flatten()
}

/// `rel="tag"`; those that lead to a category are one.
fn rel_tags(tree: &Tree<'_>, seen: &Seen<'_>, hints: &mut Hints) {
    for (rel, node) in &seen.rels {
        if rel.split_ascii_whitespace().any(|one| one == "tag")
            && hints.tags.len() + hints.categories.len() < MOST
        {
            let category = rel.contains("category")
                || tree.attr(*node, "href").is_some_and(|href| mentions(href, "/categor"));
            let into = if category { &mut hints.categories } else { &mut hints.tags };
            add(into, text(tree, *node, 60).trim_start_matches('#'));
        }
    }
}

/// `itemprop="datePublished"`, `<time pubdate>`, a `<time>` whose class says so, then the first `<time>` of all.
fn marked(tree: &Tree<'_>, seen: &Seen<'_>) -> Option<Moment> {
    let value = |node: NodeId| {
        let own =
            ["content", "datetime"].into_iter().find_map(|name| dates::readable(tree.attr(node, name)?));
        own.or_else(|| dates::readable(&text(tree, node, LINE)))
    };
    let property = |wanted: &str| {
        let named = seen
            .props
            .iter()
            .filter(|(name, _)| name.split_ascii_whitespace().any(|one| one.eq_ignore_ascii_case(wanted)));
        named.map(|(_, node)| *node).find_map(value)
    };
    let time = |wanted: &dyn Fn(NodeId) -> bool| {
        seen.times.iter().copied().filter(|&node| wanted(node)).find_map(value)
    };
    let class =
        |node: NodeId, word: &str| tree.attr(node, "class").is_some_and(|class| mentions(class, word));
    property("datePublished")
        .or_else(|| time(&|node| tree.attr(node, "pubdate").is_some()))
        .or_else(|| time(&|node| class(node, "publish") || class(node, "entry-date")))
        .or_else(|| time(&|node| !class(node, "update") && !class(node, "comment")))
        .or_else(|| property("dateCreated"))
}
