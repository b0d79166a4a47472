//! [`Draft`]: what one call will write, gathered until it is whole.

use std::collections::{BTreeMap, BTreeSet};

use super::history::{self, Record};
use super::{Frontier, SiteId, format, key};
use crate::error::Result;
use crate::kv::{Batch, Ticket};
use crate::url::Fingerprint;

#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) batch: Batch,
    /// Sites that changed: their records go along.
    sites: BTreeSet<SiteId>,
    records: BTreeMap<SiteId, Vec<Record>>,
    /// URLs seen for the first time.
    pub(super) fresh: Vec<Fingerprint>,
    /// Chunks begun in this write.
    parts: u32,
}

impl Draft {
    pub(super) fn touch(&mut self, site: SiteId) {
        self.sites.insert(site);
    }

    pub(super) fn record(&mut self, site: SiteId, record: Record) {
        self.records.entry(site).or_default().push(record);
    }

    pub(super) fn next_part(&mut self) -> u32 {
        self.parts += 1;
        self.parts
    }

    fn is_empty(&self) -> bool {
        self.batch.is_empty() && self.sites.is_empty() && self.records.is_empty() && self.fresh.is_empty()
    }
}

impl Frontier {
    /// The number that the draft under way will be written with.
    pub(super) fn next_write(&self) -> u64 {
        self.write + 1
    }

    /// Writes the draft, whole. If that fails, memory is ahead of the disk: nothing more is done until it is opened again.
    pub(super) fn commit(&mut self, draft: Draft) -> Result<Ticket> {
        self.whole(|frontier| frontier.try_commit(draft))
    }

    /// As `commit`, but a draft of nothing is not written.
    pub(super) fn commit_any(&mut self, draft: Draft) -> Result<()> {
        if draft.is_empty() { Ok(()) } else { self.commit(draft).map(drop) }
    }

    fn try_commit(&mut self, draft: Draft) -> Result<Ticket> {
        let Draft { mut batch, sites, records, fresh, .. } = draft;
        self.write += 1;
        if self.write == 1 {
            format::write(&mut batch, &self.tables);
        }
        for (site, records) in records {
            batch.put(key::history(site, self.write), history::write(&records));
        }
        for id in sites {
            if let Some(site) = self.sites.get(&id) {
                batch.put(key::site(id), site.encode());
            }
        }
        let obsolete = self.remember(&mut batch, &fresh)?;
        let mut counters = self.write.to_be_bytes().to_vec();
        counters.extend(self.counters.encode());
        batch.put(key::COUNTERS, counters);
        let ticket = self.kv.write(batch)?;
        if let Some(obsolete) = obsolete {
            // Files may go only when nothing on disk names them any more. Rare: once per sealed run.
            self.kv.durable(ticket)?;
            self.sieve.forget(&obsolete)?;
        }
        Ok(ticket)
    }

    /// The sieve's part of a write: what is new, or the manifest that makes the journal needless.
    fn remember(&mut self, batch: &mut Batch, fresh: &[Fingerprint]) -> Result<Option<Vec<String>>> {
        let sealed = self.sieve.upkeep()?;
        let journal_ends = sealed.as_ref().is_some_and(|sealed| sealed.journal_ends);
        if journal_ends {
            for write in self.journals.drain(..) {
                batch.delete(key::journal(write));
            }
        } else if !fresh.is_empty() {
            let bytes: Vec<u8> = fresh.iter().flat_map(|one| one.to_be_bytes()).collect();
            batch.put(key::journal(self.write), bytes);
            self.journals.push(self.write);
        }
        Ok(sealed.map(|sealed| {
            batch.put(key::SIEVE, sealed.manifest);
            sealed.obsolete
        }))
    }
}
