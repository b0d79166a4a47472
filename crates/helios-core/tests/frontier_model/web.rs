//! A web of four sites, one of them with two hosts, and the answers that it may give.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::LazyLock;

use helios_core::dns::DnsError;
use helios_core::fetch::{Outcome, OutcomeKind, Response, Timeout, Validators};
use helios_core::url::CanonicalUrl;

/// Host, site, pages. What is at an even number is what a Disallow line is about.
const HOSTS: [(&str, usize, usize); 5] =
    [("a.test", 0, 7), ("www.a.test", 0, 5), ("b.test", 1, 12), ("c.test", 2, 6), ("d.test", 3, 4)];
pub(crate) const SITES: [&str; 4] = ["a.test", "b.test", "c.test", "d.test"];
pub(crate) const URLS: usize = 34;

/// One URL of the web. Its number is its place in [`WEB`].
pub(crate) struct Place {
    pub(crate) url: CanonicalUrl,
    pub(crate) host: usize,
    pub(crate) site: usize,
    pub(crate) private: bool,
}

pub(crate) static WEB: LazyLock<Vec<Place>> = LazyLock::new(|| {
    let mut web = Vec::new();
    for (host, (name, site, pages)) in HOSTS.into_iter().enumerate() {
        for page in 0..pages {
            let private = page % 2 == 0;
            let text = format!("http://{name}/{}{page}", if private { "p" } else { "o" });
            web.push(Place { url: CanonicalUrl::parse(&text).unwrap(), host, site, private });
        }
    }
    assert_eq!(web.len(), URLS);
    web
});

pub(crate) fn number_of(url: &CanonicalUrl) -> Option<usize> {
    WEB.iter().position(|place| place.url == *url)
}

/// The host whose robots.txt this is.
pub(crate) fn robots_of(url: &str) -> Option<usize> {
    HOSTS.iter().position(|(name, ..)| url == format!("http://{name}/robots.txt"))
}

pub(crate) fn host_name(host: usize) -> &'static str {
    HOSTS[host].0
}

pub(crate) fn site_of_host(host: usize) -> usize {
    HOSTS[host].1
}

pub(crate) fn site_number(name: &str) -> usize {
    SITES.iter().position(|site| *site == name).unwrap()
}

pub(crate) fn address(number: u8) -> Option<IpAddr> {
    (number > 0).then(|| IpAddr::V4(Ipv4Addr::new(10, 0, 0, number)))
}

/// What a server says, before it is known what is asked.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) kind: OutcomeKind,
    /// Tells apart what is of one kind: texts of robots.txt, Retry-After, sizes, targets.
    pub(crate) variant: u8,
    pub(crate) links: Vec<usize>,
    pub(crate) took: u64,
    /// How long ago it ended.
    pub(crate) lag: u64,
    pub(crate) address: u8,
    /// The visit ends here although there is more to ask.
    pub(crate) last: bool,
}

impl Answer {
    pub(crate) fn good() -> Self {
        let kind = OutcomeKind::Fetched;
        Self { kind, variant: 0, links: Vec::new(), took: 0, lag: 0, address: 0, last: false }
    }

    /// Does a text of robots.txt forbid what is private, and which delay does it ask for?
    pub(crate) fn rules(&self) -> (bool, u64) {
        match self.variant % 4 {
            1 => (true, 0),
            2 => (false, 3_000),
            3 => (true, 90_000),
            _ => (false, 0),
        }
    }

    pub(crate) fn retry_after(&self) -> Option<u64> {
        [None, Some(0), Some(5_000), Some(999_000)][usize::from(self.variant % 4)]
    }

    /// Of a name without an address: is that what a name server says?
    pub(crate) fn name_is_missing(&self) -> bool {
        self.variant % 2 == 1
    }

    pub(crate) fn target(&self) -> usize {
        usize::from(self.variant) % URLS
    }

    /// `limit`: what a body may have at most.
    pub(crate) fn bytes(&self, limit: u64) -> u64 {
        (u64::from(self.variant) * 10).min(limit)
    }

    pub(crate) fn outcome(&self, limit: u64) -> Outcome {
        let why = || "for a reason".to_owned();
        match self.kind {
            OutcomeKind::Fetched => self.text(),
            OutcomeKind::NotModified => Outcome::NotModified,
            OutcomeKind::Redirected => {
                Outcome::Redirected { status: 301, target: WEB[self.target()].url.to_string() }
            }
            OutcomeKind::Missing | OutcomeKind::Denied => Outcome::Missing { status: 404 },
            OutcomeKind::Busy => Outcome::Busy { status: 503, retry_after_ms: self.retry_after() },
            OutcomeKind::Unresolved if self.name_is_missing() => Outcome::Unresolved(DnsError::NoSuchName),
            OutcomeKind::Unresolved => Outcome::Unresolved(DnsError::TimedOut),
            OutcomeKind::ForbiddenAddress => Outcome::ForbiddenAddress(why()),
            OutcomeKind::Unreachable => Outcome::Unreachable(why()),
            OutcomeKind::TimedOut => Outcome::TimedOut(Timeout::Total),
            OutcomeKind::Broken => Outcome::Broken(why()),
            OutcomeKind::TooLarge => Outcome::TooLarge { limit },
            OutcomeKind::UnwantedType => Outcome::UnwantedType(why()),
            OutcomeKind::Abandoned => Outcome::Abandoned,
            OutcomeKind::Untrusted => Outcome::Untrusted(why()),
            OutcomeKind::Bomb => Outcome::Bomb { ratio: limit },
        }
    }

    fn text(&self) -> Outcome {
        let (disallow, delay) = self.rules();
        let disallow = if disallow { "disallow: /p\n" } else { "" };
        let body = format!("user-agent: *\n{disallow}crawl-delay: {}\n", delay / 1_000);
        Outcome::Fetched(Response {
            status: 200,
            content_type: String::new(),
            robots_tags: Vec::new(),
            validators: Validators::default(),
            body: bytes::Bytes::from(body),
            ..Response::default()
        })
    }
}
