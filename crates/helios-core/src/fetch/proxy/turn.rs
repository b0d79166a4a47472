//! One use of a proxy, from its choice to what was learned; and what a connection remembers of the proxy it leads through.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::HeaderValue;
use tokio::sync::Notify;

use super::connect::wants_login;
use super::health::Verdict;
use super::pool::{Chosen, Roster};
use super::stats::Counters;
use super::url::ProxyUrl;
use crate::clock;
use crate::fetch::connection::Answer;
use crate::fetch::http2::Failure as Unheard;
use crate::fetch::{Outcome, Timeout};

/// What all uses of all proxies share.
pub(super) struct Shared {
    pub(super) members: Vec<Member>,
    pub(super) roster: Mutex<Roster>,
    /// Told when a proxy may have become free to try: waited for while none is.
    pub(super) changed: Notify,
}

pub(super) struct Member {
    pub(super) url: ProxyUrl,
    pub(super) authorization: Option<HeaderValue>,
    pub(super) counters: Counters,
    /// Something came through it: it has let us in.
    pub(super) let_in: AtomicBool,
    /// Why it failed last.
    pub(super) complaint: Mutex<String>,
}

impl Member {
    pub(super) fn complaint(&self) -> String {
        self.complaint.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Shared {
    pub(super) fn roster(&self) -> MutexGuard<'_, Roster> {
        self.roster.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One use. Dropped in the middle, it has told nothing; but the next one may try.
pub(super) struct Turn {
    shared: Arc<Shared>,
    chosen: Chosen,
    verdict: Verdict,
}

impl Turn {
    pub(super) fn new(shared: &Arc<Shared>, chosen: Chosen) -> Self {
        Self { shared: Arc::clone(shared), chosen, verdict: Verdict::Nothing }
    }

    pub(super) fn proxy(&self) -> usize {
        self.chosen.proxy
    }

    #[allow(clippy::indexing_slicing, reason = "the roster chooses among the members")]
    pub(super) fn member(&self) -> &Member {
        &self.shared.members[self.chosen.proxy]
    }

    pub(super) fn end(mut self, verdict: Verdict) {
        self.verdict = verdict;
    }

    /// It is the proxy's fault.
    pub(super) fn fail(self, verdict: Verdict, why: &str) {
        self.member().counters.failures.fetch_add(1, Relaxed);
        why.clone_into(&mut self.member().complaint.lock().unwrap_or_else(PoisonError::into_inner));
        self.end(verdict);
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.shared.roster().end(self.chosen, self.verdict, clock::now());
        self.shared.changed.notify_waiters();
    }
}

/// The proxy that a connection leads through.
pub(in crate::fetch) struct Via {
    shared: Arc<Shared>,
    proxy: usize,
    /// Requests are sent to the proxy itself, with the whole URL (RFC 9112 §3.2.2).
    forwards: bool,
    /// Of a proxy that forwards, until its first answer.
    turn: Option<Turn>,
}

impl Via {
    /// The tunnel is open: the proxy has worked.
    pub(super) fn tunnel(turn: Turn) -> Self {
        let via = Self { shared: Arc::clone(&turn.shared), proxy: turn.proxy(), forwards: false, turn: None };
        via.member().let_in.store(true, Relaxed);
        turn.end(Verdict::Worked);
        via
    }

    pub(super) fn forward(turn: Turn) -> Self {
        Self { shared: Arc::clone(&turn.shared), proxy: turn.proxy(), forwards: true, turn: Some(turn) }
    }

    /// The proxy wants the whole URL, not the path alone.
    pub(in crate::fetch) fn forwards(&self) -> bool {
        self.forwards
    }

    /// What the proxy itself is told with each request.
    pub(in crate::fetch) fn authorization(&self) -> Option<&HeaderValue> {
        self.member().authorization.as_ref().filter(|_| self.forwards)
    }

    /// Learns from what was heard, or not. Why nothing has reached the site, where the proxy does not let us in: it may be
    /// asked again, through another one.
    pub(in crate::fetch) fn judge(&mut self, heard: &Result<Answer, Unheard>) -> Option<String> {
        if !self.forwards {
            return None;
        }
        let turn = self.turn.take();
        if matches!(heard, Ok(answer) if self.locks_out(answer.head.status)) {
            let why = wants_login(self.member().authorization.is_some());
            if let Some(turn) = turn {
                turn.fail(Verdict::Locked, why);
            }
            return Some(format!("proxy {}: {why}", self.member().url));
        }
        match (turn, heard) {
            (Some(turn), Ok(_)) => turn.end(Verdict::Worked),
            (Some(turn), Err(Unheard::Unanswered(why))) => turn.fail(Verdict::Failed, why),
            (Some(turn), Err(Unheard::Of(Outcome::TimedOut(Timeout::FirstByte | Timeout::Total)))) => {
                turn.end(Verdict::Silent);
            }
            (Some(_), Err(_)) | (None, _) => {}
        }
        None
    }

    /// A 407 is the proxy's own answer and never the site's. So is a 401, which some send for a wrong password, as long as
    /// nothing else came: pages would be taken for missing.
    fn locks_out(&self, status: u16) -> bool {
        let member = self.member();
        match status {
            407 => true,
            401 => member.authorization.is_some() && !member.let_in.load(Relaxed),
            _ => {
                member.let_in.store(true, Relaxed);
                false
            }
        }
    }

    /// An answer with so many bytes of body came through.
    pub(in crate::fetch) fn count(&self, bytes: u64) {
        let counters = &self.member().counters;
        counters.requests.fetch_add(1, Relaxed);
        counters.bytes.fetch_add(bytes, Relaxed);
    }

    #[allow(clippy::indexing_slicing, reason = "the roster chooses among the members")]
    fn member(&self) -> &Member {
        &self.shared.members[self.proxy]
    }
}
