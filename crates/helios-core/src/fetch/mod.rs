//! Fetch: visits in, outcomes out. Each visit runs in order on its own connection, paced by its delay.
//!
//! Always: only a [`crate::robots::Permit`] is asked for; at most one request of a visit is in flight; every address is
//! checked by `dns::guard` before it is connected to; a visit's every task comes back with exactly one outcome; nothing is
//! unbounded: not time (`patience`), not bytes (`reading`), not all bytes together (`memory`).
//! `visit`, `outcome` and `response` are the seam that the frontier shares; `fetcher` is the door; `run` is one visit's
//! life; `route` leads to an origin, through a `proxy` where the settings say so, by `dial` (resolves, judges, connects) and `tls`; `connection` speaks `http1` or `http2`; `request` is what we say, `answer` what they
//! mean, `page` what we take.

mod ahead;
mod answer;
mod auth;

mod connection;
mod cookies;
mod decode;
pub mod dial;
mod fetcher;
mod filter;
mod gullible;
mod headers;
#[allow(dead_code, reason = "CONNECT is for proxies, which come next")]
mod http1;
mod http2;
mod kept;
mod memory;
mod outcome;
mod page;
mod patience;
mod proxy;
mod reading;
mod request;
mod response;
mod results;
mod rooms;
mod route;
mod run;
mod settings;
mod stream;
mod tls;
mod visit;
mod waiting;

pub use auth::Secret;
pub use fetcher::Fetcher;
pub use kept::{Cut, Kept};
pub use memory::Held;
pub use outcome::{Outcome, OutcomeKind};
pub use proxy::{ProxyPool, ProxyRule, ProxySettings, ProxyStats, Rotation};
pub use response::{HttpVersion, Response, Timeout, Timings, Validators};
pub use settings::{FetchSettings, FetcherSettings};
pub use visit::{Finished, Known, Purpose, Task, Visit, VisitId};
