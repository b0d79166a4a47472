//! Title, description and site name: which of the many a page has.

use super::ld::Article;
use super::seen::Seen;
use super::words::folded;

const SEPARATORS: [&str; 14] =
    [" | ", " - ", " – ", " — ", " · ", " • ", " :: ", " » ", " « ", " › ", " ‹ ", " / ", " > ", " ∙ "];

/// A heading that says less than this many letters proves nothing.
const LETTERS: usize = 6;

/// The title of what the page shows. What the heading and the head of the page agree on is the most certain.
pub(super) fn best(seen: &Seen<'_>, article: &Article, site: Option<&str>) -> Option<String> {
    let names = [
        "dc.title",
        "dcterms.title",
        "citation_title",
        "parsely-title",
        "sailthru.title",
        "headline",
        "twitter:title",
    ];
    let shared = seen.meta(&["og:title"]).or_else(|| article.headline.clone()).or_else(|| seen.meta(&names));
    let document = seen.title.clone();
    let heads: Vec<&str> =
        [&shared, &article.headline, &document].into_iter().flatten().map(String::as_str).collect();
    if let Some(heading) = repeated(seen, &heads, site) {
        return Some(heading.to_owned());
    }
    let best =
        shared.map(|text| without_site(&text, site, false)).filter(|text| !is_site(&folded(text), site));
    best.or_else(|| Some(without_site(&document?, site, true))).or_else(|| first_heading(seen))
}

/// The longest main heading that the head of the page repeats. A lesser one goes before it, if the main one is but a small part of
/// what the head says: then that is the name of the site.
fn repeated<'s>(seen: &'s Seen<'_>, heads: &[&str], site: Option<&str>) -> Option<&'s str> {
    let heads: Vec<String> = heads.iter().map(|head| folded(head)).collect();
    let whole = heads.iter().map(String::len).min()?;
    let longest = |levels: std::ops::RangeInclusive<u8>| {
        let headings = seen.headings.iter().filter(|heading| levels.contains(&heading.level));
        let known = headings.map(|heading| (folded(&heading.text), heading.text.as_str()));
        let told = known.filter(|(own, _)| {
            own.len() >= LETTERS
                && heads.iter().any(|head| head.contains(own.as_str()))
                && !is_site(own, site)
        });
        told.map(|(own, text)| (own.len(), text))
            .reduce(|best, next| if next.0 > best.0 { next } else { best })
    };
    match (longest(1..=1), longest(2..=3)) {
        (Some((length, main)), lesser)
            if length * 2 >= whole || lesser.is_none_or(|(other, _)| other <= length) =>
        {
            Some(main)
        }
        (_, Some((length, lesser))) if length * 2 >= whole => Some(lesser),
        (main, _) => main.map(|(_, text)| text),
    }
}

fn is_site(folded_title: &str, site: Option<&str>) -> bool {
    site.is_some_and(|site| folded(site) == folded_title)
}

fn first_heading(seen: &Seen<'_>) -> Option<String> {
    let least = seen.headings.iter().map(|heading| heading.level).min()?;
    seen.headings.iter().find(|heading| heading.level == least).map(|heading| heading.text.clone())
}

/// A title without the name of the site before or behind it. Where the name is not known, the last part of `guess`ed titles goes, if enough is left.
fn without_site(title: &str, site: Option<&str>, guess: bool) -> String {
    // Chinese and Korean pages put no space around the mark.
    let bare = site
        .and_then(|site| title.strip_suffix(site))
        .map(|rest| rest.trim_end_matches(['-', '_', '|', 'ㅣ', '–', '：']));
    if let Some(rest) =
        bare.filter(|rest| !rest.is_empty() && rest.len() + site.map_or(0, str::len) < title.len())
    {
        return rest.trim().to_owned();
    }
    let cut = |at: usize, length: usize| Some((title.get(..at)?.trim(), title.get(at + length..)?.trim()));
    let last = SEPARATORS.iter().filter_map(|mark| Some((title.rfind(mark)?, mark.len()))).max();
    let first = SEPARATORS.iter().filter_map(|mark| Some((title.find(mark)?, mark.len()))).min();
    let (Some((rest, end)), Some((start, behind))) =
        (last.and_then(|(at, length)| cut(at, length)), first.and_then(|(at, length)| cut(at, length)))
    else {
        return title.to_owned();
    };
    if site.is_some_and(|site| same_site(end, site)) && !rest.is_empty() {
        return without_site(rest, site, false);
    }
    if site.is_some_and(|site| same_site(start, site)) && !behind.is_empty() {
        return behind.to_owned();
    }
    let words = |text: &str| text.split_whitespace().count();
    if guess && words(rest) > 2 && words(end) <= 4 { rest.to_owned() } else { title.to_owned() }
}

/// Whether a part of a title is the name of the site, give or take a domain ending or an article.
fn same_site(part: &str, site: &str) -> bool {
    let (part, site) = (folded(part), folded(site));
    !part.is_empty()
        && !site.is_empty()
        && (part == site || part.starts_with(&site) || (part.len() > 3 && site.starts_with(&part)))
}

pub(super) fn site_name(seen: &Seen<'_>, article: &Article) -> Option<String> {
    let named = seen.meta(&["og:site_name", "og:sitename"]);
    let named = named.or_else(|| article.publisher.clone()).or_else(|| article.site.clone());
    let named = named.or_else(|| {
        seen.meta(&[
            "dc.publisher",
            "dcterms.publisher",
            "citation_journal_title",
            "application-name",
            "publisher",
            "copyright",
        ])
    });
    named.filter(|name| name.len() <= 120 && !name.starts_with("http"))
}

pub(super) fn description(seen: &Seen<'_>, article: &Article) -> Option<String> {
    let names = [
        "og:description",
        "description",
        "twitter:description",
        "dc.description",
        "dcterms.description",
        "dcterms.abstract",
    ];
    seen.meta(&names).or_else(|| article.description.clone())
}
