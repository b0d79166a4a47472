//! What the model knows of a robots.txt (RFC 9309): rules, nothing, or trouble.

use helios_core::fetch::OutcomeKind;
use helios_core::robots::RobotsSettings;

use crate::web::Answer;

#[derive(Debug, Clone, Default)]
pub(crate) struct Robots {
    known: Option<Rules>,
    trouble: Option<Trouble>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) disallow: bool,
    pub(crate) delay: u64,
    expires: u64,
}

#[derive(Debug, Clone)]
struct Trouble {
    failures: u32,
    until: u64,
    hopeless: bool,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Step {
    Rules(Rules),
    Ask,
    Wait(u64),
    GivenUp,
}

impl Robots {
    pub(crate) fn step(&self, settings: &RobotsSettings, now: u64) -> Step {
        let pausing = self.trouble.as_ref().filter(|trouble| now < trouble.until);
        match (self.known, pausing) {
            (Some(rules), None) if now < rules.expires => Step::Rules(rules),
            (Some(rules), Some(_)) => Step::Rules(rules),
            (_, None) => Step::Ask,
            (None, Some(trouble)) if trouble.hopeless || trouble.failures >= settings.attempts => {
                Step::GivenUp
            }
            (None, Some(trouble)) => Step::Wait(trouble.until),
        }
    }

    pub(crate) fn answered(&mut self, answer: &Answer, settings: &RobotsSettings, at: u64) {
        let ttl = settings.ttl_s * 1_000;
        let (disallow, delay) = match answer.kind {
            OutcomeKind::Fetched => answer.rules(),
            OutcomeKind::Missing => (false, 0),
            OutcomeKind::ForbiddenAddress | OutcomeKind::Untrusted => return self.failed(true, settings, at),
            OutcomeKind::Unresolved => return self.failed(answer.name_is_missing(), settings, at),
            _ => return self.failed(false, settings, at),
        };
        *self = Self { known: Some(Rules { disallow, delay, expires: at + ttl }), trouble: None };
    }

    fn failed(&mut self, hopeless: bool, settings: &RobotsSettings, at: u64) {
        let ttl = settings.ttl_s * 1_000;
        let failures = self.trouble.as_ref().map_or(0, |trouble| trouble.failures) + 1;
        let given_up = self.known.is_none() && (hopeless || failures >= settings.attempts);
        let pause = if given_up { ttl } else { (settings.retry_ms << (failures - 1).min(32)).min(ttl) };
        self.trouble = Some(Trouble { failures, until: at + pause, hopeless });
    }

    pub(crate) fn forgive(&mut self) {
        self.trouble = None;
    }
}
