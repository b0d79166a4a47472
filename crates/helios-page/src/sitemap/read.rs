//! Reading a sitemap of any kind, entry by entry.

use std::ops::ControlFlow;

use super::entry::Entry;
use super::plain;
use super::walk::Sitemap;
use crate::feed;
use crate::xml::{self, Event, Reader, local};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Kind {
    Urls,
    /// Its entries are sitemaps.
    Index,
    Text,
    Feed,
    /// Nothing of a sitemap was found.
    #[default]
    None,
}

/// What was seen, for the caller to judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Summary {
    pub kind: Kind,
    /// How many entries were handed out.
    pub entries: usize,
    /// Entries without a location, and lines that are no URL.
    pub skipped: usize,
    /// The document ended before its root was closed.
    pub cut_short: bool,
}

/// Reads a sitemap that is not packed; `charset` is what the HTTP header said. `each` may end it.
pub fn read(bytes: &[u8], charset: Option<&str>, mut each: impl FnMut(Entry) -> ControlFlow<()>) -> Summary {
    let text = xml::decode(bytes, charset);
    let mut entries = 0;
    let mut counted = |entry: Entry| {
        entries += 1;
        each(entry)
    };
    let mut summary = match root(&text) {
        Some("urlset" | "sitemapindex" | "url" | "sitemap" | "loc") => {
            Sitemap::default().read(&text, &mut counted)
        }
        Some("rss" | "feed" | "rdf" | "channel") => from_feed(bytes, charset, &mut counted),
        Some(_) => Summary::default(),
        None => {
            Summary { kind: Kind::Text, skipped: plain::lines(&text, &mut counted), ..Summary::default() }
        }
    };
    if summary.kind == Kind::Text && entries == 0 {
        summary.kind = Kind::None;
    }
    Summary { entries, ..summary }
}

/// The first element that says what this is. Junk before it is passed over, a page of HTML is not.
fn root(text: &str) -> Option<&'static str> {
    const KNOWN: [&str; 10] =
        ["urlset", "sitemapindex", "url", "sitemap", "loc", "rss", "feed", "rdf", "channel", "html"];
    let opened = Reader::new(text).filter_map(|event| match event {
        Event::Open(element) => Some(local(element.name)),
        Event::Close(_) | Event::Text(_) | Event::Cdata(_) => None,
    });
    let mut names = opened.take(16);
    names.find_map(|name| KNOWN.into_iter().find(|known| known.eq_ignore_ascii_case(name)))
}

fn from_feed(bytes: &[u8], charset: Option<&str>, mut each: impl FnMut(Entry) -> ControlFlow<()>) -> Summary {
    let mut summary = Summary { kind: Kind::Feed, ..Summary::default() };
    for item in feed::read(bytes, charset).map(|feed| feed.entries).unwrap_or_default() {
        let lastmod = item.updated.or(item.published);
        let Some(loc) = item.link.and_then(|link| plain::usable(&link.href)) else {
            summary.skipped += 1;
            continue;
        };
        if each(Entry { loc, lastmod, ..Entry::default() }).is_break() {
            break;
        }
    }
    summary
}
