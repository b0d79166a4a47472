//! The model of the web: hosts, addresses, pages, links and behaviour, all computed from one seed; pure.
//!
//! In: settings, then requests. Out: answers, and for the auditor the meaning of each target by construction.
//! Always: no clock, no sockets, no state that changes: every fact is a hash of (seed, host, page, purpose).
//!
//! * `hosts`: names, addresses, sizes, temper; laid out once
//! * `pages`: what kind a page is, and whose text it carries
//! * `paths`, `links`, `hrefs`: how places are spelled, where pages lead, how that is written
//! * `robots`, `sitemap`: the files a crawler asks first
//! * `answer`, `dates`: the reply to a request, with its faults and validators

use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::time::Duration;

use crate::body::corpus::Corpus;
use crate::body::filler;
use crate::body::text::{Voice, voices};
use crate::chance::{Chance, For};
use crate::log::Log;
use crate::reply::{Ask, HostId, Reply, Resolution};
use crate::settings::{Promises, WebSettings};

mod answer;
pub(crate) mod dates;
pub(crate) mod hosts;
pub(crate) mod hrefs;
pub(crate) mod links;
pub(crate) mod pages;
pub(crate) mod paths;
pub(crate) mod robots;
mod sitemap;

pub use crate::body::coding::Coding;
pub use crate::expect::{Expected, Fate};
pub use hosts::{Dead, Sitemap, Trap};
pub use links::{Form, Link, Role};
pub use pages::{FileKind, PageFacts, PageKind};
pub use paths::Spot;
pub use robots::{Reader, RobotsKind, TOKENS_OF_OTHERS};

use hosts::Plan;
use paths::Located;
use robots::area_of;

/// A web made from one seed.
#[derive(Debug)]
pub struct Web {
    settings: WebSettings,
    root: Chance,
    hosts: Vec<Host>,
    plans: Vec<Plan>,
    by_name: HashMap<String, HostId>,
    by_address: HashMap<Ipv4Addr, HostId>,
    /// Hosts, largest first.
    by_size: Vec<HostId>,
    leaf_shares: [f64; 9],
    leaf_total: f64,
    voices: &'static [Voice],
    corpus: Option<Corpus>,
}

/// What the server and the auditor must know of a host.
#[derive(Debug, Clone)]
pub struct Host {
    /// e.g. `www.quiet-river-17.test`
    pub name: String,
    /// Hosts of one registrable domain share a site.
    pub site: u32,
    pub address: Ipv4Addr,
    pub https: bool,
    /// Connections to this address are reset at once (its address is its own).
    pub refuses_connections: bool,
}

/// What a target means to the auditor, by construction, not by parsing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    Robots,
    Sitemap,
    Page {
        /// robots.txt of this host denies it to the reader.
        denied: bool,
        /// Another spelling of a page (session id, tracking parameter): never required, never an offence.
        alias: bool,
        /// Part of an endless trap.
        trap: bool,
    },
    Unknown {
        denied: bool,
    },
}

/// The rules a host's robots.txt sets, as the auditor needs them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RobotsFacts {
    pub crawl_delay: Option<Duration>,
    /// 5xx for ever: nothing of this host may be asked.
    pub unavailable: bool,
}

impl Web {
    pub fn new(settings: WebSettings) -> Result<Self, String> {
        settings.validate()?;
        let (hosts, plans) = hosts::lay_out(&settings);
        let by_name = hosts.iter().zip(0..).map(|(host, id)| (host.name.clone(), id)).collect();
        let mut by_address = HashMap::with_capacity(hosts.len());
        for (host, id) in hosts.iter().zip(0..) {
            by_address.entry(host.address).or_insert(id);
        }
        let mut by_size: Vec<HostId> = (0..settings.hosts).collect();
        by_size.sort_by_key(|&id| std::cmp::Reverse(plans.get(id as usize).map(|plan| plan.pages)));
        let corpus = settings.corpus.as_deref().map(Corpus::read).transpose()?;
        filler::prepare();
        Ok(Self {
            root: Chance::new(settings.seed),
            leaf_shares: settings.leaf_shares(),
            leaf_total: settings.leaf_shares().iter().sum(),
            voices: voices(),
            settings,
            hosts,
            plans,
            by_name,
            by_address,
            by_size,
            corpus,
        })
    }

    pub const fn settings(&self) -> &WebSettings {
        &self.settings
    }

    pub const fn host_count(&self) -> u32 {
        self.hosts.len() as u32
    }

    #[allow(clippy::indexing_slicing, reason = "host ids come from this web")]
    pub fn host(&self, host: HostId) -> &Host {
        &self.hosts[host as usize]
    }

    #[allow(clippy::indexing_slicing, reason = "host ids come from this web")]
    pub(crate) fn plan(&self, host: HostId) -> &Plan {
        &self.plans[host as usize]
    }

    #[allow(clippy::indexing_slicing, reason = "plans take their language from the same list")]
    pub(crate) fn voice(&self, host: HostId) -> &'static Voice {
        &self.voices[self.plan(host).language]
    }

    /// By Host header or :authority; the port is ignored; an IP literal names the first host at that address.
    pub fn host_named(&self, authority: &str) -> Option<HostId> {
        let name = authority.rsplit_once(':').map_or(authority, |(name, _)| name);
        let name = name.trim_end_matches('.');
        self.by_name.get(name).or_else(|| self.by_name.get(&name.to_ascii_lowercase())).copied().or_else(
            || {
                let address: Ipv4Addr = name.parse().ok()?;
                self.by_address.get(&address).copied()
            },
        )
    }

    /// `http://name:port` with the ports of the settings.
    pub fn origin(&self, host: HostId) -> String {
        self.plan(host).origin.clone()
    }

    pub fn resolve(&self, name: &str, _now: Duration) -> Resolution {
        let Some(host) = self.host_named(name) else { return Resolution::NoSuchName };
        let plan = self.plan(host);
        match plan.dead {
            Some(Dead::NoSuchName) => Resolution::NoSuchName,
            Some(Dead::ServerFailure) => Resolution::ServerFailure,
            Some(Dead::DnsSilence) => Resolution::Silence,
            Some(Dead::Refuses) | None => {
                let lives =
                    Duration::from_secs(*plan.chance.of(For::Resolve).choose(&[30, 60, 300, 300, 3_600]));
                Resolution::Addresses(vec![self.host(host).address], lives)
            }
        }
    }

    pub fn answer(&self, ask: &Ask<'_>) -> Reply {
        answer::answer(self, ask)
    }

    /// To `helios`.
    pub fn meaning(&self, host: HostId, target: &str) -> Meaning {
        self.meaning_to(Reader::Helios, host, target)
    }

    pub fn meaning_to(&self, reader: Reader, host: HostId, target: &str) -> Meaning {
        let plan = self.plan(host);
        let denied = plan.robots.denies(area_of(target), reader);
        match self.locate(plan, target) {
            Located::Robots(_) => Meaning::Robots,
            Located::Sitemap(_) => Meaning::Sitemap,
            Located::Spot { spot, alias } => {
                let trap = matches!(spot, Spot::Calendar(_) | Spot::Session { .. });
                Meaning::Page { denied, alias, trap }
            }
            Located::Nothing => Meaning::Unknown { denied },
        }
    }

    /// To `helios`.
    pub fn robots_facts(&self, host: HostId) -> RobotsFacts {
        self.robots_facts_to(Reader::Helios, host)
    }

    pub fn robots_facts_to(&self, reader: Reader, host: HostId) -> RobotsFacts {
        let robots = self.plan(host).robots;
        let delay = robots.delay_for(reader);
        RobotsFacts {
            crawl_delay: (delay > 0).then(|| Duration::from_secs(delay)),
            unavailable: robots.unavailable(),
        }
    }

    pub fn seeds(&self) -> Vec<String> {
        (0..self.settings.seeds.min(self.host_count()))
            .map(|host| format!("{}/", self.origin(host)))
            .collect()
    }

    /// Breadth-first over the model from the seeds: what a complete crawl must have met.
    pub fn expect(&self, promises: &Promises) -> Vec<Expected> {
        crate::expect::expect(self, promises)
    }

    /// As [`Web::expect`], but only what the answers in the log led to.
    pub fn owed(&self, log: &Log, promises: &Promises) -> Vec<Expected> {
        crate::expect::owed(self, log, promises)
    }

    /// Pages of a host, `0..page_count`; page 0 is the home page.
    pub fn page_count(&self, host: HostId) -> u32 {
        self.plan(host).pages
    }

    /// Path and query of a place.
    pub fn target(&self, host: HostId, spot: Spot) -> String {
        let mut path = Vec::with_capacity(48);
        self.write_path(&mut path, self.plan(host), spot);
        String::from_utf8_lossy(&path).into_owned()
    }

    /// The place that a target names in any of its spellings; nothing for robots.txt, sitemaps and unknown targets.
    pub fn spot(&self, host: HostId, target: &str) -> Option<Spot> {
        match self.locate(self.plan(host), target) {
            Located::Spot { spot, .. } => Some(spot),
            Located::Robots(_) | Located::Sitemap(_) | Located::Nothing => None,
        }
    }

    /// What a host does with `/robots.txt`.
    pub fn robots_kind(&self, host: HostId) -> RobotsKind {
        self.plan(host).robots.kind
    }

    /// Why a host cannot be reached, if so.
    pub fn dead(&self, host: HostId) -> Option<Dead> {
        self.plan(host).dead
    }

    /// The endless part of a host, if it has one.
    pub fn trap(&self, host: HostId) -> Option<Trap> {
        self.plan(host).trap
    }

    /// Pages come from files, which cannot carry robots directives of their own.
    pub(crate) const fn has_corpus(&self) -> bool {
        self.corpus.is_some()
    }

    /// How a host codes its bodies, if the client accepts that.
    pub fn coding(&self, host: HostId) -> Coding {
        self.plan(host).coding
    }
}
