//! [`Permit`]: proof that robots allows a URL.

use super::RobotsRules;
use crate::url::{CanonicalUrl, Origin};

/// Only this module makes one, and `fetch` accepts nothing else: a URL that robots denies cannot be asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permit {
    url: CanonicalUrl,
}

impl Permit {
    pub fn url(&self) -> &CanonicalUrl {
        &self.url
    }

    /// robots.txt may always be asked (RFC 9309 §2.2.2).
    pub fn for_robots_txt(origin: &Origin) -> Option<Self> {
        origin.url_of("/robots.txt").ok().map(|url| Self { url })
    }

    /// Where the robots.txt of `origin` says that it has moved to.
    pub(super) fn for_moved_robots_txt(url: CanonicalUrl) -> Self {
        Self { url }
    }

    /// The permit for a URL under these rules, or the rule that denies it.
    pub fn under(rules: &RobotsRules, url: &CanonicalUrl) -> Result<Self, String> {
        match rules.denying_rule(url.target()) {
            None => Ok(Self { url: url.clone() }),
            Some(rule) => Err(rule),
        }
    }
}
