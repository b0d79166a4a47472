//! Law E: what was answered for good is not asked again, but once for each crash.
//!
//! An answer is final if it was sent completely and its status does not ask for another attempt. robots.txt may be asked again a day later.
//! A second request while the first is in flight is a repeat, too. HEAD is neither a repeat nor an answer.

use crate::audit::case::{Case, Kind};
use crate::audit::docket::Docket;
use crate::audit::report::{Law, Offender};
use crate::log::{Ending, Record};

const A_DAY_US: u64 = 24 * 3_600 * 1_000_000;

/// Statuses that ask for another attempt.
pub(super) fn is_final(status: u16) -> bool {
    status != 0 && !matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504)
}

fn answered(record: &Record) -> bool {
    record.ending == Ending::Complete && is_final(record.status)
}

pub(super) fn judge(case: &Case<'_>) -> Law {
    let mut docket = Docket::default();
    if case.promises.recrawl {
        return docket.close(false);
    }
    for (target, members) in case.by_target().iter() {
        let is_robots = case.mark(target).kind == Kind::Robots;
        let mut final_end: Option<u64> = None;
        let mut again: Option<Record> = None;
        let mut extra = 0_u64;
        for record in members.filter(|record| !record.head) {
            let fresh = final_end.is_some_and(|end| !is_robots || record.start_us < end + A_DAY_US);
            if fresh {
                extra += 1;
                again = Some(*record);
            }
            if answered(record) {
                final_end = Some(record.end_us());
            }
        }
        let excused = u64::from(case.promises.crashes);
        let Some(record) = again.filter(|_| extra > excused) else { continue };
        docket.accuse_times("repeat", extra - excused, extra as f64, || {
            let url = case.url(target);
            Offender {
                rule: "repeat".to_owned(),
                whom: case.truth.host(case.host_of(&record)).name.clone(),
                at_ms: record.start_us as f64 / 1e3,
                measured: extra as f64,
                promised: excused as f64,
                sentence: format!(
                    "asked {extra} more times after its final answer ({excused} excused): {url}"
                ),
                urls: vec![url],
            }
        });
    }
    docket.close(true)
}
