//! Any bytes are a coded body: no panic, limits kept, and the same however they are cut into pieces.
#![no_main]

#[allow(dead_code)]
#[path = "../../crates/helios-core/src/fetch/decode/mod.rs"]
mod decode;
#[allow(dead_code)]
#[path = "../../crates/helios-core/src/fetch/rooms.rs"]
mod rooms;
/// Where the source looks for it.
mod fetch {
    pub(crate) use super::rooms;
}

use decode::{Decoder, Flow, Limits, Overlong, Refusal};
use rooms::Room;

const LIMIT: u64 = 100_000;

fn decoded(codings: &str, wire: &[u8], piece: usize, overlong: Overlong) -> Result<Vec<u8>, Refusal> {
    let mut decoder = Decoder::new(codings, Limits { bytes: LIMIT, ratio: 100, overlong })?;
    let mut out = Room::default();
    for piece in wire.chunks(piece) {
        if decoder.push(piece, &mut out)? == Flow::Full {
            return Ok(out.filled().to_vec());
        }
    }
    decoder.finish()?;
    assert!(out.len() as u64 <= LIMIT);
    Ok(out.filled().to_vec())
}

fn at_once(codings: &str, wire: &[u8]) -> Result<Vec<u8>, Refusal> {
    let mut out = Room::default();
    Decoder::new(codings, Limits { bytes: LIMIT, ratio: 100, overlong: Overlong::Refuse })?.whole(wire, &mut out)?;
    assert!(out.len() as u64 <= LIMIT);
    Ok(out.filled().to_vec())
}

libfuzzer_sys::fuzz_target!(|input: (u8, u8, &[u8])| {
    let (choice, piece, wire) = input;
    let names = ["gzip", "deflate", "br", "zstd", "gzip, br", "zstd, gzip", "deflate, deflate, deflate", "gzip, gzip"];
    let codings = names[usize::from(choice) % names.len()];
    let long = [wire, &[0; 40_000]].concat();
    for wire in [wire, &long] {
        let whole = decoded(codings, wire, usize::MAX, Overlong::Refuse);
        let pieces = decoded(codings, wire, usize::from(piece) * 100 + 1, Overlong::Refuse);
        assert_eq!(whole.is_ok(), pieces.is_ok());
        if let (Ok(whole), Ok(pieces)) = (whole, pieces) {
            assert!(whole == pieces);
        }
        let at_once = at_once(codings, wire);
        match decoded(codings, wire, usize::MAX, Overlong::Refuse) {
            Ok(whole) => assert!(at_once.is_ok_and(|body| body == whole)),
            // Symbols that deflate reserves are read by one and refused by the other.
            Err(_) => assert!(at_once.is_err() || codings == "gzip"),
        }
        if let Ok(cut) = decoded(codings, wire, usize::MAX, Overlong::Cut) {
            assert!(cut.len() as u64 <= LIMIT);
        }
    }
});
