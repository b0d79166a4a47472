//! Fetch: visits in, outcomes out. Each visit runs in order on its own connection, paced by its delay.
//!
//! Always: only a [`crate::robots::Permit`] is asked for; at most one request of a visit is in flight; every address is
//! checked by `dns::guard` before it is connected to; a visit's every task comes back with exactly one outcome.
//! `visit` and `outcome` are the seam that the frontier shares; `fetcher` is the door; `run` is one visit's life;
//! `connection` speaks HTTP; `body` decodes; `tls` sets up trust.

mod body;
mod connection;
mod fetcher;
mod outcome;
mod run;
mod settings;
mod tls;
mod visit;

pub use fetcher::Fetcher;
pub use outcome::{Outcome, OutcomeKind, Response, Timeout, Validators};
pub use settings::{FetchSettings, FetcherSettings};
pub use visit::{Finished, Purpose, Task, Visit, VisitId};
