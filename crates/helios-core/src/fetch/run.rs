//! One visit's life: its tasks in order, paced, on one connection, which may be the one that the visit before left.

use std::future::poll_fn;
use std::net::IpAddr;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use super::connection::Connection;
use super::fetcher::Tools;
use super::http2::Failure;
use super::memory::Held;
use super::page::{self, Taken};
use super::patience::{Patience, micros};
use super::results::Life;
use super::{Finished, Kept, Outcome, Task, Timings, Visit};
use crate::clock;

/// What asking for one URL gave.
#[derive(Default)]
struct Asked {
    outcome: Option<Outcome>,
    wire_bytes: u64,
    address: Option<IpAddr>,
    timings: Timings,
    held: Held,
    kept: Option<Box<Kept>>,
    /// When the answer was there, if it all came at once.
    over: Option<Instant>,
}

/// The server did nothing with the request: it may be repeated, once.
struct Again(String);

/// Runs the visit to its end. Every task is reported exactly once, also those that were abandoned.
pub(super) async fn run(visit: Visit, connection: Option<Box<Connection>>, tools: Arc<Tools>) {
    let life = Life::of(&tools.results);
    let patience = Patience::new(tools.limits);
    let mut visiting = Visiting { visit: &visit, tools: &tools, patience, connection };
    let mut over = false;
    let mut took = Duration::ZERO;
    let count = visit.tasks.len();
    for (index, task) in visit.tasks.iter().enumerate() {
        if index > 0 && !over {
            visiting.rest(visit.pause_after(took)).await;
        }
        let held = if over { Held::default() } else { tools.memory.first().await };
        let mut began = clock::instant();
        over |= visiting.must_stop(began);
        let asked = if over { Asked::default() } else { visiting.ask(task, held, &mut began).await };
        let outcome = asked.outcome.unwrap_or(Outcome::Abandoned);
        let occupies = matches!(outcome, Outcome::Fetched(_)) || asked.kept.is_some();
        let held = if occupies { asked.held } else { Held::default() };
        over |= outcome.ends_visit();
        let last = index + 1 == count;
        let (started, finished) = (clock::at(began), asked.over.map_or_else(clock::now, clock::at) + 1);
        took = Duration::from_millis(finished.saturating_sub(started));
        if last || over {
            visiting.let_go(over, took); // before anyone hears that the site may be visited again
        }
        tools.results.push(Finished {
            visit: visit.id,
            site: visit.site.clone(),
            task: task.clone(),
            outcome,
            started,
            finished,
            wire_bytes: asked.wire_bytes,
            address: asked.address,
            timings: asked.timings,
            held,
            kept: asked.kept,
            last,
        });
    }
    life.ends_well();
}

/// A visit under way.
struct Visiting<'a> {
    visit: &'a Visit,
    tools: &'a Tools,
    patience: Patience,
    /// Taken out while it is used, so that one cut off in the middle is dropped with its request. Boxed, since it is moved so often.
    connection: Option<Box<Connection>>,
}

impl Visiting<'_> {
    /// Nothing more may begin.
    fn must_stop(&self, now: Instant) -> bool {
        self.tools.draining.is_closed() || clock::at(now) > self.visit.deadline
    }

    /// The visit is over: the next one may go on with its connection, unless there was trouble.
    fn let_go(&mut self, trouble: bool, took: Duration) {
        if let Some(connection) = self.connection.take().filter(|_| !trouble) {
            let pause = self.visit.pause_after(took);
            self.tools.waiting.leave(&self.visit.site, connection, (clock::instant(), pause));
        }
    }

    /// Leaves the site alone; ends early when there is nothing to wait for.
    async fn rest(&mut self, pause: Duration) {
        if pause.is_zero() {
            return; // sleeping for no time takes a timer and up to a millisecond
        }
        let sleeping = async {
            match &mut self.connection {
                Some(connection) => connection.rest(pause).await,
                None => clock::sleep(pause).await,
            }
        };
        tokio::select! {
            () = sleeping => {}
            // An error is how a closed semaphore tells.
            _ = self.tools.draining.acquire() => {}
        }
    }

    /// Asks; and once more, on a new connection and after the usual pause, if the server ended a kept one at the wrong
    /// moment or says that it did nothing.
    async fn ask(&mut self, task: &Task, held: Held, began: &mut Instant) -> Asked {
        let mut asked = Asked { held, ..Asked::default() };
        let mut repeated = false;
        // One place that waits for an attempt, not two: each would take as much room in every visit.
        loop {
            let Err(Again(why)) = self.attempt(task, &mut asked, *began).await else { return asked };
            if repeated {
                asked.outcome = Some(Outcome::Unreachable(why));
                return asked;
            }
            repeated = true;
            let took = Duration::from_millis((clock::now() + 1).saturating_sub(clock::at(*began)));
            self.rest(self.visit.pause_after(took)).await;
            let now = clock::instant();
            if self.must_stop(now) {
                let why = "the server ended the connection before an answer".to_owned();
                asked.outcome = Some(Outcome::Unreachable(why));
                return asked;
            }
            *began = now;
            asked.timings = Timings::default();
        }
    }

    async fn attempt(&mut self, task: &Task, asked: &mut Asked, began: Instant) -> Result<(), Again> {
        self.patience.begin(began);
        let (mut connection, kept) = match self.connect(task, &mut asked.timings).await {
            Ok(connected) => connected,
            Err(outcome) => {
                asked.outcome = Some(outcome);
                return Ok(());
            }
        };
        asked.address = connection.address;
        let asked_at = if kept { began } else { clock::instant() };
        self.patience.know(asked_at);
        let heard = connection.ask(task, &self.visit.site, self.tools, &mut self.patience).await;
        let head_came = clock::instant();
        asked.timings.first_byte = micros(head_came - asked_at);
        let mut answer = match heard {
            Ok(answer) => answer,
            Err(Failure::Refused(why)) => return Err(Again(why)),
            Err(Failure::Unanswered(why)) if kept => return Err(Again(why)),
            Err(Failure::Unanswered(why)) => {
                asked.outcome = Some(Outcome::Unreachable(why));
                return Ok(());
            }
            Err(Failure::Of(outcome)) => {
                asked.outcome = Some(outcome);
                return Ok(());
            }
        };
        self.tools.speaker.listen(task, &self.visit.site, &answer.head.fields);
        let what = (task, self.visit.max_body_bytes);
        let at_hand = page::at_hand((&mut *connection, &mut answer), what, &mut asked.held, self.tools);
        let Taken { outcome, wire_bytes, kept } = if let Some(taken) = at_hand {
            asked.over = Some(head_came);
            taken
        } else {
            let (exchange, bounds) = ((&mut *connection, &mut answer), (&mut self.patience, &mut asked.held));
            // Boxed: those that wait for an answer, which are most, need not carry what reading it takes.
            let taken = Box::pin(page::take_in(exchange, what, bounds, self.tools)).await;
            asked.timings.body = micros(head_came.elapsed());
            taken
        };
        asked.kept = kept;
        (asked.outcome, asked.wire_bytes) = (Some(outcome), wire_bytes);
        if let Some(via) = &connection.via {
            via.count(wire_bytes);
        }
        connection.end(answer);
        self.connection = connection.is_reusable().then_some(connection);
        Ok(())
    }

    /// The connection that was kept, if it leads there and is open; else a new one.
    async fn connect(
        &mut self,
        task: &Task,
        timings: &mut Timings,
    ) -> Result<(Box<Connection>, bool), Outcome> {
        let url = task.permit.url();
        if let Some(mut kept) = self.connection.take()
            && poll_fn(|context| Poll::Ready(kept.serves(url, context))).await
        {
            return Ok((kept, true));
        }
        let origin = url.origin();
        let (site, patience) = (&self.visit.site, &mut self.patience);
        // Boxed: resolving and shaking hands need much room for a short time.
        let opened = Box::pin(Connection::open(&origin, site, self.tools, patience, timings)).await;
        opened.map(|connection| (Box::new(connection), false))
    }
}
