//! The bytes of a robots.txt → the rules that concern us (RFC 9309 §2.2).

use super::matcher::{Rule, normalise};

/// The merged rules of the groups that name our token, or of the `*` groups if none does.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RobotsRules {
    pub(super) rules: Vec<Rule>,
    pub crawl_delay_ms: Option<u64>,
    pub sitemaps: Vec<String>,
}

/// Rules gathered for one kind of group while reading.
#[derive(Default)]
struct Group {
    named: bool,
    rules: Vec<Rule>,
    crawl_delay_ms: Option<u64>,
}

/// Which groups the lines being read belong to.
#[derive(Default)]
struct Scope {
    ours: bool,
    everyone: bool,
    /// The last line was a user-agent line: a further one joins the same group.
    in_agents: bool,
}

impl RobotsRules {
    pub fn allow_all() -> Self {
        Self::default()
    }

    /// Never fails: what cannot be understood is no rule. Only the first `max_bytes` are read.
    pub fn parse(bytes: &[u8], token: &str, max_bytes: usize) -> Self {
        let bytes = bytes.get(..max_bytes).unwrap_or(bytes);
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let (mut ours, mut everyone, mut scope) = (Group::default(), Group::default(), Scope::default());
        let mut sitemaps = Vec::new();
        for line in bytes.split(|&byte| byte == b'\n' || byte == b'\r') {
            let Some((key, value)) = split_line(line) else { continue };
            match key.as_str() {
                "user-agent" => scope.enter(&value, token, &mut ours, &mut everyone),
                "allow" | "disallow" => {
                    scope.in_agents = false;
                    if let Some(rule) = Rule::new(&value, key == "allow") {
                        scope.each(&mut ours, &mut everyone, |group| group.rules.push(rule.clone()));
                    }
                }
                "crawl-delay" => {
                    if let Some(delay) = parse_seconds(&value) {
                        scope.each(&mut ours, &mut everyone, |group| group.crawl_delay_ms = Some(delay));
                    }
                }
                "sitemap" => sitemaps.push(String::from_utf8_lossy(&value).into_owned()),
                _ => {}
            }
        }
        let group = if ours.named { ours } else { everyone };
        Self { rules: group.rules, crawl_delay_ms: group.crawl_delay_ms, sitemaps }
    }

    /// The rule that denies this path and query, if any: the longest match wins, allow on a tie (RFC 9309 §2.2.2).
    pub fn denying_rule(&self, target: &str) -> Option<&str> {
        let path = normalise(target.as_bytes());
        let best = self
            .rules
            .iter()
            .filter(|rule| rule.matches(&path))
            .max_by_key(|rule| (rule.specificity(), rule.allows()))?;
        (!best.allows()).then(|| best.text())
    }
}

impl Scope {
    fn enter(&mut self, value: &[u8], token: &str, ours: &mut Group, everyone: &mut Group) {
        if !self.in_agents {
            *self = Self { in_agents: true, ..Self::default() };
        }
        let name: Vec<u8> = value
            .iter()
            .copied()
            .take_while(|&byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_'))
            .collect();
        if value.first() == Some(&b'*') {
            self.everyone = true;
            everyone.named = true;
        } else if name.eq_ignore_ascii_case(token.as_bytes()) {
            self.ours = true;
            ours.named = true;
        }
    }

    fn each(&self, ours: &mut Group, everyone: &mut Group, mut apply: impl FnMut(&mut Group)) {
        if self.ours {
            apply(ours);
        }
        if self.everyone {
            apply(everyone);
        }
    }
}

/// `Key : value # comment` → (`key`, `value`).
fn split_line(line: &[u8]) -> Option<(String, Vec<u8>)> {
    let line = line.split(|&byte| byte == b'#').next().unwrap_or_default();
    let colon = line.iter().position(|&byte| byte == b':')?;
    let (key, value) = line.split_at(colon);
    let key = String::from_utf8_lossy(key.trim_ascii()).to_ascii_lowercase();
    Some((key, value.get(1..).unwrap_or_default().trim_ascii().to_vec()))
}

fn parse_seconds(value: &[u8]) -> Option<u64> {
    let seconds: f64 = std::str::from_utf8(value).ok()?.parse().ok()?;
    (seconds.is_finite() && (0.0..=86_400_000.0).contains(&seconds)).then(|| (seconds * 1000.0).ceil() as u64)
}
