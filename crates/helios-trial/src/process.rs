//! [`Process`]: one life of the crawler between two crashes: a frontier, a mailbox, and a commit under way.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use helios_core::error::Result;
use helios_core::extract::{Duplicates, ExtractSettings, Extractor};
use helios_core::fetch::{Finished, Outcome, Purpose, Visit};
use helios_core::frontier::{Found, Frontier, FrontierTables};
use helios_core::kv::{Failing, Kv as _, MemoryDisk, Ticket};
use helios_core::sieve::MemoryShelf;
use helios_core::url::{CanonicalUrl, Normalise};
use helios_sim::web::{Spot, Web};

use crate::clock::{Micros, Wall, duration};
use crate::disk::WatchedKv;
use crate::fetcher::Mail;
use crate::ledger::Fact;
use crate::server::Receipt;
use crate::store::{Row, Store};

static EXTRACTOR: LazyLock<Option<Extractor>> = LazyLock::new(|| {
    let duplicates = Duplicates::Ignore; // the web itself says which pages are alike
    let settings =
        ExtractSettings { duplicates, markdown: false, facts: false, ..ExtractSettings::default() };
    Extractor::open(settings, "helios", Normalise::default(), None).ok()
});

/// What survives a crash.
#[derive(Default)]
pub(crate) struct Disk {
    rows: MemoryDisk,
    shelf: MemoryShelf,
    applied: Arc<AtomicU64>,
}

impl Disk {
    /// The ticket of the last write.
    pub(crate) fn applied(&self) -> Ticket {
        self.applied.load(Ordering::Relaxed)
    }

    pub(crate) fn pending(&self) -> usize {
        self.rows.pending()
    }

    /// Of the writes that are not durable `keep` survive. Returns the ticket of the last that did.
    pub(crate) fn crash(&self, keep: usize) -> Ticket {
        let lost = self.rows.pending().saturating_sub(keep) as u64;
        self.rows.crash(keep);
        self.applied() - lost
    }

    pub(crate) fn fail_after(&self, writes: u64, failing: Failing) {
        self.rows.fail_after(writes, failing);
    }
}

/// What was received and is on its way to be settled.
pub(crate) struct Commit {
    done: Vec<Finished>,
    found: Vec<Found>,
    facts: Vec<Fact>,
    name: Option<String>,
}

impl Commit {
    pub(crate) fn into_receipts(self) -> Vec<Receipt> {
        self.facts.into_iter().filter_map(|fact| fact.receipt).collect()
    }
}

pub(crate) struct Process {
    pub(crate) frontier: Frontier,
    kv: Arc<WatchedKv>,
    pub(crate) wall: Wall,
    pub(crate) mailbox: Vec<Mail>,
    /// Filled by `receive`, emptied by `settle`.
    pub(crate) commits: VecDeque<Commit>,
    /// Published and not yet told to the frontier.
    pub(crate) visible: Vec<String>,
    /// Between settle and published.
    pub(crate) busy: bool,
    /// When it wakes up next.
    pub(crate) wakes: Option<Micros>,
}

impl Process {
    pub(crate) fn open(disk: &Disk, tables: &FrontierTables, (now, wall): (Micros, Wall)) -> Result<Self> {
        let kv = Arc::new(WatchedKv::open(&disk.rows, &disk.applied)?);
        let shared: Arc<dyn helios_core::kv::Kv> = kv.clone();
        let frontier = Frontier::open(shared, Box::new(disk.shelf.clone()), tables.clone(), wall.at(now))?;
        Ok(Self {
            frontier,
            kv,
            wall,
            mailbox: Vec::new(),
            commits: VecDeque::new(),
            visible: Vec::new(),
            busy: false,
            wakes: None,
        })
    }

    /// Whoever is storing while more has come is behind.
    pub(crate) fn lease(&mut self, now: Micros, free: usize) -> Result<Vec<Visit>> {
        let now = self.wall.at(now);
        if self.busy && !self.mailbox.is_empty() {
            self.frontier.lease_behind(now, free)
        } else {
            self.frontier.lease(now, free)
        }
    }

    /// Takes `count` results in, reads and stages them. Returns the receipts of those that the frontier would not have.
    pub(crate) fn receive(
        &mut self,
        web: &Web,
        store: &mut Store,
        (now, count): (Micros, usize),
    ) -> Vec<Receipt> {
        let taken: Vec<Mail> = self.mailbox.drain(..count.min(self.mailbox.len())).collect();
        let (mut done, mut receipts) = (Vec::new(), Vec::new());
        for mail in taken {
            receipts.push((identity(&mail.finished), mail.receipt));
            done.push(mail.finished);
        }
        self.frontier.receive(&mut done);
        let mut kept = Vec::new();
        for finished in &done {
            let at = receipts.iter().position(|(of, _)| *of == identity(finished));
            kept.push(at.and_then(|at| receipts.remove(at).1));
        }
        if !done.is_empty() {
            self.commits.push_back(prepare(web, store, now, done, kept));
        }
        receipts.into_iter().filter_map(|(_, receipt)| receipt).collect()
    }

    /// Settles what was received first. The facts are the caller's to keep, whatever became of the write.
    pub(crate) fn settle(&mut self, now: Micros) -> (Vec<Fact>, Result<Ticket>) {
        let Some(commit) = self.commits.pop_front() else { return (Vec::new(), Ok(0)) };
        let Commit { done, found, facts, name } = commit;
        (facts, self.frontier.settle(self.wall.at(now), &done, found, name))
    }

    pub(crate) fn durable(&self, ticket: Ticket) -> Result<()> {
        self.kv.durable(ticket)
    }

    /// Nothing is left to do, and nothing will be.
    pub(crate) fn is_done(&self, now: Micros) -> bool {
        let idle = self.mailbox.is_empty()
            && self.commits.is_empty()
            && !self.busy
            && self.frontier.staged().unwrap_or_default().is_empty();
        idle && self.frontier.finished(self.wall.at(now))
    }
}

/// What a result is recognised by.
fn identity(finished: &Finished) -> (u64, String) {
    (finished.visit, finished.task.permit.url().to_string())
}

fn prepare(
    web: &Web,
    store: &mut Store,
    now: Micros,
    mut done: Vec<Finished>,
    receipts: Vec<Option<Receipt>>,
) -> Commit {
    // A batch that cannot be read gives nothing: the laws will miss its links.
    let pages = EXTRACTOR.as_ref().and_then(|extractor| extractor.extract(&mut done, 1).ok());
    let links = pages.map(|pages| pages.links).unwrap_or_default();
    let (mut found, mut facts, mut rows): (Vec<Found>, Vec<Fact>, Vec<Row>) = Default::default();
    for ((finished, links), receipt) in done.iter().zip(links).zip(receipts) {
        let url = finished.task.permit.url();
        let mut page = Found { links: links.clone(), ..Found::default() };
        if let (Outcome::Fetched(response), Purpose::Page) = (&finished.outcome, finished.task.purpose) {
            page.content = Some(xxhash_rust::xxh3::xxh3_64(&response.body));
            page.duplicate = is_duplicate(web, url, now);
            rows.push((url.to_string(), finished.task.fetch_number));
        }
        facts.push(Fact::new(finished, links, receipt));
        found.push(page);
    }
    let name = (!rows.is_empty()).then(|| store.stage(rows));
    Commit { done, found, facts, name }
}

fn is_duplicate(web: &Web, url: &CanonicalUrl, now: Micros) -> bool {
    let Some(host) = web.host_named(url.host()) else { return false };
    match web.spot(host, url.target()) {
        Some(Spot::Page(page)) => web.page_facts(host, page, duration(now)).duplicate_of.is_some(),
        Some(Spot::Session { .. } | Spot::Calendar(_)) => true,
        Some(Spot::Hop { .. }) | None => false,
    }
}
