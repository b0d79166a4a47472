//! Extract: finished fetches in; text, facts and links out, as Arrow columns and a list of links per page.
//!
//! Always: one bad page never fails the batch; every page is looked at once; pages that say "noindex" give no row, pages
//! that say "nofollow" give no links. `decode` finds the charset, `html` reads the tokens, `table` builds the columns
//! (docs/page-table.md).

mod decode;
mod html;
mod table;

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use serde::Deserialize;

use crate::clock::Millis;
use crate::error::Result;
use crate::fetch::{Finished, Outcome, Purpose, Response};
use crate::robots::RobotsDirectives;
use crate::url::CanonicalUrl;

pub use table::schema;

/// The `[extract]` table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtractSettings {
    /// Links of one page that are looked at; the rest is ignored.
    pub max_links: usize,
    /// Text of one page that is kept, in bytes.
    pub max_text_bytes: usize,
}

/// A title or a description longer than this is no title; in bytes.
const MAX_FIELD_BYTES: usize = 10_000;

/// A batch of pages: rows for the store, links for the frontier.
#[derive(Debug)]
pub struct Pages {
    pub rows: RecordBatch,
    /// For each finished fetch of the batch, in its order, where its page leads.
    pub links: Vec<Vec<CanonicalUrl>>,
    /// As `links`: a hash of what a reader sees of the page, so that a later fetch can tell whether it changed.
    pub contents: Vec<Option<u64>>,
}

/// What one page holds.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) charset: &'static str,
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) language: String,
    pub(crate) text: String,
    pub(crate) links: Vec<CanonicalUrl>,
    /// What it says about itself, later also what its answer says about it.
    pub(crate) directives: RobotsDirectives,
    /// It may be kept.
    pub(crate) index: bool,
}

impl Page {
    fn obey(&mut self, now: Millis) {
        self.index = self.directives.may_keep(now);
        if !self.directives.follow {
            self.links.clear();
        }
    }
}

impl Pages {
    pub fn schema(&self) -> SchemaRef {
        self.rows.schema()
    }

    pub fn links_found(&self) -> usize {
        self.links.iter().map(Vec::len).sum()
    }
}

/// Reads every fetched page of the batch, spread over `threads`.
pub fn extract(done: &[Finished], token: &str, settings: &ExtractSettings, threads: usize) -> Result<Pages> {
    let chunk = done.len().div_ceil(threads.max(1)).max(1);
    let mut pages: Vec<Option<Page>> = Vec::new();
    pages.resize_with(done.len(), || None);
    let read_all = |share: &[Finished], places: &mut [Option<Page>]| {
        for (one, place) in share.iter().zip(places) {
            // A page that makes the reader panic is an empty page; its neighbours are none of its business.
            *place = catch_unwind(AssertUnwindSafe(|| read(one, token, settings))).unwrap_or_default();
        }
    };
    if done.len() <= chunk {
        read_all(done, &mut pages);
    } else {
        std::thread::scope(|scope| {
            for (share, places) in done.chunks(chunk).zip(pages.chunks_mut(chunk)) {
                scope.spawn(move || read_all(share, places));
            }
        });
    }
    let rows = table::rows(done, &pages)?;
    let contents = pages.iter().map(|page| page.as_ref().map(content_of)).collect();
    let links = pages
        .iter_mut()
        .map(|page| page.as_mut().map(|page| std::mem::take(&mut page.links)).unwrap_or_default());
    Ok(Pages { links: links.collect(), contents, rows })
}

fn read(finished: &Finished, token: &str, settings: &ExtractSettings) -> Option<Page> {
    match (&finished.outcome, finished.task.purpose) {
        (Outcome::Fetched(response), Purpose::Page) => {
            let mut page = page(finished.task.permit.url(), response, token, settings);
            page.obey(finished.finished);
            Some(page)
        }
        _ => None,
    }
}

fn page(url: &CanonicalUrl, response: &Response, token: &str, settings: &ExtractSettings) -> Page {
    let (text, charset) = decode::decode(&response.body, &response.content_type);
    let mut page = if is_plain_text(&response.content_type) {
        Page { text: text.into_owned(), ..Page::default() }
    } else {
        html::read(&text, url, token, settings)
    };
    page.charset = charset;
    page.directives = page.directives.and(RobotsDirectives::of_headers(&response.robots_tags, token));
    truncate(&mut page.text, settings.max_text_bytes);
    for field in [&mut page.title, &mut page.description, &mut page.language] {
        truncate(field, MAX_FIELD_BYTES);
    }
    page
}

fn content_of(page: &Page) -> u64 {
    let seed = xxhash_rust::xxh3::xxh3_64(page.title.as_bytes());
    xxhash_rust::xxh3::xxh3_64_with_seed(page.text.as_bytes(), seed)
}

fn is_plain_text(content_type: &str) -> bool {
    content_type.trim_start().to_ascii_lowercase().starts_with("text/plain")
}

/// Cuts at a character boundary.
fn truncate(text: &mut String, limit: usize) {
    if text.len() > limit {
        let cut = (0..=limit).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        text.truncate(cut);
    }
}
