//! What must be the same in both after every step, and what a lease may and must bring.

use std::collections::BTreeSet;

use helios_core::fetch::{Purpose, Visit};

use crate::model::{Model, Out, State};
use crate::robots::Step;
use crate::web::{Answer, SITES, URLS, WEB, number_of, robots_of, site_number};
use crate::world::{World, url};

/// Calls of `lease` at one moment, at most, until there is nothing more to have.
const MOST_CALLS: usize = 12;
/// Moments until a crawl of this size is over, at most.
const MOST_MOMENTS: usize = 2_000;

impl World {
    /// One call: what it brings must be allowed. Returns how many visits.
    pub(crate) fn lease(&mut self, most: usize) -> usize {
        self.tick();
        let before = self.model.clone();
        let visits = self.frontier.lease(self.now, most).unwrap();
        assert!(visits.len() <= most);
        for visit in &visits {
            let out = self.allowed(visit, &before);
            self.model.hand_out(visit.id, out, self.now);
            self.visits.insert(visit.id, (visit.clone(), 0));
        }
        for number in 0..URLS {
            self.looked_at(number, &before);
        }
        self.compared();
        visits.len()
    }

    /// As many as there are: whoever may be asked now is asked.
    pub(crate) fn lease_all(&mut self) {
        let mut calls = 0;
        while self.lease(99) > 0 || self.frontier.next_due(self.now).is_some_and(|due| due <= self.now) {
            calls += 1;
            assert!(calls < MOST_CALLS, "the frontier spins: something is due now, for ever");
        }
        let model = &self.model;
        // A site whose address is taken wakes once in order to see that.
        if model.tables.frontier.address_connections == 0 {
            assert_eq!(self.frontier.next_due(self.now), model.next_due(self.now), "when something is due");
        }
        if model.closed(self.now) || model.next_slot > self.now as f64 {
            return;
        }
        for &site in model.sites.keys() {
            let may_ask = model.may_ask(site).is_some_and(|at| at <= self.now);
            assert!(!may_ask || model.queued(site).is_empty(), "{} should be asked now", SITES[site]);
        }
    }

    /// A visit that was leased, if the model would have leased it, too.
    fn allowed(&self, visit: &Visit, before: &Model) -> Out {
        let (model, now) = (&self.model, self.now);
        let site = site_number(visit.site.as_str());
        assert!(model.may_ask(site).is_some_and(|at| at <= now), "{} may not be asked yet", visit.site);
        assert!(!model.closed(now), "a limit is reached");
        assert!(model.next_slot <= now as f64, "the global rate");
        let delay = model.delay(site).max(model.tables.frontier.address_delay_ms);
        assert_eq!(visit.delay.as_millis(), u128::from(delay));
        assert_eq!(visit.deadline, now + model.tables.frontier.visit_ms);
        let mut out = Out {
            site,
            pages: BTreeSet::new(),
            robots: None,
            each: visit.max_body_bytes.unwrap_or(1_000),
            address: model.sites[&site].address.filter(|_| model.tables.frontier.address_connections > 0),
            lost_at: visit.deadline + model.tables.frontier.lost_after_ms,
        };
        if visit.tasks[0].purpose == Purpose::RobotsTxt {
            assert_eq!(visit.tasks.len(), 1);
            let host = robots_of(visit.tasks[0].permit.url().as_str()).unwrap();
            assert!(matches!(before.step(host, now), Step::Ask), "this robots.txt need not be asked for");
            assert!(model.queued(site).iter().any(|number| WEB[*number].host == host), "nobody wants it");
            out.robots = Some(host);
            return out;
        }
        for task in &visit.tasks {
            let number = number_of(task.permit.url()).unwrap();
            let page = &model.pages[&number];
            assert_eq!((&page.state, page.depth, 0), (&State::Queued, task.depth, task.fetch_number));
            assert_eq!((task.purpose, WEB[number].site), (Purpose::Page, site));
            let Step::Rules(rules) = model.step(WEB[number].host, now) else {
                panic!("robots.txt is not known")
            };
            assert!(!(rules.disallow && WEB[number].private), "{} is denied", url(number));
            assert!(out.pages.insert(number), "twice in one visit");
        }
        self.as_many_as_it_may(&out);
        out
    }

    fn as_many_as_it_may(&self, out: &Out) {
        let model = &self.model;
        let settings = &model.tables.frontier;
        let visit = if settings.max_requests_per_second.is_some() { 1 } else { settings.visit_urls as u64 };
        let (pages, each) = model.byte_allowance();
        assert_eq!(each, out.each, "bytes of a page");
        let most = visit.min(pages).min(model.page_budget()).min(model.site_budget(out.site));
        assert!(out.pages.len() as u64 <= most, "more pages than it may have");
        let queued = model.queued(out.site);
        let granted = queued.iter().map(|number| match model.step(WEB[*number].host, self.now) {
            Step::Rules(rules) => Some(!(rules.disallow && WEB[*number].private)),
            Step::Wait(_) | Step::GivenUp => Some(false),
            Step::Ask => None,
        });
        // As long as no other robots.txt of the site must be asked for, it is filled.
        if let Some(granted) = granted.collect::<Option<Vec<bool>>>() {
            let granted = granted.into_iter().filter(|granted| *granted).count() as u64;
            assert_eq!(out.pages.len() as u64, granted.min(most), "fewer pages than it may have");
        }
    }

    /// URLs that were looked at for a visit and not leased: denied, put off or given up, as their robots.txt says.
    fn looked_at(&mut self, number: usize, before: &Model) {
        let Some(page) = self.model.pages.get_mut(&number) else { return };
        let why = self.frontier.why(self.now, url(number)).unwrap();
        if page.state != State::Queued || ["queued", "parked"].contains(&why.state.as_str()) {
            return;
        }
        let place = &WEB[number];
        assert!(before.may_ask(place.site).is_some_and(|at| at <= self.now) && !before.closed(self.now));
        page.state = match (why.state.as_str(), before.step(place.host, self.now)) {
            ("denied", Step::Rules(rules)) if rules.disallow && place.private => State::Denied,
            ("later", Step::Wait(until)) => State::Later(crate::model::Span::at(until)),
            ("dead", Step::GivenUp) => State::Dead,
            (state, step) => panic!("{}: {state} after a lease, although {step:?}", url(number)),
        };
    }

    pub(crate) fn compare(&mut self) {
        for number in 0..URLS {
            self.compare_url(number);
        }
        self.compare_counts();
        let mut dead: Vec<_> = self.frontier.dead_letters(URLS).unwrap();
        dead.sort_by_key(|letter| number_of(&letter.url));
        let dead: Vec<_> = dead
            .iter()
            .map(|letter| (number_of(&letter.url).unwrap(), letter.depth, letter.attempts))
            .collect();
        let expected = self.model.pages.iter().filter(|(_, page)| page.state == State::Dead);
        assert_eq!(
            dead,
            expected.map(|(number, page)| (*number, page.depth, page.attempts)).collect::<Vec<_>>()
        );
        assert_eq!(self.frontier.finished(self.now), self.model.finished(self.now), "finished");
        let due = self.frontier.next_due(self.now);
        if let Some(expected) = self.model.next_due(self.now) {
            assert!(due.is_some_and(|due| due <= expected.max(self.now)), "{due:?} is after {expected}");
        }
    }

    fn compare_url(&mut self, number: usize) {
        let why = self.frontier.why(self.now, url(number)).unwrap();
        let in_scope = self.model.in_scope(number);
        let (site, parked) = (WEB[number].site, |model: &Model| model.parked(WEB[number].site));
        if let Some(real) = &why.site
            && self.model.sites.contains_key(&site)
        {
            let (waiting, pause) = (self.model.queued(site).len() as u64, self.model.pause(site));
            assert_eq!((real.waiting, real.delay_ms), (waiting, pause), "{}", real.name);
            assert_eq!(real.visits_out, u32::from(self.model.is_out(site)));
            let model = self.model.sites.get_mut(&site).unwrap();
            assert_eq!((real.failures_in_a_row, real.fetched), (model.failures, model.fetched));
            assert_eq!(real.crawl_delay_ms, model.crawl_delay);
            assert_eq!(real.address, model.address.map(|address| address.to_string()));
            model.next_allowed.adopt(real.next_allowed, &real.name);
        }
        let parked = self.model.sites.contains_key(&site) && parked(&self.model);
        let expected = match self.model.pages.get_mut(&number).map(|page| &mut page.state) {
            None if in_scope => "unknown",
            None => "out_of_scope",
            Some(State::Queued) if parked => "parked",
            Some(State::Queued) => "queued",
            Some(State::Out) => "out",
            Some(State::Later(until)) => {
                until.adopt(why.next.unwrap_or(0), &why.url);
                "later"
            }
            Some(State::Done(name)) => name,
            Some(State::Denied) => "denied",
            Some(State::Dead) => "dead",
        };
        assert_eq!(why.state, expected, "{}", why.url);
        if let Some(page) = self.model.pages.get(&number) {
            assert_eq!(why.depth, Some(page.depth), "{}", why.url);
        }
    }

    fn compare_counts(&self) {
        let model = &self.model;
        let parked =
            model.sites.keys().filter(|site| model.parked(**site)).map(|site| model.queued(*site).len());
        let parked = parked.sum::<usize>() as u64;
        let queued = model.count(|state| matches!(state, State::Queued | State::Out));
        let later = model.count(|state| matches!(state, State::Later(_)));
        let counts = &model.counts;
        let expected = [
            ("known", model.pages.len() as u64),
            ("fetched", counts.fetched),
            ("bytes", counts.bytes),
            ("denied", model.count(|state| *state == State::Denied)),
            ("dead", model.count(|state| *state == State::Dead)),
            ("retried", counts.retried),
            ("out_of_scope", counts.out_of_scope),
            ("too_deep", counts.too_deep),
            ("too_many_redirects", counts.too_many_redirects),
            ("not_modified", counts.not_modified),
            ("links", counts.links),
            ("parked", parked),
            ("pending", queued + later - parked),
            ("queued", queued),
            ("later", later),
            ("visits_out", model.visits.len() as u64),
            ("pages_out", model.pages_out()),
            ("trapped", 0),
        ];
        let real = self.frontier.stats();
        for (name, expected) in expected {
            let value = real.iter().find(|(known, _)| *known == name).unwrap().1;
            assert_eq!(value, expected, "{name}");
        }
    }

    /// From now on everything is answered well: the crawl comes to its end, and every URL to its own.
    pub(crate) fn finish_well(&mut self) {
        let mut moments = 0;
        while !self.frontier.finished(self.now) {
            moments += 1;
            assert!(moments < MOST_MOMENTS, "the crawl does not end");
            self.lease_all();
            while !self.visits.is_empty() {
                self.finish(&[(0, Answer::good())]);
            }
            self.now = self.frontier.next_due(self.now).unwrap_or(self.now).max(self.now);
        }
        for (&number, page) in &self.model.pages {
            let waits = matches!(page.state, State::Queued | State::Later(_) | State::Out);
            let may_wait = self.model.parked(WEB[number].site) || self.model.closed(self.now);
            assert!(!waits || may_wait, "{} was forgotten: {page:?}", url(number));
        }
    }
}
