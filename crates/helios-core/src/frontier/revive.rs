//! Pages that were fetched before recrawl was switched on: from then on they come back like any other.

use super::Frontier;
use super::draft::Draft;
use super::entry::{Entry, Past};
use super::later::salt_of;
use crate::clock::Millis;
use crate::error::Result;
use crate::fetch::Validators;

/// A page as the table has it.
#[derive(Debug, Clone)]
pub struct Fetched {
    pub url: String,
    pub depth: u32,
    /// How often it was fetched.
    pub fetches: u32,
    /// When it was fetched last.
    pub at: Millis,
    pub validators: Validators,
    /// The hash of what mattered of it (`Found::content`), if it can be told.
    pub content: Option<u64>,
}

impl Frontier {
    /// Gives each of these pages its next time. To be called for pages that have none, with recrawl on; the same ones again
    /// change nothing before they are leased. Durable when it returns. Returns how many.
    pub fn revive(&mut self, pages: Vec<Fetched>) -> Result<u64> {
        let mut draft = Draft::default();
        let mut count = 0;
        for page in pages {
            let Ok(url) = self.urls.parse(&page.url) else { continue };
            let id = self.scope.site_id(url.host());
            if !self.sites.contains_key(&id) {
                continue;
            }
            // The rhythm begins with the next fetch: nobody knows since when the page is as it was found.
            let Fetched { fetches, at, validators, content, .. } = page;
            let past = Past { fetches, at, content, validators, ..Past::default() };
            let entry = Entry { past: Some(Box::new(past.clone())), ..Entry::new(url, page.depth, at) };
            let salt = salt_of(&entry, past.fetches);
            let tier = self.tier_of(&entry, id);
            let wait = past.rhythm.clone().next(false, tier, &self.tables.recrawl, salt);
            self.put_off(&mut draft, id, &entry, at + wait);
            count += 1;
        }
        self.whole(|frontier| {
            let ticket = frontier.commit(draft)?;
            frontier.kv.durable(ticket)
        })?;
        Ok(count)
    }
}
