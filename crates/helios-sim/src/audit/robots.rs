//! Law R: nothing that robots.txt denies is asked for, and robots.txt is asked first.
//!
//! A page may be asked of a host once an answer to its robots.txt was completely sent before the page was asked for, and the last such answer
//! is not a server error. A broken or silent answer is none; one that the client left after 500 KiB was read as far as RFC 9309 asks (§2.5). A redirect counts as an answer: where the chain ends in errors for ever, the
//! model says that the host is unavailable, and nothing may be asked.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::audit::case::{Case, Kind};
use crate::audit::docket::Docket;
use crate::audit::report::{Law, Offender};
use crate::log::{Ending, Record};
use crate::reply::HostId;

/// Bytes of a robots.txt that a crawler reads at least.
const MUST_READ: u32 = 500 * 1024;

pub(super) fn judge(case: &Case<'_>) -> Law {
    let mut docket = Docket::default();
    for (host, members) in case.by_host().iter() {
        let unavailable = case.truth.robots_facts(case.reader, host).unavailable;
        // Answers to robots.txt, by their end: only those sent before a request began count for it.
        let mut sent: BinaryHeap<Reverse<(u64, u16)>> = BinaryHeap::new();
        let mut last: Option<u16> = None;
        for record in members {
            while let Some(Reverse((end, status))) = sent.peek().copied()
                && end <= record.start_us
            {
                sent.pop();
                last = Some(status);
            }
            let mark = case.mark(record.target);
            if mark.kind == Kind::Refused {
                continue;
            }
            if mark.kind == Kind::Robots {
                if was_read(record) && !record.head {
                    sent.push(Reverse((record.end_us(), record.status)));
                }
                continue;
            }
            if mark.denied {
                accuse(case, &mut docket, Rule::Denied, host, record);
            }
            match last {
                None => accuse(case, &mut docket, Rule::First, host, record),
                Some(status) if status >= 500 || unavailable => {
                    accuse(case, &mut docket, Rule::Unavailable, host, record);
                }
                Some(_) => {}
            }
        }
    }
    docket.close(true)
}

/// To its end, or as far as a crawler must.
fn was_read(record: &Record) -> bool {
    match record.ending {
        Ending::Complete => true,
        Ending::ClientLeft => record.bytes >= MUST_READ,
        Ending::Open | Ending::Reset | Ending::Silent | Ending::Refused => false,
    }
}

#[derive(Clone, Copy)]
enum Rule {
    Denied,
    First,
    Unavailable,
}

fn accuse(case: &Case<'_>, docket: &mut Docket, rule: Rule, host: HostId, record: &Record) {
    let (rule, severity, what) = match rule {
        Rule::Denied => ("denied", 3.0, "denies it"),
        Rule::Unavailable => ("robots_unavailable", 2.0, "answers with server errors"),
        Rule::First => ("robots_first", 1.0, "had not been answered yet"),
    };
    docket.accuse(rule, severity, || {
        let name = &case.truth.host(host).name;
        Offender {
            rule: rule.to_owned(),
            whom: name.clone(),
            urls: vec![case.url(record.target)],
            at_ms: record.start_us as f64 / 1e3,
            measured: 1.0,
            promised: 0.0,
            sentence: format!(
                "{name}: its robots.txt {what}; asked was {}",
                case.log.targets().text(record.target)
            ),
        }
    });
}
