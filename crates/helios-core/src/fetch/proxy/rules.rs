//! Which host goes where: to a pool, or direct.

use crate::error::{Error, Result};

use super::{ProxyRule, ProxySettings};

/// The name that is no pool's.
const DIRECT: &str = "direct";

/// The number of a pool; `None` is direct.
type Target = Option<usize>;

#[derive(Debug)]
pub(super) struct Rules {
    rules: Vec<(HostPattern, Target)>,
    default: Target,
}

impl Rules {
    /// Every pool must be of use: a forgotten rule would send its hosts out direct.
    pub(super) fn new(settings: &ProxySettings) -> Result<Self> {
        if settings.pools.contains_key(DIRECT) {
            return refuse(&format!("pools: no pool can be named {DIRECT:?}: it is the way without a proxy"));
        }
        let names: Vec<&str> = settings.pools.keys().map(String::as_str).collect();
        let default = target(&names, &settings.default, "default")?;
        let mut rules = Vec::new();
        for rule in &settings.rules {
            rules.push((HostPattern::new(rule)?, target(&names, &rule.pool, "rules")?));
        }
        let used = |pool| default == Some(pool) || rules.iter().any(|(_, target)| *target == Some(pool));
        if let Some((_, name)) = names.iter().enumerate().find(|(pool, _)| !used(*pool)) {
            return refuse(&format!(
                "pools.{name}: no host goes there; set proxy.default = {name:?}, or name it in proxy.rules"
            ));
        }
        Ok(Self { rules, default })
    }

    pub(super) fn pool_of(&self, host: &str) -> Target {
        self.rules.iter().find(|(pattern, _)| pattern.fits(host)).map_or(self.default, |(_, target)| *target)
    }
}

fn refuse<T>(why: &str) -> Result<T> {
    Err(Error::Settings(format!("proxy.{why}")))
}

fn target(names: &[&str], name: &str, field: &str) -> Result<Target> {
    if name == DIRECT {
        return Ok(None);
    }
    match names.iter().position(|known| *known == name) {
        Some(pool) => Ok(Some(pool)),
        None => refuse(&format!("{field}: there is no pool {name:?}; there are: {}", list(names))),
    }
}

fn list(names: &[&str]) -> String {
    let mut all = vec![DIRECT];
    all.extend(names);
    all.join(", ")
}

/// A host with `*` in it, as in the rules for tiers.
#[derive(Debug)]
struct HostPattern {
    /// Between the stars.
    parts: Vec<String>,
    /// Of `*.example.org`: `example.org`, which belongs to it, too.
    bare: Option<String>,
}

impl HostPattern {
    fn new(rule: &ProxyRule) -> Result<Self> {
        let text = rule.pattern.to_ascii_lowercase();
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"*.-_".contains(&byte);
        let is_address = text.starts_with('[') && text.ends_with(']');
        if text.is_empty() || !(is_address || text.bytes().all(plain)) {
            return refuse(&format!(
                "rules: {:?} is no pattern for hosts, such as example.org, *.example.org or *",
                rule.pattern
            ));
        }
        let bare = text.strip_prefix("*.").filter(|rest| !rest.contains('*')).map(str::to_owned);
        Ok(Self { parts: text.split('*').map(str::to_owned).collect(), bare })
    }

    fn fits(&self, host: &str) -> bool {
        if self.bare.as_deref() == Some(host) {
            return true;
        }
        let (Some((first, rest)), Some(last)) = (self.parts.split_first(), self.parts.last()) else {
            return false;
        };
        let Some((_, middle)) = rest.split_last() else { return host == first };
        let Some(mut left) =
            host.strip_prefix(first.as_str()).and_then(|left| left.strip_suffix(last.as_str()))
        else {
            return false;
        };
        // Each part at its first place: what fits at all fits so.
        middle.iter().all(|part| match left.find(part.as_str()) {
            Some(at) => {
                left = left.get(at + part.len()..).unwrap_or_default();
                true
            }
            None => false,
        })
    }
}
