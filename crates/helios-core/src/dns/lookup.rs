//! One look-up: both families at once, aliases to their end.

use std::net::IpAddr;
use std::pin::pin;

use tokio::time::timeout;

use super::name::{self, Host};
use super::upstream::Upstream;
use super::wire::{Family, Said};
use super::{DnsError, Families};

/// Questions asked for one name and family where servers leave the aliases to us.
const MOST_ALIASES: usize = 8;
/// Of a look-up's time: how long the other family may take once one has brought addresses.
const GRACE: f64 = 0.1;

/// What a look-up found, and the seconds that the servers gave it.
pub(super) struct Found {
    pub(super) answer: Result<Vec<IpAddr>, DnsError>,
    pub(super) ttl: Option<u32>,
}

pub(super) async fn look_up(upstream: &Upstream, name: &str, families: Families) -> Found {
    match families {
        Families::V4 => chase(upstream, name, Family::V4).await,
        Families::V6 => chase(upstream, name, Family::V6).await,
        Families::Auto | Families::Both => look_up_both(upstream, name).await,
    }
}

/// Both at once. Some servers never answer for IPv6: with IPv4 addresses in hand that is not waited for long.
async fn look_up_both(upstream: &Upstream, name: &str) -> Found {
    let mut v4 = pin!(chase(upstream, name, Family::V4));
    let mut v6 = pin!(chase(upstream, name, Family::V6));
    let grace = upstream.timeout.mul_f64(GRACE);
    tokio::select! {
        first = &mut v4 => match &first.answer {
            Ok(_) => match timeout(grace, v6).await {
                Ok(second) => join(first, second),
                Err(_) => first,
            },
            // RFC 8020: what is not there has nothing of any kind.
            Err(DnsError::NoSuchName) => first,
            Err(_) => join(first, v6.await),
        },
        second = &mut v6 => match &second.answer {
            Ok(_) => match timeout(grace, v4).await {
                Ok(first) => join(first, second),
                Err(_) => second,
            },
            Err(DnsError::NoSuchName) => second,
            Err(_) => join(v4.await, second),
        },
    }
}

/// Asks, and asks on where the server names another name and stops there.
async fn chase(upstream: &Upstream, name: &str, family: Family) -> Found {
    let mut at: Box<str> = name.into();
    let mut most = u32::MAX;
    for _ in 0..MOST_ALIASES {
        match upstream.ask(&at, family).await {
            Ok(Said::Addresses(addresses, ttl)) => {
                return Found { answer: Ok(addresses), ttl: Some(ttl.min(most)) };
            }
            Ok(Said::Alias(next, ttl)) => match name::read(&next) {
                Ok(Host::Name(next)) => {
                    most = most.min(ttl);
                    at = next.into();
                }
                // An address or `localhost` is no name that a server may send us to; the guard would judge it anyway.
                Ok(Host::Address(_) | Host::Loopback) => {
                    return Found::none(DnsError::NoAddress, Some(ttl));
                }
                Err(error) => return Found::none(error, Some(ttl)),
            },
            Ok(Said::Nothing(error, ttl)) => return Found::none(error, ttl.map(|ttl| ttl.min(most))),
            Err(error) => return Found::none(error, None),
        }
    }
    Found::none(DnsError::Loop, Some(most))
}

impl Found {
    fn none(error: DnsError, ttl: Option<u32>) -> Self {
        Self { answer: Err(error), ttl }
    }
}

/// Of both families: the addresses that there are; else what a later look-up may still change; else what both say.
fn join(first: Found, second: Found) -> Found {
    match (first.answer, second.answer) {
        (Ok(mut addresses), Ok(more)) => {
            addresses.extend(more);
            Found { answer: Ok(addresses), ttl: first.ttl.min(second.ttl) }
        }
        (Ok(addresses), Err(_)) => Found { answer: Ok(addresses), ttl: first.ttl },
        (Err(_), Ok(addresses)) => Found { answer: Ok(addresses), ttl: second.ttl },
        (Err(one), Err(other)) => {
            let weight = |error: DnsError| match error {
                DnsError::NoSuchName => 3,
                DnsError::ServerFailed(_) | DnsError::TimedOut => 2,
                DnsError::Loop => 1,
                DnsError::NoAddress | DnsError::Malformed(_) => 0,
            };
            let answer = if weight(other) > weight(one) { other } else { one };
            Found { answer: Err(answer), ttl: first.ttl.min(second.ttl) }
        }
    }
}
