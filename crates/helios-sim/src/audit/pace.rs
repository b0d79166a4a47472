//! The pace of requests to one site or address, request by request.
//!
//! Each request holds one of a number of places, from its start until the promised delay after its end. With one place that is
//! the plain rule "so long after the end of the one before"; with more, each place keeps the delay for itself.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::audit::case::Case;
use crate::audit::report::Busy;
use crate::log::{Record, TargetId};

/// See `politeness`: for the granularity of clocks and timers alone.
pub(super) const TOLERANCE_US: u64 = 1_000;

/// What one site or address has seen so far.
pub(super) struct Pace {
    pub(super) busy: Busy,
    /// Ends of the requests that may still be in flight.
    in_flight: BinaryHeap<Reverse<u64>>,
    /// The latest ends, at most one for each place: the earliest of them frees its place first.
    held: BinaryHeap<Reverse<(u64, TargetId)>>,
    places: usize,
    latest_end: Option<u64>,
}

/// How things stood when a request started.
pub(super) struct Step {
    /// In flight, this one included.
    pub(super) at_once: u64,
    /// Since the latest end of all before it; 0 if that is still to come.
    pub(super) gap_us: Option<u64>,
    /// End and target of the request whose place this one takes.
    pub(super) blocked_by: Option<(u64, TargetId)>,
}

impl Pace {
    /// `at_once` 0 (nothing promised) is looked at as one place.
    pub(super) fn new(name: &str, at_once: u32) -> Self {
        Self {
            busy: Busy { name: name.to_owned(), ..Busy::default() },
            in_flight: BinaryHeap::new(),
            held: BinaryHeap::new(),
            places: at_once.max(1) as usize,
            latest_end: None,
        }
    }

    /// Requests come in the order of their start.
    pub(super) fn step(&mut self, record: &Record) -> Step {
        while self.in_flight.peek().is_some_and(|Reverse(end)| *end <= record.start_us + TOLERANCE_US) {
            self.in_flight.pop();
        }
        let at_once = self.in_flight.len() as u64 + 1;
        let gap_us = self.latest_end.map(|end| record.start_us.saturating_sub(end));
        let full = self.held.len() == self.places;
        let blocked_by = self.held.peek().filter(|_| full).map(|Reverse(held)| *held);
        self.hold(record);
        self.busy.requests += 1;
        self.busy.most_at_once = self.busy.most_at_once.max(at_once);
        if let Some(gap) = gap_us {
            let tightest = self.busy.tightest_gap_ms.unwrap_or(f64::INFINITY);
            self.busy.tightest_gap_ms = Some(tightest.min(gap as f64 / 1e3));
        }
        Step { at_once, gap_us, blocked_by }
    }

    fn hold(&mut self, record: &Record) {
        let end = Case::sure_end_us(record);
        self.in_flight.push(Reverse(end));
        self.held.push(Reverse((end, record.target)));
        if self.held.len() > self.places {
            self.held.pop();
        }
        self.latest_end = self.latest_end.max(Some(end));
    }
}
