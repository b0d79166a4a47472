//! One connection as the log sees it, and the requests on it from first to last byte.
//!
//! Always: every request that began ends in the log exactly once: sent, broken, silent, or left by the client.

use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::Shared;
use crate::log::{Begin, ConnectionId, Ending, Finish};
use crate::reply::HostId;

/// One connection; shared by its stream and its requests.
pub(super) struct Line {
    pub(super) shared: Arc<Shared>,
    pub(super) tls: bool,
    id: ConnectionId,
    /// A moment just before the last successful write, in microseconds: what it wrote cannot have been read earlier.
    last_write_us: AtomicU64,
    /// The stream is to be reset.
    broken: AtomicBool,
    /// Requests whose body is handed over, but not yet known to be written.
    sent: Mutex<Vec<Note>>,
}

/// What the log will be told of a request.
#[derive(Debug, Clone, Copy)]
struct Note {
    number: u64,
    status: u16,
    bytes: u64,
    retry_after: Option<Duration>,
}

impl Line {
    pub(super) fn open(shared: &Arc<Shared>, address: Ipv4Addr, tls: bool) -> Arc<Self> {
        let now = shared.clock.now();
        let id = shared.log().open_connection(address, now);
        Arc::new(Self {
            shared: Arc::clone(shared),
            tls,
            id,
            last_write_us: AtomicU64::new(now.as_micros() as u64),
            broken: AtomicBool::new(false),
            sent: Mutex::new(Vec::new()),
        })
    }

    /// A request begins; None: the log is full.
    pub(super) fn begin(
        self: &Arc<Self>,
        host: HostId,
        target: &str,
        head: bool,
    ) -> Option<(Visit, u32, Duration)> {
        let request = Begin { connection: self.id, host, target, head };
        // The clock is read under the lock: so the log is in the order of starts.
        let mut log = self.shared.log();
        let now = self.shared.clock.now();
        let begun = log.begin(request, now)?;
        drop(log);
        let note = Note { number: begun.number, status: 0, bytes: 0, retry_after: None };
        let visit = Visit { line: Arc::clone(self), note: Some(note), if_dropped: Ending::ClientLeft };
        Some((visit, begun.attempt, now))
    }

    pub(super) fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Relaxed)
    }

    /// A write begun at `at` was successful.
    pub(super) fn wrote(&self, at: Duration) {
        self.last_write_us.store(at.as_micros() as u64, Ordering::Relaxed);
    }

    /// Nothing is left unwritten: requests whose body was handed over are complete.
    pub(super) fn flushed(&self) {
        let at = Duration::from_micros(self.last_write_us.load(Ordering::Relaxed));
        self.settle(at, Ending::Complete);
    }

    /// The stream is gone.
    pub(super) fn close(&self) {
        let now = self.shared.clock.now();
        self.settle(now, Ending::ClientLeft);
        self.shared.log().close_connection(self.id, now);
    }

    fn settle(&self, at: Duration, ending: Ending) {
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        for note in sent.drain(..) {
            self.finish(note, at, ending);
        }
    }

    fn finish(&self, note: Note, at: Duration, ending: Ending) {
        let Note { number, status, bytes, retry_after } = note;
        self.shared.log().finish(number, &Finish { at, ending, status, bytes, retry_after });
    }
}

/// A request that is being answered. Dropped on the way, it ends as `if_dropped`.
pub(super) struct Visit {
    line: Arc<Line>,
    note: Option<Note>,
    if_dropped: Ending,
}

impl Visit {
    pub(super) fn answers(&mut self, status: u16, retry_after: Option<Duration>) {
        if let Some(note) = &mut self.note {
            note.status = status;
            note.retry_after = retry_after;
        }
    }

    /// Nothing will be answered.
    pub(super) fn falls_silent(&mut self) {
        self.if_dropped = Ending::Silent;
    }

    pub(super) fn hands_over(&mut self, bytes: usize) {
        if let Some(note) = &mut self.note {
            note.bytes += bytes as u64;
        }
    }

    /// All is handed over. The log hears of it now, before the last bytes can reach the client, so that no verdict asked for right after the
    /// answer finds it in flight; the end is corrected once all is written.
    pub(super) fn sent(mut self) {
        if let Some(note) = self.note.take() {
            self.line.finish(note, self.line.shared.clock.now(), Ending::Complete);
            self.line.sent.lock().unwrap_or_else(PoisonError::into_inner).push(note);
        }
    }

    /// Breaks the connection: the stream is reset as soon as it is touched again.
    pub(super) fn reset(mut self) {
        self.if_dropped = Ending::Reset;
        self.line.broken.store(true, Ordering::Relaxed);
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        if let Some(note) = self.note.take() {
            self.line.finish(note, self.line.shared.clock.now(), self.if_dropped);
        }
    }
}
