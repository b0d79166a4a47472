//! `trial --seeds A..B [--jobs N] [--verbose]`: runs seeds; 0: no law was broken, 1: one was, 2: the command makes no sense.

use std::io::Write as _;
use std::ops::Range;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use helios_trial::{Tally, Verdict, describe, log_of, run};

const USAGE: &str = "usage: trial --seeds A..B [--jobs N] [--verbose] [--log] [--keep-going]";
/// Progress is said after so many seeds.
const EVERY: u64 = 1_000;

struct Wish {
    seeds: Range<u64>,
    jobs: u64,
    verbose: bool,
    /// The server's log is printed, too.
    log: bool,
    /// Other seeds are run after one failed.
    keep_going: bool,
}

fn main() -> ExitCode {
    let wish = match wish(std::env::args().skip(1)) {
        Ok(wish) => wish,
        Err(why) => {
            say(&format!("{why}\n{USAGE}"));
            return ExitCode::from(2);
        }
    };
    let failed = carry_out(&wish);
    ExitCode::from(u8::from(failed > 0))
}

fn wish(mut words: impl Iterator<Item = String>) -> Result<Wish, String> {
    let mut wish = Wish { seeds: 0..0, jobs: 2, verbose: false, log: false, keep_going: false };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--seeds" => wish.seeds = seeds(&value()?)?,
            "--jobs" => wish.jobs = value()?.parse().map_err(|error| format!("--jobs: {error}"))?,
            "--verbose" => wish.verbose = true,
            "--log" => wish.log = true,
            "--keep-going" => wish.keep_going = true,
            other => return Err(format!("{other} is not known")),
        }
    }
    if wish.seeds.is_empty() { Err("no seeds to run".to_owned()) } else { Ok(wish) }
}

/// `7` or `0..100`.
fn seeds(text: &str) -> Result<Range<u64>, String> {
    let number = |text: &str| text.parse::<u64>().map_err(|error| format!("--seeds: {error}"));
    match text.split_once("..") {
        Some((from, to)) => Ok(number(from)?..number(to)?),
        None => number(text).map(|seed| seed..seed + 1),
    }
}

/// Returns how many seeds failed.
fn carry_out(wish: &Wish) -> u64 {
    let (next, failed) = (AtomicU64::new(wish.seeds.start), AtomicU64::new(0));
    let total = Mutex::new((0_u64, Tally::default()));
    std::panic::set_hook(Box::new(|_| {})); // a panic is a verdict, and told as one
    std::thread::scope(|scope| {
        for _ in 0..wish.jobs.max(1) {
            scope.spawn(|| {
                while failed.load(Ordering::Relaxed) == 0 || wish.keep_going {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= wish.seeds.end {
                        break;
                    }
                    let verdict = run(seed);
                    failed.fetch_add(u64::from(!verdict.offences.is_empty()), Ordering::Relaxed);
                    tell(wish, &verdict, &total);
                }
            });
        }
    });
    let (seeds, tally) = *total.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let failed = failed.into_inner();
    say(&format!(
        "{}{}",
        if failed == 0 { "all laws kept: " } else { "laws broken: " },
        words(seeds, &tally)
    ));
    failed
}

fn tell(wish: &Wish, verdict: &Verdict, total: &Mutex<(u64, Tally)>) {
    let mut total = total.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let (seeds, tally) = &mut *total;
    *seeds += 1;
    tally.add(&verdict.tally);
    if !verdict.offences.is_empty() {
        say(&format!("seed {} failed", verdict.seed));
        for offence in &verdict.offences {
            say(&format!("  {offence}"));
        }
        say(&format!("  again: cargo run --release -p helios-trial -- --seeds {} --verbose", verdict.seed));
    }
    if wish.log {
        say(&log_of(verdict.seed));
    }
    if wish.verbose {
        let (seed, digest) = (verdict.seed, verdict.digest);
        say(&format!("{}seed {seed}: {:?} log {digest:016x}", scenario_of(wish, seed), verdict.tally));
    } else if seeds.is_multiple_of(EVERY) {
        say(&words(*seeds, tally));
    }
}

/// Told for a single seed.
fn scenario_of(wish: &Wish, seed: u64) -> String {
    if wish.seeds.end - wish.seeds.start == 1 { describe(seed) + "\n" } else { String::new() }
}

fn words(seeds: u64, tally: &Tally) -> String {
    let Tally { steps, requests, pages, crashes, complete, .. } = tally;
    format!(
        "{seeds} seeds, {steps} events, {requests} requests, {pages} pages, {crashes} crashes, {complete} complete"
    )
}

/// A reader that has left is no error of ours.
fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    _ = writeln!(out, "{text}").and_then(|()| out.flush());
}
