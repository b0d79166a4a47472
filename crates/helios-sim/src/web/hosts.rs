//! The hosts of a web: names, sites, addresses, sizes and temper, laid out once when the web is made.
//!
//! In: settings. Out: one [`Host`] (what others may know) and one [`Plan`] (how it behaves) per host.
//! Always: rates are spread evenly over hosts, so that a small web has its share of every temper.

use std::net::Ipv4Addr;

use super::Host;
use super::robots::{self, Robots};
use crate::body::coding::Coding;
use crate::body::short::Short;
use crate::body::words::{LANGUAGES, QUALITIES, SLUGS};
use crate::chance::{Chance, For, Spread, pick_at, positive};
use crate::settings::{Names, WebSettings};

/// Sub-domains beside the first host of a site.
const LABELS: [&str; 8] = ["blog", "shop", "news", "docs", "forum", "help", "media", "old"];

/// Why a host cannot be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dead {
    NoSuchName,
    ServerFailure,
    DnsSilence,
    Refuses,
}

/// An endless part of a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trap {
    Calendar,
    Session,
}

/// How a host publishes its sitemap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sitemap {
    None,
    /// One file, `/sitemap.xml`.
    Plain,
    /// An index of plain files.
    Index,
    /// An index of gzip files.
    IndexGz,
}

/// How a host behaves; everything else about its pages is computed from this.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) chance: Chance,
    /// `chance.of(For::Page)`, which every link asks for.
    pub(crate) pages_chance: Chance,
    pub(crate) origin: String,
    /// The origin once more, quick to write; cut where it is longer than that.
    pub(crate) short_origin: Short<64>,
    /// Pages `0..pages`; page 0 is the home page.
    pub(crate) pages: u32,
    /// Pages `0..trunk` are sound HTML that links on; the others are leaves.
    pub(crate) trunk: u32,
    pub(crate) dead: Option<Dead>,
    pub(crate) trap: Option<Trap>,
    pub(crate) robots: Robots,
    pub(crate) sitemap: Sitemap,
    pub(crate) coding: Coding,
    pub(crate) language: usize,
    pub(crate) changing: bool,
    /// A header of every page says nofollow.
    pub(crate) nofollow: bool,
    /// Median latency in milliseconds.
    pub(crate) latency_ms: f64,
}

impl Plan {
    #[inline]
    pub(crate) fn write_origin(&self, out: &mut Vec<u8>) {
        if self.origin.len() <= 64 {
            self.short_origin.write(out);
        } else {
            out.extend_from_slice(self.origin.as_bytes());
        }
    }
}

/// Names and sites first: the rest of a host depends on how many share its site.
struct Place {
    site: u32,
    rank: u32,
    name: String,
}

/// Lays out all hosts.
pub(crate) fn lay_out(settings: &WebSettings) -> (Vec<Host>, Vec<Plan>) {
    let root = Chance::new(settings.seed);
    let places = places(settings, root);
    let site_count = places.last().map_or(0, |place| place.site + 1);
    let mut members = vec![0u32; site_count as usize];
    for place in &places {
        if let Some(count) = members.get_mut(place.site as usize) {
            *count += 1;
        }
    }
    let mut temper = Temper::new(settings, root);
    let mut addresses = Addresses::new(settings, root, site_count);
    let mut hosts = Vec::with_capacity(places.len());
    let mut plans = Vec::with_capacity(places.len());
    for (index, place) in places.into_iter().enumerate() {
        let host = index as u32;
        let share = members.get(place.site as usize).copied().unwrap_or(1);
        let mut plan = temper.plan(host, share);
        let address = addresses.next(host, place.site, plan.dead == Some(Dead::Refuses));
        let https = temper.https.unit(host) < settings.https;
        let name = if settings.names == Names::Ip { address.to_string() } else { place.name };
        plan.origin = origin(settings, &name, https);
        plan.short_origin = Short::cut(&plan.origin);
        plans.push(plan);
        hosts.push(Host {
            name,
            site: if settings.names == Names::Ip { host } else { place.site },
            address,
            https,
            refuses_connections: false,
        });
    }
    for (host, plan) in hosts.iter_mut().zip(&plans) {
        host.refuses_connections = plan.dead == Some(Dead::Refuses);
    }
    (hosts, plans)
}

fn origin(settings: &WebSettings, name: &str, https: bool) -> String {
    match (https, if https { settings.https_port } else { settings.http_port }) {
        (false, 80) => format!("http://{name}"),
        (false, port) => format!("http://{name}:{port}"),
        (true, 443) => format!("https://{name}"),
        (true, port) => format!("https://{name}:{port}"),
    }
}

fn places(settings: &WebSettings, root: Chance) -> Vec<Place> {
    let joins = 1.0 - 1.0 / settings.hosts_per_site;
    let mut places: Vec<Place> = Vec::with_capacity(settings.hosts as usize);
    let (mut site, mut rank) = (0, 0);
    for host in 0..settings.hosts {
        let draw = root.of(For::Site).at(u64::from(host));
        if host > 0 {
            (site, rank) = if draw.happens(joins) { (site, rank + 1) } else { (site + 1, 0) };
        }
        let words = root.of(For::Site).of(For::Host).at(u64::from(site));
        let domain = format!("{}-{}-{site}.test", words.choose(&QUALITIES), words.at(1).choose(&SLUGS));
        let name = match rank {
            0 if words.at(2).happens(0.6) => format!("www.{domain}"),
            0 => domain,
            _ => match LABELS.get(rank as usize - 1) {
                Some(label) => format!("{label}.{domain}"),
                None => format!("h{rank}.{domain}"),
            },
        };
        places.push(Place { site, rank, name });
    }
    debug_assert!(places.iter().all(|place| place.rank < settings.hosts));
    places
}

/// Hands out addresses from 127.1.0.1 on; some are shared by 10 to 20 hosts.
struct Addresses {
    next: u32,
    own: bool,
    shared: f64,
    spread: Spread,
    chance: Chance,
    group: Option<(Ipv4Addr, u32)>,
}

impl Addresses {
    fn new(settings: &WebSettings, root: Chance, sites: u32) -> Self {
        let chance = root.of(For::Address);
        Self {
            next: 0,
            own: settings.names == Names::Ip,
            shared: settings.shared_addresses,
            spread: Spread::new(chance, sites),
            chance,
            group: None,
        }
    }

    fn fresh(&mut self) -> Ipv4Addr {
        let index = self.next;
        self.next += 1;
        let (rest, last) = (index / 254, index % 254 + 1);
        Ipv4Addr::new(127, (1 + rest / 256).min(255) as u8, (rest % 256) as u8, last as u8)
    }

    fn next(&mut self, host: u32, site: u32, refuses: bool) -> Ipv4Addr {
        if self.own || refuses || self.spread.unit(site) >= self.shared {
            return self.fresh();
        }
        let (address, room) = match self.group {
            Some((address, room)) if room > 0 => (address, room),
            _ => (self.fresh(), 10 + self.chance.at(u64::from(host)).below(11)),
        };
        self.group = Some((address, room - 1));
        address
    }
}

/// Draws the temper of hosts; each trait has a shuffle of its own.
struct Temper<'a> {
    settings: &'a WebSettings,
    root: Chance,
    size: Spread,
    dead: Spread,
    trap: Spread,
    robots: Spread,
    delay: Spread,
    coding: Spread,
    changing: Spread,
    nofollow: Spread,
    https: Spread,
    /// Least pages of a host that is not tiny: set so that the mean comes out right.
    least: f64,
    cap: f64,
    leaves: f64,
}

impl<'a> Temper<'a> {
    fn new(settings: &'a WebSettings, root: Chance) -> Self {
        let spread = |purpose| Spread::new(root.of(purpose), settings.hosts);
        let total = settings.mean_pages * f64::from(settings.hosts);
        let cap =
            if settings.max_pages == 0 { (0.05 * total).max(2.0) } else { f64::from(settings.max_pages) };
        let mut temper = Self {
            settings,
            root,
            size: spread(For::HostSize),
            dead: spread(For::Dead),
            trap: spread(For::Trap),
            robots: spread(For::Robots),
            delay: spread(For::CrawlDelay),
            coding: spread(For::Coding),
            changing: spread(For::Changing),
            nofollow: spread(For::NoFollow),
            https: spread(For::Https),
            least: 1.0,
            cap,
            leaves: settings.leaf_shares().iter().sum(),
        };
        temper.least = temper.fit_least();
        temper
    }

    /// The scale of the power law, by bisection on the mean of the sizes it gives.
    fn fit_least(&self) -> f64 {
        let (mut low, mut high) = (1.0, self.cap);
        for _ in 0..40 {
            let middle = f64::midpoint(low, high);
            let mean =
                (0..1_000).map(|i| self.size_at((f64::from(i) + 0.5) / 1_000.0, middle)).sum::<f64>() / 1e3;
            if mean < self.settings.mean_pages { low = middle } else { high = middle }
        }
        low
    }

    /// Pages of the host that stands at `unit` of 0..1 in the order of sizes.
    fn size_at(&self, unit: f64, least: f64) -> f64 {
        let tiny = self.settings.tiny_hosts;
        if unit < tiny {
            return if unit < tiny / 2.0 { 1.0 } else { 2.0 };
        }
        let rest = (1.0 - (unit - tiny) / (1.0 - tiny)).max(1e-12);
        (least / rest.powf(1.0 / self.settings.pareto_index)).floor().clamp(1.0, self.cap.max(1.0))
    }

    fn plan(&mut self, host: u32, members: u32) -> Plan {
        let settings = self.settings;
        let chance = self.root.of(For::Host).at(u64::from(host));
        let cap = (self.cap / f64::from(members.max(1))).max(1.0);
        let pages = positive(self.size_at(self.size.unit(host), self.least).min(cap)).max(1) as u32;
        let sound = f64::from(pages) * (1.0 - self.leaves) + chance.of(For::Trunk).unit();
        let trunk = if self.leaves > 0.0 { (positive(sound) as u32).clamp(1, pages) } else { pages };
        let robots = robots::draw(settings, chance, self.robots.unit(host), self.delay.unit(host));
        Plan {
            chance,
            pages_chance: chance.of(For::Page),
            origin: String::new(),
            short_origin: Short::cut(""),
            pages,
            trunk,
            dead: self.dead_kind(host, chance),
            trap: (self.trap.unit(host) < settings.traps)
                .then(|| if chance.of(For::Trap).bits() & 1 == 0 { Trap::Calendar } else { Trap::Session }),
            sitemap: self.sitemap(chance, robots),
            robots,
            coding: match pick_at(self.coding.unit(host), &[settings.brotli, settings.gzip, settings.zstd]) {
                0 => Coding::Brotli,
                1 => Coding::Gzip,
                2 => Coding::Zstd,
                _ => Coding::Identity,
            },
            language: self.language(chance),
            changing: self.changing.unit(host) < settings.changing,
            nofollow: host >= settings.seeds && self.nofollow.unit(host) < settings.nofollow_hosts,
            latency_ms: chance.of(For::Latency).log_normal(settings.latency_ms, settings.latency_sigma * 0.7),
        }
    }

    /// Host 0 always lives: there is always something to crawl.
    fn dead_kind(&self, host: u32, chance: Chance) -> Option<Dead> {
        if host == 0 || self.dead.unit(host) >= self.settings.dead_hosts {
            return None;
        }
        if self.settings.names == Names::Ip {
            return Some(Dead::Refuses);
        }
        Some(match chance.of(For::Dead).pick(&[0.45, 0.15, 0.1]) {
            0 => Dead::NoSuchName,
            1 => Dead::ServerFailure,
            2 => Dead::DnsSilence,
            _ => Dead::Refuses,
        })
    }

    fn sitemap(&self, chance: Chance, robots: Robots) -> Sitemap {
        let draw = chance.of(For::Sitemap);
        if robots.denies_all() || robots.unavailable() || !draw.happens(self.settings.sitemaps) {
            return Sitemap::None;
        }
        match draw.at(1).pick(&[0.6, 0.2]) {
            0 => Sitemap::Plain,
            1 => Sitemap::Index,
            _ => Sitemap::IndexGz,
        }
    }

    fn language(&self, chance: Chance) -> usize {
        if !self.settings.languages {
            return 0;
        }
        let draw = chance.of(For::Language).below(1_000);
        let mut sum = 0;
        for (index, language) in LANGUAGES.iter().enumerate() {
            sum += language.share;
            if draw < sum {
                return index;
            }
        }
        0
    }
}
