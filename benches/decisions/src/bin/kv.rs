//! The frontier's access pattern on three key-value engines: durable settles of about 1000 URLs, look-ups, scans of a site,
//! size on disk, memory, reopening, and what is left after `kill -9`.
//!
//! `kv run <engine> <urls> <folder>` measures one engine in a process of its own; `kv crash <engine> <kills> <folder>` kills a
//! writer at random moments and checks every batch. The folder must not exist; it is removed at the end.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use decisions::engine::{self, Batch, Engine};
use decisions::{Rng, cpu_seconds, mix, peak_rss_mib};

const PER_BATCH: u64 = 1000;
const URLS_PER_SITE: u64 = 100;
const SITES_PER_BATCH: u64 = 50;
const LOOKUPS: u64 = 200_000;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["run", name, urls, folder] => run(name, urls.parse().expect("a number"), Path::new(folder)),
        ["crash", name, kills, folder] => crash(name, kills.parse().expect("a number"), Path::new(folder)),
        ["write-until-killed", name, folder] => write_until_killed(name, Path::new(folder)),
        _ => println!("kv run|crash <{}> <urls|kills> <folder>", engine::NAMES.join("|")),
    }
}

fn key(kind: u8, site: u64, rest: &[&[u8]]) -> Vec<u8> {
    let mut key = vec![kind];
    key.extend(mix(site).to_be_bytes());
    rest.iter().for_each(|part| key.extend(*part));
    key
}

fn url_key(site: u64, url: u64) -> Vec<u8> {
    key(b'u', site, &[&mix(url).to_be_bytes(), &mix(url ^ 1 << 60).to_be_bytes()])
}

fn noise(seed: u64, len: usize) -> Vec<u8> {
    let mut rng = Rng(seed);
    std::iter::repeat_with(|| rng.draw().to_le_bytes()).flatten().take(len).collect()
}

/// 256 pending URLs as text, about 8 KB.
fn chunk(rng: &mut Rng) -> Vec<u8> {
    (0..256)
        .flat_map(|_| format!("/articles/2026/11/{:012x}.html\n", rng.draw() >> 16).into_bytes())
        .collect()
}

/// Settle number `n` of a crawl over `sites` sites: 800 new URLs, 200 URLs fetched again, 4 chunks in, 4 out, 50 sites.
fn settle(n: u64, sites: u64) -> Batch {
    let mut rng = Rng(n);
    let mut batch = Batch::default();
    let near: Vec<u64> = (0..SITES_PER_BATCH).map(|_| rng.below(sites)).collect();
    for i in 0..PER_BATCH {
        let id = if i % 5 == 4 { rng.below((n + 1) * PER_BATCH) } else { n * PER_BATCH + i };
        batch.puts.push((url_key(site_of(id, sites), id), noise(id ^ n << 40, 40)));
    }
    for i in 0..4 {
        let at = |n: u64| key(b'q', mix(n * 4 + i) % sites, &[&[1 + (i % 3) as u8], &n.to_be_bytes()]);
        batch.puts.push((at(n), chunk(&mut rng)));
        if let Some(old) = n.checked_sub(200) {
            batch.deletes.push(at(old));
        }
    }
    batch.puts.extend(near.iter().map(|&site| (key(b's', site, &[]), noise(site ^ n, 120))));
    batch
}

/// The URLs of one settle belong to 50 sites, as links of a few pages do.
fn site_of(id: u64, sites: u64) -> u64 {
    mix(id / PER_BATCH * SITES_PER_BATCH + id % SITES_PER_BATCH) % sites
}

fn run(name: &str, urls: u64, folder: &Path) {
    assert!(!folder.exists(), "the folder must not exist");
    let (sites, batches) = (urls / URLS_PER_SITE, urls / PER_BATCH);
    let db = engine::open(name, folder);
    let (mut latency, mut making) = (Vec::new(), 0.0);
    let (cpu, wall) = (cpu_seconds(), Instant::now());
    for n in 0..batches {
        let before = cpu_seconds();
        let batch = settle(n, sites);
        making += cpu_seconds() - before;
        let start = Instant::now();
        db.commit(batch);
        latency.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let (cpu, wall) = (cpu_seconds() - cpu - making, wall.elapsed().as_secs_f64());
    latency.sort_by(f64::total_cmp);
    let at = |share: f64| latency[((latency.len() - 1) as f64 * share) as usize];
    print!("{name:8} {urls:8} urls | write: cpu {:.2} us/url, wall {wall:.1} s, ", cpu * 1e6 / urls as f64);
    print!("settle ms p50 {:.1} p99 {:.1} max {:.0}, ", at(0.5), at(0.99), at(1.0));
    println!("written {:.0} MB", bytes_written() / 1e6);

    let mut rng = Rng(7);
    let there = timed(LOOKUPS, |_| {
        let id = rng.below(urls) / 5 * 5; // never one of the URLs fetched again, so surely written
        assert!(db.get(&url_key(site_of(id, sites), id)).is_some());
    });
    let absent = timed(LOOKUPS, |n| assert!(db.get(&url_key(rng.below(sites), urls * 9 + n)).is_none()));
    let mut rows = 0;
    let scans = timed(2000, |_| db.scan(&key(b'u', rng.below(sites), &[]), &mut |_, _| rows += 1));
    print!("         reads, cpu us: present {there:.2}, absent {absent:.2}, ");
    println!("site scan {scans:.1} ({} rows)", rows / 2000);
    let peak = peak_rss_mib();
    drop(db);

    let start = Instant::now();
    let db = engine::open(name, folder);
    let reopened = start.elapsed().as_secs_f64() * 1e3;
    let mut sites_seen = 0;
    db.scan(b"s", &mut |_, _| sites_seen += 1);
    print!(
        "         disk {:.0} MB, peak {peak:.0} MiB, reopen {reopened:.0} ms",
        size_of(folder) as f64 / 1e6
    );
    println!(", all {sites_seen} sites after {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
    drop(db);
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// CPU microseconds per turn.
fn timed(turns: u64, mut action: impl FnMut(u64)) -> f64 {
    let before = cpu_seconds();
    (0..turns).for_each(&mut action);
    (cpu_seconds() - before) * 1e6 / turns as f64
}

fn bytes_written() -> f64 {
    let io = std::fs::read_to_string("/proc/self/io").unwrap_or_default();
    let line = io.lines().find_map(|line| line.strip_prefix("write_bytes: "));
    line.and_then(|n| n.parse().ok()).unwrap_or(f64::NAN)
}

/// Bytes the files of a folder take on disk.
fn size_of(folder: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt;
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let size = |entry: std::fs::DirEntry| match entry.file_type().expect("a type").is_dir() {
        true => size_of(&entry.path()),
        false => entry.metadata().expect("metadata").blocks() * 512,
    };
    entries.map(size).sum()
}

/// Batch `n` puts its own 200 rows and deletes those of batch `n - 50`: the last batch tells what must be there.
const ROWS: u64 = 200;
const ALIVE: u64 = 50;

fn crash_row(n: u64, i: u64) -> Vec<u8> {
    [&b"u"[..], &n.to_be_bytes(), &i.to_be_bytes()].concat()
}

fn last_batch(db: &dyn Engine) -> u64 {
    db.get(b"s").map_or(0, |value| u64::from_be_bytes(value.try_into().expect("8 bytes")))
}

fn write_until_killed(name: &str, folder: &Path) {
    let db = engine::open(name, folder);
    let mut n = last_batch(db.as_ref());
    loop {
        n += 1;
        let mut batch = Batch::default();
        batch.puts.extend((0..ROWS).map(|i| (crash_row(n, i), noise(n ^ i, if i == 0 { 8000 } else { 40 }))));
        batch.puts.push((b"s".to_vec(), n.to_be_bytes().to_vec()));
        if n > ALIVE {
            batch.deletes.extend((0..ROWS).map(|i| crash_row(n - ALIVE, i)));
        }
        db.commit(batch);
        println!("{n}");
        std::io::stdout().flush().expect("the parent reads");
    }
}

fn crash(name: &str, kills: u64, folder: &Path) {
    assert!(!folder.exists(), "the folder must not exist");
    let mut rng = Rng(u64::from(std::process::id()));
    let (mut acked, mut unacked, mut slowest) = (0, 0, 0.0_f64);
    for round in 0..kills {
        let mut child = Command::new(std::env::current_exe().expect("own path"));
        child.args(["write-until-killed", name]).arg(folder).stdout(Stdio::piped());
        let mut child = child.spawn().expect("a writer");
        let mut acks = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let mut newest = acks.next().expect("a first ack").expect("a line");
        std::thread::sleep(Duration::from_micros(rng.below(600_000)));
        child.kill().expect("SIGKILL");
        child.wait().expect("it is gone");
        newest = acks.map_while(Result::ok).filter(|line| !line.is_empty()).last().unwrap_or(newest);
        acked = newest.parse().expect("a number");

        let start = Instant::now();
        let db = engine::open(name, folder);
        slowest = slowest.max(start.elapsed().as_secs_f64() * 1e3);
        let last = last_batch(db.as_ref());
        assert!(last == acked || last == acked + 1, "round {round}: acked {acked}, found {last}");
        unacked += last - acked;
        let mut expected =
            (last.saturating_sub(ALIVE - 1).max(1)..=last).flat_map(|n| (0..ROWS).map(move |i| (n, i)));
        db.scan(b"u", &mut |key, value| {
            let (n, i) = expected.next().expect("no row too many");
            assert_eq!(key, crash_row(n, i), "round {round}: a torn batch");
            assert_eq!(value, noise(n ^ i, if i == 0 { 8000 } else { 40 }));
        });
        assert!(expected.next().is_none(), "round {round}: rows are missing");
    }
    println!(
        "{name:8} {kills} kills, {acked} batches: all acked batches whole, none torn; {unacked} whole but not yet acked; slowest reopen {slowest:.0} ms"
    );
    std::fs::remove_dir_all(folder).expect("cleaned up");
}
