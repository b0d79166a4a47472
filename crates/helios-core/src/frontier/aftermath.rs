//! What becomes of one page after its outcome: done, again, later or never.

use super::draft::Draft;
use super::entry::{Entry, Failure};
use super::hint::Hint;
use super::history::Record;
use super::later::salt_of;
use super::offer::Link;
use super::queue::Spot;
use super::retry::{Verdict, backoff_ms, verdict};
use super::settle::{Found, Listing};
use super::site::Site;
use super::{Frontier, SiteId};
use crate::clock::Millis;
use crate::fetch::{Finished, Outcome, OutcomeKind, Validators};
use crate::url::CanonicalUrl;

impl Frontier {
    pub(super) fn settle_page(
        &mut self,
        draft: &mut Draft,
        (id, site): (SiteId, &mut Site),
        (now, finished): (Millis, &Finished),
        (entry, spot, found): (Entry, Spot, Found),
        links: &mut Vec<Link>,
    ) {
        let kind = finished.outcome.kind();
        self.counters.bytes += finished.wire_bytes;
        if self.out_of_bytes(&finished.outcome) {
            self.bytes_used_up = true;
            return self.give_back(id, site, spot);
        }
        match verdict(kind) {
            Verdict::Return => return self.give_back(id, site, spot),
            Verdict::Done => {
                draft.record(id, Record::of(&entry, kind, became(finished, &found), finished.finished));
                self.done(draft, (id, site), finished, (entry, found), links);
            }
            Verdict::Again => self.again(draft, id, finished, entry, now),
            Verdict::Dead => self.bury(draft, id, &entry, &finished.outcome.describe(), now),
        }
        self.finish(draft, id, site, spot);
    }

    /// A page that did not fit into what was left under `max_bytes`, not one that is too large for itself.
    fn out_of_bytes(&self, outcome: &Outcome) -> bool {
        let Outcome::TooLarge { limit } = outcome else { return false };
        self.tables.crawl.max_bytes.is_some() && *limit < self.tables.frontier.max_body_bytes
    }

    fn done(
        &mut self,
        draft: &mut Draft,
        (id, site): (SiteId, &mut Site),
        finished: &Finished,
        (entry, found): (Entry, Found),
        links: &mut Vec<Link>,
    ) {
        match &finished.outcome {
            Outcome::Fetched(response) => {
                if found.listing.is_none() {
                    self.count_page(site, &entry, &found);
                }
                add_links(links, &entry, found.links, found.listing.as_ref());
                self.come_back(draft, id, finished, entry, Some((found.content, &response.validators)));
            }
            Outcome::NotModified => {
                self.counters.not_modified += 1;
                self.come_back(draft, id, finished, entry, None);
            }
            Outcome::Redirected { target, .. } => {
                self.redirect(draft, id, finished, &entry, (target, links));
                self.look_again(draft, id, finished, entry);
            }
            Outcome::Missing { .. }
            | Outcome::Busy { .. }
            | Outcome::Unresolved(_)
            | Outcome::ForbiddenAddress(_)
            | Outcome::Unreachable(_)
            | Outcome::Untrusted(_)
            | Outcome::TimedOut(_)
            | Outcome::Broken(_)
            | Outcome::TooLarge { .. }
            | Outcome::Bomb { .. }
            | Outcome::UnwantedType(_)
            | Outcome::Abandoned => self.look_again(draft, id, finished, entry),
        }
    }

    /// A redirect is a link: its target goes the way of any other, with a hop count.
    fn redirect(
        &mut self,
        draft: &mut Draft,
        id: SiteId,
        finished: &Finished,
        entry: &Entry,
        (target, links): (&str, &mut Vec<Link>),
    ) {
        let limit = self.tables.frontier.max_redirects;
        if entry.hops >= limit {
            self.counters.too_many_redirects += 1;
            if entry.past.is_none() {
                let why = format!("redirected more often than max_redirects = {limit} allows");
                self.bury_as(draft, id, entry, (OutcomeKind::Redirected, &why), finished.finished);
            }
        } else if let Ok(url) = self.urls.join(&entry.url.to_url(), target) {
            if is_seed(entry) && entry.past.is_none() && url.site() == entry.url.site() {
                // From example.org to www.example.org: who named the one meant the other.
                self.admit(draft, url.host());
            }
            let sitemap = entry.is_sitemap();
            let via = if sitemap { entry.via.clone() } else { Some(entry.url.clone()) };
            // With scope list, whatever is asked for was given or listed, and so is where it redirects to.
            let (hops, listed, given) = (entry.hops + 1, true, is_seed(entry));
            let (may_return, again) = (!sitemap && entry.past.is_none(), self.may_let_in(entry, &url));
            let link = Link::new(url, via, entry.depth);
            links.push(Link { hops, sitemap, listed, given, may_return, again, hint: entry.hint, ..link });
        }
    }

    /// Does a redirect lead back to itself, or to the one that led to it? Who sent us round for a cookie lets us in with it. Only what was never
    /// fetched is asked again so, for its next fetch has the number of the first.
    fn may_let_in(&self, entry: &Entry, target: &CanonicalUrl) -> bool {
        let itself = entry.url == *target && entry.past.is_none();
        let back = entry.may_return && entry.via.as_ref() == Some(target);
        (itself || back) && self.tables.frontier.cookies
    }

    /// A page that was there once may be there again: with recrawl on it keeps its time.
    fn look_again(&mut self, draft: &mut Draft, id: SiteId, finished: &Finished, entry: Entry) {
        if entry.past.is_some() {
            self.come_back(draft, id, finished, entry, None);
        }
    }

    fn count_page(&mut self, site: &mut Site, entry: &Entry, found: &Found) {
        self.counters.fetched += 1;
        site.fetched += 1;
        site.duplicates.count(found.duplicate);
        self.counters.duplicates += u64::from(found.duplicate);
        self.counters.recrawled += u64::from(entry.past.is_some());
    }

    /// With recrawl on, a page that was fetched waits for its next time. `brought`: what came with it; none: it was not
    /// modified.
    fn come_back(
        &mut self,
        draft: &mut Draft,
        id: SiteId,
        finished: &Finished,
        entry: Entry,
        brought: Option<(Option<u64>, &Validators)>,
    ) {
        if !self.tables.recrawl.enabled {
            return;
        }
        let tier = self.tier_of(&entry, id);
        let mut past = entry.past.as_deref().cloned().unwrap_or_default();
        let salt = salt_of(&entry, past.fetches);
        let changed = brought.is_some_and(|(content, _)| content.is_none() || content != past.content);
        self.counters.changed += u64::from(changed && past.content.is_some());
        let recrawl = self.tables.recrawl.starting(entry.hint.first_pause_s(finished.finished));
        let wait = past.rhythm.next(changed, tier, &recrawl, salt);
        past.at = finished.finished;
        if let Some((content, validators)) = brought {
            past.fetches += 1;
            past.content = content;
            past.validators = validators.clone();
        }
        let entry = Entry { failures: Vec::new(), past: Some(Box::new(past)), ..entry };
        self.put_off(draft, id, &entry, finished.finished + wait);
    }

    fn again(&mut self, draft: &mut Draft, id: SiteId, finished: &Finished, mut entry: Entry, now: Millis) {
        let (kind, why) = (finished.outcome.kind(), finished.outcome.describe());
        entry.failures.push(Failure { at: finished.finished, kind, why: why.clone() });
        if entry.attempts() >= self.tables.frontier.attempts {
            return self.bury(draft, id, &entry, &why, now);
        }
        self.counters.retried += 1;
        let salt = salt_of(&entry, entry.attempts());
        let wait = self.retry_after(&finished.outcome).unwrap_or(0);
        let wait = wait.max(backoff_ms(entry.attempts(), salt, &self.tables.frontier));
        self.put_off(draft, id, &entry, finished.finished + wait);
    }
}

/// A seed, or where one redirected to.
fn is_seed(entry: &Entry) -> bool {
    entry.depth == 0 && (entry.via.is_none() || entry.hops > 0) && !entry.is_sitemap()
}

/// What became of it, in words.
fn became(finished: &Finished, found: &Found) -> String {
    let answered = finished.outcome.describe();
    match found.unkept {
        Some(why) => format!("{answered}; not stored: {why}"),
        None => answered,
    }
}

/// Where a page or a list leads. A sitemap speaks for its own host and for the host whose robots.txt names it (sitemaps.org);
/// what it says of others is not heeded, but they are links like any other. Sitemaps of an index are as deep as the index, and
/// as welcome where they lie beside it.
fn add_links(to: &mut Vec<Link>, entry: &Entry, urls: Vec<CanonicalUrl>, listing: Option<&Listing>) {
    let link = |url, depth| Link::new(url, Some(entry.url.clone()), depth);
    let Some(listing) = listing else {
        to.extend(urls.into_iter().map(|url| link(url, entry.depth + 1)));
        return;
    };
    let via = entry.via.as_ref().filter(|_| entry.is_named());
    let depth = if listing.index { entry.depth } else { entry.depth + 1 };
    let hints = listing.hints.iter().copied().chain(std::iter::repeat(Hint::default()));
    let hinted = |(url, hint): (CanonicalUrl, Hint)| {
        let own = url.host() == entry.url.host();
        let spoken_for = own || via.is_some_and(|via| via.host() == url.host());
        Link {
            sitemap: listing.index && own && via.is_some(),
            listed: entry.depth == 0,
            hint: if spoken_for { hint } else { Hint::default() },
            ..link(url, depth)
        }
    };
    to.extend(urls.into_iter().zip(hints).map(hinted));
}
