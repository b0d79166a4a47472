//! What one page holds.

use helios_near::Fingerprint;
use twox_hash::XxHash3_64;

use crate::clock::Millis;
use crate::frontier::Listing;
use crate::robots::RobotsDirectives;
use crate::url::CanonicalUrl;

/// A title or a description longer than this is no title; in bytes.
const MAX_FIELD_BYTES: usize = 10_000;

#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) charset: &'static str,
    pub(super) title: String,
    pub(super) description: String,
    /// Of its text, or as declared where the text is too short to tell.
    pub(super) language: String,
    pub(super) text: String,
    pub(super) markdown: String,
    pub(super) words: u32,
    /// What sort of page it is.
    pub(super) kind: &'static str,
    pub(super) authors: Vec<String>,
    pub(super) published: Option<i64>,
    pub(super) modified: Option<i64>,
    pub(super) site_name: Option<String>,
    pub(super) canonical: Option<String>,
    pub(super) image: Option<String>,
    /// JSON.
    pub(super) facts: Option<String>,
    /// JSON.
    pub(super) fields: Option<String>,
    /// A hash of title and text: the same again means unchanged.
    pub(super) seen: u64,
    pub(super) text_hash: u64,
    pub(super) body_hash: u64,
    /// The body as zstd, where it is to be kept.
    pub(super) raw: Option<Vec<u8>>,
    pub(super) print: Option<Fingerprint>,
    pub(super) duplicate_of: Option<u128>,
    pub(super) links: Vec<CanonicalUrl>,
    /// It is no page, but a list of links.
    pub(super) listing: Option<Listing>,
    /// What it says about itself, later also what its answer says about it.
    pub(super) directives: RobotsDirectives,
    /// It may be kept.
    pub(super) index: bool,
}

impl Page {
    pub(super) fn obey(&mut self, now: Millis) {
        self.index &= self.directives.may_keep(now);
        if !self.directives.follow {
            self.links.clear();
        }
    }

    /// Why it gives no row, in words.
    pub(super) fn unkept(&self) -> Option<&'static str> {
        if self.listing.is_some() {
            return Some("it is a sitemap or a feed, whose links are followed");
        }
        let why = match self.duplicate_of {
            Some(_) => "it is like another page, and such pages are skipped",
            None if !self.directives.index => "it says noindex",
            None if self.directives.unavailable_after.is_some() => {
                "it says that it is not available any more"
            }
            None => "it is a file without pages, packed or XML",
        };
        (!self.index).then_some(why)
    }

    /// Bounds what a page can make us keep.
    pub(super) fn trim(&mut self, max_text_bytes: usize) {
        truncate(&mut self.text, max_text_bytes);
        truncate(&mut self.markdown, max_text_bytes);
        for field in [&mut self.title, &mut self.description, &mut self.language] {
            truncate(field, MAX_FIELD_BYTES);
        }
        for field in [&mut self.site_name, &mut self.canonical, &mut self.image].into_iter().flatten() {
            truncate(field, MAX_FIELD_BYTES);
        }
        for json in [&mut self.facts, &mut self.fields] {
            // Half a JSON value is none.
            json.take_if(|json| json.len() > max_text_bytes);
        }
    }

    /// Takes fingerprints of what a reader sees.
    pub(super) fn take_prints(&mut self) {
        self.seen = seen(&self.title, &self.text);
        self.text_hash = XxHash3_64::oneshot(self.text.as_bytes());
        self.print = Some(Fingerprint::of(&self.text));
    }
}

/// A hash of what a reader sees of a page.
pub fn seen(title: &str, text: &str) -> u64 {
    XxHash3_64::oneshot_with_seed(XxHash3_64::oneshot(title.as_bytes()), text.as_bytes())
}

/// Cuts at a character boundary.
fn truncate(text: &mut String, limit: usize) {
    if text.len() > limit {
        let cut = (0..=limit).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        text.truncate(cut);
    }
}
