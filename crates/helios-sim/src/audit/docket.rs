//! The offences against one law: all counted, by rule, and the worst kept.

use std::collections::BTreeMap;

use crate::audit::report::{Law, Offender};

const KEPT: usize = 20;

#[derive(Debug, Default)]
pub(super) struct Docket {
    violations: u64,
    by_rule: BTreeMap<&'static str, u64>,
    /// With severity; cut back to the worst now and then.
    worst: Vec<(f64, Offender)>,
    /// Once enough are kept: no offence milder than this is described any more.
    bar: Option<f64>,
}

impl Docket {
    /// Counts an offence; it is described only if it may be among the worst.
    pub(super) fn accuse(&mut self, rule: &'static str, severity: f64, describe: impl FnOnce() -> Offender) {
        self.accuse_times(rule, 1, severity, describe);
    }

    pub(super) fn accuse_times(
        &mut self,
        rule: &'static str,
        times: u64,
        severity: f64,
        describe: impl FnOnce() -> Offender,
    ) {
        self.violations += times;
        *self.by_rule.entry(rule).or_default() += times;
        if self.bar.is_some_and(|bar| severity <= bar) {
            return;
        }
        self.worst.push((severity, describe()));
        if self.worst.len() >= 4 * KEPT {
            self.cut();
        }
    }

    fn cut(&mut self) {
        self.worst.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.at_ms.total_cmp(&b.1.at_ms)));
        self.worst.truncate(KEPT);
        self.bar = self.worst.last().map(|(severity, _)| *severity);
    }

    pub(super) fn close(mut self, judged: bool) -> Law {
        self.cut();
        Law {
            judged,
            violations: self.violations,
            by_rule: self.by_rule.into_iter().map(|(rule, count)| (rule.to_owned(), count)).collect(),
            worst: self.worst.into_iter().map(|(_, offender)| offender).collect(),
        }
    }
}
