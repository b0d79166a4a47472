//! [`World`]: the loop of a trial. Events in the order of virtual time, one at a time, until the crawl is over.
//!
//! A turn leases and receives; a commit goes stage → settle → durable → publish → published, one event each, so that the
//! process can die between any two of them.

use std::collections::BTreeMap;

use helios_core::error::Error;
use helios_core::kv::{Failing, Ticket};

use crate::chance::Chance;
use crate::clock::{HOUR, MINUTE, Micros, SECOND, Wall};
use crate::fetcher::{Fetcher, Mail};
use crate::ledger::{Leased, Ledger};
use crate::process::{Disk, Process};
use crate::scenario::Scenario;
use crate::server::Server;
use crate::store::Store;
use crate::verdict::{Offence, Tally};

/// Events of one trial: more of them mean that it goes round in circles.
const MOST_STEPS: u64 = 400_000;
/// Turns in a row in which nothing is leased or received.
const MOST_IDLE: u64 = 500;
/// Writes before one that fails, at most.
const MOST_WRITES: u64 = 300;

#[derive(Debug)]
pub(crate) enum Event {
    /// A visit goes on.
    Ask(u64),
    Deliver(Box<Mail>),
    Turn,
    Settle,
    Durable(Ticket),
    Publish,
    Published,
    Crash,
    Start,
    /// Faults stop.
    Calm,
}

pub(crate) struct World {
    pub(crate) scenario: Scenario,
    pub(crate) server: Server,
    pub(crate) store: Store,
    pub(crate) ledger: Ledger,
    pub(crate) disk: Disk,
    pub(crate) fetcher: Fetcher,
    pub(crate) process: Option<Process>,
    pub(crate) tally: Tally,
    pub(crate) leases: Vec<Leased>,
    pub(crate) now: Micros,
    pub(crate) chance: Chance,
    pub(crate) events: BTreeMap<(Micros, u64), (u64, Event)>,
    sequence: u64,
    /// The number of the process that lives, or of the one to come.
    pub(crate) life: u64,
    seeded: bool,
    pub(crate) replayed: bool,
    pub(crate) stopped: bool,
    /// Turns in a row in which nothing was leased or received.
    pub(crate) idle: u64,
    pub(crate) wall: Wall,
}

impl World {
    pub(crate) fn new(scenario: Scenario) -> Result<Self, Offence> {
        let server = Server::new(&scenario).map_err(|why| Offence::new("scenario", why))?;
        let mut world = Self {
            chance: Chance::new(scenario.seed ^ 0x7472_6961_6c00),
            server,
            store: Store::default(),
            ledger: Ledger::default(),
            disk: Disk::default(),
            fetcher: Fetcher::default(),
            process: None,
            tally: Tally::default(),
            leases: Vec::new(),
            now: 0,
            events: BTreeMap::new(),
            sequence: 0,
            life: 0,
            seeded: false,
            replayed: false,
            stopped: false,
            idle: 0,
            wall: Wall::default(),
            scenario,
        };
        world.at(0, Event::Start);
        world.at(world.scenario.safe_from, Event::Calm);
        for at in world.scenario.faults.crashes.clone() {
            world.at(at, Event::Crash);
        }
        Ok(world)
    }

    pub(crate) fn at(&mut self, when: Micros, event: Event) {
        self.sequence += 1;
        self.events.insert((when.max(self.now), self.sequence), (self.life, event));
    }

    /// Faults are still to be expected.
    pub(crate) fn is_stormy(&self) -> bool {
        self.now < self.scenario.safe_from
    }

    /// To the end of the crawl.
    pub(crate) fn run(&mut self) -> Result<(), Offence> {
        loop {
            let Some(((now, _), (life, event))) = self.events.pop_first() else {
                return Err(Offence::new("V", format!("nothing more will happen: {}", self.what_is_left())));
            };
            self.now = now;
            self.tally.steps += 1;
            if self.tally.steps > MOST_STEPS || self.idle > MOST_IDLE {
                return Err(Offence::new(
                    "V",
                    format!("it goes round in circles: {} steps", self.tally.steps),
                ));
            }
            if now > self.scenario.ends_by {
                return Err(Offence::new("V", self.what_is_left()));
            }
            if self.happen(life, event)? {
                return Ok(());
            }
        }
    }

    fn what_is_left(&self) -> String {
        let hours = (self.scenario.ends_by - self.scenario.safe_from) / HOUR;
        let stats = self.process.as_ref().map(|process| process.frontier.stats()).unwrap_or_default();
        format!("not finished {hours} hours after the faults stopped: {stats:?}")
    }

    /// True: the crawl is over.
    fn happen(&mut self, life: u64, event: Event) -> Result<bool, Offence> {
        let alive = life == self.life;
        match event {
            Event::Start => self.start()?,
            Event::Calm => self.disk.fail_after(u64::MAX, Failing::Lost),
            Event::Crash if self.process.is_some() => self.crash(),
            Event::Deliver(mail) => self.deliver(*mail),
            Event::Ask(visit) if alive => self.ask(visit),
            Event::Turn if alive => return self.turn(),
            Event::Settle if alive => self.settle()?,
            Event::Durable(ticket) if alive => self.durable(ticket)?,
            Event::Publish if alive => self.publish()?,
            Event::Published if alive => self.published()?,
            Event::Crash
            | Event::Ask(_)
            | Event::Turn
            | Event::Settle
            | Event::Durable(_)
            | Event::Publish
            | Event::Published => {}
        }
        Ok(false)
    }

    fn start(&mut self) -> Result<(), Offence> {
        let wall = self.wall;
        let opened = Process::open(&self.disk, &self.scenario.tables, (self.now, wall));
        let mut process = opened.map_err(|error| Offence::new("open", error.to_string()))?;
        self.tally.opened += 1;
        if self.is_stormy() && self.chance.happens(self.scenario.faults.failing_write) {
            let failing = self.chance.choose(&[Failing::Lost, Failing::Applied]);
            self.disk.fail_after(self.chance.scaled(1, MOST_WRITES), failing);
        }
        let recovers = !process.frontier.staged().unwrap_or_default().is_empty();
        process.busy = recovers;
        self.process = Some(process);
        if recovers {
            self.at(self.now, Event::Publish);
        }
        if !self.seeded || self.chance.happens(0.3) {
            self.seed()?;
        }
        self.wake(self.now);
        Ok(())
    }

    fn seed(&mut self) -> Result<(), Offence> {
        let seeds = self.server.web.seeds();
        let Some(process) = &mut self.process else { return Ok(()) };
        let seeded = process.frontier.seed(process.wall.at(self.now), seeds.iter().map(String::as_str));
        match seeded {
            Ok(refused) if refused.is_empty() => self.seeded = true,
            Ok(refused) => return Err(Offence::new("L", format!("seeds were refused: {refused:?}"))),
            Err(error) => self.died(&error)?,
        }
        Ok(())
    }

    /// A call failed: in bad times that is a crash, later it is an offence.
    pub(crate) fn died(&mut self, error: &Error) -> Result<(), Offence> {
        if !error.to_string().contains("as it was asked to") {
            return Err(Offence::new("error", error.to_string()));
        }
        self.crash();
        Ok(())
    }

    pub(crate) fn wake(&mut self, when: Micros) {
        let when = when.max(self.now);
        let Some(process) = &mut self.process else { return };
        if process.wakes.is_none_or(|wakes| when < wakes) {
            process.wakes = Some(when);
            self.at(when, Event::Turn);
        }
    }

    fn deliver(&mut self, mail: Mail) {
        let linger = self.chance.choose(&[0, 0, 20_000, 500_000]);
        let Some(process) = &mut self.process else {
            // Nobody is there: it comes again.
            let later = self.now + self.chance.scaled(SECOND, 5 * MINUTE);
            return self.at(later, Event::Deliver(Box::new(mail)));
        };
        process.mailbox.push(mail);
        self.wake(self.now + linger);
    }

    fn ask(&mut self, visit: u64) {
        let wall = self.wall;
        let step = self.fetcher.step(visit, &mut self.server, (self.now, wall));
        step.dropped.iter().for_each(|receipt| self.server.forgive(receipt));
        if let Some(receipt) = step.asked {
            self.leases.push(Leased { receipt, visit, informed: step.informed });
        }
        for (when, mail) in step.posted {
            self.at(when, Event::Deliver(Box::new(mail)));
        }
        match step.again {
            Some(when) => self.at(when, Event::Ask(visit)),
            // There is room for another visit, also if nobody hears of this one.
            None => self.wake(self.now),
        }
    }
}
