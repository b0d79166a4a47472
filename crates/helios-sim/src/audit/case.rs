//! The log made ready for judgement: what each target means, and the requests of each site, host and address in order.

use std::net::Ipv4Addr;

use crate::audit::Truth;
use crate::log::{Ending, Log, REFUSED, Record, TargetId};
use crate::reply::HostId;
use crate::settings::Promises;
use crate::web::{Expected, Meaning, Reader};

/// How late the server may notice that a client has left: the thread that reads the connection must first be scheduled.
/// The end of such a request is known only up to this, so that the crawler is given it.
const NOTICE_US: u64 = 50_000;

/// What a target is, in five bytes.
#[derive(Debug, Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools, reason = "independent marks of one target")]
pub(super) struct Mark {
    pub(super) kind: Kind,
    pub(super) denied: bool,
    pub(super) alias: bool,
    pub(super) trap: bool,
    /// A complete crawl must come across it.
    pub(super) expected: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    Robots,
    Sitemap,
    Page,
    /// No target: a connection that its host refused.
    Refused,
    #[default]
    Unknown,
}

/// One trial.
pub(super) struct Case<'a> {
    pub(super) log: &'a Log,
    pub(super) truth: &'a dyn Truth,
    pub(super) promises: &'a Promises,
    pub(super) expected: &'a [Expected],
    /// For whom robots.txt files are read.
    pub(super) reader: Reader,
    marks: Vec<Mark>,
}

impl<'a> Case<'a> {
    pub(super) fn new(
        log: &'a Log,
        truth: &'a dyn Truth,
        promises: &'a Promises,
        expected: &'a [Expected],
    ) -> Self {
        let targets = log.targets();
        let reader = Reader::of(&promises.robots_token);
        let mut marks: Vec<Mark> = (0..targets.len() as TargetId)
            .map(|id| match targets.text(id) {
                REFUSED => Mark { kind: Kind::Refused, ..Mark::default() },
                target => mark(truth.meaning(reader, targets.host(id), target)),
            })
            .collect();
        for entry in expected {
            let found = targets.find(entry.host, &entry.target);
            if let Some(mark) = found.and_then(|id| marks.get_mut(id as usize)) {
                mark.expected = true;
            }
        }
        Self { log, truth, promises, expected, reader, marks }
    }

    pub(super) fn mark(&self, target: TargetId) -> Mark {
        self.marks.get(target as usize).copied().unwrap_or_default()
    }

    pub(super) fn host_of(&self, record: &Record) -> HostId {
        self.log.targets().host(record.target)
    }

    pub(super) fn url(&self, target: TargetId) -> String {
        let targets = self.log.targets();
        format!("{}{}", self.truth.origin(targets.host(target)), targets.text(target))
    }

    /// The latest moment that is certainly not after the client's own end of this request; `u64::MAX` while in flight.
    pub(super) fn sure_end_us(record: &Record) -> u64 {
        match record.ending {
            Ending::Open => u64::MAX,
            Ending::Complete | Ending::Reset | Ending::Refused => record.end_us(),
            Ending::Silent | Ending::ClientLeft => {
                record.end_us().saturating_sub(NOTICE_US).max(record.start_us)
            }
        }
    }

    pub(super) fn by_host(&self) -> Groups<'a> {
        Groups::new(self.log, |record| self.host_of(record))
    }

    pub(super) fn by_site(&self) -> Groups<'a> {
        Groups::new(self.log, |record| self.truth.host(self.host_of(record)).site)
    }

    pub(super) fn by_target(&self) -> Groups<'a> {
        Groups::new(self.log, |record| record.target)
    }

    /// The keys of the groups are indices of the list that comes with it.
    pub(super) fn by_address(&self) -> (Vec<Ipv4Addr>, Groups<'a>) {
        let mut list: Vec<Ipv4Addr> = self.log.connections().iter().map(|one| one.address).collect();
        list.sort_unstable();
        list.dedup();
        let key = |record: &Record| list.binary_search(&self.log.address(record)).unwrap_or(0) as u32;
        let groups = Groups::new(self.log, key);
        (list, groups)
    }

    /// The name that a site goes by: the shortest of its hosts' names, for every site.
    pub(super) fn site_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for host in (0..self.truth.host_count()).map(|id| self.truth.host(id)) {
            let at = host.site as usize;
            if names.len() <= at {
                names.resize(at + 1, String::new());
            }
            if let Some(name) = names.get_mut(at)
                && (name.is_empty() || host.name.len() < name.len())
            {
                host.name.clone_into(name);
            }
        }
        names
    }
}

fn mark(meaning: Meaning) -> Mark {
    match meaning {
        Meaning::Robots => Mark { kind: Kind::Robots, ..Mark::default() },
        Meaning::Sitemap => Mark { kind: Kind::Sitemap, ..Mark::default() },
        Meaning::Page { denied, alias, trap } => {
            Mark { kind: Kind::Page, denied, alias, trap, expected: false }
        }
        Meaning::Unknown { denied } => Mark { kind: Kind::Unknown, denied, ..Mark::default() },
    }
}

/// Requests by a key, each group in the order of start: a counting sort, 4 bytes a request.
pub(super) struct Groups<'a> {
    log: &'a Log,
    bounds: Vec<u32>,
    members: Vec<u32>,
}

impl<'a> Groups<'a> {
    fn new(log: &'a Log, key: impl Fn(&Record) -> u32) -> Self {
        let most = log.records().iter().map(&key).max().map_or(0, |most| most as usize + 1);
        let mut bounds = vec![0_u32; most + 1];
        for record in log.records() {
            if let Some(count) = bounds.get_mut(key(record) as usize + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for bound in &mut bounds {
            sum += *bound;
            *bound = sum;
        }
        // Each group's first bound walks to its end as it is filled; then all bounds are one place too early.
        let mut members = vec![0_u32; log.records().len()];
        for (index, record) in log.records().iter().enumerate() {
            let Some(at) = bounds.get_mut(key(record) as usize) else { continue };
            if let Some(member) = members.get_mut(*at as usize) {
                *member = index as u32;
            }
            *at += 1;
        }
        bounds.rotate_right(1);
        if let Some(first) = bounds.first_mut() {
            *first = 0;
        }
        Self { log, bounds, members }
    }

    /// Every key that has requests, with them.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, impl Iterator<Item = &'a Record> + Clone)> {
        (0_u32..).zip(self.bounds.windows(2)).filter_map(|(key, bounds)| {
            let &[from, to] = bounds else { return None };
            let members = self.members.get(from as usize..to as usize).filter(|list| !list.is_empty())?;
            let log = self.log;
            Some((key, members.iter().filter_map(move |index| log.records().get(*index as usize))))
        })
    }
}
