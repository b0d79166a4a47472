//! What one "seen?" costs: CPU per check, memory and disk, with links that repeat as those of the web do.
//!
//! `cargo run --release -p helios-core --example sieve_cost -- <known URLs> <checks> [exact|lossy|text]`
//!
//! The stream, so that others can be measured on it (`benches/seen.py`). URL n has the fingerprint `mix(2n) mix(2n + 1)`,
//! big-endian, with `mix` = SplitMix64. URLs `0 .. known` come first, in order. Then check i, with `now` = known + i / 10 and
//! u = `mix(i + 2⁶³)`, asks for a URL by i % 10:
//! * 0 to 3: `skewed(u, now)`, a hot one (old, so in a large run); 4 to 7: `now - 1 - skewed(u, now)`, a recent one;
//! * 8: `u % now`, any one; 9: `now`, the one that is new.
//!
//! `skewed(u, n)` is Zipf-like: it has w bits, w = (u >> 32) % (bits of n), and then `(2^w + u % 2^w) % n`.
#![allow(clippy::print_stdout, reason = "a bench prints")]

use helios_core::clock;
use helios_core::error::Result;
use helios_core::sieve::{LocalShelf, Sieve, SieveMode, SieveSettings};
use helios_core::url::{CanonicalUrl, Fingerprint};

const BATCH: usize = 1000;
const MEASURED_TOGETHER: u64 = 100_000;

fn mix(n: u64) -> u64 {
    let z = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn skewed(u: u64, n: u64) -> u64 {
    let top = 1 << ((u >> 32) % (64 - u64::from(n.leading_zeros())));
    (top + u % top) % n
}

fn asked(check: u64, known: u64) -> u64 {
    let (now, u) = (known + check / 10, mix(check.wrapping_add(1 << 63)));
    match check % 10 {
        0..=3 => skewed(u, now),
        4..=7 => now - 1 - skewed(u, now),
        8 => u % now,
        _ => now,
    }
}

fn fingerprint(url: u64) -> Fingerprint {
    let bits = u128::from(mix(2 * url)) << 64 | u128::from(mix(2 * url + 1));
    Fingerprint::from_bytes(bits.to_be_bytes())
}

/// The way of a link in a page: text, canonical URL, fingerprint.
fn fingerprint_of_text(url: u64) -> Fingerprint {
    let (site, page) = (mix(url / 100) % 1_000_000, mix(url));
    let text = format!("https://www.site-{site}.example/section-{}/{page:x}?id={url}", page % 50);
    CanonicalUrl::parse(&text).map_or_else(|_| fingerprint(url), |url| url.fingerprint())
}

/// CPU seconds of this process so far (Linux), so that other work on the machine does not count.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    stat.split(' ').next().and_then(|nanos| nanos.parse().ok()).map_or(0.0, |nanos: f64| nanos / 1e9)
}

/// Memory of this process in MB, mapped pages included: `VmRSS` now, `VmHWM` at most.
fn resident(kind: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(kind)).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<u64>().ok()).unwrap_or(0) / 1000
}

struct Bench {
    sieve: Sieve,
    fingerprint: fn(u64) -> Fingerprint,
    /// Making the fingerprints, and sifting them with the upkeep.
    making: f64,
    sifting: f64,
    longest_upkeep_ms: u64,
    new: u64,
    cache_hits: u64,
    manifest: Option<Vec<u8>>,
}

impl Bench {
    fn new(sieve: Sieve, fingerprint: fn(u64) -> Fingerprint) -> Self {
        let (making, sifting, manifest) = (0.0, 0.0, None);
        Self { sieve, fingerprint, making, sifting, longest_upkeep_ms: 0, new: 0, cache_hits: 0, manifest }
    }

    fn feed(&mut self, urls: impl Iterator<Item = u64>) -> Result<()> {
        let begin = cpu_seconds();
        let fingerprints: Vec<Fingerprint> = urls.map(self.fingerprint).collect();
        let made = cpu_seconds();
        for batch in fingerprints.chunks(BATCH) {
            self.new += self.sieve.sift(batch)?.into_iter().filter(|new| *new).count() as u64;
            let before = clock::now();
            if let Some(sealed) = self.sieve.upkeep()? {
                self.manifest = Some(sealed.manifest);
                self.sieve.forget(&sealed.obsolete)?;
            }
            self.longest_upkeep_ms = self.longest_upkeep_ms.max(clock::now() - before);
        }
        self.making += made - begin;
        self.sifting += cpu_seconds() - made;
        Ok(())
    }

    fn feed_all(&mut self, count: u64, url: impl Fn(u64) -> u64) -> Result<()> {
        for from in (0..count).step_by(MEASURED_TOGETHER as usize) {
            self.feed((from..count.min(from + MEASURED_TOGETHER)).map(&url))?;
        }
        Ok(())
    }

    fn report(&mut self, what: &str, count: u64) {
        let (each, stats) = (self.sifting * 1e9 / count as f64, self.sieve.stats());
        println!(
            "{what}: checks={count} new={} ns_per_check={each:.0} checks_per_s={:.0} ns_per_fingerprint={:.0} \
             longest_upkeep_ms={} rss_mb={} peak_rss_mb={} disk_bytes_per_url={:.2} runs={} cache_hits={:.3} \
             false_positive_rate={:.5} dropped_estimate={:.1}",
            self.new,
            1e9 / each,
            self.making * 1e9 / count as f64,
            self.longest_upkeep_ms,
            resident("VmRSS"),
            resident("VmHWM"),
            stats.disk_bytes as f64 / (stats.known - stats.memtable).max(1) as f64,
            stats.runs,
            (stats.cache_hits - self.cache_hits) as f64 / count as f64,
            stats.false_positive_rate(),
            stats.dropped_estimate,
        );
        (self.making, self.sifting, self.longest_upkeep_ms, self.new) = (0.0, 0.0, 0, 0);
        self.cache_hits = stats.cache_hits;
    }
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let number = |at: usize, or: u64| args.get(at).and_then(|text| text.parse().ok()).unwrap_or(or);
    let (known, checks) = (number(1, 10_000_000), number(2, 10_000_000));
    let kind = args.get(3).map_or("exact", String::as_str);
    let mode = if kind == "lossy" { SieveMode::Lossy } else { SieveMode::Exact };
    let settings = SieveSettings { mode, lossy_capacity: known + checks, ..SieveSettings::default() };
    let folder = std::env::temp_dir().join(format!("sieve-cost-{}", std::process::id()));
    let sieve = Sieve::open(Box::new(LocalShelf::new(&folder)?), settings, None, [])?;
    let mut bench = Bench::new(sieve, if kind == "text" { fingerprint_of_text } else { fingerprint });

    bench.feed_all(known, |url| url)?;
    bench.report("fill", known);
    bench.feed_all(checks, |check| asked(check, known))?;
    bench.report("stream", checks);
    let manifest = bench.manifest.take();
    drop(bench);

    let (before, cpu) = (clock::now(), cpu_seconds());
    let sieve = Sieve::open(Box::new(LocalShelf::new(&folder)?), settings, manifest.as_deref(), [])?;
    let (ms, known) = (clock::now() - before, sieve.stats().known);
    println!("reopen: ms={ms} cpu_ms={:.0} in_runs={known}", (cpu_seconds() - cpu) * 1e3);
    drop(sieve);
    if std::fs::remove_dir_all(&folder).is_err() {
        println!("left behind: {}", folder.display());
    }
    Ok(())
}
