//! What belongs to the crawl.

use std::collections::HashSet;
use std::sync::Arc;

use super::ScopeKind;
use crate::url::{CanonicalUrl, SiteKey};

pub(super) struct Scope {
    kind: ScopeKind,
    hosts: HashSet<Arc<str>>,
    sites: HashSet<SiteKey>,
}

impl Scope {
    pub(super) fn new(kind: ScopeKind) -> Self {
        Self { kind, hosts: HashSet::new(), sites: HashSet::new() }
    }

    /// A seed brings its own host and site in.
    pub(super) fn admit(&mut self, seed: &CanonicalUrl) {
        match self.kind {
            ScopeKind::Host => drop(self.hosts.insert(seed.origin().host)),
            ScopeKind::Site => drop(self.sites.insert(seed.site())),
            ScopeKind::Any => {}
        }
    }

    pub(super) fn contains(&self, url: &CanonicalUrl) -> bool {
        match self.kind {
            ScopeKind::Host => self.hosts.contains(&url.origin().host),
            ScopeKind::Site => self.sites.contains(&url.site()),
            ScopeKind::Any => true,
        }
    }
}
