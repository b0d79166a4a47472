use std::io::Write;

use flate2::Compression;
use proptest::prelude::*;

use super::*;

const LIMITS: Limits = Limits { bytes: 4_000_000, ratio: 100, overlong: Overlong::Refuse };

fn packed(coding: &str, text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    match coding {
        "gzip" => flate2::write::GzEncoder::new(&mut out, Compression::fast()).write_all(text).unwrap(),
        "deflate" => flate2::write::ZlibEncoder::new(&mut out, Compression::fast()).write_all(text).unwrap(),
        "raw" => flate2::write::DeflateEncoder::new(&mut out, Compression::fast()).write_all(text).unwrap(),
        "br" => brotli::CompressorWriter::new(&mut out, 4096, 1, 20).write_all(text).unwrap(),
        "zstd" => out = zstd::encode_all(text, 1).unwrap(),
        other => panic!("{other}"),
    }
    out
}

fn decoded(codings: &str, wire: &[u8], piece: usize, limits: Limits) -> Result<Vec<u8>, Refusal> {
    let mut decoder = Decoder::new(codings, limits)?;
    let mut out = Room::default();
    for piece in wire.chunks(piece) {
        if decoder.push(piece, &mut out)? == Flow::Full {
            return Ok(out.filled().to_vec());
        }
    }
    decoder.finish()?;
    Ok(out.filled().to_vec())
}

/// The same in one go.
fn at_once(codings: &str, wire: &[u8], limits: Limits) -> Result<Vec<u8>, Refusal> {
    let mut out = Room::default();
    Decoder::new(codings, limits)?.whole(wire, &mut out)?;
    Ok(out.filled().to_vec())
}

/// Text that packs about five times, as pages do.
fn page(length: usize) -> Vec<u8> {
    let words = (0_u32..).map(|n| n.wrapping_mul(2_654_435_761) >> 20);
    words.flat_map(|word| format!("<p class=\"text\">{word:x}</p>\n").into_bytes()).take(length).collect()
}

const PAIRS: [(&str, &str); 6] = [
    ("gzip", "gzip"),
    ("gzip", "X-GZip"),
    ("deflate", "Deflate"),
    ("raw", "deflate"),
    ("br", "br"),
    ("zstd", "zstd"),
];

#[test]
fn every_coding_is_undone_however_its_bytes_come() {
    for (coding, header) in PAIRS {
        for text in [b"".to_vec(), b"hello".to_vec(), page(300_000)] {
            let wire = packed(coding, &text);
            for piece in [1, 7, 1_000, 40_000, usize::MAX] {
                assert!(decoded(header, &wire, piece, LIMITS).unwrap() == text, "{coding} by {piece}");
            }
            assert!(at_once(header, &wire, LIMITS).unwrap() == text, "{coding}");
        }
        assert_eq!(decoded(header, b"", 1, LIMITS).unwrap(), b"", "an empty body in {header}");
        assert_eq!(at_once(header, b"", LIMITS).unwrap(), b"", "an empty body in {header}");
    }
    assert_eq!(decoded("", b"hello", 2, LIMITS).unwrap(), b"hello");
    assert!(Decoder::new("identity,", LIMITS).unwrap().is_plain());
}

#[test]
fn stacked_codings_are_undone_last_first() {
    let text = page(200_000);
    let wire = packed("zstd", &packed("br", &packed("gzip", &text)));
    for piece in [1, 999, usize::MAX] {
        assert!(decoded("gzip, identity, br,zstd", &wire, piece, LIMITS).unwrap() == text);
    }
    let refused = decoded("gzip, gzip, gzip, gzip", b"x", 1, LIMITS);
    assert_eq!(refused, Err(Refusal::Broken("4 content codings on one body".to_owned())));
    assert!(matches!(decoded("rot13", b"x", 1, LIMITS), Err(Refusal::Broken(_))));
}

#[test]
fn rfc1952_every_part_of_a_gzip_header_and_every_member_is_read() {
    let mut wire = Vec::new();
    let full = flate2::GzBuilder::new().extra(vec![1; 300]).filename("name").comment("comment").mtime(7);
    full.write(&mut wire, Compression::fast()).write_all(b"one").unwrap();
    // The checksum of a header: flagged by hand, since no one writes it.
    let mut checked = packed("gzip", b"two");
    checked[3] |= 2;
    checked.splice(10..10, [0xAB, 0xCD]);
    wire.extend(checked);
    wire.extend(packed("gzip", b""));
    wire.extend(
        flate2::GzBuilder::new().extra(vec![]).write(Vec::new(), Compression::fast()).finish().unwrap(),
    );
    wire.extend(packed("gzip", b"three"));
    for tail in [b"".as_slice(), b"\0\0\0\0", b"\x1f", b"\x1f\x1f\x8b", b"garbage"] {
        let wire = [wire.as_slice(), tail].concat();
        for piece in [1, 3, usize::MAX] {
            assert_eq!(decoded("gzip", &wire, piece, LIMITS).unwrap(), b"onetwothree", "{tail:?}");
        }
        assert_eq!(at_once("gzip", &wire, LIMITS).unwrap(), b"onetwothree", "{tail:?}");
    }
}

#[test]
fn bodies_cut_short_damaged_or_not_coded_at_all_are_broken() {
    for (coding, header) in PAIRS {
        let wire = packed(coding, &page(1_000));
        for length in (1..wire.len()).step_by(7).chain([wire.len() - 1]) {
            let refused = decoded(header, &wire[..length], 5, LIMITS);
            assert!(matches!(&refused, Err(Refusal::Broken(_))), "{coding} {length}: {refused:?}");
        }
        for plain in ["<!doctype html><html>", "hello"] {
            assert!(decoded(header, plain.as_bytes(), 3, LIMITS).is_err(), "{header} {plain}");
        }
    }
    let mut wrong = packed("gzip", b"hello");
    let at = wrong.len() - 5;
    wrong[at] ^= 1;
    assert_eq!(decoded("gzip", &wrong, 9, LIMITS), Err(Refusal::Broken("gzip: wrong checksum".to_owned())));
}

#[test]
fn bombs_stop_at_the_limit_with_little_memory() {
    let zeros = vec![0; 50_000_000];
    for (coding, header) in [("gzip", "gzip"), ("deflate", "deflate"), ("br", "br"), ("zstd", "zstd")] {
        let bomb = packed(coding, &zeros);
        let nested = packed(coding, &bomb);
        let twice = format!("{header}, {header}");
        for (codings, wire) in [(header, &bomb), (twice.as_str(), &nested)] {
            let mut decoder = Decoder::new(codings, LIMITS).unwrap();
            let mut out = Room::default();
            let mut verdict = Ok(Flow::More);
            for piece in wire.chunks(1_000) {
                verdict = decoder.push(piece, &mut out);
                if verdict.is_err() {
                    break;
                }
            }
            let verdict = verdict.and_then(|_| decoder.finish());
            assert!(matches!(verdict, Err(Refusal::TooLarge { .. })), "{codings}: {verdict:?}");
            assert!(out.capacity() <= 12_000_000, "{codings}: {}", out.capacity());
            let mut out = Room::default();
            let verdict = Decoder::new(codings, LIMITS).unwrap().whole(wire, &mut out);
            assert!(matches!(verdict, Err(Refusal::TooLarge { .. })), "{codings}: {verdict:?}");
            assert!(out.capacity() <= 12_000_000, "{codings}: {}", out.capacity());
        }
    }
}

#[test]
fn house_the_beginning_of_an_overlong_robots_txt_will_do() {
    let limits = Limits { bytes: 1_000, ratio: 100, overlong: Overlong::Cut };
    for (coding, header) in PAIRS {
        let wire = packed(coding, &page(1_000_000));
        let begun = decoded(header, &wire, 5_000, limits).unwrap();
        assert_eq!(begun, page(1_000), "{coding}");
        // A wire that the caller cut off gives what it has.
        let mut decoder = Decoder::new(header, LIMITS).unwrap();
        let mut out = Room::default();
        decoder.push(&wire[..wire.len() / 2], &mut out).unwrap();
        assert!(out.len() > 0 && page(1_000_000).starts_with(out.filled()), "{coding}");
    }
    assert_eq!(decoded("", &page(2_000), 300, limits).unwrap(), page(1_000));
}

#[test]
fn rfc9659_a_zstd_window_above_eight_megabytes_is_refused() {
    for (log, fits) in [(23, true), (24, false)] {
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
        encoder.set_parameter(zstd::stream::raw::CParameter::WindowLog(log)).unwrap();
        encoder.write_all(&page(100_000)).unwrap();
        encoder.flush().unwrap();
        let wire = encoder.finish().unwrap();
        assert_eq!(decoded("zstd", &wire, 4_000, LIMITS).is_ok(), fits, "{log}");
    }
}

/// A gzip body that is good, or not quite, in one of many ways.
fn spoilt(members: &[Vec<u8>], how: u8, at: usize) -> Vec<u8> {
    let mut wire: Vec<u8> = members.iter().flat_map(|member| packed("gzip", member)).collect();
    let place = at % wire.len().max(1);
    let end = wire.len();
    match (how, end) {
        (_, 0) => {}
        (1, _) => wire.truncate(place),
        (2, _) => wire[place] ^= 1 << (at % 8),
        (3, _) => wire.extend_from_slice(&vec![0; at % 20]),
        // Its own trailer again, as if it were the end of another member.
        (4, _) => wire.extend_from_within(end - 8..),
        (5, _) => wire.extend_from_within(..place.max(2)),
        // Untrue about its size.
        (6, _) => wire[end - 4..].copy_from_slice(&(at as u32).to_le_bytes()),
        (7, _) => wire.extend_from_slice(b"\x1f\x8b\x09"),
        (8, _) => drop(wire.drain(end - 1 - at % 8..)),
        _ => {}
    }
    wire
}

proptest! {
    #[test]
    fn any_bytes_in_any_pieces_decode_alike_or_not_at_all(
        wire in prop::collection::vec(any::<u8>(), 0..200), coded: bool, coding in 0..4_usize, piece in 1..50_usize
    ) {
        let name = ["gzip", "deflate", "br", "zstd"][coding];
        let mut wire = if coded { packed(name, &wire) } else { wire };
        if let (true, Some(byte)) = (piece % 2 == 0, wire.get_mut(piece)) {
            *byte ^= 0x10;
        }
        let whole = decoded(name, &wire, usize::MAX, LIMITS);
        let pieces = decoded(name, &wire, piece, LIMITS);
        prop_assert_eq!(&at_once(name, &wire, LIMITS), &whole);
        match (whole, pieces) {
            (Ok(whole), Ok(pieces)) => prop_assert_eq!(whole, pieces),
            (whole, pieces) => prop_assert_eq!(whole.is_ok(), pieces.is_ok()),
        }
    }

    #[test]
    fn a_body_in_one_call_gives_the_bytes_and_the_verdict_that_it_gives_step_by_step(
        texts in prop::collection::vec((0..60_000_usize, 0..4_u8), 1..4), how in 0..12_u8, at: usize,
        most in prop::sample::select(vec![0, 1_000, 40_000, 4_000_000]), ratio in 1..30_u64, cut: bool
    ) {
        let text = |(length, kind): &(usize, u8)| match kind {
            0 => vec![7; 40 * length],
            1 => page(*length).into_iter().map(|byte| byte.wrapping_mul(167)).collect(),
            _ => page(*length),
        };
        let wire = spoilt(&texts.iter().map(text).collect::<Vec<_>>(), how, at);
        let limits = Limits { bytes: most, ratio, overlong: if cut { Overlong::Cut } else { Overlong::Refuse } };
        prop_assert!(at_once("gzip", &wire, limits) == decoded("gzip", &wire, usize::MAX, limits));
    }
}

proptest! {
    #[test]
    fn brotli_in_one_call_gives_the_bytes_and_the_verdict_that_it_gives_step_by_step(
        length in 0..200_000_usize, repeated: bool, how in 0..4_u8, at: usize,
        most in prop::sample::select(vec![0, 1_000, 40_000, 4_000_000]), ratio in 1..30_u64, cut: bool
    ) {
        let text = if repeated { vec![7; 40 * length] } else { page(length) };
        let mut wire = packed("br", &text);
        let place = at % wire.len();
        match how {
            1 => wire.truncate(place),
            2 => wire[place] ^= 1 << (at % 8),
            3 => wire.extend_from_slice(&vec![7; at % 20]),
            _ => {}
        }
        let limits = Limits { bytes: most, ratio, overlong: if cut { Overlong::Cut } else { Overlong::Refuse } };
        prop_assert!(at_once("br", &wire, limits) == decoded("br", &wire, usize::MAX, limits));
    }
}

#[test]
fn brotli_in_one_call_is_not_for_nothing_and_stays_behind_what_was_there() {
    let wire = packed("br", &page(300_000));
    let mut room = Room::default();
    room.extend(b"before");
    assert!(!once::unbrotlied(&wire, &mut room, 299_999), "too long");
    assert_eq!(room.filled(), b"before");
    assert!(once::unbrotlied(&wire, &mut room, 300_000));
    assert!(room.filled() == [b"before".as_slice(), &page(300_000)].concat());
}

#[test]
fn two_equal_members_are_two() {
    let one = packed("gzip", &page(50_000));
    assert!(
        once::promised(&one).is_some_and(|size| once::gunzipped(&one, &mut vec![0; size])),
        "this is not for nothing"
    );
    let two = [one.as_slice(), &one].concat();
    assert!(at_once("gzip", &two, LIMITS).unwrap() == [page(50_000), page(50_000)].concat());
}
