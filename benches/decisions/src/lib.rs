//! What every spike needs: CPU time, peak memory, median and spread, the data folder, a seeded random number.

pub mod engine;
#[cfg(feature = "http")]
pub mod raw;
#[cfg(feature = "html")]
pub mod scan;

use std::path::PathBuf;

/// CPU seconds (user and system, all threads) this process has used so far.
pub fn cpu_seconds() -> f64 {
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut t) };
    t.tv_sec as f64 + t.tv_nsec as f64 / 1e9
}

/// Peak resident memory of this process in MiB.
pub fn peak_rss_mib() -> f64 {
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) };
    usage.ru_maxrss as f64 / 1024.0
}

/// "median [least .. most]".
pub fn spread(values: &[f64]) -> String {
    let mut v = values.to_vec();
    v.sort_by(f64::total_cmp);
    format!("{:.1} [{:.1} .. {:.1}]", v[v.len() / 2], v[0], v[v.len() - 1])
}

/// `HELIOS_DATA`, or the shared folder beside the repository.
pub fn data() -> PathBuf {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    std::env::var_os("HELIOS_DATA").map_or_else(|| beside.into(), PathBuf::from)
}

/// SplitMix64: the same seed gives the same run.
pub struct Rng(pub u64);

impl Rng {
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.draw() % n
    }
}

pub fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
