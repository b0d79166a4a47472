//! Which URLs a person wants, by patterns: `include` and `exclude`.
//!
//! A pattern is one of
//! * `re:^https://[^/]+/p/[0-9]+$`: a regular expression, looked for in the whole URL
//! * `/news/*`: a path with its query, on any host
//! * `*.pdf`, `https://example.org/*`: a whole URL
//! * `example.org`, `example.org/news/*`: a host, then perhaps a path
//!
//! `*` stands for any run of characters; one that ends with `/` covers all that lies below.

use regex::bytes::{Regex, RegexBuilder};

use super::glob::Glob;
use crate::error::{Error, Result};
use crate::url::CanonicalUrl;

/// Bytes of a compiled expression: beyond that it is an attack on whoever runs it.
const MOST_COMPILED: usize = 1 << 20;

pub(super) struct Wanted {
    include: Vec<Pattern>,
    exclude: Vec<Pattern>,
}

impl Wanted {
    pub(super) fn new(include: &[String], exclude: &[String]) -> Result<Self> {
        let all = |name, texts: &[String]| texts.iter().map(|text| Pattern::new(name, text)).collect();
        Ok(Self { include: all("include", include)?, exclude: Result::from(all("exclude", exclude))? })
    }

    /// Why a URL is not wanted. What a person named, and where that leads, need not be included; it may be excluded.
    pub(super) fn refuses(&self, url: &CanonicalUrl, named: bool) -> Option<String> {
        if let Some(pattern) = self.exclude.iter().find(|pattern| pattern.matches(url)) {
            return Some(format!("it is excluded by {:?}", pattern.text));
        }
        let included = named || self.include.is_empty() || self.include.iter().any(|one| one.matches(url));
        (!included).then(|| "no pattern of include covers it".to_owned())
    }
}

struct Pattern {
    text: Box<str>,
    kind: Kind,
}

enum Kind {
    Whole(Glob),
    Target(Glob),
    Host(Glob, Option<Glob>),
    Expression(Regex),
}

impl Pattern {
    fn new(setting: &str, text: &str) -> Result<Self> {
        let refuse = |why: &str| {
            Error::Settings(format!("[crawl] {setting}: the pattern {text:?} does not do: {why}"))
        };
        if text.is_empty() {
            return Err(refuse("it is empty; write what URLs look like, as in /news/*"));
        }
        let kind = if let Some(expression) = text.strip_prefix("re:") {
            let built = RegexBuilder::new(expression).unicode(false).size_limit(MOST_COMPILED).build();
            Kind::Expression(built.map_err(|error| refuse(&error.to_string()))?)
        } else if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            let hint =
                "write it as it stands in a URL: xn--bcher-kva.example for a host, %C3%BC or %20 in a path";
            return Err(refuse(hint));
        } else if text.starts_with('/') {
            Kind::Target(below(text))
        } else if text.starts_with('*') || text.contains("://") {
            Kind::Whole(below(text))
        } else {
            let (host, target) = text.find('/').map_or((text, ""), |at| text.split_at(at));
            let target = (!target.is_empty()).then(|| below(target));
            Kind::Host(Glob::new(&host.to_ascii_lowercase()), target)
        };
        Ok(Self { text: text.into(), kind })
    }

    fn matches(&self, url: &CanonicalUrl) -> bool {
        match &self.kind {
            Kind::Whole(glob) => glob.matches(url.as_str()),
            Kind::Target(glob) => glob.matches(url.target()),
            Kind::Host(host, target) => {
                host.matches(url.host()) && target.as_ref().is_none_or(|target| target.matches(url.target()))
            }
            Kind::Expression(expression) => expression.is_match(url.as_str().as_bytes()),
        }
    }
}

fn below(text: &str) -> Glob {
    if text.ends_with('/') { Glob::new(&format!("{text}*")) } else { Glob::new(text) }
}
