//! A stream to an origin through a proxy of its pool: tried, and tried once more through another.

use std::net::IpAddr;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustls::ClientConfig;
use tokio::sync::Notify;
use tokio_rustls::TlsConnector;

use super::health::{HealthRules, State, Verdict};
use super::pool::{Pool, Roster};
use super::rules::Rules;
use super::stats::{Counters, ProxyStats};
use super::turn::{Member, Shared, Turn, Via};
use super::url::ProxyUrl;
use super::{Failure, Fault, ProxySettings, reach};
use crate::clock;
use crate::dns::{AddressRange, Guard};
use crate::error::{Error, Result};
use crate::fetch::connection::timed;
use crate::fetch::dial::Dialer;
use crate::fetch::fetcher::Tools;
use crate::fetch::patience::Patience;
use crate::fetch::stream::Stream;
use crate::fetch::{Outcome, Timeout, Timings};
use crate::url::{Origin, SiteKey};

/// Proxies of one pool that are tried for one connection, when those before were at fault.
const MOST_TRIES: usize = 3;
/// Proxies of a pool whose complaints are told.
const MOST_TOLD: usize = 3;

/// All proxies, and who uses which.
pub(in crate::fetch) struct Proxies {
    pub(super) shared: Arc<Shared>,
    rules: Rules,
    /// Names of the pools, by number.
    names: Vec<String>,
    /// For proxies behind TLS. It offers no HTTP/2: CONNECT is spoken in HTTP/1.1.
    pub(super) tls: TlsConnector,
    /// Its guard allows everything: the user named the proxies.
    pub(super) dialer: Dialer,
    pub(super) check_every: Duration,
}

/// A stream towards an origin. TLS with the origin itself is still to come.
pub(in crate::fetch) struct Way {
    pub(in crate::fetch) stream: Stream,
    /// Of the site, where we resolved it; never the proxy's.
    pub(in crate::fetch) address: Option<IpAddr>,
    pub(in crate::fetch) via: Option<Via>,
}

/// A proxy that could not reach a site, and what it said.
type Suspect = (Turn, String);

/// Why one proxy gave no stream.
pub(super) enum Stop {
    Failed(Failure),
    /// It has nothing to do with the proxy.
    Final(Outcome),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl Proxies {
    pub(in crate::fetch) fn new(
        settings: &ProxySettings,
        tls: &ClientConfig,
        dialer: &Dialer,
    ) -> Result<Self> {
        let rules = Rules::new(settings)?;
        let mut urls: Vec<ProxyUrl> = Vec::new();
        let mut pools = Vec::new();
        for (name, pool) in &settings.pools {
            let members = members(name, &pool.proxies, &mut urls)?;
            pools.push(Pool::new(members, pool.rotation));
        }
        let health = HealthRules {
            failures: settings.failures,
            cool_down_ms: settings.cool_down_ms,
            ceiling_ms: settings.cool_down_ceiling_ms,
        };
        let seeds = urls.iter().map(ProxyUrl::seed).collect();
        let member = |url: ProxyUrl| Member {
            authorization: url.authorization().filter(|_| !url.is_socks()),
            url,
            counters: Counters::default(),
            let_in: AtomicBool::new(false),
            complaint: Mutex::default(),
        };
        let mut tls = tls.clone();
        tls.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self {
            shared: Arc::new(Shared {
                members: urls.into_iter().map(member).collect(),
                roster: Mutex::new(Roster::new(seeds, pools, health)),
                changed: Notify::new(),
            }),
            rules,
            names: settings.pools.keys().cloned().collect(),
            tls: TlsConnector::from(Arc::new(tls)),
            dialer: Dialer {
                resolver: dialer.resolver.clone(),
                guard: Guard::new(&AddressRange::ALL),
                connect_timeout: dialer.connect_timeout,
            },
            check_every: Duration::from_millis(settings.check_ms),
        })
    }

    /// The pool that the origin is asked through; `None`: direct.
    pub(in crate::fetch) fn pool_of(&self, origin: &Origin) -> Option<usize> {
        self.rules.pool_of(&origin.host)
    }

    pub(in crate::fetch) fn stats(&self) -> Vec<ProxyStats> {
        let now = clock::now();
        let rests = |proxy| self.shared.roster().state(proxy, now) != State::Works;
        let members = self.shared.members.iter().enumerate();
        members.map(|(proxy, member)| member.counters.stats(member.url.to_string(), rests(proxy))).collect()
    }

    /// Through one proxy after the other, while it is their fault; through two, if it may be the site's.
    pub(in crate::fetch) async fn open(
        &self,
        (pool, origin, site): (usize, &Origin, &SiteKey),
        tools: &Tools,
        patience: &mut Patience,
        timings: &mut Timings,
    ) -> std::result::Result<Way, Outcome> {
        if let Some(forbidden) = reach::judge_literal(origin, &tools.dialer.guard) {
            return Err(forbidden);
        }
        let mut tried = Vec::new();
        let mut suspect: Option<Suspect> = None;
        let mut turn = self.first(pool, site, patience).await?;
        loop {
            let trying = self.through(turn.member(), origin, tools, patience, timings);
            let failure = match trying.await {
                Ok((stream, address, forwards)) => {
                    return Ok(way(stream, address, forwards, (turn, suspect)));
                }
                Err(Stop::Final(outcome)) => return Err(outcome),
                Err(Stop::Failed(failure)) => failure,
            };
            tried.push(turn.proxy());
            let told = Outcome::Unreachable(format!("proxy {}: {}", turn.member().url, failure.why));
            match failure.fault {
                Fault::Proxy => turn.fail(Verdict::Failed, &failure.why),
                Fault::Unclear if suspect.is_some() => return Err(told),
                Fault::Unclear => suspect = Some((turn, failure.why)),
            }
            let next = if tried.len() < MOST_TRIES { self.choose(pool, site, &tried).ok() } else { None };
            turn = next.ok_or(told)?;
        }
    }

    fn choose(&self, pool: usize, site: &SiteKey, but: &[usize]) -> std::result::Result<Turn, Option<u64>> {
        let chosen = self.shared.roster().choose(pool, site.as_str(), but, clock::now())?;
        Ok(Turn::new(&self.shared, chosen))
    }

    /// Waits as long as for a connection: a pool that rests for a moment costs no page an attempt.
    async fn first(
        &self,
        pool: usize,
        site: &SiteKey,
        patience: &mut Patience,
    ) -> std::result::Result<Turn, Outcome> {
        let waiting = async {
            loop {
                let changed = self.shared.changed.notified();
                let pause = match self.choose(pool, site, &[]) {
                    Ok(turn) => return turn,
                    Err(until) => {
                        until.map(|until| Duration::from_millis(until.saturating_sub(clock::now())))
                    }
                };
                tokio::select! {
                    () = changed => {}
                    () = clock::sleep(pause.unwrap_or(Duration::MAX)) => {}
                }
            }
        };
        patience.within(Timeout::Connect, waiting).await.map_err(|_| self.none_works(pool))
    }

    fn none_works(&self, pool: usize) -> Outcome {
        let name = self.names.get(pool).map_or("", String::as_str);
        let members = self.shared.roster().members(pool);
        let complaints = members.iter().filter_map(|proxy| {
            let member = self.shared.members.get(*proxy)?;
            Some(format!("{}: {}", member.url, member.complaint()))
        });
        let told: Vec<String> = complaints.take(MOST_TOLD).collect();
        Outcome::Unreachable(format!("no proxy of pool {name:?} works ({})", told.join("; ")))
    }

    async fn through(
        &self,
        member: &Member,
        origin: &Origin,
        tools: &Tools,
        patience: &mut Patience,
        timings: &mut Timings,
    ) -> std::result::Result<(Stream, Option<IpAddr>, bool), Stop> {
        let target = reach::target(&member.url, origin, tools, patience, timings).await?;
        let opening = async {
            let stream = reach::proxy(&member.url, self, patience).await?;
            reach::site(stream, member, (origin, target), patience).await
        };
        let opened = timed(&mut timings.connect, opening).await?;
        member.counters.opened(timings.connect);
        Ok(opened)
    }
}

fn way(
    stream: Stream,
    address: Option<IpAddr>,
    forwards: bool,
    (turn, suspect): (Turn, Option<Suspect>),
) -> Way {
    if forwards {
        return Way { stream, address, via: Some(Via::forward(turn)) };
    }
    // It could not reach a site that another one can.
    if let Some((suspect, why)) = suspect {
        suspect.fail(Verdict::Failed, &why);
    }
    Way { stream, address, via: Some(Via::tunnel(turn)) }
}

/// The numbers of the proxies of one pool; those not met before are added to `urls`.
fn members(pool: &str, texts: &[String], urls: &mut Vec<ProxyUrl>) -> Result<Vec<usize>> {
    let refuse = |why: String| Error::Settings(format!("proxy.pools.{pool}: {why}"));
    let mut members = Vec::new();
    for text in texts {
        let url = ProxyUrl::parse(text).map_err(refuse)?;
        let number = urls.iter().position(|known| *known == url).unwrap_or(urls.len());
        if number == urls.len() {
            urls.push(url);
        } else if members.contains(&number) {
            return Err(refuse(format!("{url} stands there twice")));
        }
        members.push(number);
    }
    if members.is_empty() {
        return Err(refuse("there is no proxy in it".to_owned()));
    }
    Ok(members)
}
