//! Sitemaps: what a site says that it has, as links with dates and priorities.
//!
//! Bytes in; one entry after the other out, as they are read. XML sitemaps and their index, lists in plain text, and feeds
//! (which the protocol allows as sitemaps). Always: whatever is broken, what could be read is handed out; nothing is fetched
//! and no entity is expanded; one pass, and no memory beyond the text and one entry. Limits are counted, not judged:
//! the caller decides what more than 50,000 URLs mean, and unpacks what `looks_like_gzip`.

mod entry;
mod fields;
mod plain;
mod read;
mod walk;

pub use entry::{Alternate, ChangeFrequency, Entry, Image, News, Video};
pub use read::{Kind, Summary, read};

/// The most URLs of one sitemap, by the protocol.
pub const MOST_URLS: usize = 50_000;
/// The most bytes of one sitemap before it is packed, by the protocol.
pub const MOST_BYTES: usize = 52_428_800;

/// Whether the caller has to unpack these bytes first, whatever the name and the header say.
pub fn looks_like_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b, 0x08])
}
