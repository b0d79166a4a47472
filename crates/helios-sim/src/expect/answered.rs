//! Which pages were answered, from the log: a bit a page.
//!
//! Always: an answer counts only if it was sent to its end, with 2xx or as a redirect; what the crawler cut off may have hidden its links.

use std::collections::HashSet;

use crate::log::{Ending, Log, Record, TargetId};
use crate::reply::HostId;
use crate::web::{Spot, Web};

/// A set of pages.
pub(super) struct Pages {
    /// Index of the first page of each host in `bits`.
    first: Vec<u64>,
    bits: Vec<u64>,
}

impl Pages {
    pub(super) fn none_of(web: &Web) -> Self {
        let mut total = 0;
        let first = (0..web.host_count())
            .map(|host| {
                let begin = total;
                total += u64::from(web.page_count(host));
                begin
            })
            .collect();
        Self { first, bits: vec![0; (total / 64 + 1) as usize] }
    }

    fn place(&self, host: HostId, page: u32) -> (usize, u64) {
        let index = self.first.get(host as usize).copied().unwrap_or(0) + u64::from(page);
        ((index / 64) as usize, 1 << (index % 64))
    }

    /// False: it was in already.
    pub(super) fn add(&mut self, host: HostId, page: u32) -> bool {
        let (at, bit) = self.place(host, page);
        let Some(word) = self.bits.get_mut(at) else { return false };
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    fn has(&self, host: HostId, page: u32) -> bool {
        let (at, bit) = self.place(host, page);
        self.bits.get(at).is_some_and(|word| word & bit != 0)
    }
}

/// Pages and stops of redirects that were answered, in any spelling.
pub(super) struct Answered {
    pages: Pages,
    hops: HashSet<(HostId, u32, u8)>,
    /// The pages once more, in the order of the log's targets.
    pub(super) list: Vec<(HostId, u32)>,
}

impl Answered {
    pub(super) fn new(web: &Web, log: &Log) -> Self {
        let targets = log.targets();
        let mut led_on = vec![false; targets.len()];
        for record in log.records().iter().filter(|record| leads_on(record)) {
            if let Some(flag) = led_on.get_mut(record.target as usize) {
                *flag = true;
            }
        }
        let mut all = Self { pages: Pages::none_of(web), hops: HashSet::new(), list: Vec::new() };
        for (id, _) in led_on.iter().enumerate().filter(|(_, led_on)| **led_on) {
            let (host, text) = (targets.host(id as TargetId), targets.text(id as TargetId));
            match web.spot(host, text) {
                Some(Spot::Page(page)) => {
                    if all.pages.add(host, page) {
                        all.list.push((host, page));
                    }
                }
                Some(Spot::Hop { page, hop }) => _ = all.hops.insert((host, page, hop)),
                // Traps lead on for ever; nothing in them is owed.
                Some(Spot::Calendar(_) | Spot::Session { .. }) | None => {}
            }
        }
        all
    }

    pub(super) fn has(&self, host: HostId, spot: Spot) -> bool {
        match spot {
            Spot::Page(page) => self.pages.has(host, page),
            Spot::Hop { page, hop } => self.hops.contains(&(host, page, hop)),
            Spot::Calendar(_) | Spot::Session { .. } => false,
        }
    }
}

fn leads_on(record: &Record) -> bool {
    let answer = (200..400).contains(&record.status) && record.status != 304;
    answer && record.ending == Ending::Complete && !record.head
}
