//! The real frontier and the model side by side: each step is taken by both.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use helios_core::fetch::{Finished, Held, OutcomeKind, Purpose, Task, Timings, Visit};
use helios_core::frontier::{Found, Frontier, FrontierTables, Replay};
use helios_core::kv::{Kv, MemoryDisk, Ticket};
use helios_core::sieve::MemoryShelf;
use helios_core::url::CanonicalUrl;

use crate::disk::Counting;
use crate::model::Model;
use crate::settle::Done;
use crate::steps::Step;
use crate::web::{Answer, SITES, WEB, address, number_of};

pub(crate) struct World {
    pub(crate) frontier: Frontier,
    pub(crate) model: Model,
    pub(crate) now: u64,
    /// The model as it was at each write that is not durable, after what it was at the last one that is.
    snapshots: Vec<Model>,
    disk: MemoryDisk,
    shelf: MemoryShelf,
    writes: Arc<AtomicU64>,
    written: u64,
    ticket: Ticket,
    /// Visits that are being made, and how many of their tasks are done.
    pub(crate) visits: BTreeMap<u64, (Visit, usize)>,
    forgotten: Vec<Visit>,
    /// What was settled or given up: nobody wants to hear of it again.
    past: Vec<(Visit, Task)>,
}

impl World {
    pub(crate) fn new(tables: FrontierTables) -> Self {
        let (disk, shelf, writes) = (MemoryDisk::new(), MemoryShelf::default(), Arc::default());
        let model = Model::new(tables);
        Self {
            frontier: open(&disk, &shelf, &writes, &model, 0),
            snapshots: vec![model.clone()],
            model,
            now: 0,
            disk,
            shelf,
            writes,
            written: 0,
            ticket: 0,
            visits: BTreeMap::new(),
            forgotten: Vec::new(),
            past: Vec::new(),
        }
    }

    pub(crate) fn run(&mut self, step: &Step) {
        match step {
            Step::Seed(numbers) => self.seed(numbers),
            Step::Lease(most) => drop(self.lease(*most)),
            Step::LeaseAll => self.lease_all(),
            Step::Finish(answers) => self.finish(answers),
            Step::AbandonRest(pick) => {
                let left = self.picked(*pick).map_or(0, |(visit, done)| visit.tasks.len() - done);
                let abandoned = Answer { kind: OutcomeKind::Abandoned, ..Answer::good() };
                self.finish(&vec![(*pick, abandoned); left]);
            }
            Step::Forget(pick) => {
                if let Some(id) = self.picked(*pick).map(|(visit, _)| visit.id) {
                    self.forgotten.extend(self.visits.remove(&id).map(|(visit, _)| visit));
                }
            }
            Step::Late(pick) => self.hear_late(*pick),
            Step::Advance(ms) => self.now += ms,
            Step::AdvanceToDue => {
                self.now =
                    self.frontier.next_due(self.now).unwrap_or(self.now).clamp(self.now, self.now + 600_000);
            }
            Step::Sync => {
                self.frontier.kv().durable(self.ticket).unwrap();
                self.record();
            }
            Step::Crash(keep) => {
                let state = self.snapshots[(*keep).min(self.disk.pending())].clone();
                self.disk.crash(*keep);
                self.reopen(state);
            }
            Step::Reopen => self.reopen(self.snapshots.last().unwrap().clone()),
            Step::ReplayAll => self.replay(&Replay::default(), |_| true),
            Step::ReplaySite(site) => {
                self.replay(&Replay { site: Some(SITES[*site].into()), ..Replay::default() }, |number| {
                    WEB[number].site == *site
                });
            }
            Step::ReplayUrl(url) => self
                .replay(&Replay { url: Some(WEB[*url].url.clone()), ..Replay::default() }, |number| {
                    number == *url
                }),
        }
    }

    fn seed(&mut self, numbers: &[usize]) {
        let seeds = numbers.iter().map(|number| WEB[*number].url.as_str());
        assert!(self.frontier.seed(self.now, seeds).unwrap().is_empty());
        self.model.seed(numbers);
        self.compared();
    }

    fn replay(&mut self, which: &Replay, wanted: impl Fn(usize) -> bool) {
        let count = self.frontier.replay(self.now, which).unwrap();
        assert_eq!(count, self.model.replay(wanted), "letters that live again");
        self.compared();
    }

    /// Time alone, apart from `lease`, which would do it, too: so that no call writes twice.
    pub(crate) fn tick(&mut self) {
        self.frontier.tick(self.now).unwrap();
        self.model.tick(self.now);
        let out = &self.model.visits;
        let mut gone = Vec::new();
        for (id, (visit, _)) in &self.visits {
            gone.extend((!out.contains_key(id)).then(|| visit.clone()));
        }
        gone.extend(self.forgotten.extract_if(.., |visit| !out.contains_key(&visit.id)));
        for visit in gone {
            self.visits.remove(&visit.id);
            self.past.extend(visit.tasks.iter().map(|task| (visit.clone(), task.clone())));
        }
        self.compared();
    }

    fn picked(&self, pick: usize) -> Option<&(Visit, usize)> {
        self.visits.values().nth(pick % self.visits.len().max(1))
    }

    pub(crate) fn finish(&mut self, answers: &[(usize, Answer)]) {
        let (mut done, mut found, mut modelled) = (Vec::new(), Vec::new(), Vec::new());
        for (pick, answer) in answers {
            let Some((visit, index)) = self.picked(*pick).cloned() else { break };
            let (real, model) = answered(&visit, index, answer, self.now);
            let links = if real.task.purpose == Purpose::Page { answer.links.as_slice() } else { &[] };
            let links = links.iter().map(|link| WEB[*link].url.clone()).collect();
            found.push(Found { links, ..Found::default() });
            self.past.push((visit.clone(), real.task.clone()));
            if real.last {
                self.past.extend(visit.tasks[index + 1..].iter().map(|task| (visit.clone(), task.clone())));
                self.visits.remove(&visit.id);
            } else {
                self.visits.insert(visit.id, (visit, index + 1));
            }
            done.push(real);
            modelled.push(model);
        }
        let expected = done.len();
        self.frontier.receive(&mut done);
        assert_eq!(done.len(), expected, "results of visits that are out are wanted");
        self.ticket = self.frontier.settle(self.now, &done, found, None).unwrap();
        self.model.settle(&modelled);
        self.compared();
    }

    fn hear_late(&mut self, pick: usize) {
        let Some((visit, task)) = self.past.iter().rev().nth(pick) else { return };
        let index = visit.tasks.iter().position(|one| one.permit.url() == task.permit.url()).unwrap();
        let mut late = vec![answered(visit, index, &Answer::good(), self.now).0];
        self.frontier.receive(&mut late);
        assert!(late.is_empty(), "a result that nobody waits for is dropped");
        self.compared();
    }

    fn reopen(&mut self, state: Model) {
        self.model = state.reopened(self.now);
        self.frontier = open(&self.disk, &self.shelf, &self.writes, &self.model, self.now);
        (self.ticket, self.snapshots) = (0, vec![self.model.clone()]);
        let gone = std::mem::take(&mut self.visits).into_values().map(|(visit, _)| visit);
        for visit in gone.chain(std::mem::take(&mut self.forgotten)) {
            self.past.extend(visit.tasks.iter().map(|task| (visit.clone(), task.clone())));
        }
        self.compared();
    }

    /// Compares, and keeps the model if there was a write.
    pub(crate) fn compared(&mut self) {
        self.compare();
        self.record();
    }

    fn record(&mut self) {
        let written = self.writes.load(Ordering::Relaxed);
        assert!(written <= self.written + 1, "one call, one write");
        if written > self.written {
            self.model.written = true;
            self.snapshots.push(self.model.clone());
        }
        self.written = written;
        self.snapshots.drain(..self.snapshots.len() - self.disk.pending() - 1);
    }
}

fn open(
    disk: &MemoryDisk,
    shelf: &MemoryShelf,
    writes: &Arc<AtomicU64>,
    model: &Model,
    now: u64,
) -> Frontier {
    let kv: Arc<dyn Kv> = Arc::new(Counting::open(disk, writes));
    Frontier::open(kv, Box::new(shelf.clone()), (*model.tables).clone(), now).unwrap()
}

/// The answer to a task, as the frontier and as the model hear it.
fn answered(visit: &Visit, index: usize, answer: &Answer, now: u64) -> (Finished, Done) {
    let task = visit.tasks[index].clone();
    let page = (task.purpose == Purpose::Page).then(|| number_of(task.permit.url()).unwrap());
    let mut answer = answer.clone();
    if page.is_none() && answer.kind == OutcomeKind::Redirected {
        answer.kind = OutcomeKind::Missing; // a robots.txt that moves is not part of the model
    }
    let limit = visit.max_body_bytes.unwrap_or(1_000);
    let finished = now.saturating_sub(answer.lag);
    let took = answer.took.min(finished);
    let last = answer.last || index + 1 == visit.tasks.len();
    let real = Finished {
        visit: visit.id,
        site: visit.site.clone(),
        outcome: answer.outcome(limit),
        started: finished - took,
        finished,
        wire_bytes: if page.is_some() { answer.bytes(limit) } else { 0 },
        address: address(answer.address),
        timings: Timings::default(),
        held: Held::default(),
        kept: None,
        last,
        task,
    };
    (real, Done { visit: visit.id, page, answer, took, finished, last })
}

pub(crate) fn url(number: usize) -> &'static CanonicalUrl {
    &WEB[number].url
}
