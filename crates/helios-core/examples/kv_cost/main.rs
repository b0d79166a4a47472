//! What the local key-value database costs: `kv_cost <new folder> [million URLs] [million sites]`, 10 and 1 unless told.
//!
//! A child process fills the folder as a crawl would (chunks of 32 URLs put once; site records again and again), churns
//! (chunks read, deleted, and new ones put), reads, and is then killed in the middle of writing, three times; this process
//! opens the folder after each kill. A second thread of the child makes writes durable, one sync after the other.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a program for people who measure")]
#![allow(clippy::disallowed_methods, reason = "it measures time and has threads of its own")]

mod rows;
mod usage;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use helios_core::kv::{Batch, Kv, LocalKv, LocalSettings};

use self::rows::{chunk_key, next, site_key};
use self::usage::{Usage, memory};

/// Chunks and site records of one batch.
type Load = (u64, u64);

const CHUNKS: Load = (20, 0);
const SITES: Load = (0, 320);
const BOTH: Load = (10, 32);

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().expect("a new folder"));
    let mut millions = |usual: f64| arguments.next().map_or(usual, |text| text.parse().unwrap());
    let chunks = (millions(10.0) * 1e6 / 32.0) as u64;
    let sites = (millions(1.0) * 1e6) as u64;
    match arguments.next().as_deref() {
        Some("measure") => Child::open(&folder, chunks, sites).measure(),
        Some("write") => Child::open(&folder, chunks, sites).write_on(),
        _ => parent(&folder, chunks, sites),
    }
}

/// Starts the child, kills it a while after it said that it is done, and opens what it left.
fn parent(folder: &Path, chunks: u64, sites: u64) {
    for (work, seconds) in [("measure", 1.0), ("write", 2.5), ("write", 4.0), ("write", 5.5)] {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .arg(folder)
            .args([(chunks * 32) as f64 / 1e6, sites as f64 / 1e6].map(|millions| millions.to_string()))
            .arg(work)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        lines.map(Result::unwrap).take_while(|line| line != "done").for_each(|line| println!("{line}"));
        std::thread::sleep(Duration::from_secs_f64(seconds));
        child.kill().unwrap();
        child.wait().unwrap();
        let start = Instant::now();
        let kv = LocalKv::open(folder, &LocalSettings::default()).unwrap();
        let opened = start.elapsed();
        let first = kv.scan(b"s", b"t", 1).unwrap().len();
        println!(
            "killed after {seconds} s of writing: opened again in {opened:.2?} ({first} site read), {}",
            memory()
        );
    }
}

struct Child {
    kv: LocalKv,
    chunks: u64,
    sites: u64,
    random: u64,
    waits: Vec<Duration>,
}

impl Child {
    fn open(folder: &Path, chunks: u64, sites: u64) -> Self {
        let kv = LocalKv::open(folder, &LocalSettings::default()).unwrap();
        Self { kv, chunks, sites, random: 1, waits: Vec::new() }
    }

    fn measure(mut self) {
        let queued = self.chunks / CHUNKS.0;
        self.timed("chunks put", CHUNKS, queued, |child, batch| {
            child.put(CHUNKS, batch, batch, None);
        });
        self.timed("sites put", SITES, self.sites / SITES.1, |child, batch| {
            child.put(SITES, batch, batch, None);
        });
        self.timed("both, and as many chunks read and deleted", BOTH, queued, |child, batch| {
            let sites = child.below(child.sites);
            child.put(BOTH, queued + batch, sites, Some(batch));
        });
        self.read();
        self.write_on();
    }

    /// Writes until it is killed.
    fn write_on(mut self) {
        println!("done");
        let start = self.below(1 << 40);
        self.timed("never said", BOTH, u64::MAX >> 20, |child, batch| {
            let sites = child.below(child.sites);
            child.put(BOTH, start + batch, sites, None);
        });
    }

    /// Calls so many times, with durability behind it, and says what it cost.
    fn timed(&mut self, what: &str, load: Load, times: u64, mut call: impl FnMut(&mut Writer<'_>, u64)) {
        let before = Usage::now();
        let start = Instant::now();
        let Self { kv, sites, random, waits, .. } = self;
        let (newest, stop) = (&AtomicU64::new(0), &AtomicBool::new(false));
        let mut writer = Writer { kv, sites: *sites, newest, random, waits };
        let syncs = std::thread::scope(|scope| {
            let syncing = scope.spawn(|| sync_until(kv, newest, stop));
            (0..times).for_each(|number| call(&mut writer, number));
            stop.store(true, Ordering::Relaxed);
            syncing.join().unwrap()
        });
        let (wall, after) = (start.elapsed(), Usage::now());
        let rows = (times * (load.0 + load.1)) as f64;
        let waited = self.waits.iter().sum::<Duration>().as_secs_f64() * 1e6 / rows;
        let cpu = (after.cpu_s - before.cpu_s) * 1e6 / rows;
        println!(
            "{what}: {times} batches of {} chunks and {} sites in {wall:.1?}; a row took {waited:.1} µs in write, and \
             {cpu:.1} µs of CPU in all threads (making it included); {} MB written, {syncs} syncs, {}",
            load.0,
            load.1,
            (after.disk - before.disk) >> 20,
            memory()
        );
        self.say_waits(what);
    }

    fn say_waits(&mut self, what: &str) {
        self.waits.sort();
        let at = |part: f64| {
            self.waits.get((self.waits.len() as f64 * part) as usize).copied().unwrap_or_default()
        };
        let longest: Vec<_> = self.waits.iter().rev().take(5).collect();
        println!(
            "{what}: a write took {:.2?} (half), {:.2?} (99 %), longest {longest:.2?}",
            at(0.5),
            at(0.99)
        );
        self.waits.clear();
    }

    fn read(&mut self) {
        let times = 200_000;
        let usual = self.per_call(times, |child| {
            let site = child.below(child.sites);
            assert!(child.kv.get(&site_key(site)).unwrap().is_some());
        });
        let absent = self.per_call(times, |child| {
            let site = child.below(child.sites) + child.sites * 1_000;
            assert!(child.kv.get(&site_key(site)).unwrap().is_none());
        });
        println!("get of a site: {usual:.1} µs, absent {absent:.1} µs");
        let scan = self.per_call(10_000, |child| {
            let from = site_key(child.below(child.sites));
            child.kv.scan(&from, b"t", 100).unwrap();
        });
        let start = Instant::now();
        let all = self.kv.scan(b"s", b"t", usize::MAX).unwrap().len();
        println!("scan of 100 sites: {scan:.1} µs; of all {all}: {:.2?}", start.elapsed());
    }

    fn per_call(&mut self, times: u32, mut call: impl FnMut(&mut Self)) -> f64 {
        let start = Instant::now();
        (0..times).for_each(|_| call(self));
        start.elapsed().as_secs_f64() * 1e6 / f64::from(times)
    }

    fn below(&mut self, limit: u64) -> u64 {
        next(&mut self.random) % limit.max(1)
    }
}

/// Makes the newest write durable, again and again; says how often.
fn sync_until(kv: &LocalKv, newest: &AtomicU64, stop: &AtomicBool) -> u64 {
    let (mut syncs, mut last) = (0, 0);
    while !stop.load(Ordering::Relaxed) {
        let ticket = newest.load(Ordering::Acquire);
        if ticket == last {
            std::thread::sleep(Duration::from_micros(200));
            continue;
        }
        kv.durable(ticket).unwrap();
        (syncs, last) = (syncs + 1, ticket);
    }
    syncs
}

/// The writer's part of a [`Child`], while another thread syncs.
struct Writer<'a> {
    kv: &'a LocalKv,
    sites: u64,
    /// The newest ticket, for the thread that syncs.
    newest: &'a AtomicU64,
    random: &'a mut u64,
    waits: &'a mut Vec<Duration>,
}

impl Writer<'_> {
    fn below(&mut self, limit: u64) -> u64 {
        next(self.random) % limit.max(1)
    }

    /// One batch: chunks and site records; `consumed`: the batch whose chunks are read and deleted.
    fn put(&mut self, load: Load, chunks: u64, sites: u64, consumed: Option<u64>) {
        let mut batch = Batch::new();
        for chunk in 0..load.0 {
            batch.put(chunk_key(chunks, chunk), self.chunk());
            if let Some(old) = consumed {
                assert!(self.kv.get(&chunk_key(old, chunk)).unwrap().is_some());
                batch.delete(chunk_key(old, chunk));
            }
        }
        for site in 0..load.1 {
            batch.put(site_key((sites * load.1 + site) % self.sites), self.text(150));
        }
        let start = Instant::now();
        let ticket = self.kv.write(batch).unwrap();
        self.waits.push(start.elapsed());
        self.newest.store(ticket, Ordering::Release);
    }

    /// 32 URLs of one site: the same beginning, words, and a number that does not compress.
    fn chunk(&mut self) -> Vec<u8> {
        let host = self.below(1_000_000);
        let urls = (0..32).map(|_| {
            let (path, page) = (self.below(500), next(self.random));
            format!("https://www.site-{host}.example/articles/section-{path}/page-{page:016x}.html\n")
        });
        urls.collect::<String>().into_bytes()
    }

    fn text(&mut self, bytes: usize) -> Vec<u8> {
        (0..bytes).map(|at| if at % 3 == 0 { b'a' } else { next(self.random) as u8 }).collect()
    }
}
