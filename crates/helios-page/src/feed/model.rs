//! What comes out of a feed.

use std::sync::Arc;

use crate::date::Moment;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Format {
    Rss090,
    Rss091,
    Rss092,
    Rss093,
    Rss094,
    Rss10,
    Rss20,
    /// RSS of a version that nobody knows.
    #[default]
    Rss,
    Atom03,
    Atom10,
    /// Atom of a version that nobody knows.
    Atom,
    Cdf,
    Json,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Feed {
    pub format: Format,
    pub title: Option<Text>,
    pub description: Option<Text>,
    /// The page that this is the feed of.
    pub link: Option<Link>,
    /// All links: this feed itself, the next page of it, its hub.
    pub links: Vec<Link>,
    pub id: Option<String>,
    pub language: Option<String>,
    pub authors: Vec<Person>,
    pub published: Option<Moment>,
    pub updated: Option<Moment>,
    /// How long it may be kept, as it says.
    pub ttl_minutes: Option<u32>,
    pub image: Option<String>,
    pub rights: Option<String>,
    pub generator: Option<String>,
    pub categories: Vec<String>,
    pub entries: Vec<Entry>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry {
    /// The page of this entry.
    pub link: Option<Link>,
    pub links: Vec<Link>,
    pub id: Option<String>,
    pub title: Option<Text>,
    pub summary: Option<Text>,
    pub content: Option<Text>,
    pub authors: Vec<Person>,
    pub published: Option<Moment>,
    pub updated: Option<Moment>,
    pub categories: Vec<String>,
    pub enclosures: Vec<Enclosure>,
    pub language: Option<String>,
}

/// A link as written. It is resolved against the feed's URL, then each of `bases` in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    pub href: String,
    pub bases: Arc<[String]>,
    pub rel: String,
    pub media_type: String,
    pub hreflang: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Enclosure {
    pub link: Link,
    pub length: Option<u64>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    pub value: String,
    /// The value is markup, not plain text.
    pub is_html: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Person {
    pub name: String,
    pub email: String,
    pub uri: String,
}
