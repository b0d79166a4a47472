//! What becomes of one page after its outcome: done, again, later or never.

use super::draft::Draft;
use super::entry::{Entry, Failure};
use super::history::Record;
use super::later::salt_of;
use super::offer::Link;
use super::queue::Spot;
use super::retry::{Verdict, backoff_ms, verdict};
use super::settle::Found;
use super::site::Site;
use super::{Frontier, SiteId};
use crate::clock::Millis;
use crate::fetch::{Finished, Outcome, Validators};

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
                draft.record(id, Record::of(&entry, kind, finished.outcome.describe(), finished.finished));
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
                self.count_page(site, &entry, &found);
                let (via, depth) = (Some(entry.url.clone()), entry.depth + 1);
                links.extend(found.links.into_iter().map(|url| Link {
                    url,
                    via: via.clone(),
                    depth,
                    hops: 0,
                }));
                self.come_back(draft, id, finished, entry, Some((found.content, &response.validators)));
            }
            Outcome::NotModified => {
                self.counters.not_modified += 1;
                self.come_back(draft, id, finished, entry, None);
            }
            // A redirect is a link: its target goes the way of any other, with a hop count.
            Outcome::Redirected { target, .. } => {
                if entry.hops >= self.tables.frontier.max_redirects {
                    self.counters.too_many_redirects += 1;
                } else if let Ok(url) = self.urls.join(&entry.url.to_url(), target) {
                    links.push(Link { url, via: Some(entry.url), depth: entry.depth, hops: entry.hops + 1 });
                }
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
            | Outcome::Abandoned => {}
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
        let wait = past.rhythm.next(changed, tier, &self.tables.recrawl, salt);
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
