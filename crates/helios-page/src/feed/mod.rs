//! Feeds: what a site has that is new, as links with dates.
//!
//! Bytes in, one `Feed` out: RSS in all its versions, RDF, Atom, CDF and JSON Feed, well-formed or not. Links stand as written,
//! with the `xml:base`s that apply to them, outermost first: the caller knows the feed's own URL and resolves. Always: what could be
//! read is given, nothing is fetched, no entity is expanded, markup in texts is kept and not trusted.
//! `model` says what comes out, `names` knows the vocabularies, `walk` reads XML and
//! `build` keeps what it says, `json` reads JSON Feed.

mod build;
mod json;
mod model;
mod names;
mod text;
mod walk;

pub use model::{Enclosure, Entry, Feed, Format, Link, Person, Text};

use crate::xml;
use crate::xml::{Event, Reader};

/// Entries behind this many are not read: no honest feed has them, and an empty one costs more memory than its tag.
pub const MOST_ENTRIES: usize = 50_000;
/// How far a feed's root may be behind junk and comments.
const HEAD: usize = 8192;

/// Reads a feed; `charset` is what the HTTP header said. None if it is no feed.
pub fn read(bytes: &[u8], charset: Option<&str>) -> Option<Feed> {
    let text = xml::decode(bytes, charset);
    if text.trim_start().starts_with('{') {
        return json::read(&text);
    }
    walk::read(&text)
}

/// Whether bytes are a feed, from their beginning alone.
pub fn sniff(bytes: &[u8]) -> bool {
    let text = xml::decode(bytes.get(..bytes.len().min(HEAD)).unwrap_or_default(), None);
    if text.trim_start().starts_with('{') {
        return text.contains("jsonfeed.org/version");
    }
    let root = Reader::new(&text).find_map(|event| match event {
        Event::Open(element) => Some(element),
        Event::Close(_) | Event::Text(_) | Event::Cdata(_) => None,
    });
    root.is_some_and(|root| walk::is_root(&root))
}
