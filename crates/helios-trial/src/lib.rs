//! The trial: the frontier in a deterministic simulation, judged by the laws of the design (§12). One seed, one run.
//!
//! In: a seed. Out: a [`Verdict`]. Always: everything is drawn from the seed, time is virtual, nothing else is looked at, so
//! that a failure happens again whenever its seed is run.
//!
//! * `scenario`: what the seed decides: the web, the settings, the faults
//! * `world`, `turn`, `crash`: the loop of events, a turn of the process, its deaths
//! * `process`, `disk`, `store`: one life of the crawler, what survives it, what it publishes
//! * `fetcher`, `server`, `answer`, `weather`, `truth`: the model of fetching, the web and its log, what comes between
//! * `ledger`: our own account of what was settled
//! * `laws`: the judgement

mod answer;
mod chance;
mod clock;
mod crash;
mod disk;
mod fetcher;
mod laws;
mod ledger;
mod process;
mod scenario;
mod server;
mod store;
mod truth;
mod turn;
mod verdict;
mod weather;
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};

use scenario::Scenario;
pub use verdict::{Offence, Tally, Verdict};
use world::World;

/// Runs one seed.
pub fn run(seed: u64) -> Verdict {
    catch_unwind(AssertUnwindSafe(|| try_seed(seed))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
        let offence = Offence::new("panic", text.unwrap_or_else(|| "without a word".to_owned()));
        Verdict { seed, tally: Tally::default(), offences: vec![offence], digest: 0 }
    })
}

fn try_seed(seed: u64) -> Verdict {
    let mut world = match World::new(Scenario::draw(seed)) {
        Ok(world) => world,
        Err(offence) => return Verdict { seed, tally: Tally::default(), offences: vec![offence], digest: 0 },
    };
    let mut offences: Vec<Offence> = world.run().err().into_iter().collect();
    offences.extend(laws::judge(&mut world, offences.is_empty()));
    Verdict { seed, tally: world.tally, offences, digest: laws::digest(&world.server.log) }
}

/// The server's log of a seed, a line for each request, for people who look into a failure.
pub fn log_of(seed: u64) -> String {
    let Ok(mut world) = World::new(Scenario::draw(seed)) else { return String::new() };
    drop(world.run()); // what was asked until it failed is all the more telling
    laws::lines(&world)
}

/// What the seed decides, for people who look into a failure.
pub fn describe(seed: u64) -> String {
    format!("{:#?}", Scenario::draw(seed))
}
