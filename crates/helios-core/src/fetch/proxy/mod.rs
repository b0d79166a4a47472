//! Proxies: by the host that is asked for, a pool; of the pool, a proxy that works; through it, a stream to the origin.
//!
//! Always: what has a pool never goes direct; a proxy that rests is not chosen while another works; a password is never shown.
//! A site is judged as ever: politeness and limits are by the site, and the proxy's address is never taken for the site's.
//!
//! The address guard judges what we know. A proxy's own address is not judged: the user named it, and it is often a private
//! one. Where we resolve (`socks5://`), the target's address is judged; where the proxy resolves (`http://`, `https://`,
//! `socks5h://`), only a target that is an address itself, or `localhost`: what a name means there, we cannot see.
//!
//! `settings` and `url` are what the user wrote; `rules`, `pool` and `health` decide, purely; `connect` and `socks5` are the
//! handshakes; `turn` is one use of a proxy with its verdict; `open` tries, `reach` goes; `check` looks after those that rest.

mod check;
mod connect;
mod health;
mod open;
mod pool;
mod reach;
mod rules;
mod settings;
mod socks5;
mod stats;
#[cfg(test)]
mod tests;
mod turn;
mod url;

pub use settings::{ProxyPool, ProxyRule, ProxySettings, Rotation};
pub use stats::ProxyStats;

pub(super) use check::watch;
pub(super) use open::{Proxies, Way};
pub(super) use turn::Via;

/// Why a proxy was of no use.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Failure {
    fault: Fault,
    why: String,
}

/// Whose fault it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// The proxy's. Nothing has reached the site.
    Proxy,
    /// The proxy says that it cannot reach the site or will not: another proxy would tell.
    Unclear,
}

impl Failure {
    fn of_proxy(why: impl Into<String>) -> Self {
        Self { fault: Fault::Proxy, why: why.into() }
    }

    fn unclear(why: impl Into<String>) -> Self {
        Self { fault: Fault::Unclear, why: why.into() }
    }
}
