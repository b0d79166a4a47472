//! What fetching costs: `fetch_cost speed CA_FILE REQUESTS URL...` prints µs of CPU per request, one number a line;
//! `fetch_cost slow CA_FILE CONNECTIONS SECONDS BASE` holds many slow connections and prints one JSON object.
//! `benches/fetch.py` runs them beside other clients and has the server.
//!
//! Everything goes through the public door, on one thread of the fetcher and the one that asks it. CPU time is that of the whole process.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    reason = "a measurement: it reads the clock, prints, and stops when it cannot go on"
)]

use std::collections::HashSet;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use helios_core::dns::DnsSettings;
use helios_core::fetch::{
    Fetcher, FetcherSettings, Finished, Known, Outcome, ProxySettings, Purpose, Task, Validators, Visit,
};
use helios_core::robots::{Permit, RobotsRules, RobotsSettings};
use helios_core::url::CanonicalUrl;

/// The allocator of the Python package.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

const IN_FLIGHT: usize = 64;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| words[at].parse::<usize>().unwrap();
    match words[0].as_str() {
        "speed" => {
            for url in &words[3..] {
                println!("{:.2}", speed(&words[1], number(2).next_multiple_of(IN_FLIGHT), url));
            }
        }
        "slow" => slow(&words[1], number(2), number(3) as u64, &words[4]),
        other => panic!("no such measurement: {other}"),
    }
}

fn fetcher(ca_file: &str, concurrency: usize, total_timeout_ms: u64) -> Fetcher {
    let fetch = serde_json::json!({
        "user_agent": "Helios/0 (measures itself)", "concurrency": concurrency, "threads": 1,
        "connect_timeout_ms": 60_000, "tls_timeout_ms": 60_000, "first_byte_timeout_ms": 60_000,
        "total_timeout_ms": total_timeout_ms, "allow": ["loopback"], "extra_ca": ca_file,
    });
    let fetch = serde_json::from_value(fetch).unwrap();
    let (dns, robots, proxy) = (DnsSettings::default(), RobotsSettings::default(), ProxySettings::default());
    Fetcher::new(FetcherSettings { fetch, dns, robots, proxy }).unwrap()
}

fn visit(id: u64, url: &str, tasks: usize) -> Visit {
    let url = CanonicalUrl::parse(url).unwrap();
    let task = Task {
        permit: Permit::under(&RobotsRules::allow_all(), &url).unwrap(),
        purpose: Purpose::Page,
        depth: 0,
        fetch_number: 0,
        validators: Validators::default(),
        known: Known::default(),
    };
    Visit {
        id,
        site: url.site(),
        tasks: vec![task; tasks],
        delay: Duration::ZERO,
        fetch_time_factor: 0,
        slow_ceiling: Duration::ZERO,
        deadline: u64::MAX,
        max_body_bytes: None,
    }
}

/// Long visits, 64 at a time; the server keeps their connections or closes them after each page. The clock starts when each
/// visit has brought its first page.
fn speed(ca_file: &str, requests: usize, url: &str) -> f64 {
    let fetcher = fetcher(ca_file, IN_FLIGHT, 60_000);
    let body: usize = url.split('/').nth(3).unwrap().parse().unwrap();
    let pages = 1 + requests / IN_FLIGHT;
    fetcher.submit((0..IN_FLIGHT).map(|id| visit(id as u64, url, pages)).collect());
    let (mut begun, mut seen, mut counted_from, mut cpu) = (HashSet::new(), 0, 0, 0.0);
    while seen < pages * IN_FLIGHT {
        let done =
            fetcher.completed(Duration::from_secs(10), Duration::from_millis(1), IN_FLIGHT / 4).unwrap();
        assert!(!done.is_empty(), "nothing came for ten seconds");
        for finished in &done {
            assert_eq!(length(finished), body);
            begun.insert(finished.visit);
        }
        seen += done.len();
        if counted_from == 0 && begun.len() >= IN_FLIGHT {
            (counted_from, cpu) = (seen, cpu_seconds());
        }
    }
    (cpu_seconds() - cpu) * 1e6 / (seen - counted_from) as f64
}

fn length(finished: &Finished) -> usize {
    let Outcome::Fetched(response) = &finished.outcome else { panic!("{}", finished.outcome.describe()) };
    response.body.len()
}

/// `count` hosts that send a byte a second, for `seconds`; 100 fast ones meanwhile; then the slow ones again, cancelled.
fn slow(ca_file: &str, count: usize, seconds: u64, base: &str) {
    let door = fetcher(ca_file, 2 * count, seconds * 1_000);
    fetch_fast(&door, base);
    let (rss_before, files_before) = (rss(), files());
    let cpu = cpu_seconds();
    door.submit((0..count).map(|n| visit(n as u64, &address(base, n, "slow"), 1)).collect());
    let opening = Instant::now();
    let opened = wait_for_open(base, count, Duration::from_secs(seconds));
    let (opening, open_cpu) = (opening.elapsed(), cpu_seconds() - cpu);
    let rss_open = rss();
    let fast = fetch_fast(&door, base);
    let rss_trickling = rss();
    let (mut out, mut timed_out, mut longest) = (0, 0, 0);
    let patience = Instant::now();
    while out < count && patience.elapsed() < Duration::from_secs(seconds + 30) {
        for one in door.completed(Duration::from_secs(1), Duration::ZERO, count).unwrap() {
            out += 1;
            timed_out += usize::from(matches!(one.outcome, Outcome::TimedOut(_)));
            longest = longest.max(one.finished - one.started);
        }
    }
    door.submit((0..count).map(|n| visit(n as u64, &address(base, n, "slow"), 1)).collect());
    let again = wait_for_open(base, count, Duration::from_secs(seconds));
    let files_open = files();
    let closing = Instant::now();
    door.close();
    let closing = closing.elapsed();
    let gone = wait_for_open(base, 0, Duration::from_secs(10));
    println!(
        "{{\"hosts\": {count}, \"open\": {opened}, \"open_s\": {:.2}, \"open_cpu_us\": {:.0}, \"kb_each\": {:.1}, \
         \"kb_each_later\": {:.1}, \"fast_ms\": {:.0}, \"outcomes\": {out}, \"timed_out\": {timed_out}, \
         \"late_ms\": {}, \"open_again\": {again}, \"files_open\": {}, \"close_ms\": {:.0}, \"files_after\": {}, \
         \"open_after\": {gone}}}",
        opening.as_secs_f64(),
        open_cpu * 1e6 / count as f64,
        (rss_open - rss_before) / count as f64,
        (rss_trickling - rss_before) / count as f64,
        fast.as_secs_f64() * 1e3,
        longest.saturating_sub(seconds * 1_000),
        files_open - files_before,
        closing.as_secs_f64() * 1e3,
        files().saturating_sub(files_before),
    );
}

/// 100 hosts that answer at once; the time until the last has.
fn fetch_fast(fetcher: &Fetcher, base: &str) -> Duration {
    let began = Instant::now();
    let fast = |n: usize| visit(1_000_000 + n as u64, &address(base, 60_000 + n, "33000/keep"), 1);
    fetcher.submit((0..100).map(fast).collect());
    let mut left = 100;
    while left > 0 {
        let done = fetcher.completed(Duration::from_secs(1), Duration::ZERO, left).unwrap();
        for one in &done {
            assert_eq!(length(one), 33_000, "only the fast ones come back that early");
        }
        left -= done.len();
    }
    began.elapsed()
}

/// `base` (`http://127.0.0.1:port`) at host `n` of this machine.
fn address(base: &str, n: usize, path: &str) -> String {
    let host = format!("127.1.{}.{}", n >> 8, n & 255);
    format!("{}/{path}", base.split(',').next().unwrap().replace("127.0.0.1", &host))
}

/// Asks the server how many slow answers it is giving, until it is so many or time is up. Behind the comma of `base` is its
/// plain port.
fn wait_for_open(base: &str, wanted: usize, most: Duration) -> usize {
    let began = Instant::now();
    let mut stream = TcpStream::connect(base.split(',').nth(1).unwrap()).unwrap();
    loop {
        stream.write_all(b"GET /open HTTP/1.1\r\nhost: here\r\n\r\n").unwrap();
        let mut reply = [0; 1_000];
        let count = stream.read(&mut reply).unwrap();
        let reply = String::from_utf8_lossy(&reply[..count]);
        let open = reply.rsplit('\n').next().unwrap().parse().unwrap();
        if open == wanted || began.elapsed() > most {
            return open;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Of all threads, to the nanosecond (Linux).
fn cpu_seconds() -> f64 {
    let threads = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let nanos = threads.filter_map(|thread| {
        let stat = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        stat.split(' ').next()?.parse::<f64>().ok()
    });
    nanos.sum::<f64>() / 1e9
}

/// In kilobytes.
fn rss() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

fn files() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}
