//! What embedding costs, and what it gives.
//!
//! `embed_cost tokens <model>`, `embed_cost vectors <model>`, `embed_cost speed <model> [rounds]`; texts come on standard input, each as its length in
//! bytes, a line feed, its bytes. `tokens` prints a line of numbers for each; `vectors` prints rows; times are CPU times.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench prints, and stops at what it does not expect"
)]

use std::io::{BufRead, Read, stdin};
use std::path::Path;

use helios_embed::Embedder;

/// CPU seconds of this process so far (Linux), so that other work on the machine does not count.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    stat.split(' ').next().and_then(|nanos| nanos.parse().ok()).map_or(0.0, |nanos: f64| nanos / 1e9)
}

fn texts() -> Vec<String> {
    let (mut texts, mut input, mut line) = (Vec::new(), stdin().lock(), String::new());
    while input.read_line(&mut line).unwrap() > 0 {
        let mut text = vec![0; line.trim().parse().unwrap()];
        input.read_exact(&mut text).unwrap();
        texts.push(String::from_utf8(text).unwrap());
        line.clear();
    }
    texts
}

fn row<T: ToString>(values: &[T]) -> String {
    values.iter().map(T::to_string).collect::<Vec<_>>().join(" ")
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [what, model, ..] = args.as_slice() else {
        return println!("embed_cost tokens|vectors|speed <model> [rounds]");
    };
    let embedder = Embedder::open(Path::new(model)).unwrap();
    let texts = texts();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    match what.as_str() {
        "tokens" => texts.iter().for_each(|text| println!("{}", row(&embedder.tokens(text)))),
        "vectors" => {
            embedder.embed(&texts).chunks(embedder.dims()).for_each(|vector| println!("{}", row(vector)));
        }
        _ => {
            let rounds: usize = args.get(2).and_then(|text| text.parse().ok()).unwrap_or(5);
            let tokens: usize = texts.iter().map(|text| embedder.tokens(text).len()).sum();
            let (begin, mut chunks) = (cpu_seconds(), 0);
            (0..rounds).for_each(|_| chunks += embedder.embed_chunks(&texts, 256).places.len());
            let seconds = cpu_seconds() - begin;
            let each = |count: usize| (count * rounds) as f64 / seconds;
            println!(
                "pages_per_s={:.0} tokens_per_s={:.0} chunks={}",
                each(texts.len()),
                each(tokens),
                chunks / rounds
            );
        }
    }
}
