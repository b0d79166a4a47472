//! What an outcome changes in the model.

use helios_core::fetch::OutcomeKind;

use crate::model::{Model, Span, State};
use crate::robots::Step;
use crate::web::{Answer, site_of_host};

/// One task, done.
#[derive(Debug, Clone)]
pub(crate) struct Done {
    pub(crate) visit: u64,
    /// A page; none: the robots.txt.
    pub(crate) page: Option<usize>,
    pub(crate) answer: Answer,
    pub(crate) took: u64,
    pub(crate) finished: u64,
    pub(crate) last: bool,
}

/// Where a page leads: number, depth, hops.
type Links = Vec<(usize, u32, u32)>;

impl Model {
    pub(crate) fn settle(&mut self, done: &[Done]) {
        let mut links = Vec::new();
        for done in done {
            self.settle_one(done, &mut links);
        }
        for (number, depth, hops) in links {
            self.offer(number, depth, hops);
        }
    }

    fn settle_one(&mut self, done: &Done, links: &mut Links) {
        let (site, robots) = (self.visits[&done.visit].site, self.visits[&done.visit].robots);
        if let Some(host) = robots {
            self.learn_robots(host, done);
        }
        self.rest(site, done);
        if let Some(number) = done.page {
            let each = self.visits[&done.visit].each;
            self.visits.get_mut(&done.visit).unwrap().pages.remove(&number);
            self.settle_page(site, number, (done, each), links);
        }
        if done.last {
            self.end_visit(done.visit, done.finished);
        }
    }

    fn learn_robots(&mut self, host: usize, done: &Done) {
        if done.answer.kind == OutcomeKind::Abandoned {
            return;
        }
        let settings = &self.tables.robots;
        let robots = self.robots.entry(host).or_default();
        robots.answered(&done.answer, settings, done.finished);
        // A site's delay is that of the origin that asks for the longest; that origin may take it back.
        if let Step::Rules(rules) = robots.step(settings, done.finished) {
            let site = self.sites.get_mut(&site_of_host(host)).unwrap();
            if site.crawl_delay_of == Some(host) || rules.delay > site.crawl_delay {
                (site.crawl_delay, site.crawl_delay_of) = (rules.delay, Some(host));
            }
        }
    }

    /// The site is left alone for its delay, longer if it is in trouble.
    fn rest(&mut self, number: usize, done: &Done) {
        let tables = std::rc::Rc::clone(&self.tables);
        let site = self.sites.get_mut(&number).unwrap();
        site.address = crate::web::address(done.answer.address).or(site.address);
        if done.answer.kind == OutcomeKind::Abandoned {
            return;
        }
        site.last_fetch = done.took;
        let in_trouble = matches!(
            done.answer.kind,
            OutcomeKind::Busy | OutcomeKind::Unresolved | OutcomeKind::Unreachable | OutcomeKind::TimedOut
        );
        site.failures = if in_trouble { site.failures + 1 } else { 0 };
        let failures = site.failures;
        let mut wait = Span::at(self.pause(number));
        if in_trouble {
            let asked = self.retry_after(done).map(Span::at);
            wait = wait.max(asked.unwrap_or_else(|| backoff(failures, &tables.frontier)));
        }
        let site = self.sites.get_mut(&number).unwrap();
        site.next_allowed = site.next_allowed.max(wait.plus(done.finished));
        site.settled_rest = site.settled_rest.max(done.finished + wait.from);
    }

    fn retry_after(&self, done: &Done) -> Option<u64> {
        let asked = done.answer.retry_after().filter(|_| done.answer.kind == OutcomeKind::Busy);
        asked.map(|ms| ms.min(self.tables.frontier.retry_after_ceiling_ms))
    }

    fn settle_page(&mut self, site: usize, number: usize, (done, each): (&Done, u64), links: &mut Links) {
        let answer = &done.answer;
        self.counts.bytes += answer.bytes(each);
        let (depth, hops) = (self.pages[&number].depth, self.pages[&number].hops);
        let full = self.tables.crawl.max_bytes.is_some() && each < self.tables.frontier.max_body_bytes;
        let state = match answer.kind {
            OutcomeKind::TooLarge if full => {
                self.bytes_used_up = true;
                State::Queued
            }
            OutcomeKind::Abandoned => State::Queued,
            OutcomeKind::ForbiddenAddress | OutcomeKind::Untrusted => State::Dead,
            OutcomeKind::Busy
            | OutcomeKind::Unresolved
            | OutcomeKind::Unreachable
            | OutcomeKind::TimedOut
            | OutcomeKind::Broken => self.failed(number, done),
            OutcomeKind::Fetched => {
                self.counts.fetched += 1;
                self.sites.get_mut(&site).unwrap().fetched += 1;
                links.extend(answer.links.iter().map(|&link| (link, depth + 1, 0)));
                State::Done("fetched")
            }
            OutcomeKind::Redirected => {
                if hops >= self.tables.frontier.max_redirects {
                    self.counts.too_many_redirects += 1;
                    State::Dead
                } else {
                    links.push((answer.target(), depth, hops + 1));
                    State::Done("redirected")
                }
            }
            OutcomeKind::NotModified => {
                self.counts.not_modified += 1;
                State::Done("not_modified")
            }
            OutcomeKind::Missing | OutcomeKind::Denied => State::Done("missing"),
            OutcomeKind::TooLarge => State::Done("too_large"),
            OutcomeKind::Bomb => State::Done("bomb"),
            OutcomeKind::UnwantedType => State::Done("unwanted_type"),
        };
        self.pages.get_mut(&number).unwrap().state = state;
    }

    fn failed(&mut self, number: usize, done: &Done) -> State {
        let page = self.pages.get_mut(&number).unwrap();
        page.attempts += 1;
        let attempts = page.attempts;
        if attempts >= self.tables.frontier.attempts {
            return State::Dead;
        }
        self.counts.retried += 1;
        let asked = Span::at(self.retry_after(done).unwrap_or(0));
        State::Later(backoff(attempts, &self.tables.frontier).max(asked).plus(done.finished))
    }
}

/// Doubles with each failure up to the ceiling, a quarter more or less.
fn backoff(failures: u32, settings: &helios_core::frontier::FrontierSettings) -> Span {
    let base = (settings.backoff_ms << (failures - 1).min(20)).min(settings.backoff_ceiling_ms);
    Span { from: base - base / 4, to: base + base / 4 }
}
