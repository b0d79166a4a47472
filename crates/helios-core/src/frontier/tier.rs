//! [`Tier`]: how often a URL is worth asking, by the rules of whoever crawls, else by its score.

use serde::{Deserialize, Serialize};

use super::glob::Glob;
use crate::error::{Error, Result};
use crate::url::CanonicalUrl;

/// Front-queue class: 1 is asked about hourly, 2 daily, 3 weekly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    One,
    Two,
    Three,
}

impl Tier {
    pub const ALL: [Self; 3] = [Self::One, Self::Two, Self::Three];

    /// 0 to 2: its place in tables of three.
    pub const fn index(self) -> usize {
        match self {
            Self::One => 0,
            Self::Two => 1,
            Self::Three => 2,
        }
    }

    /// 1 to 3: its name in settings, keys and metrics.
    pub const fn number(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Three => 3,
        }
    }

    pub const fn from_number(number: u8) -> Option<Self> {
        match number {
            1 => Some(Self::One),
            2 => Some(Self::Two),
            3 => Some(Self::Three),
            _ => None,
        }
    }
}

/// URLs of this pattern are of this tier. The pattern is a host, then optionally a path with its query; `*` stands for
/// any run of characters, also for none and across `/`:
///
/// * `example.org`: everything on that host, nothing on another
/// * `*.example.org`: everything on that domain and on all hosts below it
/// * `*.example.org/news/*`: there, what lies below `/news/`
/// * `*/login*`: on any host, paths that begin with `/login`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TierRule {
    pub pattern: String,
    pub tier: u8,
}

/// The rules in their order: the first that matches decides.
#[derive(Debug, Clone)]
pub struct TierRules {
    rules: Vec<(Pattern, Tier)>,
    scores: [f32; 2],
}

impl TierRules {
    /// `scores`: the least score of tier 1 and of tier 2.
    pub fn new(rules: &[TierRule], scores: [f32; 2]) -> Result<Self> {
        let [first, second] = scores;
        if first.is_nan() || second.is_nan() || first < second {
            return Err(Error::Settings(format!(
                "tier_scores = [{first}, {second}]: tier 1 must begin at the higher score; write the higher one first"
            )));
        }
        let rules = rules.iter().map(|rule| Ok((Pattern::new(rule)?, tier_named_by(rule)?)));
        Ok(Self { rules: rules.collect::<Result<_>>()?, scores })
    }

    pub fn tier_of(&self, url: &CanonicalUrl, score: f32) -> Tier {
        let by_rule = self.rules.iter().find(|(pattern, _)| pattern.matches(url));
        let [first, second] = self.scores;
        match by_rule {
            Some((_, tier)) => *tier,
            None if score >= first => Tier::One,
            None if score >= second => Tier::Two,
            None => Tier::Three,
        }
    }
}

fn tier_named_by(rule: &TierRule) -> Result<Tier> {
    Tier::from_number(rule.tier)
        .ok_or_else(|| refuse(rule, &format!("there is no tier {}: give 1, 2 or 3", rule.tier)))
}

fn refuse(rule: &TierRule, reason: &str) -> Error {
    Error::Settings(format!("tiers: the pattern {:?} does not do: {reason}", rule.pattern))
}

#[derive(Debug, Clone)]
struct Pattern {
    host: Glob,
    /// Of `*.example.org`: `example.org`, which belongs to it, too.
    bare: Option<Box<str>>,
    target: Option<Glob>,
}

impl Pattern {
    fn new(rule: &TierRule) -> Result<Self> {
        let text = rule.pattern.as_str();
        if let Some(reason) = flaw_of(text) {
            return Err(refuse(rule, reason));
        }
        let (host, target) = match text.find('/') {
            Some(at) => text.split_at(at),
            None => (text, ""),
        };
        let host = host.to_ascii_lowercase();
        Ok(Self {
            bare: host.strip_prefix("*.").filter(|rest| !rest.contains('*')).map(Box::from),
            host: Glob::new(&host),
            target: (!target.is_empty()).then(|| Glob::new(target)),
        })
    }

    fn matches(&self, url: &CanonicalUrl) -> bool {
        let host = url.host();
        (self.host.matches(host) || self.bare.as_deref() == Some(host))
            && self.target.as_ref().is_none_or(|target| target.matches(url.target()))
    }
}

fn flaw_of(pattern: &str) -> Option<&'static str> {
    let host = pattern.split('/').next().unwrap_or_default();
    if !pattern.bytes().all(|byte| byte.is_ascii_graphic()) {
        Some("write it as it stands in a URL: xn--bcher-kva.example for a host, %C3%BC or %20 in a path")
    } else if pattern.contains("://") {
        Some("leave the scheme out: example.org/news/*")
    } else if host.is_empty() {
        Some("it names no host; for any host write *, as in */login*")
    } else if pattern.contains("**") {
        Some("one * already stands for any run of characters, also across /")
    } else if !host.starts_with('[') && host.contains(':') {
        Some("leave the port out: a pattern speaks for all ports of a host")
    } else if host.contains(['?', '#', '@']) {
        Some("a host has none of ?, # and @; put a / before what belongs to the path")
    } else {
        None
    }
}
