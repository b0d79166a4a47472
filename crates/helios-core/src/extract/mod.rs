//! Extract: finished fetches in; text, facts and links out, as Arrow columns and a list of links per page.
//!
//! Always: one bad page never fails the batch; every page is looked at once; pages that say "noindex" give no row, pages
//! that say "nofollow" give no links. `helios-page` reads a page; here `read` chooses how, `html` and `listing` make of it what a
//! crawl needs, `near` finds duplicates, `table` builds the columns (docs/page-table.md),
//! `view` is a page for whoever wants to look at it himself.

mod fields;
mod given;
mod html;
mod listing;
mod near;
mod page;
mod read;
mod settings;
mod table;
mod view;

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use crate::error::Result;
use crate::fetch::Finished;
use crate::frontier::Listing;
use crate::url::{CanonicalUrl, Canonicaliser, Normalise};

use fields::Fields;
pub use given::{Given, is_pdf};
use near::Near;
use page::Page;
pub use page::seen;
pub use settings::{Duplicates, ExtractSettings, FieldRule, TextKind};
pub use table::{VERSION, schema, with_fields};
pub use view::View;

/// A batch of pages: rows for the store, links for the frontier.
#[derive(Debug)]
pub struct Pages {
    pub rows: RecordBatch,
    /// For each finished fetch of the batch, in its order, where its page leads.
    pub links: Vec<Vec<CanonicalUrl>>,
    /// As `links`: a hash of what a reader sees of the page, so that a later fetch can tell whether it changed.
    pub contents: Vec<Option<u64>>,
    /// As `links`: the page is a duplicate of another one.
    pub duplicates: Vec<bool>,
    /// As `links`: it is no page, but a list of links.
    pub listings: Vec<Option<Listing>>,
    /// As `links`: why it gave no row.
    pub unkept: Vec<Option<&'static str>>,
    /// For each row, which finished fetch of the batch brought it.
    pub places: Vec<usize>,
    /// As `links`: a copy may be kept; what is no page may.
    pub archive: Vec<bool>,
}

impl Pages {
    pub fn schema(&self) -> SchemaRef {
        self.rows.schema()
    }

    pub fn links_found(&self) -> usize {
        self.links.iter().map(Vec::len).sum()
    }
}

/// Reads pages by the settings of a crawl, and remembers their fingerprints.
pub struct Extractor {
    settings: ExtractSettings,
    /// What pages call us.
    token: String,
    fields: Fields,
    near: Near,
    /// How the crawl spells URLs.
    urls: Canonicaliser,
}

impl Extractor {
    /// `near` is the file of fingerprints; none: they are gone with the process. `urls` are the frontier's, too.
    pub fn open(
        settings: ExtractSettings,
        token: &str,
        urls: Normalise,
        near: Option<&Path>,
    ) -> Result<Self> {
        let fields = Fields::new(&settings.fields)?;
        let near = Near::open(&settings, near)?;
        Ok(Self { settings, token: token.to_owned(), fields, near, urls: Canonicaliser::new(urls) })
    }

    /// Reads every fetched page of the batch, spread over `threads`.
    pub fn extract(&self, done: &mut [Finished], threads: usize) -> Result<Pages> {
        self.extract_with(done, &HashMap::new(), threads, false)
    }

    /// As `extract`; what is `given` of a fetch, by its place in the batch, was read by somebody else. `let_go`: nobody else wants the bodies.
    pub fn extract_with(
        &self,
        done: &mut [Finished],
        given: &HashMap<usize, Given>,
        threads: usize,
        let_go: bool,
    ) -> Result<Pages> {
        let mut pages = self.read_all(done, given, threads, let_go);
        self.near.judge(done, &mut pages, &self.settings)?;
        let (rows, places) = table::rows(done, &pages)?;
        let contents = pages.iter().map(|page| page.as_ref().map(|page| page.seen)).collect();
        let duplicates =
            pages.iter().map(|page| page.as_ref().is_some_and(|page| page.duplicate_of.is_some()));
        let duplicates = duplicates.collect();
        let unkept = pages.iter().map(|page| page.as_ref().and_then(Page::unkept)).collect();
        let archive = pages.iter().zip(done).map(|(page, finished)| {
            page.as_ref()
                .is_none_or(|page| page.directives.archive && page.directives.may_keep(finished.finished))
        });
        let archive = archive.collect();
        let listings =
            pages.iter_mut().map(|page| page.as_mut().and_then(|page| page.listing.take())).collect();
        let links = pages
            .iter_mut()
            .map(|page| page.as_mut().map(|page| std::mem::take(&mut page.links)).unwrap_or_default());
        Ok(Pages { links: links.collect(), contents, duplicates, listings, unkept, archive, places, rows })
    }

    /// Makes fingerprints durable: after the batch was settled, so that no page is a duplicate of one that is not there.
    pub fn commit(&self) -> Result<()> {
        self.near.commit()
    }

    fn read_all(
        &self,
        done: &mut [Finished],
        given: &HashMap<usize, Given>,
        threads: usize,
        let_go: bool,
    ) -> Vec<Option<Page>> {
        let count = done.len();
        let next = Mutex::new(done.iter_mut().enumerate());
        // Whoever is free takes the next page: one that is huge holds up nobody else.
        let read_some = || {
            let mut read = Vec::new();
            while let Some((place, one)) = next_of(&next) {
                // A page that makes the reader panic is an empty page; its neighbours are none of its business.
                let page = || read::read(one, given.get(&place), self);
                read.push((place, catch_unwind(AssertUnwindSafe(page)).unwrap_or_default()));
                if let_go {
                    one.let_go_of_body();
                }
            }
            read
        };
        let mut pages: Vec<Option<Page>> = Vec::new();
        pages.resize_with(count, || None);
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads.min(count)).map(|_| scope.spawn(read_some)).collect();
            let own = read_some();
            let theirs = others.into_iter().filter_map(|other| other.join().ok());
            for (place, page) in std::iter::once(own).chain(theirs).flatten() {
                if let Some(to) = pages.get_mut(place) {
                    *to = page;
                }
            }
        });
        pages
    }
}

fn next_of<T>(next: &Mutex<impl Iterator<Item = T>>) -> Option<T> {
    next.lock().unwrap_or_else(PoisonError::into_inner).next()
}
