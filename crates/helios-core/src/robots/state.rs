//! What is known of an origin's robots.txt, what to do in order to know it, and what an answer means (RFC 9309 §2.3, §2.4).
//! Pure.

use std::sync::Arc;

use bytes::Bytes;

use super::{Permit, RobotsRules, RobotsSettings};
use crate::clock::Millis;
use crate::url::{CanonicalUrl, Origin, SiteKey};

/// At most this many redirects are followed (RFC 9309 §2.3.1.2: at least five).
const MAX_HOPS: u32 = 5;

/// What came back when robots.txt was asked for.
#[derive(Debug, Clone)]
pub enum RobotsAnswer {
    Text(Bytes),
    /// 3xx to here; `None`: to nowhere that can be asked.
    Moved(Option<CanonicalUrl>),
    /// 4xx but 429: there is no robots.txt, everything may be asked.
    Absent,
    /// 5xx, 429 or no answer at all. `hopeless`: asking again soon would not help.
    Unavailable {
        why: String,
        hopeless: bool,
    },
}

/// What to do for a URL of an origin.
#[derive(Debug, Clone)]
pub enum RobotsStep {
    /// The rules are known: they decide.
    Rules(Arc<RobotsRules>),
    /// Fetch this first, on the origin's own site.
    Ask(Permit),
    /// Fetch this first. It lies on another site, and only whoever is polite to that site may ask there.
    AskElsewhere(Permit),
    /// Nothing may be asked before that moment; robots.txt itself may then.
    WaitUntil(Millis),
    /// It failed too often: nothing may be asked of this origin, and nothing will change soon.
    GivenUp,
}

/// Why the rules are what they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RobotsBasis {
    /// They were read.
    Text,
    /// There is no robots.txt: all is allowed (RFC 9309 §2.3.1.3).
    Absent,
    /// It was moved more than five times: as if there were none (RFC 9309 §2.3.1.2).
    MovedTooOften,
}

/// The knowledge of one origin's robots.txt: unknown as made by default, then known until it expires, and beside that perhaps
/// in trouble, or somewhere on a chain of redirects.
#[derive(Debug, Clone, Default)]
pub struct RobotsState {
    pub(super) known: Option<Known>,
    pub(super) moved: Option<Moved>,
    pub(super) trouble: Option<Trouble>,
}

#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) basis: RobotsBasis,
    /// As received, up to `max_bytes`.
    pub(super) text: Bytes,
    pub(super) rules: Arc<RobotsRules>,
    pub(super) fetched: Millis,
    pub(super) expires: Millis,
}

#[derive(Debug, Clone)]
pub(super) struct Moved {
    pub(super) to: CanonicalUrl,
    pub(super) hops: u32,
}

#[derive(Debug, Clone)]
pub(super) struct Trouble {
    pub(super) since: Millis,
    /// In a row.
    pub(super) failures: u32,
    pub(super) ask_again: Millis,
    pub(super) hopeless: bool,
    /// For people.
    pub(super) why: String,
}

impl RobotsState {
    /// `site_of`: whom a host belongs to, as the frontier draws sites.
    ///
    /// While robots.txt cannot be reached, the last rules go on (RFC 9309 §2.4), and it is asked again with growing pauses. If
    /// there never were any, nothing may be asked (RFC 9309 §2.3.1.4): after `attempts` failures the origin is given up, and
    /// tried once more for URLs that come a `ttl_s` later.
    pub fn step(
        &self,
        origin: &Origin,
        site_of: &dyn Fn(&str) -> SiteKey,
        settings: &RobotsSettings,
        now: Millis,
    ) -> RobotsStep {
        if let Some(rules) = self.rules(now) {
            return RobotsStep::Rules(Arc::clone(rules));
        }
        match &self.trouble {
            Some(trouble) if now < trouble.ask_again && trouble.is_final(settings) => RobotsStep::GivenUp,
            Some(trouble) if now < trouble.ask_again => RobotsStep::WaitUntil(trouble.ask_again),
            _ => self.ask(origin, site_of),
        }
    }

    /// The rules that hold now: not expired, or expired while robots.txt cannot be reached and is not due to be asked again.
    pub fn rules(&self, now: Millis) -> Option<&Arc<RobotsRules>> {
        let known = self.known.as_ref()?;
        let pausing = self.trouble.as_ref().is_some_and(|trouble| now < trouble.ask_again);
        (now < known.expires || pausing).then_some(&known.rules)
    }

    fn ask(&self, origin: &Origin, site_of: &dyn Fn(&str) -> SiteKey) -> RobotsStep {
        let Some(moved) = &self.moved else {
            // An origin that cannot be written as a URL cannot be asked anything.
            return Permit::for_robots_txt(origin).map_or(RobotsStep::GivenUp, RobotsStep::Ask);
        };
        let permit = Permit::for_moved_robots_txt(moved.to.clone());
        if site_of(moved.to.host()) == site_of(&origin.host) {
            RobotsStep::Ask(permit)
        } else {
            RobotsStep::AskElsewhere(permit)
        }
    }

    /// What happened the last time that it failed, for people.
    pub fn why(&self) -> &str {
        self.trouble.as_ref().map_or("it has no address", |trouble| &trouble.why)
    }

    /// Takes in an answer.
    pub fn answered(
        &mut self,
        answer: &RobotsAnswer,
        origin: &Origin,
        settings: &RobotsSettings,
        now: Millis,
    ) {
        let hops = self.moved.as_ref().map_or(0, |moved| moved.hops);
        match answer {
            RobotsAnswer::Text(text) => self.know(RobotsBasis::Text, text, settings, now),
            RobotsAnswer::Absent => self.know(RobotsBasis::Absent, &Bytes::new(), settings, now),
            RobotsAnswer::Moved(_) if hops >= MAX_HOPS => {
                self.know(RobotsBasis::MovedTooOften, &Bytes::new(), settings, now);
            }
            RobotsAnswer::Moved(Some(to)) => {
                self.moved = Some(Moved { to: to.clone(), hops: hops + 1 });
                // It answers; whatever was wrong before, there is nothing to wait for.
                if let Some(trouble) = &mut self.trouble {
                    trouble.ask_again = trouble.ask_again.min(now);
                }
            }
            RobotsAnswer::Moved(None) => self.fail("it has moved to nowhere", false, settings, now),
            RobotsAnswer::Unavailable { why, hopeless } => self.fail(why, *hopeless, settings, now),
        }
        debug_assert!(self.moved.as_ref().is_none_or(|moved| moved.hops <= MAX_HOPS), "{origin}");
    }

    fn know(&mut self, basis: RobotsBasis, text: &Bytes, settings: &RobotsSettings, now: Millis) {
        let expires = now.saturating_add(settings.ttl_s.saturating_mul(1_000));
        let known = Known::new(basis, text, settings, (now, expires));
        *self = Self { known: Some(known), ..Self::default() };
    }

    /// The next time it is asked from the start of its chain.
    fn fail(&mut self, why: &str, hopeless: bool, settings: &RobotsSettings, now: Millis) {
        let before = self.trouble.take();
        let mut trouble = Trouble {
            since: before.as_ref().map_or(now, |before| before.since),
            failures: before.map_or(0, |before| before.failures).saturating_add(1),
            ask_again: now,
            hopeless,
            why: why.to_owned(),
        };
        let longest = settings.ttl_s.saturating_mul(1_000);
        let doublings = trouble.failures.saturating_sub(1).min(32);
        let pause = settings.retry_ms.saturating_mul(1 << doublings).min(longest);
        let lost = self.known.is_none() && trouble.is_final(settings);
        trouble.ask_again = now.saturating_add(if lost { longest } else { pause });
        self.moved = None;
        self.trouble = Some(trouble);
    }

    /// Somebody wants what was given up: it is asked again at once, and as often as the first time.
    pub fn forgive(&mut self) {
        self.trouble = None;
    }
}

impl Known {
    pub(super) fn new(
        basis: RobotsBasis,
        text: &Bytes,
        settings: &RobotsSettings,
        (fetched, expires): (Millis, Millis),
    ) -> Self {
        // A copy of the part that is kept: a slice would hold on to the whole body.
        let text = text.get(..settings.max_bytes).map_or_else(|| text.clone(), Bytes::copy_from_slice);
        let rules = Arc::new(RobotsRules::parse(&text, &settings.token, settings.max_bytes));
        Self { basis, text, rules, fetched, expires }
    }
}

impl Trouble {
    fn is_final(&self, settings: &RobotsSettings) -> bool {
        self.hopeless || self.failures >= settings.attempts
    }
}
