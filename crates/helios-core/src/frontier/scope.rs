//! What belongs to the crawl, and which site a host belongs to.

use std::collections::HashSet;

use super::{ScopeKind, SiteId};
use crate::url::{CanonicalUrl, SiteKey};

pub(super) struct Scope {
    kind: ScopeKind,
    /// Sites, if `kind` says so; else hosts.
    admitted: HashSet<Box<str>>,
    /// Domains whose hosts are sites of their own.
    split: HashSet<Box<str>>,
    /// Hosts looked up lately, by their hash, with their sites: links of a page lead to few hosts, many times.
    recent: Vec<(u64, SiteId)>,
}

const RECENT: usize = 8_192;

impl Scope {
    pub(super) fn new(kind: ScopeKind, split: &[String]) -> Self {
        let split = split.iter().map(|domain| domain.to_ascii_lowercase().into()).collect();
        Self { kind, admitted: HashSet::new(), split, recent: vec![(0, 0); RECENT] }
    }

    /// Whom to be polite to: the registrable domain, or the host where a domain is split.
    pub(super) fn site_of(&self, host: &str) -> SiteKey {
        let site = SiteKey::of_host(host);
        if self.split.contains(site.as_str()) { SiteKey::host(host) } else { site }
    }

    pub(super) fn site_id(&mut self, host: &str) -> SiteId {
        let hash = xxhash_rust::xxh3::xxh3_64(host.as_bytes());
        let known = self.recent.get(hash as usize % RECENT).filter(|(of, _)| *of == hash).map(|(_, id)| *id);
        known.unwrap_or_else(|| {
            let id = id_of(&self.site_of(host));
            if let Some(place) = self.recent.get_mut(hash as usize % RECENT) {
                *place = (hash, id);
            }
            id
        })
    }

    /// The host of a seed, or its site.
    pub(super) fn admit(&mut self, host: &str) {
        match self.kind {
            ScopeKind::Host => drop(self.admitted.insert(host.into())),
            ScopeKind::Site | ScopeKind::List => {
                self.admitted.insert(SiteKey::of_host(host).as_str().into());
            }
            ScopeKind::Any => {}
        }
    }

    /// May links lead to it?
    pub(super) fn contains(&self, url: &CanonicalUrl) -> bool {
        match self.kind {
            ScopeKind::Host => self.admitted.contains(url.host()),
            ScopeKind::Site => self.admitted.contains(url.site().as_str()),
            ScopeKind::List => false,
            ScopeKind::Any => true,
        }
    }

    /// May what was let in before be asked for still? Of a list nobody knows what led there, so it cannot be chosen later.
    pub(super) fn keeps(&self, url: &CanonicalUrl) -> bool {
        self.kind == ScopeKind::List || self.contains(url)
    }

    /// As `contains`, of what is no link away from a seed: a seed itself, where one redirects to, or what one lists.
    pub(super) fn contains_named(&self, url: &CanonicalUrl) -> bool {
        match self.kind {
            ScopeKind::List => self.admitted.contains(url.site().as_str()),
            ScopeKind::Host | ScopeKind::Site | ScopeKind::Any => self.contains(url),
        }
    }
}

/// The site's number in keys. Two sites that share one are merely polite together.
pub(super) fn id_of(site: &SiteKey) -> SiteId {
    xxhash_rust::xxh3::xxh3_64(site.as_str().as_bytes())
}

/// The number of an origin: scheme, host and port.
pub(super) fn origin_id(url: &CanonicalUrl) -> u64 {
    xxhash_rust::xxh3::xxh3_64(url.origin_text().as_bytes())
}
