//! What a complete crawl must have met: breadth-first over the model from the seeds.
//!
//! In: a web and the promises of the crawler. Out: every URL to be found, how deep it lies, and its fate.
//! Always: no body is rendered; the links are those that the renderer writes.

use std::collections::VecDeque;

use crate::reply::HostId;
use crate::settings::Promises;
use crate::web::links::Link;
use crate::web::pages::PageKind;
use crate::web::robots::area_of;
use crate::web::{Sitemap, Spot, Web};

/// One URL that a crawl from the seeds must come across.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    pub host: HostId,
    pub target: String,
    pub depth: u32,
    /// Reached only through a sitemap.
    pub sitemap_only: bool,
    pub fate: Fate,
}

/// What must have become of an expected URL when the crawl says that it is finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// 200 with HTML that may be indexed: asked, and a row in the table.
    Stored,
    /// Asked; what it answers is no page to keep (redirect, 404, noindex, PDF, never answers, ...).
    Asked,
    /// Never asked: robots denies it, or its robots.txt is unavailable.
    Denied,
    /// The host is dead: need not show in the log.
    Unreachable,
}

pub(crate) fn expect(web: &Web, promises: &Promises) -> Vec<Expected> {
    let mut walk = Walk::new(web, promises);
    for host in 0..web.settings().seeds.min(web.host_count()) {
        walk.meet(host, Spot::Page(0), 0);
    }
    walk.run();
    // Sitemaps come second: what is met now was met through them alone.
    walk.sitemap_only = true;
    while walk.read_sitemaps() {
        walk.run();
    }
    walk.found
}

struct Walk<'w> {
    web: &'w Web,
    max_depth: u32,
    /// Index of the first page of each host in `seen`.
    first: Vec<u64>,
    seen: Vec<u64>,
    queue: VecDeque<(HostId, Spot, u32)>,
    found: Vec<Expected>,
    sitemap_only: bool,
    /// Hosts asked, in order, and how many of their sitemaps are read.
    asked: Vec<HostId>,
    asked_flag: Vec<bool>,
    read: usize,
    links: Vec<Link>,
}

impl<'w> Walk<'w> {
    fn new(web: &'w Web, promises: &Promises) -> Self {
        let mut total = 0;
        let first = (0..web.host_count())
            .map(|host| {
                let begin = total;
                total += u64::from(web.page_count(host));
                begin
            })
            .collect();
        Self {
            web,
            max_depth: promises.max_depth.unwrap_or(u32::MAX),
            first,
            seen: vec![0; (total / 64 + 1) as usize],
            queue: VecDeque::new(),
            found: Vec::new(),
            sitemap_only: false,
            asked: Vec::new(),
            asked_flag: vec![false; web.host_count() as usize],
            read: 0,
            links: Vec::new(),
        }
    }

    /// Queues a place that was not met before.
    fn meet(&mut self, host: HostId, spot: Spot, depth: u32) {
        let new = match spot {
            Spot::Page(page) => self.mark(host, page),
            // Stops of a chain are met from the stop before alone.
            Spot::Hop { .. } => true,
            Spot::Calendar(_) | Spot::Session { .. } => false,
        };
        if new && depth <= self.max_depth {
            self.queue.push_back((host, spot, depth));
        }
    }

    fn mark(&mut self, host: HostId, page: u32) -> bool {
        let index = self.first.get(host as usize).copied().unwrap_or(0) + u64::from(page);
        let Some(word) = self.seen.get_mut((index / 64) as usize) else { return false };
        let bit = 1 << (index % 64);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    fn run(&mut self) {
        while let Some((host, spot, depth)) = self.queue.pop_front() {
            let target = self.web.target(host, spot);
            let fate = self.fate(host, spot, &target);
            if matches!(fate, Fate::Stored | Fate::Asked) {
                self.touch(host);
                self.follow(host, spot, depth + 1);
            }
            self.found.push(Expected { host, target, depth, sitemap_only: self.sitemap_only, fate });
        }
    }

    fn touch(&mut self, host: HostId) {
        if let Some(flag @ false) = self.asked_flag.get_mut(host as usize) {
            *flag = true;
            self.asked.push(host);
        }
    }

    fn fate(&self, host: HostId, spot: Spot, target: &str) -> Fate {
        let plan = self.web.plan(host);
        if plan.dead.is_some() {
            return Fate::Unreachable;
        }
        if plan.robots.denies(area_of(target)) {
            return Fate::Denied;
        }
        match spot {
            Spot::Page(page) if self.web.kind(plan, page).is_html() && !self.web.noindex(plan, page) => {
                Fate::Stored
            }
            Spot::Page(_) | Spot::Hop { .. } | Spot::Calendar(_) | Spot::Session { .. } => Fate::Asked,
        }
    }

    fn follow(&mut self, host: HostId, spot: Spot, depth: u32) {
        let plan = self.web.plan(host);
        match spot {
            Spot::Hop { page, hop } => {
                let (host, spot) = self.web.redirect_target(host, page, hop);
                self.meet(host, spot, depth);
            }
            Spot::Page(page) => {
                let kind = self.web.kind(plan, page);
                if kind == PageKind::Redirect {
                    let (host, spot) = self.web.redirect_target(host, page, 0);
                    self.meet(host, spot, depth);
                } else if kind != PageKind::NoFollow && !plan.nofollow {
                    self.follow_links(host, page, depth);
                }
            }
            Spot::Calendar(_) | Spot::Session { .. } => {}
        }
    }

    fn follow_links(&mut self, host: HostId, page: u32, depth: u32) {
        let mut links = std::mem::take(&mut self.links);
        self.web.links_into(host, page, &mut links);
        for link in links.iter().filter(|link| !link.nofollow && !link.form.is_alias()) {
            self.meet(link.host, link.spot, depth);
        }
        self.links = links;
    }

    /// Meets what the sitemaps of hosts asked since the last time name; false: there was none.
    fn read_sitemaps(&mut self) -> bool {
        let hosts: Vec<HostId> = self.asked.iter().skip(self.read).copied().collect();
        self.read = self.asked.len();
        for &host in &hosts {
            let plan = self.web.plan(host);
            if plan.sitemap == Sitemap::None || !plan.robots.has_lines() {
                continue;
            }
            for page in plan.trunk..plan.sitemap_pages() {
                if self.web.kind(plan, page) == PageKind::SitemapOnly {
                    self.meet(host, Spot::Page(page), 1);
                }
            }
        }
        !hosts.is_empty()
    }
}
