//! Cookies per site (RFC 6265, with the prefixes and limits of its successor): what a site set goes back to that site.
//!
//! Off unless the settings ask. Always: bounded per cookie, per site and in all; a site cannot set for another, nor for
//! a public suffix; the sites that were not visited for longest are forgotten first.

mod date;
mod jar;
mod parse;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

use http::HeaderValue;

use self::jar::Jar;
use crate::clock::Millis;
use crate::url::{CanonicalUrl, SiteKey};

/// Of all jars together; a site of the usual kind needs 1 KiB.
const MOST_BYTES: usize = 64 << 20;

/// What one jar costs beside its cookies.
const JAR_BYTES: usize = 256;

#[derive(Debug, Default)]
pub(super) struct Cookies {
    shelf: Mutex<Shelf>,
}

#[derive(Debug, Default)]
struct Shelf {
    jars: HashMap<SiteKey, (u64, Jar)>,
    /// By the tick of their last use, which is unique: the first one is the next to go.
    by_use: BTreeMap<u64, SiteKey>,
    tick: u64,
    bytes: usize,
}

impl Cookies {
    /// What the site set with its answer for `url`.
    pub(super) fn store<'a>(
        &self,
        site: &SiteKey,
        url: &CanonicalUrl,
        set: impl Iterator<Item = &'a [u8]>,
        now: Millis,
    ) {
        let mut set = set.peekable();
        if set.peek().is_none() {
            return;
        }
        self.with(site, |jar| {
            for text in set {
                jar.set(text, url, now);
            }
        });
    }

    /// The `Cookie` header for `url`.
    pub(super) fn header(&self, site: &SiteKey, url: &CanonicalUrl, now: Millis) -> Option<HeaderValue> {
        if !self.lock().jars.contains_key(site) {
            return None;
        }
        let mut header = None;
        self.with(site, |jar| header = jar.header(url, now));
        let mut header = HeaderValue::from_maybe_shared(bytes::Bytes::from(header?)).ok()?;
        header.set_sensitive(true);
        Some(header)
    }

    fn with(&self, site: &SiteKey, change: impl FnOnce(&mut Jar)) {
        let all = &mut *self.lock();
        all.tick += 1;
        let (used, jar) = all.jars.entry(site.clone()).or_insert_with(|| {
            all.bytes += JAR_BYTES;
            (0, Jar::default())
        });
        let before = jar.bytes();
        change(jar);
        all.bytes = all.bytes + jar.bytes() - before;
        all.by_use.remove(used);
        *used = all.tick;
        all.by_use.insert(all.tick, site.clone());
        all.forget_down_to(MOST_BYTES);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelf {
    fn forget_down_to(&mut self, most: usize) {
        while self.bytes > most {
            let Some((_, site)) = self.by_use.pop_first() else { return };
            if let Some((_, jar)) = self.jars.remove(&site) {
                self.bytes -= jar.bytes() + JAR_BYTES;
            }
        }
    }
}

#[cfg(test)]
mod tests;
