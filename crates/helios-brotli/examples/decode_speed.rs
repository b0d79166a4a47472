//! How fast pages are decoded, beside the crate that decides: `cargo run --release --example decode_speed FOLDER`.
//! Each file of the folder is packed at some qualities; prints MB/s of what is made, the median of seven rounds in turns.
#![allow(clippy::print_stdout, reason = "an example speaks to a person")]
#![allow(clippy::disallowed_methods, reason = "a stop watch")]

use std::time::Instant;

use brotli::enc::{BrotliEncoderParams, StandardAlloc};
use brotli::{BrotliDecompressStream, BrotliState};
use helios_brotli::{Place, SPARE_BYTES, decode};

const ROUNDS: usize = 7;
const RING_BYTES: u32 = 1 << 20;

struct Whole(Vec<u8>);

impl Place for Whole {
    fn bytes(&mut self) -> &mut [u8] {
        &mut self.0
    }

    fn grow(&mut self, _made: usize, _least: usize) -> bool {
        false
    }
}

fn by_crate(wire: &[u8], out: &mut [u8]) -> usize {
    let alloc = StandardAlloc::default;
    let mut state = BrotliState::new_strict(alloc(), alloc(), alloc());
    state.set_initial_ring_buffer_size(RING_BYTES);
    let (mut left, mut taken, mut room, mut made, mut total) = (wire.len(), 0, out.len(), 0, 0);
    BrotliDecompressStream(&mut left, &mut taken, wire, &mut room, &mut made, out, &mut total, &mut state);
    made
}

fn median_speed(bytes: usize, mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds.get(seconds.len() / 2).map_or(0.0, |median| bytes as f64 / median / 1e6)
}

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or(std::io::ErrorKind::InvalidInput)?;
    let mut paths: Vec<_> =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    paths.sort();
    paths.truncate(arguments.next().and_then(|count| count.parse().ok()).unwrap_or(300));
    let pages: Vec<Vec<u8>> = paths.iter().map(std::fs::read).collect::<Result<_, _>>()?;
    let bytes: usize = pages.iter().map(Vec::len).sum();
    let mut place = Whole(vec![0; pages.iter().map(Vec::len).max().unwrap_or_default() + SPARE_BYTES]);
    for (quality, window) in [(1, 22), (5, 22), (9, 22), (11, 22)] {
        let parameters = BrotliEncoderParams { quality, lgwin: window, ..Default::default() };
        let mut wires = vec![Vec::new(); pages.len()];
        for (page, wire) in pages.iter().zip(&mut wires) {
            brotli::BrotliCompress(&mut page.as_slice(), wire, &parameters)?;
        }
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let begin = Instant::now();
            for (wire, page) in wires.iter().zip(&pages) {
                assert_eq!(by_crate(wire, &mut place.0), page.len());
            }
            theirs.push(begin.elapsed().as_secs_f64());
            let begin = Instant::now();
            for (wire, page) in wires.iter().zip(&pages) {
                assert_eq!(decode(wire, &mut place), Some(page.len()));
            }
            ours.push(begin.elapsed().as_secs_f64());
            for (wire, page) in wires.iter().zip(&pages) {
                decode(wire, &mut place);
                assert!(place.0.starts_with(page));
            }
        }
        let (ours, theirs) = (median_speed(bytes, ours), median_speed(bytes, theirs));
        let packed: usize = wires.iter().map(Vec::len).sum();
        println!(
            "quality {quality}: {bytes} bytes from {packed}: here {ours:.0} MB/s, the crate {theirs:.0} MB/s, {:.2} x",
            ours / theirs
        );
    }
    Ok(())
}
