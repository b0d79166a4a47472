//! The two halves of the way: to the proxy, and from there to the site.

use std::net::{IpAddr, Ipv4Addr};

use rustls_pki_types::ServerName;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use super::open::Stop;
use super::socks5::{self, Target};
use super::turn::Member;
use super::url::{ProxyUrl, Scheme};
use super::{Failure, Proxies, connect};
use crate::dns::{DnsError, Guard};
use crate::fetch::ahead::Ahead;
use crate::fetch::connection::timed;
use crate::fetch::dial::dial;
use crate::fetch::fetcher::Tools;
use crate::fetch::patience::Patience;
use crate::fetch::stream::Stream;
use crate::fetch::{Outcome, Timeout, Timings};
use crate::url::Origin;

/// Refuses what can be seen to lead inside, whoever resolves: addresses, and `localhost`.
pub(super) fn judge_literal(origin: &Origin, guard: &Guard) -> Option<Outcome> {
    let host = origin.host.trim_matches(['[', ']']);
    let is_local = host == "localhost" || host.ends_with(".localhost");
    let literal = if is_local { Some(Ipv4Addr::LOCALHOST.into()) } else { host.parse::<IpAddr>().ok() };
    judge(literal?, origin, guard)
}

/// What becomes of a target at this address, if it is forbidden.
fn judge(address: IpAddr, origin: &Origin, guard: &Guard) -> Option<Outcome> {
    let range = guard.forbids(address)?;
    Some(Outcome::ForbiddenAddress(format!("{} is at {address} ({range})", origin.host)))
}

/// The address that a proxy is told, where we resolve: one that the guard allows.
pub(super) async fn target(
    proxy: &ProxyUrl,
    origin: &Origin,
    tools: &Tools,
    patience: &mut Patience,
    timings: &mut Timings,
) -> Result<Option<IpAddr>, Stop> {
    if proxy.scheme != Scheme::Socks5 {
        return Ok(None);
    }
    let found = patience.within(Timeout::Total, tools.dialer.resolver.addresses(&origin.host));
    let found = timed(&mut timings.resolve, found).await.map_err(Stop::Final)?;
    let found = found.map_err(|error| Stop::Final(Outcome::Unresolved(error)))?;
    let mut refused = Outcome::Unresolved(DnsError::NoAddress);
    for &address in found.iter() {
        match judge(address, origin, &tools.dialer.guard) {
            None => return Ok(Some(address)),
            Some(outcome) => refused = outcome,
        }
    }
    Err(Stop::Final(refused))
}

/// A stream to the proxy, over TLS if it wants that, and let in if it is of the SOCKS kind. Whatever goes wrong is its fault.
pub(super) async fn proxy(
    proxy: &ProxyUrl,
    proxies: &Proxies,
    patience: &mut Patience,
) -> Result<Stream, Stop> {
    let reaching = async {
        let dialled = dial(&proxy.host, proxy.port, &proxies.dialer).await;
        let stream = dialled.map_err(|why| Failure::of_proxy(format!("no connection to it: {why}")))?.stream;
        let mut stream = match proxy.scheme {
            Scheme::Https => secure(stream, proxy, &proxies.tls).await?,
            Scheme::Http | Scheme::Socks5 | Scheme::Socks5h => Stream::Plain(stream),
        };
        if proxy.is_socks() {
            socks5::greet(&mut stream, proxy.login.as_ref()).await?;
        }
        Ok(stream)
    };
    match patience.within(Timeout::Connect, reaching).await {
        Ok(reached) => reached.map_err(Stop::Failed),
        Err(late) => Err(out_of_patience(late, Failure::of_proxy("no connection to it in time"))),
    }
}

/// From the proxy to the site; also whether the proxy forwards requests instead. `target`: its address, where we resolved it.
pub(super) async fn site(
    mut stream: Stream,
    proxy: &Member,
    (origin, target): (&Origin, Option<IpAddr>),
    patience: &mut Patience,
) -> Result<(Stream, Option<IpAddr>, bool), Stop> {
    if !proxy.url.is_socks() && !origin.https {
        return Ok((stream, None, true));
    }
    let asking = async {
        if proxy.url.is_socks() {
            let host = origin.host.trim_matches(['[', ']']);
            let literal = target.or_else(|| host.parse().ok());
            let told = literal.map_or(Target::Name(host), Target::Address);
            socks5::ask(&mut stream, told, origin.port).await?;
            return Ok(stream);
        }
        let authority = format!("{}:{}", origin.host, origin.port);
        connect::tunnel(stream, &authority, proxy.authorization.as_ref()).await
    };
    match patience.within(Timeout::Connect, asking).await {
        Ok(asked) => Ok((asked.map_err(Stop::Failed)?, target, false)),
        // It may be waiting for the site.
        Err(late) => Err(out_of_patience(late, Failure::unclear("no connection through it in time"))),
    }
}

fn out_of_patience(late: Outcome, failure: Failure) -> Stop {
    if matches!(late, Outcome::TimedOut(Timeout::Connect)) {
        Stop::Failed(failure)
    } else {
        Stop::Final(late)
    }
}

async fn secure(stream: TcpStream, proxy: &ProxyUrl, tls: &TlsConnector) -> Result<Stream, Failure> {
    let failed = |error: String| Failure::of_proxy(format!("TLS with it failed: {error}"));
    let name = ServerName::try_from(proxy.host.trim_matches(['[', ']']).to_owned());
    let name = name.map_err(|error| failed(error.to_string()))?;
    let stream = tls.connect(name, Ahead::new(stream)).await.map_err(|error| failed(error.to_string()))?;
    Ok(Stream::Tls(Box::new(stream)))
}
