//! The model of the fetcher: walks visits in virtual time as `helios_core::fetch` does, and posts what they bring.

use std::collections::BTreeMap;

use helios_core::fetch::{Finished, Held, Outcome, Task, Timings, Visit};

use crate::chance::Chance;
use crate::clock::{Micros, SECOND, Wall};
use crate::scenario::Faults;
use crate::server::{Line, Receipt, Server};

/// One finished task on its way to the frontier.
#[derive(Debug)]
pub(crate) struct Mail {
    pub(crate) finished: Finished,
    /// The request in the server's log; none: nothing was asked, or this is a copy.
    pub(crate) receipt: Option<Receipt>,
}

/// What becomes of the results of a visit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Post {
    Prompt,
    /// From this task on, nothing arrives.
    Lost(usize),
    /// From this task on, everything arrives at that moment.
    Late(usize, Micros),
    Doubled,
}

#[derive(Debug)]
struct Running {
    visit: Visit,
    next: usize,
    line: Option<Line>,
    over: bool,
    post: Post,
    informed: bool,
    /// The request under way.
    current: Option<Receipt>,
}

#[derive(Debug, Default)]
pub(crate) struct Fetcher {
    running: BTreeMap<u64, Running>,
    pub(crate) requests: u64,
}

/// What one step of a visit leads to.
#[derive(Debug, Default)]
pub(crate) struct Step {
    /// When the next one is due.
    pub(crate) again: Option<Micros>,
    pub(crate) posted: Vec<(Micros, Mail)>,
    /// Answers that will never arrive.
    pub(crate) dropped: Vec<Receipt>,
    pub(crate) asked: Option<Receipt>,
    /// The frontier knew the address when it leased.
    pub(crate) informed: bool,
}

impl Fetcher {
    pub(crate) fn in_flight(&self) -> usize {
        self.running.len()
    }

    /// `lost_at`: when the frontier gives the visit up; `informed`: it knew the address when it leased.
    pub(crate) fn submit(
        &mut self,
        visit: Visit,
        chance: &mut Chance,
        faults: Option<&Faults>,
        (lost_at, informed): (Micros, bool),
    ) {
        let post = faults.map_or(Post::Prompt, |faults| {
            let from = chance.between(0, visit.tasks.len() as u64 - 1) as usize;
            if chance.happens(faults.lost) {
                Post::Lost(from)
            } else if chance.happens(faults.late) {
                let at = (lost_at + chance.between(0, 4 * SECOND)).saturating_sub(3 * SECOND);
                Post::Late(from, at)
            } else if chance.happens(faults.doubled) {
                Post::Doubled
            } else {
                Post::Prompt
            }
        });
        let id = visit.id;
        let running = Running { visit, next: 0, line: None, over: false, post, informed, current: None };
        self.running.insert(id, running);
    }

    /// The next task of a visit begins.
    pub(crate) fn step(&mut self, id: u64, server: &mut Server, (now, wall): (Micros, Wall)) -> Step {
        let mut step = Step::default();
        let Some(mut running) = self.running.remove(&id) else { return step };
        running.over |= wall.at(now) > running.visit.deadline;
        let index = running.next;
        let Some(task) = running.visit.tasks.get(index).cloned() else {
            server.hang_up(running.line, now);
            return step;
        };
        let asked = if running.over {
            crate::server::Asked {
                outcome: Outcome::Abandoned,
                wire_bytes: 0,
                address: None,
                end: now,
                receipt: None,
            }
        } else {
            self.requests += 1;
            server.ask(&task, running.visit.max_body_bytes, &mut running.line, (now, wall))
        };
        running.over |= asked.outcome.ends_visit();
        running.next += 1;
        running.current = asked.receipt;
        (step.asked, step.informed) = (asked.receipt, running.informed);
        let finished = Finished {
            visit: id,
            site: running.visit.site.clone(),
            task,
            outcome: asked.outcome,
            started: wall.at(now),
            finished: wall.at(asked.end) + 1,
            wire_bytes: asked.wire_bytes,
            address: asked.address,
            timings: Timings::default(),
            held: Held::default(),
            kept: None,
            last: running.next == running.visit.tasks.len(),
        };
        let took = std::time::Duration::from_millis(finished.finished - finished.started);
        let pause = if running.over { 0 } else { running.visit.pause_after(took).as_micros() as Micros };
        running.post(&mut step, finished, asked.receipt, (index, asked.end));
        if running.next < running.visit.tasks.len() {
            step.again = Some(asked.end + pause);
            self.running.insert(id, running);
        } else if running.current.is_some_and(|current| current.end > now) {
            // Kept until its last request is over: it is in flight, and a crash can cut it.
            step.again = Some(asked.end);
            self.running.insert(id, running);
        } else {
            server.hang_up(running.line.take(), asked.end);
        }
        step
    }

    /// The process dies, and its requests with it; at times the server has sent the answer before it notices. `back`: when
    /// the next process starts.
    pub(crate) fn die(&mut self, server: &mut Server, chance: &mut Chance, (now, back): (Micros, Micros)) {
        for running in std::mem::take(&mut self.running).into_values() {
            if let Some(receipt) = running.current.filter(|receipt| receipt.end > now) {
                if receipt.end < back && chance.happens(0.5) {
                    server.forgive(&receipt);
                } else {
                    server.cut(&receipt, now);
                }
            }
            server.hang_up(running.line, now);
        }
    }
}

impl Running {
    fn post(
        &self,
        step: &mut Step,
        finished: Finished,
        receipt: Option<Receipt>,
        (index, end): (usize, Micros),
    ) {
        match self.post {
            Post::Lost(from) if index >= from => step.dropped.extend(receipt),
            Post::Late(from, at) if index >= from => {
                step.posted.push((at.max(end), Mail { finished, receipt }));
            }
            Post::Doubled => {
                let copy = Mail { finished: copy(&finished), receipt: None };
                step.posted.push((end, Mail { finished, receipt }));
                step.posted.push((end, copy));
            }
            Post::Prompt | Post::Lost(_) | Post::Late(..) => {
                step.posted.push((end, Mail { finished, receipt }));
            }
        }
    }
}

fn copy(of: &Finished) -> Finished {
    let task: &Task = &of.task;
    Finished {
        visit: of.visit,
        site: of.site.clone(),
        task: task.clone(),
        outcome: copy_outcome(&of.outcome),
        started: of.started,
        finished: of.finished,
        wire_bytes: of.wire_bytes,
        address: of.address,
        timings: Timings::default(),
        held: Held::default(),
        kept: None,
        last: of.last,
    }
}

fn copy_outcome(of: &Outcome) -> Outcome {
    match of {
        Outcome::Fetched(response) => Outcome::Fetched(response.clone()),
        Outcome::NotModified => Outcome::NotModified,
        Outcome::Redirected { status, target } => {
            Outcome::Redirected { status: *status, target: target.clone() }
        }
        Outcome::Missing { status } => Outcome::Missing { status: *status },
        Outcome::Busy { status, retry_after_ms } => {
            Outcome::Busy { status: *status, retry_after_ms: *retry_after_ms }
        }
        Outcome::Unresolved(error) => Outcome::Unresolved(*error),
        Outcome::ForbiddenAddress(why) => Outcome::ForbiddenAddress(why.clone()),
        Outcome::Unreachable(why) => Outcome::Unreachable(why.clone()),
        Outcome::TimedOut(phase) => Outcome::TimedOut(*phase),
        Outcome::Broken(why) => Outcome::Broken(why.clone()),
        Outcome::Untrusted(why) => Outcome::Untrusted(why.clone()),
        Outcome::TooLarge { limit } => Outcome::TooLarge { limit: *limit },
        Outcome::Bomb { ratio } => Outcome::Bomb { ratio: *ratio },
        Outcome::UnwantedType(kind) => Outcome::UnwantedType(kind.clone()),
        Outcome::Abandoned => Outcome::Abandoned,
    }
}
