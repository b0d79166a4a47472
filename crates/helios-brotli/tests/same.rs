//! Whatever comes, it is as the crate `brotli` has it, or nothing; and what encoders write is not nothing.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test says so by failing")]

mod made;

use std::io::Write;

use brotli::enc::{BrotliEncoderParams, StandardAlloc};
use brotli::{BrotliDecompressStream, BrotliResult, BrotliState, CompressorWriter};
use helios_brotli::{Place, SPARE_BYTES, decode};
use proptest::prelude::*;

const MOST: usize = 1 << 22;

/// A place that grows by no more than it must, so that it grows often, and up to what is allowed.
struct Tight(Vec<u8>, usize);

impl Place for Tight {
    fn bytes(&mut self) -> &mut [u8] {
        &mut self.0
    }

    fn grow(&mut self, made: usize, least: usize) -> bool {
        // What is behind the body is not relied on.
        self.0.truncate(made);
        self.0.resize(least, 0xAA);
        least <= self.1 + SPARE_BYTES
    }
}

fn here(wire: &[u8]) -> Option<Vec<u8>> {
    here_up_to(wire, MOST)
}

fn here_up_to(wire: &[u8], most: usize) -> Option<Vec<u8>> {
    let mut place = Tight(Vec::new(), most);
    let length = decode(wire, &mut place)?;
    place.0.truncate(length);
    Some(place.0)
}

fn by_crate(wire: &[u8]) -> Option<Vec<u8>> {
    let alloc = StandardAlloc::default;
    let mut state = BrotliState::new_strict(alloc(), alloc(), alloc());
    let mut out = vec![0; 2 * MOST];
    let (mut left, mut taken, mut room, mut made, mut total) = (wire.len(), 0, out.len(), 0, 0);
    let result = BrotliDecompressStream(
        &mut left, &mut taken, wire, &mut room, &mut made, &mut out, &mut total, &mut state,
    );
    out.truncate(made);
    matches!(result, BrotliResult::ResultSuccess).then_some(out)
}

fn packed(text: &[u8], parameters: &BrotliEncoderParams) -> Vec<u8> {
    let mut coder = CompressorWriter::with_params(Vec::new(), 4096, parameters);
    coder.write_all(text).unwrap();
    coder.into_inner()
}

fn parameters(quality: i32, lgwin: i32) -> BrotliEncoderParams {
    BrotliEncoderParams { quality, lgwin, ..Default::default() }
}

/// Text with words of the dictionary, markup, runs, letters of two and three bytes, and noise.
fn text(seed: u32, length: usize) -> Vec<u8> {
    let words = [
        "time",
        "download",
        "Development",
        " information ",
        "<div class=\"",
        "</a></li>",
        "éàü",
        "数据中心",
        "aaaaaaaaaaaaaaaaaaaaaaaa",
        "ababababababababababababab",
        "of the ",
        "THE INTERNET",
        "\r\n\t",
        "0123456789",
        "background-color:",
        "xyzxyzxyzxyzxyzxyzxyzxyz",
    ];
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 12) as usize
    };
    let mut text = Vec::new();
    while text.len() < length {
        match next() % 20 {
            0 => text.extend((0..next() % 40).map(|at| (at * 37 + seed as usize) as u8)),
            1 if !text.is_empty() => {
                let begin = next() % text.len();
                let end = text.len().min(begin + next() % 3_000);
                text.extend_from_within(begin..end);
            }
            word => text.extend_from_slice(words[(word + next()) % words.len()].as_bytes()),
        }
    }
    text.truncate(length);
    text
}

#[test]
fn what_encoders_write_is_read_at_every_quality_and_window() {
    for quality in 0..=11 {
        for lgwin in [10, 12, 16, 17, 18, 22, 24] {
            for length in [0, 1, 2, 100, 70_000] {
                let text = text(quality as u32 * 31 + lgwin as u32, length);
                let wire = packed(&text, &parameters(quality, lgwin));
                assert!(here(&wire) == Some(text), "quality {quality}, window {lgwin}, {length} bytes");
            }
        }
    }
}

#[test]
fn rfc7932_the_parts_that_encoders_seldom_write() {
    // A window of 22 bits, an empty metadata block, "hello" as it is, metadata of one byte, the empty end; and what follows that.
    let plain = [0x6b, 0x00, 0x20, 0x00, 0x08, b'h', b'e', b'l', b'l', b'o', 0x16, 0x00, b'x', 0x03];
    for wire in [&plain[..], &[&plain[..], b"garbage"].concat()] {
        assert_eq!(by_crate(wire).as_deref(), Some(&b"hello"[..]), "the wire is good");
        assert_eq!(here(wire).as_deref(), Some(&b"hello"[..]));
    }
    for length in 0..plain.len() {
        assert_eq!(here(&plain[..length]), None, "{length} bytes of it");
    }
    assert_eq!(here(&[0x06]), Some(Vec::new()), "the empty body");
    assert_eq!(here(&[0x11, 0x06]), None, "a window above 16 MB");
    assert_eq!(here(&[0x86]), None, "padding that is not zero");
}

#[test]
fn a_body_that_may_not_be_that_long_is_none() {
    let wire = packed(&vec![b'x'; MOST + 1], &parameters(5, 22));
    assert_eq!(here(&wire), None);
    assert!(here(&packed(&vec![b'x'; MOST], &parameters(5, 22))).is_some());
}

#[test]
fn a_body_with_as_many_codes_as_encoders_make_is_read() {
    let text = text(7, 300_000);
    assert!(here(&packed(&text, &parameters(11, 16))) == Some(text));
}

#[test]
fn rfc7932_whatever_a_stream_may_say_is_read() {
    for seed in 0..200 {
        let made = made::stream(seed);
        assert!(by_crate(&made.wire).as_ref() == Some(&made.body), "seed {seed}: the wire is good");
        assert!(here(&made.wire).as_ref() == Some(&made.body), "seed {seed}");
        let exactly = here_up_to(&made.wire, made.body.len());
        assert!(exactly == Some(made.body), "seed {seed}: as long as it may be");
    }
}

#[test]
fn work_that_costs_little_wire_is_left_to_others() {
    use made::hostile::{blocks, maps};
    for (made, is_read) in [(blocks(2_114), true), (blocks(6_209), false), (maps(3), true), (maps(6), false)]
    {
        let length = made.body.len();
        assert_eq!(by_crate(&made.wire).as_ref(), Some(&made.body), "{length} bytes: the wire is good");
        assert_eq!(here(&made.wire), is_read.then_some(made.body), "{length} bytes");
    }
}

/// Streams that are joined as servers join them: bare parts, and bytes that are not packed between them.
fn joined(parts: &[(u32, usize, bool)]) -> (Vec<u8>, Vec<u8>) {
    let (mut wire, mut whole) = (vec![0x6b, 0x00], Vec::new());
    for (seed, length, is_plain) in parts {
        let text = text(*seed, *length);
        if *is_plain && !text.is_empty() {
            let [low, middle, high, _] = (((text.len() as u32 - 1) << 3) | (1 << 19)).to_le_bytes();
            wire.extend([low, middle, high]);
            wire.extend_from_slice(&text);
        } else {
            let parameters = BrotliEncoderParams {
                catable: true,
                appendable: true,
                bare_stream: true,
                byte_align: true,
                use_dictionary: false,
                ..parameters(5, 22)
            };
            wire.extend(packed(&text, &parameters));
        }
        whole.extend(text);
    }
    wire.push(0x03);
    (wire, whole)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn joined_streams_are_read(parts in prop::collection::vec((any::<u32>(), 0..20_000_usize, any::<bool>()), 0..6)) {
        let (wire, whole) = joined(&parts);
        prop_assert!(by_crate(&wire).as_ref() == Some(&whole));
        prop_assert!(here(&wire) == Some(whole));
    }

    #[test]
    fn any_bytes_are_as_the_crate_has_them_or_none(wire in prop::collection::vec(any::<u8>(), 0..300)) {
        if let Some(body) = here(&wire) {
            prop_assert!(by_crate(&wire) == Some(body));
        }
    }

    #[test]
    fn damaged_bodies_are_as_the_crate_has_them_or_none(
        seed: u32, length in 1..30_000_usize, quality in 0..12, lgwin in 10..25, cut: bool,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4)
    ) {
        let body = text(seed, length);
        let mut wire = packed(&body, &parameters(quality, lgwin));
        if damage.is_empty() && !cut {
            prop_assert!(here(&wire) == Some(body));
        }
        for (place, bits) in &damage {
            let place = place.index(wire.len());
            wire[place] ^= bits;
        }
        if cut {
            wire.truncate(seed as usize % (wire.len() + 1));
        }
        if let Some(body) = here(&wire) {
            prop_assert!(by_crate(&wire) == Some(body));
        }
    }
}
