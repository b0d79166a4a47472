//! What a look-up costs: cold, against a server; cached; and the memory of what is remembered. One thread.
//!
//! `cargo run --release -p helios-core --example dns_cost -- <server:port> <look-ups> <in flight> [v4|both]`
//!
//! Every name is `n<number>.bench.test`, asked for once when cold, then many times, which is any order in memory. `benches/dns.py`
//! starts a server for it.
#![allow(clippy::print_stdout, reason = "a bench prints")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use helios_core::clock;
use helios_core::dns::{DnsSettings, DnsStats, Families, Resolver};
use helios_core::error::{Error, Result};

/// Cached look-ups for each name.
const ROUNDS: u64 = 10;

/// CPU seconds of this process so far (Linux), so that other work on the machine does not count.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    stat.split(' ').next().and_then(|nanos| nanos.parse().ok()).map_or(0.0, |nanos: f64| nanos / 1e9)
}

/// Memory of this process, in bytes.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|kb| kb.parse().ok()).map_or(0.0, |kb: f64| kb * 1024.0)
}

struct Spent {
    wall: f64,
    cpu: f64,
}

async fn spent(work: impl Future<Output = ()>) -> Spent {
    let (begin, cpu) = (clock::instant(), cpu_seconds());
    work.await;
    Spent { wall: begin.elapsed().as_secs_f64(), cpu: cpu_seconds() - cpu }
}

/// Looks the names up, so many at once.
async fn look_up(resolver: &Resolver, names: std::ops::Range<u64>, in_flight: u64) {
    let next = Arc::new(AtomicU64::new(names.start));
    let mut askers = tokio::task::JoinSet::new();
    for _ in 0..in_flight {
        let (resolver, next) = (resolver.clone(), Arc::clone(&next));
        askers.spawn(async move {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= names.end {
                    break;
                }
                // What fails is counted by the resolver.
                drop(resolver.addresses(&format!("n{number}.bench.test")).await);
            }
        });
    }
    while askers.join_next().await.is_some() {}
}

async fn look_up_cached(resolver: &Resolver, names: &[String]) {
    for _ in 0..ROUNDS {
        for name in names {
            drop(resolver.addresses(name).await);
        }
    }
}

async fn measure(resolver: Resolver, count: u64, in_flight: u64) {
    // The window opens and the tasks' memory is there before anything counts.
    look_up(&resolver, 0..in_flight, in_flight).await;
    let (before, memory) = (resolver.stats(), resident());
    let cold = spent(look_up(&resolver, in_flight..in_flight + count, in_flight)).await;
    let (stats, grown) = (resolver.stats(), resident() - memory);
    let each = |total: f64| total / count as f64;
    let since = |of: fn(&DnsStats) -> u64| of(&stats) - of(&before);
    println!(
        "cold: look_ups={count} in_flight={in_flight} per_s={:.0} cpu_us={:.2} failures={} repeats={} mean_ms={:.1} \
         bytes_per_entry={:.0}",
        count as f64 / cold.wall,
        each(cold.cpu) * 1e6,
        since(|stats| stats.failures),
        since(|stats| stats.repeats),
        each(since(|stats| stats.look_up_us) as f64) / 1e3,
        each(grown),
    );
    let names: Vec<String> =
        (in_flight..in_flight + count).map(|number| format!("n{number}.bench.test")).collect();
    let cached = spent(look_up_cached(&resolver, &names)).await;
    let total = (count * ROUNDS) as f64;
    println!("cached: per_s={:.0} cpu_ns={:.0}", total / cached.wall, cached.cpu * 1e9 / total);
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let number = |at: usize, or: u64| args.get(at).and_then(|text| text.parse().ok()).unwrap_or(or);
    let ip = if args.get(4).is_some_and(|text| text == "both") { Families::Both } else { Families::V4 };
    let server = args.get(1).cloned().unwrap_or_else(|| "127.0.0.1:53".to_owned());
    let settings = DnsSettings { servers: vec![server], ip, ..DnsSettings::default() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Error::Fetch(error.to_string()))?;
    let resolver = Resolver::new(&settings, runtime.handle())?;
    runtime.block_on(measure(resolver, number(2, 200_000), number(3, 10_000)));
    Ok(())
}
