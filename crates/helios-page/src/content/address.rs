//! What the address of a page tells of its kind.

use super::features::Row;

/// Words in addresses, by what they hint at; the order is part of the model.
#[rustfmt::skip]
const WORDS: [&[&str]; 6] = [
    &[
        "blog", "blogs", "news", "article", "articles", "story", "stories", "post", "posts", "archives",
        "magazine", "opinion",
    ],
    &["product", "products", "p", "dp", "item", "itm", "sku", "buy", "prod"],
    &[
        "forum", "forums", "thread", "threads", "topic", "topics", "t", "discussion", "discussions",
        "community", "questions", "viewtopic", "showthread", "discuss", "boards", "comments",
        "answers",
    ],
    &[
        "docs", "doc", "documentation", "reference", "api", "guide", "guides", "manual", "learn",
        "tutorial", "tutorials", "help", "support", "wiki", "developer", "dev", "readthedocs",
        "man",
    ],
    &[
        "category", "categories", "collections", "collection", "c", "shop", "store", "browse",
        "tag", "tags", "search", "list", "catalog", "best", "top", "deals", "jobs", "events",
        "directory",
    ],
    &[
        "services", "service", "solutions", "about", "locations", "location", "contact", "company",
        "pricing", "features", "platform", "industries", "departments", "careers",
    ],
];

pub(super) fn row(address: Option<&str>, row: &mut impl Row) {
    let told = address.is_some();
    let address = address.unwrap_or_default();
    let address = address.get(..600).unwrap_or(address);
    let after = address.split_once("://").map_or(address, |(_, after)| after);
    let (place, query) = after.split_once(['?', '#']).unwrap_or((after, ""));
    let (host, path) = place.split_once('/').unwrap_or((place, ""));
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let last = segments.last().copied().unwrap_or_default();
    let count = |text: &str, fits: fn(char) -> bool| text.chars().filter(|&c| fits(c)).count() as f32;
    let mut put = |name, value| row.put(name, if told { value } else { -1.0 });
    put("u_segments", segments.len() as f32);
    put(
        "u_last_words",
        if last.is_empty() { 0.0 } else { count(last, |c| matches!(c, '-' | '_' | '+')) + 1.0 },
    );
    put("u_digits", count(path, |c| c.is_ascii_digit()));
    put("u_length", path.len() as f32);
    put("u_slash", f32::from(u8::from(path.ends_with('/'))));
    put("u_query", if query.is_empty() { 0.0 } else { count(query, |c| c == '&') + 1.0 });
    put("u_dot", f32::from(u8::from(last.contains('.'))));
    let year =
        |segment: &&str| segment.len() == 4 && (segment.starts_with("20") || segment.starts_with("19"));
    put("u_year", f32::from(u8::from(segments.iter().any(year))));
    for words in WORDS {
        let known = |part: &str| words.iter().any(|word| part.eq_ignore_ascii_case(word));
        let found = host.split('.').any(known) || path.split(['/', '-', '_', '.']).any(known);
        put("u_word", f32::from(u8::from(found)));
    }
}
