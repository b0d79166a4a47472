//! "Why was this URL (not) fetched?": everything known of it. For people, one URL at a time; may read much.

use serde::Serialize;

use super::entry::Entry;
use super::history::{self, Record};
use super::open::for_each;
use super::scope::origin_id;
use super::site::Site;
use super::tier::Tier;
use super::trap::{Look, look};
use super::{Frontier, SiteId, chunk, key};
use crate::clock::Millis;
use crate::error::Result;
use crate::robots::RobotsStep;
use crate::url::CanonicalUrl;

/// Chunks of a queue read at once.
const PAGE: usize = 256;

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Why {
    pub url: String,
    /// unknown, out_of_scope, unwanted, trapped, queued, parked, out, later, fetched, denied, dead, or another outcome's name
    pub state: String,
    /// In a sentence.
    pub because: String,
    /// The page that it was found on; none: a seed.
    pub via: Option<String>,
    pub depth: Option<u32>,
    pub tier: Option<u8>,
    /// Failed attempts since it was last fetched: when, what, why.
    pub failures: Vec<(Millis, String, String)>,
    /// What became of it each time that it was settled, oldest first: when, what, why.
    pub history: Vec<(Millis, String, String)>,
    pub fetches: u32,
    /// Not before this.
    pub next: Option<Millis>,
    pub site: Option<SiteWhy>,
    /// What robots.txt says of it now.
    pub robots: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SiteWhy {
    pub name: String,
    pub delay_ms: u64,
    pub crawl_delay_ms: u64,
    pub next_allowed: Millis,
    pub failures_in_a_row: u32,
    pub fetched: u64,
    pub waiting: u64,
    pub visits_out: u32,
    pub in_links: u64,
    pub address: Option<String>,
}

impl Frontier {
    pub fn why(&mut self, now: Millis, url: &CanonicalUrl) -> Result<Why> {
        let id = self.scope.site_id(url.host());
        let mut why = Why { url: url.to_string(), ..Why::default() };
        why.robots = self.robots_words(id, url, now)?;
        why.site = self.sites.get(&id).map(|site| self.site_words(site));
        self.tell_history(&mut why, id, url)?;
        let found = self.tell_out(&mut why, url)
            || self.tell_dead(&mut why, id, url)?
            || self.tell_queued(&mut why, id, url)?
            || self.tell_later(&mut why, id, url)?
            || !why.history.is_empty();
        if !found {
            self.tell_absent(&mut why, url)?;
        }
        Ok(why)
    }

    fn site_words(&self, site: &Site) -> SiteWhy {
        SiteWhy {
            name: site.name.to_string(),
            delay_ms: site.pause_ms(site.last_fetch_ms, &self.tables.frontier),
            crawl_delay_ms: site.crawl_delay_ms,
            next_allowed: site.next_allowed,
            failures_in_a_row: site.failures,
            fetched: site.fetched,
            waiting: site.waiting(),
            visits_out: site.out,
            in_links: site.in_links.estimate().round() as u64,
            address: site.address.map(|address| address.to_string()),
        }
    }

    fn robots_words(&mut self, id: SiteId, url: &CanonicalUrl, now: Millis) -> Result<String> {
        let state = self.book.state(id, origin_id(url))?;
        let scope = &self.scope;
        let step = state.step(&url.origin(), &|host| scope.site_of(host), &self.tables.robots, now);
        Ok(match step {
            RobotsStep::Rules(rules) => match rules.denying_rule(url.target()) {
                None => "allowed".to_owned(),
                Some(rule) => format!("denied by {rule:?}"),
            },
            RobotsStep::Ask(_) => "not known yet: robots.txt is asked first".to_owned(),
            RobotsStep::AskElsewhere(permit) => format!("robots.txt has moved to {}", permit.url()),
            RobotsStep::WaitUntil(_) => format!("robots.txt cannot be read: {}", state.summary().why),
            RobotsStep::GivenUp => format!("robots.txt was given up: {}", state.summary().why),
        })
    }

    fn tell_history(&self, why: &mut Why, id: SiteId, url: &CanonicalUrl) -> Result<()> {
        let print = url.fingerprint();
        let (mut from, to) = key::all_of_site(b'u', id);
        loop {
            let page = self.kv.scan(&from, &to, PAGE)?;
            for (_, value) in &page {
                for record in history::read(value)?.iter().filter(|record| record.url == print) {
                    why.tell_record(record);
                }
            }
            match page.last() {
                Some((last, _)) if page.len() == PAGE => from = [last, &[0][..]].concat(),
                _ => return Ok(()),
            }
        }
    }

    fn tell_out(&self, why: &mut Why, url: &CanonicalUrl) -> bool {
        let print = url.fingerprint();
        let pages = self.leases.values().flat_map(|lease| &lease.pages);
        let Some((_, entry, spot)) = pages.into_iter().find(|(of, ..)| *of == print) else {
            return false;
        };
        why.tell_entry(entry, "out", "it is being fetched".to_owned());
        why.tier = Some(spot.tier.number());
        true
    }

    fn tell_dead(&self, why: &mut Why, id: SiteId, url: &CanonicalUrl) -> Result<bool> {
        let Some(value) = self.kv.get(&key::letter(id, &url.fingerprint().to_be_bytes()))? else {
            return Ok(false);
        };
        let (letter, entry) = super::letters::read(&value)?;
        why.tell_entry(
            &entry,
            "dead",
            format!("given up: {}; replay dead letters to ask again", letter.reason),
        );
        Ok(true)
    }

    fn tell_queued(&self, why: &mut Why, id: SiteId, url: &CanonicalUrl) -> Result<bool> {
        let Some(site) = self.sites.get(&id) else { return Ok(false) };
        for (tier, lane) in Tier::ALL.into_iter().zip(&site.lanes) {
            let mut from = lane.cursor;
            let mut before = 0;
            loop {
                let page = self.chunks(id, tier, from, PAGE)?;
                for (chunk, entries) in &page {
                    let taken = site.taken(tier, *chunk);
                    let left = entries.iter().enumerate().filter(|(index, _)| !taken.has(*index));
                    for (_, entry) in left {
                        if entry.url == *url {
                            self.tell_waiting(why, site, tier, entry, before);
                            return Ok(true);
                        }
                        before += 1;
                    }
                    from = chunk.after();
                }
                if page.len() < PAGE {
                    break;
                }
            }
        }
        Ok(false)
    }

    fn tell_waiting(&self, why: &mut Why, site: &Site, tier: Tier, entry: &Entry, before: u64) {
        let budget = self.tables.frontier.max_pages_per_site;
        if budget.is_some_and(|limit| site.fetched >= limit) {
            let because = format!("its site has used up its budget of {} pages", site.fetched);
            why.tell_entry(entry, "parked", because);
        } else {
            let because = format!("{before} URLs of its site are before it in tier {}", tier.number());
            why.tell_entry(entry, "queued", because);
            why.next = Some(site.next_allowed);
        }
        why.tier = Some(tier.number());
    }

    fn tell_later(&self, why: &mut Why, id: SiteId, url: &CanonicalUrl) -> Result<bool> {
        let mut found = false;
        for_each(self.kv.as_ref(), b'r', |key, value| {
            if !found && key::site_of_later(key) == Some(id) {
                for entry in chunk::read(value)?.iter().filter(|entry| entry.url == *url) {
                    let because = match entry.failures.last() {
                        Some(failure) => format!("it is tried again after: {}", failure.why),
                        None if entry.past.is_some() => "it is fetched again when its time comes".to_owned(),
                        None => "its robots.txt must be read first".to_owned(),
                    };
                    why.tell_entry(entry, "later", because);
                    why.next = key::time_of_later(key);
                    found = true;
                }
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Nothing is kept of it: then one of the doors was closed to it.
    fn tell_absent(&mut self, why: &mut Why, url: &CanonicalUrl) -> Result<()> {
        let (state, because) = if !self.scope.contains(url) {
            ("out_of_scope", "the crawl's scope does not include it".to_owned())
        } else if let Some(reason) = self.wanted.refuses(url, false) {
            ("unwanted", reason)
        } else if let Look::Trap(trap) = look(url, &self.tables.traps) {
            ("trapped", trap.explanation().to_owned())
        } else if !self.sieve.contains(url.fingerprint())? {
            let because =
                "no page led to it, or only pages deeper than max_depth or over more than max_redirects";
            ("unknown", because.to_owned())
        } else if let Look::Suspect(trap, _) = look(url, &self.tables.traps) {
            ("trapped", format!("its site has too many like it: {}", trap.explanation()))
        } else {
            ("unknown", "it was seen before, and nothing else is kept of it".to_owned())
        };
        state.clone_into(&mut why.state);
        why.because = because;
        Ok(())
    }
}

impl Why {
    fn tell_record(&mut self, record: &Record) {
        record.kind.name().clone_into(&mut self.state);
        self.because.clone_from(&record.why);
        self.via = record.via.as_ref().map(ToString::to_string);
        self.depth = Some(record.depth);
        self.fetches = record.fetches;
        self.history.push((record.at, record.kind.name().to_owned(), record.why.clone()));
    }

    fn tell_entry(&mut self, entry: &Entry, state: &str, because: String) {
        state.clone_into(&mut self.state);
        self.because = because;
        self.via = entry.via.as_ref().map(ToString::to_string);
        self.depth = Some(entry.depth);
        self.fetches = entry.fetch_number();
        let told = entry.failures.iter().map(|one| (one.at, one.kind.name().to_owned(), one.why.clone()));
        self.failures = told.collect();
    }
}
