//! A name → its addresses: from memory, from a look-up under way, or from a new one.
//!
//! A look-up is a task of its own, so that it goes on for the others when the first who asked goes away. Nothing is served
//! after its end; a hot name is looked up again in the last fifth of its time, while the old answer still serves.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::oneshot::{Receiver, Sender, channel};

use super::cache::{Answer, ByName, Cache, Key, Keys};
use super::lookup::{self, Found};
use super::name::{self, Host};
use super::stats::DnsStats;
use super::system::{self, Hosts};
use super::upstream::Upstream;
use super::{Addresses, DnsError, DnsSettings, Failure, Families};
use crate::clock::{self, Millis};
use crate::error::Result;

const SHARDS: usize = 16;

/// Asks and remembers. A clone is the same resolver.
#[derive(Clone)]
pub struct Resolver {
    shared: Arc<Shared>,
}

struct Shared {
    keys: Keys,
    shards: Vec<Mutex<Shard>>,
    hosts: Hosts,
    upstream: Upstream,
    settings: DnsSettings,
    families: Families,
    runtime: Handle,
    clock: fn() -> Millis,
}

struct Shard {
    cache: Cache,
    /// Names being looked up, and who waits for them. Filled by askers, emptied by the look-up's [`Landing`].
    flights: ByName<Vec<Sender<Answer>>>,
    stats: DnsStats,
}

impl Resolver {
    /// Look-ups run on `runtime`.
    pub fn new(settings: &DnsSettings, runtime: &Handle) -> Result<Self> {
        Self::with_clock(settings, runtime, clock::now)
    }

    /// Time to live is counted by this clock.
    pub fn with_clock(settings: &DnsSettings, runtime: &Handle, clock: fn() -> Millis) -> Result<Self> {
        let servers = system::servers(settings)?;
        let upstream = Upstream::new(servers, Duration::from_millis(settings.timeout_ms), runtime.clone());
        let families = match settings.ip {
            Families::Auto if system::has_ipv6() => Families::Both,
            Families::Auto => Families::V4,
            set @ (Families::Both | Families::V4 | Families::V6) => set,
        };
        let new_shard = || Shard {
            cache: Cache::new(settings.cache_entries / SHARDS),
            flights: ByName::default(),
            stats: DnsStats::default(),
        };
        let shared = Shared {
            keys: Keys::default(),
            shards: (0..SHARDS).map(|_| Mutex::new(new_shard())).collect(),
            hosts: system::hosts(settings)?,
            upstream,
            families,
            settings: settings.clone(),
            runtime: runtime.clone(),
            clock,
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Every address of the host, IPv4 first; never none. An address is its own; `localhost` is loopback.
    pub async fn addresses(&self, host: &str) -> std::result::Result<Addresses, DnsError> {
        let name = match name::read(host)? {
            Host::Address(address) => return Ok(Addresses::One([address])),
            Host::Loopback => return Ok(Addresses::from(&name::loopback()[..])),
            Host::Name(name) => name,
        };
        if let Some(addresses) = self.shared.hosts.get(name.as_ref()) {
            return Ok(addresses.clone());
        }
        match self.known_or_asked(&name) {
            Ok(answer) => answer,
            Err(waiting) => waiting.await.unwrap_or(Err(DnsError::ServerFailed(Failure::Lost))),
        }
    }

    pub fn stats(&self) -> DnsStats {
        let upstream = &self.shared.upstream;
        let mut sum = DnsStats {
            queries: upstream.queries.load(Ordering::Relaxed),
            repeats: upstream.repeats.load(Ordering::Relaxed),
            tcp: upstream.tcp.load(Ordering::Relaxed),
            ..DnsStats::default()
        };
        for shard in &self.shared.shards {
            let shard = lock(shard);
            sum.add(&shard.stats);
            sum.entries += shard.cache.len() as u64;
            sum.in_flight += shard.flights.len() as u64;
        }
        sum
    }

    /// The answer that is known, or the one that is being looked up from now on.
    fn known_or_asked(&self, name: &str) -> std::result::Result<Answer, Receiver<Answer>> {
        let now = (self.shared.clock)();
        let key = self.shared.keys.of(name);
        let mut guard = self.shared.shard(key);
        let shard = &mut *guard;
        if let Some(hit) = shard.cache.get(key, now) {
            let count =
                if hit.answer.is_ok() { &mut shard.stats.hits } else { &mut shard.stats.negative_hits };
            *count += 1;
            if hit.refresh && !shard.flights.contains_key(&key) {
                shard.stats.prefetches += 1;
                shard.flights.insert(key, Vec::new());
                self.take_off(name, key, true);
            }
            return Ok(hit.answer);
        }
        let (tell, told) = channel();
        if let Some(waiting) = shard.flights.get_mut(&key) {
            shard.stats.merged += 1;
            waiting.push(tell);
        } else {
            shard.stats.misses += 1;
            shard.flights.insert(key, vec![tell]);
            self.take_off(name, key, false);
        }
        Err(told)
    }

    fn take_off(&self, name: &str, key: Key, is_refresh: bool) {
        let landing =
            Landing { shared: Arc::clone(&self.shared), name: name.into(), key, is_refresh, found: None };
        self.shared.runtime.spawn(async move {
            let begin = clock::instant();
            let found =
                lookup::look_up(&landing.shared.upstream, &landing.name, landing.shared.families).await;
            landing.land(found, begin.elapsed());
        });
    }
}

/// Ends a look-up, whatever became of it: remembers what was found, tells those who wait.
struct Landing {
    shared: Arc<Shared>,
    name: Box<str>,
    key: Key,
    is_refresh: bool,
    found: Option<(Found, Duration)>,
}

impl Landing {
    fn land(mut self, found: Found, took: Duration) {
        self.found = Some((found, took));
    }
}

impl Drop for Landing {
    fn drop(&mut self) {
        let now = (self.shared.clock)();
        let mut guard = self.shared.shard(self.key);
        let shard = &mut *guard;
        let waiting = shard.flights.remove(&self.key).unwrap_or_default();
        // Without anything found its task was ended; those who wait see their channel closed.
        let Some((found, took)) = self.found.take() else { return };
        let answer: Answer = found.answer.map(|addresses| Addresses::from(&addresses[..]));
        let is_failure = matches!(answer, Err(error) if error.is_temporary());
        shard.stats.add_look_up(took);
        shard.stats.failures += u64::from(is_failure);
        // A refresh that failed leaves the old answer to its end.
        if !(is_failure && self.is_refresh) {
            let ttl_ms = self.shared.believed_ms(&answer, found.ttl);
            shard.cache.put(self.key, answer.clone(), ttl_ms, now);
        }
        drop(guard);
        for one in waiting {
            drop(one.send(answer.clone())); // It may have gone away.
        }
    }
}

impl Shared {
    fn shard(&self, key: Key) -> MutexGuard<'_, Shard> {
        #[allow(clippy::indexing_slicing, reason = "there are SHARDS of them")]
        lock(&self.shards[key.part(SHARDS)])
    }

    /// How long an answer is believed.
    fn believed_ms(&self, answer: &Answer, ttl: Option<u32>) -> u64 {
        let settings = &self.settings;
        // RFC 2181 §8: with the first bit set it is nought.
        let said = ttl.filter(|ttl| i32::try_from(*ttl).is_ok()).unwrap_or(0).max(settings.min_ttl_s);
        let seconds = match answer {
            Ok(_) => said.min(settings.max_ttl_s),
            Err(error) if error.is_temporary() => settings.failure_ttl_s,
            Err(_) => said.min(settings.negative_ttl_s),
        };
        u64::from(seconds) * 1_000
    }
}

fn lock(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}
