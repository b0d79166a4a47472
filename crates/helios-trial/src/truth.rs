//! What the auditor must know of the web, and of a robots.txt that has moved to another site.

use helios_sim::audit;
use helios_sim::log::Log;
use helios_sim::reply::HostId;
use helios_sim::settings::Promises;
use helios_sim::web::{Expected, Host, Meaning, Reader, RobotsFacts, Web};

use crate::chance::Chance;

/// Where robots.txt files of other hosts lie: `/robots-of-7.txt`.
const ELSEWHERE: &str = "/robots-of-";

/// The robots.txt of one host lies on another site, and allows everything.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moved {
    pub(crate) from: HostId,
    pub(crate) to: HostId,
}

impl Moved {
    /// Two hosts of different sites, of which the second lives. It has no Crawl-delay: the auditor would take the file of
    /// the other for its own.
    pub(crate) fn draw(web: &Web, chance: &mut Chance) -> Option<Self> {
        let last = u64::from(web.host_count()) - 1;
        let (from, to) = (chance.between(0, last) as HostId, chance.between(0, last) as HostId);
        let apart = web.host(from).site != web.host(to).site;
        let plain = web.dead(to).is_none() && web.robots_facts(to).crawl_delay.is_none();
        (apart && plain).then_some(Self { from, to })
    }

    pub(crate) fn target(self) -> String {
        format!("{ELSEWHERE}{}-robots.txt", self.from)
    }
}

pub(crate) struct Truth<'w> {
    pub(crate) web: &'w Web,
    pub(crate) moved: Option<Moved>,
}

impl Truth<'_> {
    fn has_moved(&self, host: HostId) -> bool {
        self.moved.is_some_and(|moved| moved.from == host)
    }
}

impl audit::Truth for Truth<'_> {
    fn host_count(&self) -> u32 {
        self.web.host_count()
    }

    fn host(&self, host: HostId) -> &Host {
        self.web.host(host)
    }

    fn origin(&self, host: HostId) -> String {
        self.web.origin(host)
    }

    fn meaning(&self, reader: Reader, host: HostId, target: &str) -> Meaning {
        if target.starts_with(ELSEWHERE) {
            return Meaning::Robots;
        }
        match self.web.meaning_to(reader, host, target) {
            Meaning::Page { alias, trap, .. } if self.has_moved(host) => {
                Meaning::Page { denied: false, alias, trap }
            }
            Meaning::Unknown { .. } if self.has_moved(host) => Meaning::Unknown { denied: false },
            meaning @ (Meaning::Robots
            | Meaning::Sitemap
            | Meaning::Page { .. }
            | Meaning::Unknown { .. }) => meaning,
        }
    }

    fn robots_facts(&self, reader: Reader, host: HostId) -> RobotsFacts {
        if self.has_moved(host) {
            return RobotsFacts { crawl_delay: None, unavailable: false };
        }
        self.web.robots_facts_to(reader, host)
    }

    fn expect(&self, promises: &Promises) -> Vec<Expected> {
        self.web.expect(promises)
    }

    fn owed(&self, log: &Log, promises: &Promises) -> Vec<Expected> {
        self.web.owed(log, promises)
    }
}
