//! Any bytes are a Brotli body: what is made of them in one call is what the crate `brotli` makes, or nothing.
#![no_main]

use brotli::enc::StandardAlloc;
use brotli::{BrotliDecompressStream, BrotliResult, BrotliState};
use helios_brotli::{Place, SPARE_BYTES, decode};

const MOST: usize = 1 << 18;

/// Grows by no more than it must.
struct Tight(Vec<u8>);

impl Place for Tight {
    fn bytes(&mut self) -> &mut [u8] {
        &mut self.0
    }

    fn grow(&mut self, made: usize, least: usize) -> bool {
        self.0.truncate(made);
        self.0.resize(least, 0xAA);
        least <= MOST + SPARE_BYTES
    }
}

libfuzzer_sys::fuzz_target!(|wire: &[u8]| {
    let mut place = Tight(Vec::new());
    let Some(length) = decode(wire, &mut place) else { return };
    let alloc = StandardAlloc::default;
    let mut state = BrotliState::new_strict(alloc(), alloc(), alloc());
    let mut out = vec![0; MOST + 1];
    let (mut left, mut taken, mut room, mut made, mut total) = (wire.len(), 0, out.len(), 0, 0);
    let result =
        BrotliDecompressStream(&mut left, &mut taken, wire, &mut room, &mut made, &mut out, &mut total, &mut state);
    assert!(matches!(result, BrotliResult::ResultSuccess));
    assert!(out[..made] == place.0[..length]);
});
