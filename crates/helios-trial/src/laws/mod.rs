//! The judgement: the server's log by the synthetic web's own auditor (P, R, E, L), the rest by our own account.
//!
//! * `stored`: law O, the rows of the store against what was settled
//! * `loss`: law L where the web's own list does not do: everything that a settled page led to is accounted for
//! * `limits`: pages, bytes, depth and the rate of requests, exactly
//! * `addresses`: law P for addresses, where the frontier could know them
//! * `state`: what the frontier says of itself, before and after it is opened once more

mod addresses;
mod limits;
mod loss;
mod state;
mod stored;

use helios_sim::audit;
use helios_sim::log::Log;
use helios_sim::settings::Promises;

use crate::truth::Truth;
use crate::verdict::Offence;
use crate::world::{Event, World};

/// `finished`: the crawl came to its end, so that everything can be asked of it.
pub(crate) fn judge(world: &mut World, finished: bool) -> Vec<Offence> {
    forgive_undelivered(world);
    world.tally.requests = world.fetcher.requests;
    world.tally.pages = world.ledger.fetched().count() as u64;
    world.tally.seconds = world.now / crate::clock::SECOND;
    let complete = finished && world.scenario.is_complete() && !world.scenario.tables.recrawl.enabled;
    world.tally.complete = u64::from(complete);
    let mut offences = audited(world, complete);
    offences.extend(limits::judge(world));
    offences.extend(addresses::judge(world));
    if finished {
        offences.extend(stored::judge(world));
        offences.extend(loss::judge(world));
        offences.extend(state::judge(world));
    }
    offences
}

/// Whatever is still on its way never reached the frontier.
fn forgive_undelivered(world: &mut World) {
    for (_, event) in std::mem::take(&mut world.events).into_values() {
        if let Event::Deliver(mail) = event {
            mail.receipt.iter().for_each(|receipt| world.server.forgive(receipt));
        }
    }
}

fn audited(world: &World, complete: bool) -> Vec<Offence> {
    let promises = Promises { complete, ..world.scenario.promises() };
    let truth = Truth { web: &world.server.web, moved: world.server.moved };
    let report = audit::judge(&world.server.log, &truth, &promises);
    let broken = report.laws.all().into_iter().filter(|(_, law)| law.violations > 0);
    broken
        .map(|(name, law)| {
            let worst: Vec<String> = law
                .worst
                .iter()
                .take(3)
                .map(|one| format!("at {:.3} s: {} {:?}", one.at_ms / 1e3, one.sentence, one.urls))
                .collect();
            Offence::new(name, format!("{:?}: {}", law.by_rule, worst.join("; ")))
        })
        .collect()
}

/// Equal logs have equal digests.
pub(crate) fn digest(log: &Log) -> u64 {
    let mut text = Vec::new();
    for record in log.records() {
        text.extend(record.start_us.to_be_bytes());
        text.extend(record.end_us().to_be_bytes());
        text.extend(record.target.to_be_bytes());
        text.extend(record.status.to_be_bytes());
    }
    xxhash_rust::xxh3::xxh3_64(&text)
}

/// One line for each request: start and end, status and ending, URL.
pub(crate) fn lines(world: &World) -> String {
    let (log, web) = (&world.server.log, &world.server.web);
    let mut out = String::new();
    for record in log.records() {
        let (host, target) = (log.targets().host(record.target), log.targets().text(record.target));
        let (start, end) = (record.start_us as f64 / 1e6, record.end_us() as f64 / 1e6);
        let (status, ending, patience) = (record.status, record.ending.words(), record.retry_after_ms);
        let line = format!("{start:.3} {end:.3} {status} {ending} {patience} {}{target}\n", web.origin(host));
        out.push_str(&line);
    }
    out
}
