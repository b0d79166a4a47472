//! The auditor: the server's log, judged by the laws P, R, E and L of the design.
//!
//! In: the log, what the model knows (`Truth`) and what the crawler promised. Out: a [`Report`].
//! Always: pure, and never unjust: what the server cannot know for certain is counted in favour of the crawler.
//!
//! * `case`: the log made ready: what each target means, requests by site, host and address
//! * `politeness` (P), `robots` (R), `repeats` (E), `loss` (L): one law each
//! * `pace`: the requests to one site or address, one after the other; `connections`: those of one site that are used in turns
//! * `facts`: counts that break no law
//! * `docket`: offences of one law, counted, the worst kept
//! * `report`, `text`: the outcome as values, as JSON and as a table

use crate::log::Log;
use crate::reply::HostId;
use crate::settings::Promises;
use crate::web::{Expected, Host, Meaning, Reader, RobotsFacts, Web};

mod case;
mod connections;
mod docket;
mod facts;
mod loss;
mod pace;
mod politeness;
mod repeats;
mod report;
mod robots;
mod text;

pub use report::{Busy, Facts, Law, Laws, NOT_JUDGED_HERE, Offender, Report};

use case::Case;

/// What the auditor must know of the web. The model knows it; tests make it by hand.
pub trait Truth {
    fn host_count(&self) -> u32;
    fn host(&self, host: HostId) -> &Host;
    fn origin(&self, host: HostId) -> String;
    fn meaning(&self, reader: Reader, host: HostId, target: &str) -> Meaning;
    fn robots_facts(&self, reader: Reader, host: HostId) -> RobotsFacts;
    /// What a complete crawl without page budgets must have met.
    fn expect(&self, promises: &Promises) -> Vec<Expected>;
    /// What a crawl must have met that was given these answers and no more: which pages a budget leaves out, the crawler chooses.
    fn owed(&self, log: &Log, promises: &Promises) -> Vec<Expected>;
}

impl Truth for Web {
    fn host_count(&self) -> u32 {
        Web::host_count(self)
    }

    fn host(&self, host: HostId) -> &Host {
        Web::host(self, host)
    }

    fn origin(&self, host: HostId) -> String {
        Web::origin(self, host)
    }

    fn meaning(&self, reader: Reader, host: HostId, target: &str) -> Meaning {
        self.meaning_to(reader, host, target)
    }

    fn robots_facts(&self, reader: Reader, host: HostId) -> RobotsFacts {
        self.robots_facts_to(reader, host)
    }

    fn expect(&self, promises: &Promises) -> Vec<Expected> {
        Web::expect(self, promises)
    }

    fn owed(&self, log: &Log, promises: &Promises) -> Vec<Expected> {
        Web::owed(self, log, promises)
    }
}

/// Judges a log. What a complete crawl must have met is computed only if the crawl says that it is complete.
pub fn judge(log: &Log, truth: &dyn Truth, promises: &Promises) -> Report {
    let expected = if expects(promises) { truth.expect(promises) } else { Vec::new() };
    judge_with(log, truth, promises, &expected)
}

/// Is there an expectation that does not depend on the log? With a page budget, what must be asked follows from what was answered.
pub fn expects(promises: &Promises) -> bool {
    promises.complete && promises.max_pages_per_site.is_none()
}

/// As [`judge`], with the expectation at hand (it does not change while a web runs; the log is locked while it is judged).
/// It is not looked at unless [`expects`] says so.
pub fn judge_with(log: &Log, truth: &dyn Truth, promises: &Promises, expected: &[Expected]) -> Report {
    let owed = if promises.complete && !expects(promises) { truth.owed(log, promises) } else { Vec::new() };
    let expected = if expects(promises) { expected } else { &owed };
    let case = Case::new(log, truth, promises, expected);
    let (politeness, paces) = politeness::judge(&case);
    let laws = Laws {
        politeness,
        robots: robots::judge(&case),
        repeats: repeats::judge(&case),
        loss: loss::judge(&case),
    };
    let innocent = laws.all().iter().all(|(_, law)| law.violations == 0);
    Report { innocent, laws, facts: facts::gather(&case, paces), promises: promises.clone() }
}
