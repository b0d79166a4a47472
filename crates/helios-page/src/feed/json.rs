//! JSON Feed, versions 1 and 1.1.

use super::MOST_ENTRIES;
use super::model::{Enclosure, Entry, Feed, Format, Link, Person, Text};
use crate::date;
use crate::json::{self, Value};

/// Reads a JSON Feed; none if it does not say that it is one and has no items.
pub(super) fn read(text: &str) -> Option<Feed> {
    let value = json::first(text)?;
    let says_so = value.text("version").is_some_and(|version| version.contains("jsonfeed.org"));
    if !says_so && !matches!(value.get("items"), Some(Value::Array(_))) {
        return None;
    }
    let own = |name: &str| value.text(name).map(str::to_owned);
    let link = own("home_page_url").map(|href| link(href, "alternate", "text/html"));
    let mut links: Vec<Link> = link.iter().cloned().collect();
    links.extend(own("feed_url").map(|href| self::link(href, "self", "application/feed+json")));
    links.extend(own("next_url").map(|href| self::link(href, "next", "application/feed+json")));
    Some(Feed {
        format: Format::Json,
        title: own("title").map(plain),
        description: own("description").map(plain),
        link,
        links,
        language: own("language"),
        authors: people(&value),
        image: own("icon").or_else(|| own("favicon")),
        entries: value
            .get("items")
            .map(|items| items.items().iter().take(MOST_ENTRIES).map(entry).collect())
            .unwrap_or_default(),
        ..Feed::default()
    })
}

fn entry(item: &Value) -> Entry {
    let own = |name: &str| item.text(name).map(str::to_owned);
    let html = own("content_html").map(|value| Text { value, is_html: true });
    let address =
        own("url").or_else(|| own("id").filter(|id| id.starts_with("http"))).or_else(|| own("external_url"));
    let link = address.map(|href| link(href, "alternate", "text/html"));
    let mut links: Vec<Link> = link.iter().cloned().collect();
    links.extend(own("external_url").map(|href| self::link(href, "related", "")));
    let list = |name: &str| item.get(name).map(Value::items).unwrap_or_default();
    Entry {
        link,
        links,
        id: own("id"),
        title: own("title").map(plain),
        summary: own("summary").map(plain),
        content: html.or_else(|| own("content_text").map(plain)),
        authors: people(item),
        published: item.text("date_published").and_then(date::parse),
        updated: item.text("date_modified").and_then(date::parse),
        categories: list("tags").iter().filter_map(Value::as_text).map(str::to_owned).collect(),
        enclosures: list("attachments").iter().filter_map(enclosure).collect(),
        language: own("language"),
    }
}

fn enclosure(value: &Value) -> Option<Enclosure> {
    let media_type = value.text("mime_type").unwrap_or_default();
    let length = value.text("size_in_bytes").and_then(|size| size.parse().ok());
    Some(Enclosure { link: link(value.text("url")?.to_owned(), "enclosure", media_type), length })
}

fn people(of: &Value) -> Vec<Person> {
    let named = of.get("authors").or_else(|| of.get("author")).map(Value::items).unwrap_or_default();
    let person = |value: &Value| Person {
        name: value.text("name").unwrap_or_default().to_owned(),
        email: String::new(),
        uri: value.text("url").unwrap_or_default().to_owned(),
    };
    named.iter().map(person).collect()
}

fn link(href: String, rel: &str, media_type: &str) -> Link {
    Link { href, rel: rel.to_owned(), media_type: media_type.to_owned(), ..Link::default() }
}

fn plain(value: String) -> Text {
    Text { value, is_html: false }
}
