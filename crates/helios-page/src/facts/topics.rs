//! Categories and tags.

use super::hints::Hints;
use super::ld::Article;
use super::seen::Seen;
use super::words::{add, collapsed, unescaped};

const MOST: usize = 100;

/// The sections of the site that a page belongs to.
pub(super) fn categories(seen: &Seen<'_>, article: &Article, hints: &Hints) -> Vec<String> {
    let mut found = Vec::new();
    for section in seen.all(&["article:section", "og:article:section", "parsely-section", "sailthru.section"])
    {
        add(&mut found, &collapsed(&unescaped(section)));
    }
    article.sections.iter().for_each(|section| add(&mut found, section));
    hints.categories.iter().for_each(|section| add(&mut found, section));
    found.truncate(MOST);
    found
}

/// What a page is about, in its own words.
pub(super) fn tags(seen: &Seen<'_>, article: &Article, hints: &Hints) -> Vec<String> {
    let mut found = Vec::new();
    for tag in seen.all(&["article:tag", "og:article:tag", "video:tag", "dcterms.subject", "dc.subject"]) {
        split(tag, &mut found);
    }
    if found.is_empty() {
        article.keywords.iter().for_each(|tag| add(&mut found, tag));
    }
    if found.is_empty() {
        hints.tags.iter().for_each(|tag| add(&mut found, tag));
    }
    if found.is_empty() {
        for tags in seen.all(&[
            "news_keywords",
            "keywords",
            "parsely-tags",
            "sailthru.tags",
            "citation_keywords",
            "tags",
        ]) {
            split(tags, &mut found);
        }
    }
    found.truncate(MOST);
    found
}

fn split(tags: &str, found: &mut Vec<String>) {
    let tags = unescaped(tags);
    let mark = if tags.contains(';') { ';' } else { ',' };
    tags.split(mark).take(MOST).for_each(|tag| add(found, &collapsed(tag)));
}
