//! One turn of the process, and the steps of a commit.

use helios_core::fetch::Visit;
use helios_core::frontier::Replay;
use helios_core::kv::Ticket;

use crate::clock::{MINUTE, Micros, SECOND};
use crate::verdict::Offence;
use crate::world::{Event, World};

/// Batches that are received and not settled, at most.
const MOST_COMMITS: usize = 3;

impl World {
    /// Leases, receives, and says when to look again. True: the crawl is over.
    pub(crate) fn turn(&mut self) -> Result<bool, Offence> {
        let Some(process) = &mut self.process else { return Ok(false) };
        if process.wakes != Some(self.now) {
            return Ok(false);
        }
        process.wakes = None;
        if self.scenario.stop_at.is_some_and(|at| at <= self.now) && !self.stopped {
            self.stopped = true;
            process.frontier.stop();
        }
        self.idle += 1;
        self.tally.most_idle = self.tally.most_idle.max(self.idle);
        let receives_first = self.chance.happens(0.5);
        if receives_first {
            self.receive();
        }
        let Some(process) = &mut self.process else { return Ok(false) };
        let free = self.scenario.fetch.concurrency.saturating_sub(self.fetcher.in_flight());
        match process.lease(self.now, free) {
            Ok(visits) => visits.into_iter().for_each(|visit| self.submit(visit)),
            Err(error) => {
                self.died(&error)?;
                return Ok(false);
            }
        }
        if !receives_first {
            self.receive();
        }
        if self.process.as_ref().is_some_and(|process| process.is_done(self.now)) && self.is_over()? {
            return Ok(true);
        }
        self.look_again();
        Ok(false)
    }

    fn submit(&mut self, visit: Visit) {
        self.idle = 0;
        let id = visit.id;
        let lost_at = self.wall.when(visit.deadline + self.scenario.tables.frontier.lost_after_ms);
        let host = visit.tasks.first().and_then(|task| self.server.web.host_named(task.permit.url().host()));
        let address = host.map(|host| self.server.web.host(host).address.into());
        let informed = address.is_some() && self.ledger.address_of(visit.site.as_str()) == address;
        let stormy = self.now < self.scenario.safe_from;
        let faults = stormy.then_some(&self.scenario.faults);
        self.fetcher.submit(visit, &mut self.chance, faults, (lost_at, informed));
        self.at(self.now, Event::Ask(id));
    }

    fn receive(&mut self) {
        let Some(process) = &mut self.process else { return };
        if process.mailbox.is_empty() || process.commits.len() >= MOST_COMMITS {
            // Files that were left for later are made visible when there is nothing else to do.
            if !process.busy
                && process.commits.is_empty()
                && !process.frontier.staged().unwrap_or_default().is_empty()
            {
                process.busy = true;
                self.at(self.now, Event::Publish);
            }
            return;
        }
        self.idle = 0;
        let count = self.chance.between(1, process.mailbox.len() as u64) as usize;
        let refused = process.receive(&self.server.web, &mut self.store, (self.now, count));
        for receipt in &refused {
            self.server.forgive(receipt);
        }
        let staging = self.chance.choose(&[0, 1_000, 30_000, 30_000, 3 * SECOND]);
        self.at(self.now + staging, Event::Settle);
    }

    fn look_again(&mut self) {
        let room = self.fetcher.in_flight() < self.scenario.fetch.concurrency;
        // At times it is held up, for as long as visits need to be given up.
        let held_up = self.is_stormy() && self.chance.happens(0.002);
        let Some(process) = &self.process else { return };
        let due = process.frontier.next_due(process.wall.at(self.now)).map(|at| process.wall.when(at));
        let lag: Micros = self.chance.choose(&[0, 0, 0, 5_000, if held_up { 5 * MINUTE } else { 200_000 }]);
        let due = due.filter(|_| room).map(|due| due.max(self.now + 1_000) + lag);
        let stop = self.scenario.stop_at.filter(|_| !self.stopped).map(|at| at.max(self.now + 1_000));
        if let Some(when) = [due, stop].into_iter().flatten().min() {
            self.wake(when);
        }
    }

    /// Nothing is left; dead letters may get another life once the faults are over.
    fn is_over(&mut self) -> Result<bool, Offence> {
        let waits = self.scenario.replays && !self.scenario.faults.weather.is_empty() && !self.replayed;
        if !waits || self.stopped {
            return Ok(true);
        }
        if self.is_stormy() {
            self.wake(self.scenario.safe_from);
            return Ok(false);
        }
        self.replayed = true;
        let Some(process) = &mut self.process else { return Ok(false) };
        let replayed = process.frontier.replay(process.wall.at(self.now), &Replay::default());
        match replayed {
            Ok(count) => self.tally.replayed += count,
            Err(error) => return Err(Offence::new("error", error.to_string())),
        }
        self.wake(self.now);
        Ok(false)
    }

    /// True: the process died instead.
    fn dies_here(&mut self) -> bool {
        let dies = self.is_stormy() && self.chance.happens(self.scenario.faults.crash_in_commit);
        if dies {
            self.crash();
        }
        dies
    }

    fn soon(&mut self) -> Micros {
        self.now + self.chance.choose(&[0, 200, 5_000, 100_000])
    }

    pub(crate) fn settle(&mut self) -> Result<(), Offence> {
        if self.dies_here() {
            return Ok(());
        }
        let next = self.disk.applied() + 1;
        let Some(process) = &mut self.process else { return Ok(()) };
        if process.busy {
            // One commit after the other; the next one waits.
            self.at(self.now + 5_000, Event::Settle);
            return Ok(());
        }
        if process.commits.is_empty() {
            self.wake(self.now);
            return Ok(());
        }
        process.busy = true;
        let (facts, settled) = process.settle(self.now);
        match settled {
            Ok(ticket) => {
                self.ledger.settle(ticket, facts, &mut self.server);
                let when = self.soon();
                self.at(when, Event::Durable(ticket));
            }
            Err(error) => {
                self.ledger.settle(next, facts, &mut self.server);
                self.died(&error)?;
            }
        }
        self.wake(self.now);
        Ok(())
    }

    pub(crate) fn durable(&mut self, ticket: Ticket) -> Result<(), Offence> {
        if self.dies_here() {
            return Ok(());
        }
        let Some(process) = &mut self.process else { return Ok(()) };
        if let Err(error) = process.durable(ticket) {
            return self.died(&error);
        }
        if self.chance.happens(0.25) {
            process.busy = false;
            self.wake(self.now);
        } else {
            let when = self.soon();
            self.at(when, Event::Publish);
        }
        Ok(())
    }

    pub(crate) fn publish(&mut self) -> Result<(), Offence> {
        if self.dies_here() {
            return Ok(());
        }
        let Some(process) = &mut self.process else { return Ok(()) };
        process.visible = process.frontier.staged().unwrap_or_default();
        self.store.publish(&process.visible).map_err(|why| Offence::new("O", why))?;
        let when = self.soon();
        self.at(when, Event::Published);
        Ok(())
    }

    pub(crate) fn published(&mut self) -> Result<(), Offence> {
        if self.dies_here() {
            return Ok(());
        }
        let Some(process) = &mut self.process else { return Ok(()) };
        let names = std::mem::take(&mut process.visible);
        process.busy = false;
        if let Err(error) = process.frontier.published(&names) {
            return self.died(&error);
        }
        self.wake(self.now);
        Ok(())
    }
}
