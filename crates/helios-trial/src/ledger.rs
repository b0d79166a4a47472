//! [`Ledger`]: the trial's own account of what was settled, crash by crash: what the frontier and the store must agree with.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

use helios_core::fetch::{Finished, Outcome, OutcomeKind, Purpose};
use helios_core::kv::Ticket;
use helios_core::url::CanonicalUrl;

use crate::server::{Receipt, Server};

/// One result that was settled.
#[derive(Debug, Clone)]
pub(crate) struct Fact {
    pub(crate) url: CanonicalUrl,
    pub(crate) site: String,
    pub(crate) purpose: Purpose,
    pub(crate) kind: OutcomeKind,
    pub(crate) fetch_number: u32,
    pub(crate) depth: u32,
    pub(crate) wire_bytes: u64,
    pub(crate) address: Option<IpAddr>,
    /// Of a page that was fetched; of a redirect, its target alone.
    pub(crate) links: Vec<CanonicalUrl>,
    pub(crate) receipt: Option<Receipt>,
}

impl Fact {
    pub(crate) fn new(finished: &Finished, links: Vec<CanonicalUrl>, receipt: Option<Receipt>) -> Self {
        let url = finished.task.permit.url().clone();
        let links = if let Outcome::Redirected { target, .. } = &finished.outcome {
            CanonicalUrl::join(&url.to_url(), target).ok().into_iter().collect()
        } else {
            links
        };
        Self {
            url,
            site: finished.site.to_string(),
            purpose: finished.task.purpose,
            kind: finished.outcome.kind(),
            fetch_number: finished.task.fetch_number,
            depth: finished.task.depth,
            wire_bytes: finished.wire_bytes,
            address: finished.address,
            links,
            receipt,
        }
    }

    pub(crate) fn is_page(&self, kind: OutcomeKind) -> bool {
        self.purpose == Purpose::Page && self.kind == kind
    }

    /// It answers for its URL: nothing more is owed.
    fn is_final(&self) -> bool {
        let settled = matches!(
            self.kind,
            OutcomeKind::Fetched
                | OutcomeKind::NotModified
                | OutcomeKind::Redirected
                | OutcomeKind::Missing
                | OutcomeKind::TooLarge
                | OutcomeKind::Bomb
                | OutcomeKind::UnwantedType
        );
        self.purpose == Purpose::Page && settled
    }

    /// A robots.txt that failed is asked for from the start of its chain.
    fn breaks_chain(&self) -> bool {
        let answered = matches!(
            self.kind,
            OutcomeKind::Fetched | OutcomeKind::Redirected | OutcomeKind::Missing | OutcomeKind::Abandoned
        );
        self.purpose == Purpose::RobotsTxt && !answered
    }
}

/// One request as the lease meant it.
#[derive(Debug, Clone)]
pub(crate) struct Leased {
    pub(crate) receipt: Receipt,
    pub(crate) visit: u64,
    /// The frontier knew the address when it leased.
    pub(crate) informed: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Ledger {
    facts: Vec<(Ticket, Fact)>,
    /// What the frontier knows of the addresses of sites.
    addresses: BTreeMap<String, IpAddr>,
}

impl Ledger {
    /// These were settled by the write with this ticket.
    pub(crate) fn settle(&mut self, ticket: Ticket, facts: Vec<Fact>, server: &mut Server) {
        for fact in facts {
            if let Some(address) = fact.address {
                self.addresses.insert(fact.site.clone(), address);
            }
            if fact.breaks_chain() {
                self.forgive_chain(&fact, server);
            }
            self.facts.push((ticket, fact));
        }
    }

    fn forgive_chain(&self, broken: &Fact, server: &mut Server) {
        let origin = broken.url.origin();
        let chain = self.facts.iter().filter(|(_, fact)| {
            let leads_there = fact.url.origin() == origin || fact.links.contains(&broken.url);
            fact.purpose == Purpose::RobotsTxt && fact.kind == OutcomeKind::Redirected && leads_there
        });
        chain.filter_map(|(_, fact)| fact.receipt).for_each(|receipt| server.forget(&receipt));
    }

    /// A crash left the writes up to this ticket. What was settled later never happened.
    pub(crate) fn roll_back(&mut self, kept: Ticket, server: &mut Server) {
        for (_, fact) in self.facts.iter().filter(|(ticket, _)| *ticket > kept) {
            fact.receipt.iter().for_each(|receipt| server.forget(receipt));
        }
        self.facts.retain(|(ticket, _)| *ticket <= kept);
        let known = self.facts.iter().filter_map(|(_, fact)| Some((fact.site.clone(), fact.address?)));
        self.addresses = known.collect();
    }

    pub(crate) fn address_of(&self, site: &str) -> Option<IpAddr> {
        self.addresses.get(site).copied()
    }

    pub(crate) fn facts(&self) -> impl Iterator<Item = &Fact> {
        self.facts.iter().map(|(_, fact)| fact)
    }

    pub(crate) fn fetched(&self) -> impl Iterator<Item = &Fact> {
        self.facts().filter(|fact| fact.is_page(OutcomeKind::Fetched))
    }

    /// URLs that were answered for.
    pub(crate) fn done(&self) -> BTreeSet<&str> {
        self.facts().filter(|fact| fact.is_final()).map(|fact| fact.url.as_str()).collect()
    }
}
