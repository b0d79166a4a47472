//! "Seen?" on RocksDB, beside Helios' sieve: `seen <known URLs> <checks> <folder>`. The folder must not exist; it is
//! removed at the end.
//!
//! The stream is that of `crates/helios-core/examples/sieve_cost.rs`, which says how it is made. RocksDB is set up as it
//! recommends for look-ups of single keys, with a block cache of 1 GiB, and writes no log: neither does the sieve.
//! CPU is that of the whole process: compaction has threads of its own.

use std::path::Path;
use std::time::Duration;

use decisions::{cpu_seconds, peak_rss_mib};
use rocksdb::{DB, FlushOptions, Options, WriteBatch, WriteOptions};

const BATCH: u64 = 1000;
const MEASURED_TOGETHER: u64 = 100_000;

fn mix(n: u64) -> u64 {
    decisions::mix(n.wrapping_add(0x9e37_79b9_7f4a_7c15))
}

fn fingerprint(url: u64) -> [u8; 16] {
    (u128::from(mix(2 * url)) << 64 | u128::from(mix(2 * url + 1))).to_be_bytes()
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

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [_, known, checks, folder] = &args[..] else {
        println!("seen <known URLs> <checks> <folder>");
        return;
    };
    let (known, checks): (u64, u64) = (known.parse().expect("a number"), checks.parse().expect("a number"));
    assert!(!Path::new(folder).exists(), "the folder must not exist");
    let mut options = Options::default();
    options.create_if_missing(true);
    options.optimize_for_point_lookup(1024);
    let db = DB::open(&options, folder).expect("open");
    let mut no_log = WriteOptions::default();
    no_log.disable_wal(true);

    for from in (0..known).step_by(BATCH as usize) {
        let mut batch = WriteBatch::default();
        (from..known.min(from + BATCH)).for_each(|url| batch.put(fingerprint(url), b""));
        db.write_opt(batch, &no_log).expect("write");
    }
    let mut flushed = FlushOptions::default();
    flushed.set_wait(true);
    db.flush_opt(&flushed).expect("flush");
    let busy = |what: &str| db.property_int_value(what).expect("property").unwrap_or(0) > 0;
    while busy("rocksdb.compaction-pending") || busy("rocksdb.num-running-compactions") {
        std::thread::sleep(Duration::from_millis(50)); // filling is not what is measured
    }

    let (mut cpu, mut new) = (0.0, 0);
    for from in (0..checks).step_by(MEASURED_TOGETHER as usize) {
        let to = checks.min(from + MEASURED_TOGETHER);
        let stream: Vec<[u8; 16]> = (from..to).map(|check| fingerprint(asked(check, known))).collect();
        let before = cpu_seconds();
        for key in &stream {
            if db.get_pinned(key).expect("get").is_none() {
                db.put_opt(key, b"", &no_log).expect("put");
                new += 1;
            }
        }
        cpu += cpu_seconds() - before;
    }
    let disk = db.property_int_value("rocksdb.total-sst-files-size").expect("property").unwrap_or(0);
    let each = cpu * 1e9 / checks as f64;
    println!(
        "stream: checks={checks} new={new} ns_per_check={each:.0} checks_per_s={:.0} peak_rss_mb={:.0} \
         disk_bytes_per_url={:.2}",
        1e9 / each,
        peak_rss_mib() * 1.048576,
        disk as f64 / known as f64
    );
    drop(db);
    std::fs::remove_dir_all(folder).expect("the folder goes");
}
