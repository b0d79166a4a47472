//! The frontier: what to fetch next and when, and what became of it. `(event, now) → actions + one write`; no clock.
//!
//! In: seeds, settled visits with their links. Out: visits. Always: a site has no more visits out than it may; its next
//! visit begins no sooner than its delay after the end of the last request, also after a crash; a URL is offered once,
//! and again only if the retry table or its recrawl rhythm says so; limits are exact because what is leased counts as
//! used; everything that was settled is there again after a crash, and nothing else.
//!
//! State is in a [`crate::kv::Kv`] (`key` lists what) and only what must be at hand is in memory: sites, heads of the
//! heaps, leases. `offer` takes URLs in, `queue` holds them, `politeness` and `tier` say whose turn it is, `lease` and
//! `settle` are the two halves of a visit's life, `later` is what waits for a time, `draft` is the one write of a call.

mod aftermath;
mod answers;
mod chunk;
mod counters;
mod draft;
mod entry;
mod format;
mod glob;
mod hint;
mod history;
mod key;
mod larder;
mod later;
mod lease;
mod letters;
mod limits;
mod offer;
mod open;
mod politeness;
mod queue;
mod quota;
mod recrawl;
mod retry;
mod revive;
mod rules;
mod scope;
mod score;
mod settings;
mod settle;
mod site;
mod staged;
mod stats;
mod take;
mod tick;
mod tier;
mod trail;
mod trap;
mod wanted;
mod why;

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::fetch::VisitId;
use crate::hashed::HashedMap;
use crate::kv::Kv;
use crate::sieve::Sieve;
use crate::url::Canonicaliser;

use counters::Counters;
use larder::Larder;
use lease::Leases;
use politeness::Politeness;
use rules::Book;
use scope::Scope;
use site::Site;
use trail::Trails;
use wanted::Wanted;

pub use hint::Hint;
pub use letters::{DeadLetter, Replay};
pub use offer::Link;
pub use quota::Quota;
pub use recrawl::{RecrawlSettings, Rhythm};
pub use revive::Fetched;
pub use score::{InLinks, Signals, Weights, base, order};
pub use settings::{CrawlSettings, FrontierSettings, FrontierTables, ScopeKind};
pub use settle::{Found, Listing};
pub use tier::{Tier, TierRule, TierRules};
pub use trap::{Duplicates, Look, Shapes, Trap, TrapSettings, is_trap, look};
pub use why::Why;

/// A hash of the site's name: what keys begin with.
pub(crate) type SiteId = u64;

type Sites = HashedMap<SiteId, Box<Site>>;

pub struct Frontier {
    tables: FrontierTables,
    kv: Arc<dyn Kv>,
    /// The number of the last write.
    write: u64,
    scope: Scope,
    wanted: Wanted,
    /// How URLs are spelled: the same for every URL of the crawl.
    urls: Canonicaliser,
    sieve: Sieve,
    /// The writes whose fingerprints no sealed run of the sieve holds.
    journals: Vec<u64>,
    tier_rules: TierRules,
    sites: Sites,
    larder: Larder,
    trails: Trails,
    politeness: Politeness,
    quota: Quota,
    book: Book,
    leases: Leases,
    /// When a visit that was not heard of is lost.
    lost: BTreeSet<(Millis, VisitId)>,
    last_visit: VisitId,
    /// Visits to sites that were asked before, since one to a new site.
    since_new: u32,
    /// URLs looked at in this call of `lease`.
    looked_at: usize,
    /// When the crawl was behind last.
    behind_at: Option<Millis>,
    /// Visits out that are the first to their sites.
    new_out: usize,
    /// Page tasks that are leased: used up until they are settled, so that limits hold exactly.
    reserved: u64,
    reserved_bytes: u64,
    counters: Counters,
    /// URLs of sites whose budget is used up.
    parked: u64,
    /// Nothing waits for a time before this.
    later_from: Millis,
    /// Committed by settle, emptied by `published`: the write and the name.
    staged: VecDeque<(u64, String)>,
    /// When the global rate allows the next request.
    next_slot: f64,
    /// Of this run: what `max_seconds` counts from.
    began: Millis,
    bytes_used_up: bool,
    stopping: bool,
    /// A write failed: what is in memory is not what is on disk.
    broken: Option<String>,
}

impl Frontier {
    fn alive(&self) -> Result<()> {
        match &self.broken {
            None => Ok(()),
            Some(reason) => Err(Error::Storage(format!(
                "the frontier stopped when a write failed ({reason}); open it again to go on from what was settled"
            ))),
        }
    }

    /// Something failed in the middle: what is in memory is not what is on disk, nor will it be.
    pub fn fail(&mut self, reason: &str) {
        self.broken.get_or_insert_with(|| reason.to_owned());
    }

    /// Runs a change; one that fails in the middle is not gone on with.
    fn whole<T>(&mut self, change: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.alive()?;
        let changed = change(self);
        if let Err(error) = &changed {
            self.fail(&error.to_string());
        }
        changed
    }

    /// Nothing more is leased from now on.
    pub fn stop(&mut self) {
        self.stopping = true;
    }

    /// How this crawl spells URLs.
    pub fn urls(&self) -> &Canonicaliser {
        &self.urls
    }

    /// What the writes go to: waiting until one is durable needs no hold on the frontier.
    pub fn kv(&self) -> Arc<dyn Kv> {
        Arc::clone(&self.kv)
    }
}
