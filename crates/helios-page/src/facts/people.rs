//! Authors: names out of what stands where names should.

use super::hints::Hints;
use super::ld::Article;
use super::seen::Seen;
use super::words::{add, collapsed, folded, text, unescaped};
use crate::html::{NodeId, Tree};

const MOST: usize = 30;
const NAME: usize = 60;

/// Words before a name that are no part of it, longest first where one begins with another.
const BEFORE: [&str; 36] = [
    "view all posts by",
    "zeige alle beiträge von",
    "alle beiträge von",
    "posts by",
    "interview",
    "ein interview von",
    "written by",
    "posted by",
    "published by",
    "story by",
    "article by",
    "reviewed by",
    "geschrieben von",
    "veröffentlicht von",
    "ein beitrag von",
    "ein artikel von",
    "eine analyse von",
    "von",
    "by",
    "par",
    "por",
    "door",
    "text",
    "autorin",
    "autor",
    "author",
    "authors",
    "auteur",
    "verfasst von",
    "redaktion:",
    "di",
    "av",
    "af",
    "from",
    "publié par",
    "escrito por",
];

/// One place that may name authors.
type Place<'p> = &'p dyn Fn(&mut Vec<String>);

/// The authors of a page, from the most trusted place that names any.
pub(super) fn authors(tree: &Tree<'_>, seen: &Seen<'_>, article: &Article, hints: &Hints) -> Vec<String> {
    const FIRST: [&str; 13] = [
        "author",
        "article:author",
        "dc.creator",
        "dcterms.creator",
        "citation_author",
        "parsely-author",
        "sailthru.author",
        "byl",
        "authors",
        "dc:creator",
        "creator",
        "article:author_name",
        "shareaholic:article_author_name",
    ];
    let site = seen.meta(&["og:site_name"]).or_else(|| article.publisher.clone());
    let places: [Place<'_>; 5] = [
        &|found| article.authors.iter().for_each(|text| names(text, found)),
        &|found| {
            for name in FIRST {
                if found.is_empty() {
                    seen.all(&[name]).for_each(|text| names(text, found));
                }
            }
        },
        &|found| properties(tree, seen, found),
        &|found| linked(tree, seen, found),
        &|found| {
            for hint in &hints.authors {
                if found.is_empty() {
                    names(hint, found);
                }
            }
        },
    ];
    let mut nobody = Vec::new();
    for place in places {
        let mut found = Vec::new();
        place(&mut found);
        found.truncate(MOST);
        if found.iter().any(|name| !is_nobody(name, site.as_deref())) {
            return found;
        }
        if nobody.is_empty() {
            found.retain(|name| !NOBODY.contains(&folded(name).as_str()));
            nobody = found;
        }
    }
    nobody
}

/// Names of accounts, not of people.
const NOBODY: [&str; 15] = [
    "admin",
    "administrator",
    "noauthor",
    "author",
    "redaktion",
    "editor",
    "editors",
    "staff",
    "webmaster",
    "root",
    "user",
    "unknown",
    "superuser",
    "anonymous",
    "gast",
];

/// A name that stands for whoever runs the site: taken only where there is no better one.
fn is_nobody(name: &str, site: Option<&str>) -> bool {
    let name = folded(name);
    NOBODY.contains(&name.as_str()) || site.is_some_and(|site| folded(site) == name)
}

/// `itemprop="author"`: the name inside it, or its text.
fn properties(tree: &Tree<'_>, seen: &Seen<'_>, found: &mut Vec<String>) {
    let is_author = |name: &str| name.split_ascii_whitespace().any(|one| one == "author" || one == "creator");
    for (_, node) in seen.props.iter().filter(|(name, _)| is_author(name)).take(8) {
        let inside = seen
            .props
            .iter()
            .find(|(name, inner)| *name == "name" && tree.ancestors(*inner).take(8).any(|up| up == *node));
        names(&value(tree, inside.map_or(*node, |(_, inner)| *inner)), found);
    }
}

/// `rel="author"`.
fn linked(tree: &Tree<'_>, seen: &Seen<'_>, found: &mut Vec<String>) {
    let marked = seen.rels.iter().filter(|(rel, _)| rel.split_ascii_whitespace().any(|one| one == "author"));
    marked.take(4).for_each(|(_, node)| names(&text(tree, *node, NAME * 2), found));
}

fn value(tree: &Tree<'_>, node: NodeId) -> String {
    tree.attr(node, "content").map_or_else(|| text(tree, node, NAME * 4), collapsed)
}

/// Adds the names that a text holds.
pub(super) fn names(of: &str, found: &mut Vec<String>) {
    let of = collapsed(&unescaped(of));
    if of.len() > NAME * 8 {
        return;
    }
    let of = without_before(&of);
    let with_and = [" and ", " und ", " & ", " et ", " y ", " og ", " och ", " en ", " i ", " e "]
        .iter()
        .fold(of.to_owned(), |text, mark| text.replace(mark, ";"));
    let parts: Vec<&str> = with_and.split([';', '|', '/', '•', '·', '\u{2013}']).collect();
    for part in parts {
        let pieces: Vec<&str> = part.split(',').map(str::trim).filter(|piece| !piece.is_empty()).collect();
        let words = |piece: &str| piece.split_whitespace().count();
        match pieces.as_slice() {
            // "Doe, Jane"
            [last, first] if words(last) == 1 && words(first) == 1 => name(&format!("{first} {last}"), found),
            _ => pieces.iter().for_each(|piece| name(piece, found)),
        }
    }
}

fn without_before(text: &str) -> &str {
    let mut text = text.trim();
    for _ in 0..2 {
        let found = BEFORE.iter().find_map(|word| {
            let head = text.get(..word.len())?;
            let rest = text.get(word.len()..)?;
            (head.eq_ignore_ascii_case(word) && rest.starts_with([' ', ':', '\u{a0}'])).then_some(rest)
        });
        text = found.unwrap_or(text).trim_start_matches([' ', ':', '\u{a0}']);
    }
    text
}

fn name(text: &str, found: &mut Vec<String>) {
    let text = without_before(text);
    let text = text.split_once('(').map_or(text, |(name, _)| name);
    let text = text.trim_matches(|letter: char| {
        letter.is_whitespace() || matches!(letter, '.' | ',' | '-' | '–' | '*' | ':' | '"')
    });
    let words = text.split_whitespace().count();
    let odd = text.contains("http")
        || text.contains('@')
        || text.contains("www.")
        || text.contains(['{', '[', '<', '=']);
    let digits = text.chars().filter(char::is_ascii_digit).count();
    if text.chars().count() < 2 || text.len() > NAME * 2 || words > 6 || odd || digits > 2 {
        return;
    }
    if found.len() < MOST {
        add(found, text);
    }
}
