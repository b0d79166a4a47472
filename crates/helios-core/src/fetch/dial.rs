//! A host and a port → a TCP connection to an address that the guard allows.
//!
//! Always: the addresses that were judged are those that are connected to; there is no second look-up between the two, so a
//! name that changes its mind (DNS rebinding) gains nothing. Families take turns, and each address gets a head start before
//! the next one is tried beside it (RFC 8305); the first to answer wins, the others are dropped.

use std::fmt;
use std::future::poll_fn;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::clock;
use crate::dns::{AddressRange, DnsError, Guard, Resolver};

/// RFC 8305 §5 and §8.
const HEAD_START: Duration = Duration::from_millis(250);
/// Addresses of one name that are tried.
const MOST_ADDRESSES: usize = 8;

/// What is needed to connect; made once, used by all.
pub struct Dialer {
    pub resolver: Resolver,
    pub guard: Guard,
    /// For all addresses together; looking up has its own limit (`dns.timeout_ms`).
    pub connect_timeout: Duration,
}

/// An open connection.
#[derive(Debug)]
pub struct Dialled {
    pub stream: TcpStream,
    pub address: IpAddr,
    pub timings: DialTimings,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct DialTimings {
    pub dns: Duration,
    pub connect: Duration,
}

/// Why there is no connection; of several addresses, the most telling reason.
#[derive(Debug)]
pub enum DialFailure {
    Unresolved(DnsError),
    /// No address was left: this one, for example, is not allowed.
    Forbidden {
        address: IpAddr,
        range: AddressRange,
    },
    Unreachable {
        address: IpAddr,
        error: io::Error,
    },
    TimedOut,
}

impl fmt::Display for DialFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unresolved(error) => error.fmt(f),
            Self::Forbidden { address, range } => write!(f, "{address} is not allowed ({range})"),
            Self::Unreachable { address, error } => write!(f, "{address}: {error}"),
            Self::TimedOut => f.write_str("no connection in time"),
        }
    }
}

/// Resolves, judges, connects.
pub async fn dial(host: &str, port: u16, dialer: &Dialer) -> Result<Dialled, DialFailure> {
    let begin = clock::instant();
    let found = dialer.resolver.addresses(host).await.map_err(DialFailure::Unresolved)?;
    let dns = begin.elapsed();
    let allowed = judge(&found, &dialer.guard)?;
    let (stream, address) = connect(&allowed, port, dialer.connect_timeout).await?;
    let timings = DialTimings { dns, connect: begin.elapsed().saturating_sub(dns) };
    Ok(Dialled { stream, address, timings })
}

/// Those that may be connected to, families in turn. The others are never touched.
fn judge(found: &[IpAddr], guard: &Guard) -> Result<Vec<IpAddr>, DialFailure> {
    let mut forbidden = None;
    let mut allowed = Vec::with_capacity(found.len());
    for &address in found {
        match guard.forbids(address) {
            Some(range) => forbidden = forbidden.or(Some(DialFailure::Forbidden { address, range })),
            None if allowed.contains(&address) => {}
            None => allowed.push(address),
        }
    }
    if allowed.is_empty() {
        return Err(forbidden.unwrap_or(DialFailure::Unresolved(DnsError::NoAddress)));
    }
    Ok(in_turn(&allowed))
}

/// The family of the first address begins.
fn in_turn(addresses: &[IpAddr]) -> Vec<IpAddr> {
    let begins_with_v6 = addresses.first().is_some_and(IpAddr::is_ipv6);
    let (mut first, mut second) = (
        addresses.iter().filter(|address| address.is_ipv6() == begins_with_v6),
        addresses.iter().filter(|address| address.is_ipv6() != begins_with_v6),
    );
    let pairs = std::iter::from_fn(|| match (first.next(), second.next()) {
        (None, None) => None,
        pair => Some([pair.0, pair.1]),
    });
    pairs.flatten().flatten().copied().take(MOST_ADDRESSES).collect()
}

type Try<'a> = (IpAddr, Pin<Box<dyn Future<Output = io::Result<TcpStream>> + Send + 'a>>);

async fn connect(
    addresses: &[IpAddr],
    port: u16,
    within: Duration,
) -> Result<(TcpStream, IpAddr), DialFailure> {
    let mut worst = None;
    let raced = timeout(within, race(addresses, port, &mut worst)).await;
    // A refusal by one address tells more than the silence of another.
    let Ok(Some((stream, address))) = raced else { return Err(worst.unwrap_or(DialFailure::TimedOut)) };
    let plain = |error| DialFailure::Unreachable { address, error };
    stream.set_nodelay(true).map_err(plain)?;
    Ok((stream, address))
}

/// The first connection; None when every address has failed.
async fn race(
    addresses: &[IpAddr],
    port: u16,
    worst: &mut Option<DialFailure>,
) -> Option<(TcpStream, IpAddr)> {
    let mut waiting = addresses.iter();
    let mut under_way: Vec<Try<'_>> = Vec::with_capacity(addresses.len());
    loop {
        let has_more = match waiting.next() {
            Some(&address) => {
                let attempt = Box::pin(TcpStream::connect(SocketAddr::new(address, port)));
                under_way.push((address, attempt));
                waiting.len() > 0
            }
            None => false,
        };
        let first = first_done(&mut under_way);
        let done = if has_more { timeout(HEAD_START, first).await } else { Ok(first.await) };
        match done {
            Ok(Some((address, Ok(stream)))) => return Some((stream, address)),
            Ok(Some((address, Err(error)))) => note(worst, address, error),
            Ok(None) => return None,
            // The next one is tried beside those that have not answered yet.
            Err(_) => {}
        }
    }
}

/// The result of whichever ends first; None when there is none.
async fn first_done(under_way: &mut Vec<Try<'_>>) -> Option<(IpAddr, io::Result<TcpStream>)> {
    poll_fn(|context| {
        if under_way.is_empty() {
            return Poll::Ready(None);
        }
        for at in 0..under_way.len() {
            let Some((address, attempt)) = under_way.get_mut(at) else { break };
            if let Poll::Ready(result) = attempt.as_mut().poll(context) {
                let address = *address;
                drop(under_way.swap_remove(at));
                return Poll::Ready(Some((address, result)));
            }
        }
        Poll::Pending
    })
    .await
}

/// Keeps the failure that tells most: somebody was there and said no; else the first.
fn note(worst: &mut Option<DialFailure>, address: IpAddr, error: io::Error) {
    let tells = |error: &io::Error| {
        matches!(error.kind(), io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionReset)
    };
    let keep = match worst {
        Some(DialFailure::Unreachable { error: known, .. }) => tells(known) || !tells(&error),
        _ => false,
    };
    if !keep {
        *worst = Some(DialFailure::Unreachable { address, error });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(texts: &[&str]) -> Vec<IpAddr> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn rfc8305_families_take_turns_and_the_rest_follows() {
        let found = addresses(&["192.0.2.1", "192.0.2.2", "192.0.2.3", "2606::1"]);
        assert_eq!(in_turn(&found), addresses(&["192.0.2.1", "2606::1", "192.0.2.2", "192.0.2.3"]));
        assert_eq!(in_turn(&vec!["192.0.2.1".parse().unwrap(); 20]).len(), MOST_ADDRESSES);
    }

    #[test]
    fn house_forbidden_addresses_are_passed_over_and_named_when_none_is_left() {
        let guard = Guard::default();
        let mixed = addresses(&["10.0.0.1", "1.1.1.1", "::1", "2606::1"]);
        assert_eq!(judge(&mixed, &guard).unwrap(), addresses(&["1.1.1.1", "2606::1"]));
        let inside = judge(&addresses(&["10.0.0.1", "::1"]), &guard);
        assert!(
            matches!(inside, Err(DialFailure::Forbidden { range: AddressRange::Private, .. })),
            "{inside:?}"
        );
    }

    #[test]
    fn house_a_refusal_tells_more_than_a_missing_route() {
        let mut worst = None;
        for kind in [
            io::ErrorKind::NetworkUnreachable,
            io::ErrorKind::ConnectionRefused,
            io::ErrorKind::HostUnreachable,
        ] {
            note(&mut worst, "192.0.2.1".parse().unwrap(), kind.into());
        }
        let told = worst.map(|failure| failure.to_string()).unwrap_or_default();
        assert!(told.contains("refused"), "{told}");
    }
}
