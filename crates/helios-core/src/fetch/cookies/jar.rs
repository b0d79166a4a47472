//! The cookies of one site: which are kept (RFC 6265 §5.3), and which go along (§5.4).

use super::parse::{Line, parse};
use crate::clock::Millis;
use crate::url::CanonicalUrl;

/// A site that sets more loses its oldest.
const MOST_COOKIES: usize = 100;
const MOST_BYTES: usize = 16 * 1024;

/// In the order of their creation.
#[derive(Debug, Default)]
pub(super) struct Jar {
    cookies: Vec<Cookie>,
    bytes: usize,
}

#[derive(Debug)]
struct Cookie {
    name: Box<[u8]>,
    value: Box<[u8]>,
    domain: Box<str>,
    /// Not for hosts below the domain.
    host_only: bool,
    path: Box<[u8]>,
    secure: bool,
    expires: Option<Millis>,
}

impl Jar {
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn set(&mut self, text: &[u8], url: &CanonicalUrl, now: Millis) {
        let Some(cookie) = parse(text, now).and_then(|line| admit(&line, url)) else { return };
        let place = self.cookies.iter().position(|old| old.is_replaced_by(&cookie));
        if cookie.is_over(now) {
            if let Some(place) = place {
                self.remove(place);
            }
            return;
        }
        self.bytes += cookie.bytes();
        match place.and_then(|place| self.cookies.get_mut(place)) {
            // It keeps its age: that is part of the order in which cookies are sent.
            Some(old) => self.bytes -= std::mem::replace(old, cookie).bytes(),
            None => self.cookies.push(cookie),
        }
        self.make_room(now);
    }

    /// Longer paths first, then older cookies first.
    pub(super) fn header(&mut self, url: &CanonicalUrl, now: Millis) -> Option<Vec<u8>> {
        self.drop_over(now);
        let path = path_of(url);
        let goes = |cookie: &&Cookie| {
            (url.is_https() || !cookie.secure) && cookie.fits_host(url.host()) && is_below(path, &cookie.path)
        };
        let mut chosen: Vec<&Cookie> = self.cookies.iter().filter(goes).collect();
        chosen.sort_by_key(|cookie| std::cmp::Reverse(cookie.path.len()));
        let mut header = Vec::new();
        for cookie in chosen {
            if !header.is_empty() {
                header.extend_from_slice(b"; ");
            }
            header.extend_from_slice(&cookie.name);
            header.push(b'=');
            header.extend_from_slice(&cookie.value);
        }
        (!header.is_empty()).then_some(header)
    }

    fn make_room(&mut self, now: Millis) {
        if self.cookies.len() <= MOST_COOKIES && self.bytes <= MOST_BYTES {
            return;
        }
        self.drop_over(now);
        while self.cookies.len() > MOST_COOKIES || self.bytes > MOST_BYTES {
            self.remove(0);
        }
    }

    fn drop_over(&mut self, now: Millis) {
        self.cookies.retain(|cookie| !cookie.is_over(now));
        self.bytes = self.cookies.iter().map(Cookie::bytes).sum();
    }

    fn remove(&mut self, place: usize) {
        self.bytes -= self.cookies.remove(place).bytes();
    }
}

impl Cookie {
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.name.len() + self.value.len() + self.domain.len() + self.path.len()
    }

    fn is_over(&self, now: Millis) -> bool {
        self.expires.is_some_and(|at| at <= now)
    }

    fn is_replaced_by(&self, other: &Self) -> bool {
        self.name == other.name && self.domain == other.domain && self.path == other.path
    }

    fn fits_host(&self, host: &str) -> bool {
        if self.host_only { host == &*self.domain } else { domain_matches(host, &self.domain) }
    }
}

/// A cookie that its sender may set, with what the line left open filled in.
fn admit(line: &Line<'_>, url: &CanonicalUrl) -> Option<Cookie> {
    let host = url.host();
    // A domain that many owners share is nobody's, unless the host is that domain itself.
    let (domain, host_only) = match line.domain.as_deref() {
        None => (host, true),
        Some(domain) if domain == host => (domain, is_address(host) || is_shared(domain)),
        Some(domain) if !is_shared(domain) && domain_matches(host, domain) => (domain, false),
        Some(_) => return None,
    };
    if line.secure && !url.is_https() {
        return None;
    }
    let path = line.path.unwrap_or_else(|| default_path(url));
    let prefix =
        |text: &[u8]| line.name.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text));
    let bound_to_host = line.secure && line.domain.is_none() && path == b"/";
    if prefix(b"__secure-") && !line.secure || prefix(b"__host-") && !bound_to_host {
        return None;
    }
    Some(Cookie {
        name: line.name.into(),
        value: line.value.into(),
        domain: domain.into(),
        host_only,
        path: path.into(),
        secure: line.secure,
        expires: line.expires,
    })
}

fn domain_matches(host: &str, domain: &str) -> bool {
    host == domain || !is_address(host) && host.strip_suffix(domain).is_some_and(|below| below.ends_with('.'))
}

fn is_address(host: &str) -> bool {
    host.starts_with('[') || host.parse::<std::net::Ipv4Addr>().is_ok()
}

fn is_shared(domain: &str) -> bool {
    helios_suffix::registrable(domain).is_none()
}

fn path_of(url: &CanonicalUrl) -> &[u8] {
    url.target().split('?').next().unwrap_or("/").as_bytes()
}

/// Up to the last slash (§5.1.4).
fn default_path(url: &CanonicalUrl) -> &[u8] {
    let path = path_of(url);
    let end = path.iter().rposition(|&byte| byte == b'/').unwrap_or(0).max(1);
    path.get(..end).unwrap_or(b"/")
}

/// `path` is `of` or lies below it.
fn is_below(path: &[u8], of: &[u8]) -> bool {
    path.strip_prefix(of).is_some_and(|rest| rest.is_empty() || of.ends_with(b"/") || rest.starts_with(b"/"))
}
