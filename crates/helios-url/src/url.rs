//! [`Url`]: any absolute URL, read and written by the URL Standard, in one text with the places of its parts.

use std::fmt;

use crate::error::Fault;
use crate::parse::parse;

/// What browsers would show as `href`. To crawl it, make it a [`crate::CanonicalUrl`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Url {
    pub(crate) text: String,
    pub(crate) marks: Marks,
}

/// Where the parts are. Userinfo lies between the scheme's slashes and the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Marks {
    /// Of the colon.
    pub(crate) scheme_end: usize,
    pub(crate) host: Option<(usize, usize)>,
    pub(crate) path: usize,
    /// Of the question mark.
    pub(crate) query: Option<usize>,
    /// Of the number sign.
    pub(crate) fragment: Option<usize>,
    /// `mailto:` and the like: a path that nothing can be resolved against.
    pub(crate) opaque: bool,
}

impl Url {
    pub fn parse(text: &str) -> Result<Self, Fault> {
        parse(text, None)
    }

    /// A reference that stands on this page.
    pub fn join(&self, reference: &str) -> Result<Self, Fault> {
        parse(reference, Some(self))
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    fn part(&self, from: usize, to: usize) -> &str {
        self.text.get(from..to).unwrap_or_default()
    }

    pub fn scheme(&self) -> &str {
        self.part(0, self.marks.scheme_end)
    }

    /// Name and password as they stand before the `@`; empty where there are none.
    fn userinfo(&self) -> &str {
        let start = self.marks.host.map_or(0, |(start, _)| start);
        self.part(self.marks.scheme_end + 3, start.saturating_sub(1))
    }

    pub fn has_credentials(&self) -> bool {
        !self.userinfo().is_empty()
    }

    pub fn username(&self) -> &str {
        self.userinfo().split(':').next().unwrap_or_default()
    }

    pub fn password(&self) -> &str {
        self.userinfo().split_once(':').map_or("", |(_, password)| password)
    }

    /// A name in lower case, or an address (IPv6 in brackets).
    pub fn host(&self) -> Option<&str> {
        self.marks.host.map(|(from, to)| self.part(from, to))
    }

    /// Only where it is not the default of the scheme.
    pub fn port(&self) -> Option<u16> {
        let (_, end) = self.marks.host?;
        self.part(end, self.marks.path).strip_prefix(':')?.parse().ok()
    }

    pub fn path(&self) -> &str {
        self.part(self.marks.path, self.path_end())
    }

    /// Without the question mark.
    pub fn query(&self) -> Option<&str> {
        self.marks.query.map(|at| self.part(at + 1, self.query_end()))
    }

    /// Without the number sign.
    pub fn fragment(&self) -> Option<&str> {
        self.marks.fragment.map(|at| self.part(at + 1, self.text.len()))
    }

    pub(crate) fn path_end(&self) -> usize {
        self.marks.query.unwrap_or_else(|| self.query_end())
    }

    pub(crate) fn query_end(&self) -> usize {
        self.marks.fragment.unwrap_or(self.text.len())
    }

    /// Up to the path, or to where `/.` keeps the path apart from a host that is not there.
    pub(crate) fn authority_end(&self) -> usize {
        if self.marks.host.is_some() { self.marks.path } else { self.marks.scheme_end + 1 }
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
