//! What is known of an origin's robots.txt, and what an answer to asking for it means (RFC 9309 §2.3, §2.4). Pure.

use std::sync::Arc;

use super::{Permit, RobotsRules, RobotsSettings};
use crate::clock::Millis;
use crate::url::{CanonicalUrl, Origin};

/// At most this many redirects are followed (RFC 9309 §2.3.1.2: at least five).
const MAX_HOPS: u32 = 5;

/// What came back when robots.txt was asked for.
#[derive(Debug, Clone)]
pub enum RobotsAnswer {
    Text(bytes::Bytes),
    /// 3xx to here; `None`: to nowhere that can be asked.
    Moved(Option<CanonicalUrl>),
    /// 4xx: there is no robots.txt, everything may be asked.
    Absent,
    /// 5xx, 429 or no answer at all: nothing may be asked until it answers. `hopeless`: asking again would not help.
    Unavailable {
        why: String,
        hopeless: bool,
    },
}

/// The knowledge of one origin's robots.txt.
#[derive(Debug, Clone, Default)]
pub struct RobotsState {
    rules: Option<(Arc<RobotsRules>, Millis)>,
    moved_to: Option<CanonicalUrl>,
    hops: u32,
    failures: u32,
    hopeless: bool,
    /// What happened the last time that it failed, for people.
    why: String,
}

impl RobotsState {
    /// The rules, while they are believed.
    pub fn rules(&self, now: Millis) -> Option<&Arc<RobotsRules>> {
        self.rules.as_ref().filter(|(_, expires)| now < *expires).map(|(rules, _)| rules)
    }

    /// What to ask next in order to know the rules.
    pub fn ask(&self, origin: &Origin) -> Option<Permit> {
        match &self.moved_to {
            Some(url) => Some(Permit::for_moved_robots_txt(url.clone())),
            None => Permit::for_robots_txt(origin),
        }
    }

    /// It failed so often that its origin is given up.
    pub fn given_up(&self, settings: &RobotsSettings) -> bool {
        self.hopeless || self.failures >= settings.attempts
    }

    pub fn why(&self) -> &str {
        &self.why
    }

    fn know(&mut self, rules: RobotsRules, expires: Millis) {
        *self = Self { rules: Some((Arc::new(rules), expires)), ..Self::default() };
    }

    fn fail(&mut self, why: String, hopeless: bool) {
        *self = Self { failures: self.failures + 1, hopeless, why, ..Self::default() };
    }

    /// Takes in an answer.
    pub fn answered(
        &mut self,
        answer: &RobotsAnswer,
        origin: &Origin,
        settings: &RobotsSettings,
        now: Millis,
    ) {
        let expires = now + settings.ttl_s * 1000;
        match answer {
            RobotsAnswer::Text(bytes) => {
                self.know(RobotsRules::parse(bytes, &settings.token, settings.max_bytes), expires);
            }
            RobotsAnswer::Absent => self.know(RobotsRules::allow_all(), expires),
            RobotsAnswer::Moved(_) if self.hops >= MAX_HOPS => self.know(RobotsRules::allow_all(), expires),
            // Another site's robots.txt may be asked only by whoever is being polite to that site: not from here.
            RobotsAnswer::Moved(Some(url)) if url.site() == site_of(origin) => {
                self.moved_to = Some(url.clone());
                self.hops += 1;
            }
            RobotsAnswer::Moved(Some(url)) => {
                self.fail(format!("it has moved to another site, {url}"), true);
            }
            RobotsAnswer::Moved(None) => self.fail("it has moved to nowhere".to_owned(), false),
            RobotsAnswer::Unavailable { why, hopeless } => self.fail(why.clone(), *hopeless),
        }
    }
}

fn site_of(origin: &Origin) -> crate::url::SiteKey {
    crate::url::SiteKey::of_host(&origin.host)
}
