//! When a page was published and changed.

use super::hints::{self, Hints};
use super::ld::Article;
use super::seen::Seen;
use crate::date::{self, Moment, Precision};
use crate::html::Tree;

const PUBLISHED: [&str; 40] = [
    "article:published_time",
    "og:article:published_time",
    "article:published",
    "og:published_time",
    "datepublished",
    "rnews:datepublished",
    "parsely-pub-date",
    "sailthru.date",
    "shareaholic:article_published_time",
    "cxenseparse:recs:publishtime",
    "dcterms.issued",
    "dc.date.issued",
    "dcterms.created",
    "dc.date.created",
    "dc.date",
    "dc:date",
    "dc:created",
    "dcterms.date",
    "citation_publication_date",
    "citation_online_date",
    "citation_date",
    "pubdate",
    "publishdate",
    "publish_date",
    "publish-date",
    "published_time",
    "publication_date",
    "publication-date",
    "published-date",
    "published",
    "date",
    "originalpublicationdate",
    "article_date_original",
    "date_published",
    "datecreated",
    "article.created",
    "article.published",
    "pdate",
    "cdate",
    "created",
];

const MODIFIED: [&str; 13] = [
    "article:modified_time",
    "og:article:modified_time",
    "og:updated_time",
    "article:updated_time",
    "datemodified",
    "dcterms.modified",
    "dc.date.modified",
    "lastmod",
    "last-modified",
    "modified",
    "revised",
    "date_modified",
    "article:modified",
];

/// The day it was published: by its data, its metas, its elements, its address, its text, and at last by its picture.
pub(super) fn published(
    tree: &Tree<'_>,
    seen: &Seen<'_>,
    article: &Article,
    hints: &Hints,
    url: &str,
) -> Option<Moment> {
    let said = article.published.filter(plausible).or_else(|| in_metas(seen));
    let said = said.or_else(|| hints.marked_date.filter(plausible));
    let day = in_address(url).or_else(|| in_address(&seen.link("canonical")?));
    if let Some(day) = day {
        return Some(said.and_then(|moment| on_day(moment, day)).unwrap_or(day));
    }
    said.or_else(|| hints.dates.iter().copied().find(plausible))
        .or(article.created)
        .or_else(|| hints::first_line(tree))
        .or_else(|| modified(seen, article))
        .or_else(|| in_address(&seen.meta(&["og:image", "twitter:image"])?))
}

pub(super) fn in_metas(seen: &Seen<'_>) -> Option<Moment> {
    seen.all(&PUBLISHED).find_map(readable)
}

/// A moment as it was on that day somewhere: the address counts in the zone of the site, data mostly in UTC. None where no zone
/// makes it that day.
fn on_day(moment: Moment, day: Moment) -> Option<Moment> {
    const DAY: i64 = 24 * 60;
    const ZONE: i64 = 14 * 60;
    let start = day.millis.div_euclid(60_000);
    let local = moment.millis.div_euclid(60_000) + i64::from(moment.offset_minutes);
    let shift = if local < start { start - local } else { (start + DAY - 1 - local).min(0) };
    let offset = i64::from(moment.offset_minutes) + shift;
    (offset.abs() <= ZONE).then_some(Moment { offset_minutes: offset as i16, ..moment })
}

pub(super) fn modified(seen: &Seen<'_>, article: &Article) -> Option<Moment> {
    article.modified.or_else(|| seen.all(&MODIFIED).find_map(readable))
}

pub(super) fn readable(text: &str) -> Option<Moment> {
    date::parse(text).filter(plausible)
}

/// To the day at least, and in the time of the web.
pub(super) fn plausible(moment: &Moment) -> bool {
    moment.precision >= Precision::Day && (1990..2100).contains(&moment.day().0)
}

/// `/2026/03/09/`, `2026-03-09` or `20260309` in an address.
pub(super) fn in_address(url: &str) -> Option<Moment> {
    let path = url.split_once("://").map_or(url, |(_, rest)| rest).split(['?', '#']).next()?;
    let path = path.get(path.find('/')?..)?;
    let mut numbers: Vec<(usize, usize, &str)> = Vec::new();
    let mut at = 0;
    for run in path.split(|letter: char| !letter.is_ascii_digit()) {
        if !run.is_empty() {
            numbers.push((at, at + run.len(), run));
        }
        at += run.len()
            + path.get(at + run.len()..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    }
    let whole = numbers.iter().filter(|(_, _, run)| run.len() == 8).find_map(|(_, _, run)| readable(run));
    let parted = numbers.windows(3).find_map(|three| {
        let [(_, year_end, year), (month_at, month_end, month), (day_at, _, day)] = three else {
            return None;
        };
        let near = *month_at == year_end + 1 && *day_at == month_end + 1;
        let fits = year.len() == 4 && matches!(month.len(), 1 | 2) && matches!(day.len(), 1 | 2) && near;
        fits.then(|| readable(&format!("{year}-{month}-{day}"))).flatten()
    });
    parted.or(whole)
}
