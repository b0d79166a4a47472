//! What an answer to GET /robots.txt teaches (RFC 9309 §2.3.1).

use super::draft::Draft;
use super::retry::{Verdict, verdict};
use super::{Frontier, SiteId};
use crate::error::Result;
use crate::fetch::{Finished, Outcome};
use crate::robots::RobotsAnswer;
use crate::url::{Canonicaliser, Origin};

impl Frontier {
    pub(super) fn learn_robots(
        &mut self,
        draft: &mut Draft,
        finished: &Finished,
        owner: SiteId,
        origin: &Origin,
    ) -> Result<()> {
        if matches!(finished.outcome, Outcome::Abandoned) {
            return Ok(());
        }
        let origin_id = xxhash_rust::xxh3::xxh3_64(origin.to_string().as_bytes());
        let state = self.book.state(owner, origin_id)?;
        state.answered(&robots_answer(finished, &self.urls), origin, &self.tables.robots, finished.finished);
        let known = state.rules(finished.finished).map(|rules| rules.crawl_delay_ms.unwrap_or(0));
        self.book.write(draft, owner, origin_id);
        if let Some(delay) = known {
            self.counters.robots_answers += 1;
            self.learn_delay(owner, origin_id, delay);
            draft.touch(owner);
        }
        Ok(())
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
            hopeless: verdict(finished.outcome.kind()) == Verdict::Dead,
        },
    }
}
