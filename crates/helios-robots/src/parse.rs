//! The bytes of a robots.txt → the rules that concern us (RFC 9309 §2.2). One pass; values stay slices of the text.

use std::borrow::Cow;
use std::collections::HashSet;

use super::line::{Key, lines, read};
use super::matcher::{RuleLine, RuleSet};
use super::pattern::normal_target;

/// More of a file is never read, whatever the settings say: places in it must fit 32 bits, also after escaping.
const MOST_BYTES: usize = 1 << 28;

/// Longer delays mean the same as this one: never come back. In seconds.
const LONGEST_DELAY: f64 = 86_400_000.0;

/// The merged rules of the groups that name our token, or of the `*` groups if none does.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RobotsRules {
    rules: Option<Box<RuleSet>>,
    pub crawl_delay_ms: Option<u64>,
    /// As written, each once: they belong to no group.
    pub sitemaps: Vec<String>,
}

/// Lines gathered for one kind of group while reading.
#[derive(Default)]
struct Group<'a> {
    named: bool,
    rules: Vec<RuleLine<'a>>,
    crawl_delay_ms: Option<u64>,
}

/// Which kinds of group a line belongs to.
#[derive(Default, Clone, Copy)]
struct Scope {
    ours: bool,
    everyone: bool,
}

#[derive(Default)]
struct Reading<'a> {
    ours: Group<'a>,
    everyone: Group<'a>,
    rules: Scope,
    /// A rule was read: the next agent begins a new group.
    ruled: bool,
    /// As `rules` and `ruled`, for delays: agents share rules across a Crawl-delay line (RFC 9309 §2.2.4), but not the delay.
    delay: Scope,
    delayed: bool,
    sitemaps: Vec<&'a [u8]>,
}

impl RobotsRules {
    pub fn allow_all() -> Self {
        Self::default()
    }

    /// Never fails: what cannot be understood is no rule. Only the first `max_bytes` are read. Of a `token` with a version, as
    /// in `name/1.0`, the name counts.
    pub fn parse(bytes: &[u8], token: &str, max_bytes: usize) -> Self {
        let bytes = bytes.get(..max_bytes.min(MOST_BYTES)).unwrap_or(bytes);
        let text = in_utf8(bytes);
        let token = token.split('/').next().unwrap_or_default();
        let mut reading = Reading::default();
        for (key, value) in lines(&text).filter_map(read) {
            reading.take(key, value, token.as_bytes());
        }
        let group = if reading.ours.named { reading.ours } else { reading.everyone };
        Self {
            rules: RuleSet::new(&group.rules).map(Box::new),
            crawl_delay_ms: group.crawl_delay_ms,
            sitemaps: distinct(&reading.sitemaps),
        }
    }

    /// May this path and query be asked for? robots.txt always may (RFC 9309 §2.2.2).
    pub fn allows(&self, target: &str) -> bool {
        self.denying(target).is_none()
    }

    /// The rule that denies this path and query, if any.
    pub fn denying_rule(&self, target: &str) -> Option<String> {
        self.denying(target).map(|(rules, rank)| rules.text(rank))
    }

    fn denying(&self, target: &str) -> Option<(&RuleSet, u32)> {
        let rules = self.rules.as_ref()?;
        let path = normal_target(target);
        let rank = rules.deciding(&path)?;
        (!rules.allows(rank) && *path != *b"/robots.txt").then_some((rules, rank))
    }

    /// Distinct rules.
    pub fn len(&self) -> usize {
        self.rules.as_ref().map_or(0, |rules| rules.len())
    }

    pub fn is_empty(&self) -> bool {
        self.rules.is_none()
    }

    /// Memory that this takes, itself included.
    pub fn bytes(&self) -> usize {
        let rules = self.rules.as_ref().map_or(0, |rules| size_of::<RuleSet>() + rules.heap_bytes());
        let sitemaps = self.sitemaps.iter().map(|url| size_of::<String>() + url.capacity());
        size_of::<Self>() + rules + sitemaps.sum::<usize>()
    }
}

impl<'a> Reading<'a> {
    fn take(&mut self, key: Key, value: &'a [u8], token: &[u8]) {
        match key {
            Key::Agent => self.enter(value, token),
            Key::Allow | Key::Disallow => {
                self.ruled = true;
                let (scope, rule) = (self.rules, RuleLine { allow: key == Key::Allow, value, exact: false });
                self.each(scope, |group| {
                    group.rules.extend([Some(rule), folder_of(rule)].into_iter().flatten());
                });
            }
            Key::CrawlDelay => {
                self.delayed = true;
                if let Some(delay) = milliseconds(value) {
                    let scope = self.delay;
                    self.each(scope, |group| group.crawl_delay_ms = Some(delay));
                }
            }
            Key::Sitemap => self.sitemaps.push(value),
        }
    }

    fn enter(&mut self, name: &[u8], token: &[u8]) {
        if self.ruled {
            self.rules = Scope::default();
        }
        if self.ruled || self.delayed {
            self.delay = Scope::default();
        }
        (self.ruled, self.delayed) = (false, false);
        let scope = Scope { ours: names(name, token), everyone: is_everyone(name) };
        self.ours.named |= scope.ours;
        self.everyone.named |= scope.everyone;
        for kind in [&mut self.rules, &mut self.delay] {
            kind.ours |= scope.ours;
            kind.everyone |= scope.everyone;
        }
    }

    fn each(&mut self, scope: Scope, mut apply: impl FnMut(&mut Group<'a>)) {
        if scope.ours {
            apply(&mut self.ours);
        }
        // Once a group is ours, those for everyone no longer matter.
        if scope.everyone && !self.ours.named {
            apply(&mut self.everyone);
        }
    }
}

fn distinct(values: &[&[u8]]) -> Vec<String> {
    let mut known = HashSet::new();
    let new = values.iter().filter(|value| !value.is_empty() && known.insert(**value));
    new.map(|value| String::from_utf8_lossy(value).into_owned()).collect()
}

/// Who may read `/a/index.html` may read `/a/`, too: so say Google's parser and those that follow it.
fn folder_of(rule: RuleLine<'_>) -> Option<RuleLine<'_>> {
    let slash = memchr::memrchr(b'/', rule.value).filter(|_| rule.allow)?;
    let (folder, file) = rule.value.split_at_checked(slash + 1)?;
    file.starts_with(b"index.htm").then_some(RuleLine { allow: true, value: folder, exact: true })
}

/// Does an agent line name us? What follows the product token, such as a version, does not count (RFC 9309 §2.2.1).
fn names(value: &[u8], token: &[u8]) -> bool {
    let Some((name, after)) = value.split_at_checked(token.len()) else { return false };
    !token.is_empty()
        && name.eq_ignore_ascii_case(token)
        && !after.first().is_some_and(|&byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_'))
}

fn is_everyone(value: &[u8]) -> bool {
    value
        .split_first()
        .is_some_and(|(&star, after)| star == b'*' && after.first().is_none_or(|&next| next <= b' '))
}

/// The text without its byte order mark. Files in UTF-16 that say so are read as such; all else is taken for UTF-8.
fn in_utf8(bytes: &[u8]) -> Cow<'_, [u8]> {
    if let Some(text) = bytes.strip_prefix(b"\xEF\xBB\xBF") {
        return Cow::Borrowed(text);
    }
    match encoding_rs::Encoding::for_bom(bytes) {
        Some((encoding, mark)) => {
            let text = bytes.get(mark..).unwrap_or_default();
            Cow::Owned(encoding.decode_without_bom_handling(text).0.into_owned().into_bytes())
        }
        None => Cow::Borrowed(bytes),
    }
}

fn milliseconds(value: &[u8]) -> Option<u64> {
    let end = value.iter().position(|byte| !byte.is_ascii_digit() && *byte != b'.').unwrap_or(value.len());
    let seconds: f64 = std::str::from_utf8(value.get(..end)?).ok()?.parse().ok()?;
    Some((seconds.min(LONGEST_DELAY) * 1000.0).ceil() as u64)
}
