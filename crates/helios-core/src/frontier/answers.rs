//! What an answer to GET /robots.txt teaches (RFC 9309 §2.3.1).

use super::draft::Draft;
use super::offer::Link;
use super::retry::{Verdict, verdict};
use super::take::RobotsOf;
use super::{Frontier, SiteId};
use crate::error::Result;
use crate::fetch::{Finished, Outcome};
use crate::robots::{Permit, RobotsAnswer};
use crate::url::{Canonicaliser, Origin};

/// Sitemaps on hosts that the crawl does not go to, of one robots.txt: nobody may send us to strangers in crowds.
const MOST_OUTSIDE: usize = 16;

impl Frontier {
    pub(super) fn learn_robots(
        &mut self,
        draft: &mut Draft,
        finished: &Finished,
        of: &RobotsOf,
        links: &mut Vec<Link>,
    ) -> Result<()> {
        let RobotsOf { site: owner, origin, depth } = of;
        let owner = *owner;
        if matches!(finished.outcome, Outcome::Abandoned) {
            return Ok(());
        }
        let origin_id = xxhash_rust::xxh3::xxh3_64(origin.to_string().as_bytes());
        let state = self.book.state(owner, origin_id)?;
        state.answered(&robots_answer(finished, &self.urls), origin, &self.tables.robots, finished.finished);
        let known = state.rules(finished.finished).cloned();
        self.book.write(draft, owner, origin_id);
        if let Some(rules) = known {
            self.counters.robots_answers += 1;
            self.learn_delay(owner, origin_id, rules.crawl_delay_ms.unwrap_or(0));
            draft.touch(owner);
            if self.tables.crawl.sitemaps {
                links.extend(self.sitemaps(&rules.sitemaps, origin, *depth));
            }
        }
        Ok(())
    }

    /// The sitemaps that a robots.txt names. What they list is a link away from whatever made us ask there, so that they
    /// themselves are as deep as that; where nothing deeper is wanted, they are not, either.
    fn sitemaps(&self, named: &[String], origin: &Origin, depth: u32) -> Vec<Link> {
        let Some(robots) = Permit::for_robots_txt(origin).map(|permit| permit.url().clone()) else {
            return Vec::new();
        };
        if !self.scope.contains(&robots) || self.tables.crawl.max_depth.is_some_and(|limit| depth >= limit) {
            return Vec::new();
        }
        let base = robots.to_url();
        let urls = named.iter().filter_map(|text| self.urls.join(&base, text).ok());
        let (inside, outside): (Vec<_>, Vec<_>) = urls.partition(|url| self.scope.contains(url));
        let link = |url| Link { sitemap: true, ..Link::new(url, Some(robots.clone()), depth) };
        inside.into_iter().chain(outside.into_iter().take(MOST_OUTSIDE)).map(link).collect()
    }

    /// A site's delay is that of the origin that asks for the longest; that origin may take it back.
    fn learn_delay(&mut self, owner: SiteId, origin: u64, delay: u64) {
        let Some(site) = self.sites.get_mut(&owner) else { return };
        if site.crawl_delay_of == origin || delay > site.crawl_delay_ms {
            site.crawl_delay_ms = delay;
            site.crawl_delay_of = origin;
        }
    }
}

/// 2xx rules, 3xx elsewhere, 4xx none (but 429 is "come back"), all else unavailable.
fn robots_answer(finished: &Finished, urls: &Canonicaliser) -> RobotsAnswer {
    match &finished.outcome {
        Outcome::Fetched(response) => RobotsAnswer::Text(response.body.clone()),
        Outcome::Redirected { target, .. } => {
            RobotsAnswer::Moved(urls.join(&finished.task.permit.url().to_url(), target).ok())
        }
        Outcome::Missing { .. } => RobotsAnswer::Absent,
        Outcome::NotModified
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
        | Outcome::Abandoned => RobotsAnswer::Unavailable {
            why: finished.outcome.describe(),
            hopeless: is_hopeless(&finished.outcome),
        },
    }
}

/// Asking again soon would not help. A name server that says "there is no such name" has answered: that is believed for
/// longer than all attempts take, and each of them would hear it from memory. One that fails has not.
fn is_hopeless(outcome: &Outcome) -> bool {
    let is_answered = matches!(outcome, Outcome::Unresolved(error) if !error.is_temporary());
    is_answered || verdict(outcome.kind()) == Verdict::Dead
}
