//! Any bytes are a WARC file: no panic, no block longer than it says or than the limit, offsets never go back; and what is read is the same
//! however the bytes come. Where a member is damaged, less of it may come before the damage.
#![no_main]

use std::io::BufReader;

use helios_warc::{Limits, Reader, Record};

const LIMITS: Limits = Limits { head: 4_096, block: 65_536, file: 1 << 24 };

/// The records, and whether they are all.
fn read(bytes: &[u8], room: usize) -> (Vec<Record>, bool) {
    let input = BufReader::with_capacity(room, bytes);
    let (mut records, mut is_whole) = (Vec::new(), true);
    for record in Reader::new(input, LIMITS) {
        is_whole &= record.is_ok();
        records.extend(record.ok());
    }
    (records, is_whole)
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let (records, is_whole) = read(bytes, 8_192);
    for record in &records {
        assert!(record.block.len() as u64 <= record.length.min(LIMITS.block));
        assert!(record.offset <= bytes.len() as u64);
        if let Some((head, body)) = record.http() {
            assert_eq!(head.len() + body.len(), record.block.len());
        }
    }
    assert!(records.windows(2).all(|pair| pair[0].offset <= pair[1].offset));
    let (in_pieces, is_whole_in_pieces) = read(bytes, 8);
    assert_eq!(is_whole, is_whole_in_pieces);
    assert!(records.iter().zip(&in_pieces).all(|(one, other)| one == other));
    assert!(!is_whole || records.len() == in_pieces.len());
});
