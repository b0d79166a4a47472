//! What robots cost: MB/s read, checks/s on one core, bytes of memory.
//!
//! `cargo run --release -p helios-core --example robots_cost -- [<folder>]`
//!
//! The folder holds `files/<name>` and `questions.tsv` with lines of name, agent, path and query: `benches/robots.py` makes it.
//! Without one, only the files made here are measured: 30,000 rules without and with wildcards, and hostile ones, whose rules
//! are as costly to try as 500 KiB allow.
#![allow(clippy::print_stdout, reason = "a bench prints")]

use std::collections::HashMap;
use std::fmt::Write;
use std::hint::black_box;
use std::path::Path;

use helios_core::robots::RobotsRules;

const LIMIT: usize = 512_000;
/// Each measure takes at least this long, in CPU seconds.
const LONG: f64 = 0.5;

/// CPU seconds of this process so far (Linux), so that other work on the machine does not count.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    stat.split(' ').next().and_then(|nanos| nanos.parse().ok()).map_or(0.0, |nanos: f64| nanos / 1e9)
}

/// CPU seconds of one run, after one to warm up.
fn measure(mut run: impl FnMut()) -> f64 {
    run();
    let (begin, mut runs) = (cpu_seconds(), 0);
    loop {
        run();
        runs += 1;
        let spent = cpu_seconds() - begin;
        if spent > LONG {
            return spent / f64::from(runs);
        }
    }
}

fn check(what: &str, all: &[(&RobotsRules, &str)]) {
    let mut denied = 0;
    let seconds =
        measure(|| denied = all.iter().filter(|(rules, target)| !black_box(rules).allows(target)).count());
    let (each, share) = (seconds * 1e9 / all.len() as f64, denied as f64 / all.len() as f64);
    println!(
        "{what}: checks={} ns_per_check={each:.0} checks_per_s={:.0} denied={share:.2}",
        all.len(),
        1e9 / each
    );
}

fn parse(what: &str, files: &[&[u8]], token: &str) {
    let bytes: usize = files.iter().map(|file| file.len().min(LIMIT)).sum();
    let seconds = measure(|| {
        for file in files {
            black_box(RobotsRules::parse(file, token, LIMIT));
        }
    });
    println!("{what}: files={} bytes={bytes} mb_per_s={:.0}", files.len(), bytes as f64 / seconds / 1e6);
}

fn memory(what: &str, rules: &RobotsRules) {
    let (bytes, count) = (rules.bytes(), rules.len());
    println!("{what}: rules={count} bytes={bytes} bytes_per_rule={:.1}", bytes as f64 / count.max(1) as f64);
}

/// A file of rules made from their number.
fn made(count: usize, rule: impl Fn(usize) -> String) -> String {
    let mut text = "User-agent: *\n".to_owned();
    for number in 0..count {
        writeln!(text, "Disallow: {}", rule(number)).ok();
    }
    text
}

fn synthetic() {
    let literal = made(30_000, |n| format!("/shop/{}/item-{n}", n % 97));
    let wild = made(30_000, |n| format!("/*/{}/item-{n}?*sort=", n % 97));
    let hit = |n: usize| format!("/shop/{}/item-{n}?page=2&sort=up", n % 97);
    let miss = |n: usize| format!("/blog/2024/{n}/a-longer-name-of-a-page.html");
    let targets: Vec<String> =
        (0..20_000).map(|n| if n % 2 == 0 { hit(n * 7 % 30_000) } else { miss(n) }).collect();
    for (what, text) in [("synthetic literal", &literal), ("synthetic wild", &wild)] {
        parse(&format!("{what} parse"), &[text.as_bytes()], "helios");
        let rules = RobotsRules::parse(text.as_bytes(), "helios", usize::MAX);
        memory(&format!("{what} memory"), &rules);
        check(what, &targets.iter().map(|target| (&rules, target.as_str())).collect::<Vec<_>>());
    }
}

/// Nothing matches, and everything has to be tried to the end.
fn hostile() {
    let letter =
        |n: usize| char::from(b"cdefghijklmnopqrstuvwxyz0123456789".get(n % 34).copied().unwrap_or(b'c'));
    let stars = made(LIMIT / 22, |n| format!("/*ab*ab*{}", letter(n)));
    let long = made(LIMIT / 540, |n| format!("/*{}b{}", "a".repeat(500), letter(n)));
    let nested = made(1_000, |n| format!("/{}", "a".repeat(n)));
    let targets = [format!("/{}", "ab".repeat(1_000)), format!("/{}", "a".repeat(2_000))];
    for (what, text) in [("hostile stars", stars), ("hostile long", long), ("hostile nested", nested)] {
        let rules = RobotsRules::parse(text.as_bytes(), "helios", LIMIT);
        parse(&format!("{what} parse"), &[text.as_bytes()], "helios");
        check(what, &targets.iter().map(|target| (&rules, target.as_str())).collect::<Vec<_>>());
    }
}

fn real(folder: &Path) -> std::io::Result<()> {
    let mut files = HashMap::new();
    for file in std::fs::read_dir(folder.join("files"))? {
        let file = file?;
        files.insert(file.file_name().to_string_lossy().into_owned(), std::fs::read(file.path())?);
    }
    parse("real parse", &files.values().map(Vec::as_slice).collect::<Vec<_>>(), "helios");
    let text = std::fs::read_to_string(folder.join("questions.tsv"))?;
    let questions: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
    let mut known: HashMap<(&str, &str), RobotsRules> = HashMap::new();
    for question in &questions {
        let [name, agent, _] = question[..] else { continue };
        let file = files.get(name).map_or(&[][..], Vec::as_slice);
        known.entry((name, agent)).or_insert_with(|| RobotsRules::parse(file, agent, LIMIT));
    }
    let asked = |least: usize, most: usize| -> Vec<(&RobotsRules, &str)> {
        let all = questions.iter().filter_map(|question| {
            let [name, agent, target] = question[..] else { return None };
            Some((known.get(&(name, agent))?, target))
        });
        all.filter(|(rules, _)| (least..most).contains(&rules.len())).collect()
    };
    check("real", &asked(0, usize::MAX));
    check("real, up to 8 rules", &asked(1, 9));
    check("real, 100 to 999 rules", &asked(100, 1_000));
    check("real, 1000 rules and more", &asked(1_000, usize::MAX));
    let (rules, bytes) = known.values().fold((0, 0), |sum, one| (sum.0 + one.len(), sum.1 + one.bytes()));
    println!(
        "real memory: sets={} rules={rules} bytes_per_set={:.0}",
        known.len(),
        bytes as f64 / known.len() as f64
    );
    Ok(())
}

fn main() -> std::io::Result<()> {
    memory("trivial memory", &RobotsRules::parse(b"User-agent: *\nDisallow:\n", "helios", LIMIT));
    memory("one rule memory", &RobotsRules::parse(b"User-agent: *\nDisallow: /admin/\n", "helios", LIMIT));
    synthetic();
    hostile();
    std::env::args().nth(1).map_or(Ok(()), |folder| real(Path::new(&folder)))
}
