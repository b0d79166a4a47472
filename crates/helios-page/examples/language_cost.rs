//! What telling a language costs, for texts of several lengths.
//!
//!     xz -dc shared/data/langid/samples.jsonl.xz | cargo run --release -p helios-page --example language_cost
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a measurement may stop, speak and look at the clock"
)]

use std::hint::black_box;
use std::time::Instant;

use helios_page::language::language_of;
use serde_json::Value;

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let sentences: Vec<String> = lines
        .filter(|one| one.get("kind").is_some_and(|kind| kind == "sentences"))
        .map(|one| one.get("text").unwrap().as_str().unwrap().to_owned())
        .collect();
    for joined in [1, 10, 100] {
        let texts: Vec<String> = sentences.chunks(joined).map(|some| some.join("\n")).collect();
        let bytes: usize = texts.iter().map(String::len).sum();
        // The best of several for each: others share the machine.
        let cost = |text: &String| {
            let once = || {
                let start = Instant::now();
                black_box(language_of(text));
                start.elapsed().as_secs_f64()
            };
            (0..5).map(|_| once()).fold(f64::MAX, f64::min)
        };
        let best: f64 = texts.iter().map(cost).sum();
        let (count, mean) = (texts.len() as f64, bytes as f64 / texts.len() as f64);
        println!(
            "{mean:6.0} bytes: {:6.1} µs a text, {:6.1} MB/s",
            best / count * 1e6,
            bytes as f64 / best / 1e6
        );
    }
}
