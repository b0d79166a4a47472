//! What a complete crawl must have met: breadth-first over the model from the seeds.
//!
//! In: a web, the promises of the crawler and, for a crawl with budgets, what was answered (the log). Out: every URL to be found, how deep
//! it lies, and its fate. A redirect counts as a step of depth: who does not count it must find all this, and more.
//! Always: no body is rendered; the links are those that the renderer writes.

use std::collections::VecDeque;

mod answered;

use crate::log::Log;
use crate::reply::HostId;
use crate::settings::Promises;
use crate::web::links::Link;
use crate::web::pages::PageKind;
use crate::web::robots::area_of;
use crate::web::{Reader, Sitemap, Spot, Web};
use answered::{Answered, Pages};

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
    Walk::new(web, promises).all()
}

/// What the answers in the log led to: seeds, followed links of pages that were answered, targets of answered redirects.
pub(crate) fn owed(web: &Web, log: &Log, promises: &Promises) -> Vec<Expected> {
    let mut walk = Walk::new(web, promises);
    walk.answered = Some(Answered::new(web, log));
    walk.all()
}

struct Walk<'w> {
    web: &'w Web,
    max_depth: u32,
    reader: Reader,
    /// Only what was answered leads on; None: everything does.
    answered: Option<Answered>,
    seen: Pages,
    queue: VecDeque<Met>,
    found: Vec<Expected>,
    /// Hosts asked, in order, with the depth of what was asked first, and how many of their sitemaps are read.
    asked: Vec<(HostId, u32)>,
    asked_flag: Vec<bool>,
    read: usize,
    links: Vec<Link>,
}

/// A place that is to be looked at.
struct Met {
    host: HostId,
    spot: Spot,
    depth: u32,
    sitemap_only: bool,
}

impl<'w> Walk<'w> {
    fn new(web: &'w Web, promises: &Promises) -> Self {
        Self {
            web,
            max_depth: promises.max_depth.unwrap_or(u32::MAX),
            reader: Reader::of(&promises.robots_token),
            answered: None,
            seen: Pages::none_of(web),
            queue: VecDeque::new(),
            found: Vec::new(),
            asked: Vec::new(),
            asked_flag: vec![false; web.host_count() as usize],
            read: 0,
            links: Vec::new(),
        }
    }

    fn all(mut self) -> Vec<Expected> {
        for host in 0..self.web.settings().seeds.min(self.web.host_count()) {
            self.meet(Met { host, spot: Spot::Page(0), depth: 0, sitemap_only: false });
        }
        self.run();
        // Sitemaps come second: what is met now was met through them alone.
        while self.read_sitemaps() {
            self.run();
        }
        if self.max_depth == u32::MAX {
            self.follow_strays();
            self.run();
        }
        self.found
    }

    /// Queues a place that was not met before.
    fn meet(&mut self, met: Met) {
        let new = match met.spot {
            Spot::Page(page) => self.seen.add(met.host, page),
            // Stops of a chain are met from the stop before alone.
            Spot::Hop { .. } => true,
            Spot::Calendar(_) | Spot::Session { .. } => false,
        };
        if new && met.depth <= self.max_depth {
            self.queue.push_back(met);
        }
    }

    fn run(&mut self) {
        while let Some(met) = self.queue.pop_front() {
            let Met { host, spot, depth, sitemap_only } = met;
            let target = self.web.target(host, spot);
            let fate = self.fate(host, spot, &target);
            if matches!(fate, Fate::Stored | Fate::Asked) {
                self.touch(host, depth);
                match &self.answered {
                    None => self.follow(&met),
                    // Its links are known to the crawler, however it came by the page.
                    Some(answered) if answered.has(host, spot) => {
                        self.follow(&Met { sitemap_only: false, ..met });
                    }
                    Some(_) => {}
                }
            }
            self.found.push(Expected { host, target, depth, sitemap_only, fate });
        }
    }

    /// Pages that were answered although nothing answered leads there: their links are known all the same.
    fn follow_strays(&mut self) {
        let strays = self.answered.as_mut().map(|answered| std::mem::take(&mut answered.list));
        for (host, page) in strays.unwrap_or_default() {
            if self.seen.add(host, page) {
                self.follow(&Met { host, spot: Spot::Page(page), depth: 0, sitemap_only: false });
            }
        }
    }

    fn touch(&mut self, host: HostId, depth: u32) {
        if let Some(flag @ false) = self.asked_flag.get_mut(host as usize) {
            *flag = true;
            self.asked.push((host, depth));
        }
    }

    fn fate(&self, host: HostId, spot: Spot, target: &str) -> Fate {
        let plan = self.web.plan(host);
        if plan.dead.is_some() {
            return Fate::Unreachable;
        }
        if plan.robots.denies(area_of(target), self.reader) {
            return Fate::Denied;
        }
        match spot {
            Spot::Page(page) if self.web.kind(plan, page).is_html() && !self.web.noindex(plan, page) => {
                Fate::Stored
            }
            Spot::Page(_) | Spot::Hop { .. } | Spot::Calendar(_) | Spot::Session { .. } => Fate::Asked,
        }
    }

    fn follow(&mut self, from: &Met) {
        let host = from.host;
        let plan = self.web.plan(host);
        match from.spot {
            Spot::Hop { page, hop } => self.redirect(from, page, hop),
            Spot::Page(page) => {
                let kind = self.web.kind(plan, page);
                if kind == PageKind::Redirect {
                    self.redirect(from, page, 0);
                } else if kind != PageKind::NoFollow && !plan.nofollow {
                    self.follow_links(from, page);
                }
            }
            Spot::Calendar(_) | Spot::Session { .. } => {}
        }
    }

    fn redirect(&mut self, from: &Met, page: u32, hop: u8) {
        let (host, spot) = self.web.redirect_target(from.host, page, hop);
        self.meet(Met { host, spot, depth: from.depth + 1, sitemap_only: from.sitemap_only });
    }

    fn follow_links(&mut self, from: &Met, page: u32) {
        let &Met { depth, sitemap_only, .. } = from;
        let mut links = std::mem::take(&mut self.links);
        self.web.links_into(from.host, page, &mut links);
        for link in links.iter().filter(|link| !link.nofollow && !link.form.is_alias()) {
            self.meet(Met { host: link.host, spot: link.spot, depth: depth + 1, sitemap_only });
        }
        self.links = links;
    }

    /// Meets what the sitemaps of hosts asked since the last time name; false: there was none.
    fn read_sitemaps(&mut self) -> bool {
        let hosts: Vec<(HostId, u32)> = self.asked.iter().skip(self.read).copied().collect();
        self.read = self.asked.len();
        for &(host, depth) in &hosts {
            let plan = self.web.plan(host);
            if plan.sitemap == Sitemap::None || !plan.robots.has_lines() {
                continue;
            }
            for page in plan.trunk..plan.sitemap_pages() {
                if self.web.kind(plan, page) == PageKind::SitemapOnly {
                    self.meet(Met { host, spot: Spot::Page(page), depth: depth + 1, sitemap_only: true });
                }
            }
        }
        !hosts.is_empty()
    }
}
