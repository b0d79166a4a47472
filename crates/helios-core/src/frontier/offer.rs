//! Taking URLs in: scope, limits, traps, seen before?, tier, queue.

use std::collections::BTreeMap;

use super::draft::Draft;
use super::entry::Entry;
use super::hint::Hint;
use super::score::base;
use super::site::Site;
use super::tier::Tier;
use super::trap::{Look, is_trap, look};
use super::{Frontier, SiteId, key};
use crate::clock::Millis;
use crate::codec::{Reader, Writer};
use crate::error::{Error, Result};
use crate::kv::Ticket;
use crate::url::{CanonicalUrl, Fingerprint};

/// Links that are sorted out at once where there are many: more at once are no faster, and leave the caches of the processor.
pub(super) const MANY: usize = 4_096;

/// What is to be taken in.
pub(super) type Queues = BTreeMap<(SiteId, Tier), Vec<Entry>>;

/// Where a page, a redirect or another partition leads.
#[derive(Debug, Clone)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own about how it was found")]
pub struct Link {
    pub url: CanonicalUrl,
    /// The page that it was found on; none: a seed.
    pub via: Option<CanonicalUrl>,
    /// Links from a seed to here.
    pub depth: u32,
    /// Redirects on the way here.
    pub hops: u32,
    /// A robots.txt names it as a sitemap: it may lie on a host that the crawl does not go to (sitemaps.org, cross submits).
    pub sitemap: bool,
    /// A sitemap or feed that was given as a seed lists it: it is as good as given.
    pub listed: bool,
    /// A person gave it, or what leads here by redirects: it is no trap.
    pub given: bool,
    /// What redirects here was never fetched.
    pub may_return: bool,
    /// It may be known: redirects led back to it, with a cookie.
    pub again: bool,
    /// What a sitemap says of it.
    pub hint: Hint,
}

impl Link {
    pub fn new(url: CanonicalUrl, via: Option<CanonicalUrl>, depth: u32) -> Self {
        Self {
            given: via.is_none(),
            url,
            via,
            depth,
            hops: 0,
            sitemap: false,
            listed: false,
            may_return: false,
            again: false,
            hint: Hint::default(),
        }
    }
}

impl Frontier {
    /// Offers URLs as seeds: they widen the scope and start at depth 0. Durable when it returns. Returns those refused,
    /// with the reason.
    pub fn seed<'a>(
        &mut self,
        now: Millis,
        urls: impl IntoIterator<Item = &'a str>,
    ) -> Result<Vec<(String, Error)>> {
        let mut draft = Draft::default();
        let (mut refused, mut links) = (Vec::new(), Vec::new());
        for text in urls {
            match self.urls.parse(text) {
                Ok(url) => {
                    if let Some(reason) = self.wanted.refuses(&url, true) {
                        refused.push((text.to_owned(), Error::Url { text: text.to_owned(), reason }));
                        continue;
                    }
                    self.admit(&mut draft, url.host());
                    links.push(Link::new(url, None, 0));
                }
                Err(error) => refused.push((text.to_owned(), error.into())),
            }
        }
        self.whole(|frontier| {
            frontier.offer(&mut draft, now, links)?;
            let ticket = frontier.commit(draft)?;
            frontier.kv.durable(ticket)
        })?;
        Ok(refused)
    }

    /// Widens the scope by a host.
    pub(super) fn admit(&mut self, draft: &mut Draft, host: &str) {
        self.scope.admit(host);
        draft.batch.put(key::scope(host), *b"");
    }

    /// Links from another partition, numbered there: a number that was taken before changes nothing.
    pub fn ingest(
        &mut self,
        now: Millis,
        partition: u64,
        number: u64,
        links: Vec<Link>,
    ) -> Result<Option<Ticket>> {
        self.alive()?;
        let known = self.kv.get(&key::inbound(partition))?;
        let last = known.map(|bytes| Reader::new(&bytes).number()).transpose()?;
        if last.is_some_and(|last| number <= last) {
            return Ok(None);
        }
        let mut draft = Draft::default();
        let mut to = Writer::new();
        to.number(number);
        draft.batch.put(key::inbound(partition), to.done());
        self.whole(|frontier| {
            frontier.offer(&mut draft, now, links)?;
            frontier.commit(draft).map(Some)
        })
    }

    /// Takes in what is new, in scope and within the limits.
    pub(super) fn offer(&mut self, draft: &mut Draft, now: Millis, mut links: Vec<Link>) -> Result<()> {
        let mut queues = Queues::default();
        self.sort_out(draft, now, &mut links, &mut queues)?;
        self.append_all(draft, queues);
        Ok(())
    }

    /// Empties `links`: what is to be taken in of them is in `queues` then. It is like one offer, in as many parts as one likes.
    pub(super) fn sort_out(
        &mut self,
        draft: &mut Draft,
        now: Millis,
        links: &mut Vec<Link>,
        queues: &mut Queues,
    ) -> Result<()> {
        self.counters.links += links.len() as u64;
        links.retain(|link| self.belongs(link));
        let prints: Vec<Fingerprint> = links.iter().map(|link| link.url.fingerprint()).collect();
        let fresh = self.sieve.sift(&prints)?;
        let mut source = Source::default();
        for ((link, print), fresh) in links.drain(..).zip(prints).zip(fresh) {
            let from = source.site_of(link.via.as_ref(), self);
            let id = source.own_site(&link.url).unwrap_or_else(|| self.scope.site_id(link.url.host()));
            if fresh {
                draft.fresh.push(print);
                self.sites
                    .entry(id)
                    .or_insert_with(|| Box::new(Site::new(self.scope.site_of(link.url.host()))));
            }
            self.count_in_link(draft, id, from);
            if (fresh || link.again)
                && let Some(tier) = self.tier_of_new(&link, id)
            {
                let Link { url, via, depth, hops, hint, sitemap, may_return, .. } = link;
                let new = Entry::new(url, depth, now);
                let entry = Entry { via, hops, hint, sitemap, may_return, ..new };
                queues.entry((id, tier)).or_default().push(entry);
            }
        }
        Ok(())
    }

    pub(super) fn append_all(&mut self, draft: &mut Draft, queues: Queues) {
        for ((id, tier), entries) in queues {
            self.append(draft, id, tier, entries);
        }
    }

    /// Scope, patterns, depth and the traps that one look shows. What a person gave is no trap.
    fn belongs(&mut self, link: &Link) -> bool {
        let named = link.depth == 0;
        let inside = if named || link.listed {
            self.scope.contains_named(&link.url)
        } else {
            self.scope.contains(&link.url)
        };
        if !link.sitemap && !inside {
            self.counters.out_of_scope += 1;
        } else if !link.sitemap && self.wanted.refuses(&link.url, named).is_some() {
            self.counters.unwanted += 1;
        } else if self.tables.crawl.max_depth.is_some_and(|limit| link.depth > limit) {
            self.counters.too_deep += 1;
        } else if !link.given && is_trap(&link.url, &self.tables.traps) {
            self.counters.trapped += 1;
        } else {
            return true;
        }
        false
    }

    /// The tier of a URL that was never seen; none: its site has enough of its kind.
    fn tier_of_new(&mut self, link: &Link, id: SiteId) -> Option<Tier> {
        let site = self.sites.get_mut(&id)?;
        if !link.given
            && !link.again
            && let Look::Suspect(trap, shape) = look(&link.url, &self.tables.traps)
            && !site.shapes.admit(shape, self.tables.traps.allowance(trap))
        {
            self.counters.trapped += 1;
            return None;
        }
        let entry = Entry::new(link.url.clone(), link.depth, 0);
        Some(self.tier_of(&entry, id))
    }

    pub(super) fn tier_of(&self, entry: &Entry, id: SiteId) -> Tier {
        let rank = self.sites.get(&id).map_or(0.0, |site| site.in_links.rank());
        self.tier_rules.tier_of(&entry.url, base(&self.tables.frontier.weights, &entry.signals(rank)))
    }

    /// A link from another site speaks for this one; the same site again adds nothing.
    fn count_in_link(&mut self, draft: &mut Draft, id: SiteId, from: Option<SiteId>) {
        if let Some(from) = from.filter(|from| *from != id)
            && let Some(site) = self.sites.get_mut(&id)
            && site.in_links.insert(from)
        {
            draft.touch(id);
        }
    }
}

/// The page that a run of links was found on.
#[derive(Default)]
struct Source {
    last: Option<Page>,
}

struct Page {
    url: CanonicalUrl,
    /// Bytes of its scheme, host and port, with the slash behind them.
    root: usize,
    site: SiteId,
}

impl Source {
    fn site_of(&mut self, via: Option<&CanonicalUrl>, frontier: &mut Frontier) -> Option<SiteId> {
        let via = via?;
        if let Some(page) = self.last.as_ref().filter(|page| page.url == *via) {
            return Some(page.site);
        }
        let (root, site) = (via.origin_text().len() + 1, frontier.scope.site_id(via.host()));
        self.last = Some(Page { url: via.clone(), root, site });
        Some(site)
    }

    /// The site of a URL on the host of that page, as most are: there is nothing to look up then.
    fn own_site(&self, url: &CanonicalUrl) -> Option<SiteId> {
        let page = self.last.as_ref()?;
        let root = page.url.as_str().as_bytes().get(..page.root)?;
        url.as_str().as_bytes().starts_with(root).then_some(page.site)
    }
}
