//! The connections of one site: how many were in use at once, by turns or together, and how many stood open.
//!
//! The server notices late that a client closed a connection, so that an open one that is never used again offends nobody. A connection is in
//! use at a site from its first request there to the end of its last one there: what begins in between, on another connection, is too much.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::audit::case::Case;
use crate::audit::pace::TOLERANCE_US;
use crate::log::{Log, Record};

pub(super) struct Connections<'a> {
    log: &'a Log,
    /// By connection: one more than the end of its last request to the site at hand; 0: not of this site, or met already.
    last_end_us: Vec<u64>,
    /// Ends of the connections met so far at this site.
    in_use: BinaryHeap<Reverse<u64>>,
    /// When they were opened and closed.
    stood_open: Vec<(u32, u32)>,
}

impl<'a> Connections<'a> {
    pub(super) fn new(log: &'a Log) -> Self {
        Self {
            log,
            last_end_us: vec![0; log.connections().len()],
            in_use: BinaryHeap::new(),
            stood_open: Vec::new(),
        }
    }

    /// All requests to a site; then each of them goes through [`Self::first_use`], in the order of their start.
    pub(super) fn enter_site<'r>(&mut self, members: impl Iterator<Item = &'r Record>) {
        for record in members {
            if let Some(last) = self.last_end_us.get_mut(record.connection as usize) {
                *last = (*last).max(Case::sure_end_us(record).max(record.start_us).saturating_add(1));
            }
        }
    }

    /// If this is the first request of its connection to the site: how many are in use now, with this one.
    pub(super) fn first_use(&mut self, record: &Record) -> Option<u64> {
        let last = self.last_end_us.get_mut(record.connection as usize)?;
        let end = std::mem::take(last).checked_sub(1)?;
        while self.in_use.peek().is_some_and(|Reverse(end)| *end <= record.start_us + TOLERANCE_US) {
            self.in_use.pop();
        }
        self.in_use.push(Reverse(end));
        let connection = self.log.connections().get(record.connection as usize)?;
        self.stood_open.push((connection.opened_ms, connection.closed_ms));
        Some(self.in_use.len() as u64)
    }

    /// The most that stood open at once, as the server saw it: idle ones, and those whose end it noticed late, are among them.
    pub(super) fn leave_site(&mut self) -> u64 {
        self.in_use.clear();
        self.stood_open.sort_unstable();
        let mut open: BinaryHeap<Reverse<u32>> = BinaryHeap::new();
        let mut most = 0;
        for (opened, closed) in self.stood_open.drain(..) {
            while open.peek().is_some_and(|Reverse(closed)| *closed <= opened) {
                open.pop();
            }
            open.push(Reverse(closed));
            most = most.max(open.len() as u64);
        }
        most
    }
}
