//! Any bytes are a WARC file: no panic, no block longer than it says or than the limit, offsets never go back; and what is read is the same
//! however the bytes come.
#![no_main]

use std::io::BufReader;

use helios_warc::{Limits, Reader, Record};

const LIMITS: Limits = Limits { head: 4_096, block: 65_536, file: 1 << 24 };

fn read(bytes: &[u8], room: usize) -> Vec<Record> {
    let input = BufReader::with_capacity(room, bytes);
    Reader::new(input, LIMITS).map_while(Result::ok).collect()
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let records = read(bytes, 8_192);
    for record in &records {
        assert!(record.block.len() as u64 <= record.length.min(LIMITS.block));
        assert!(record.offset <= bytes.len() as u64);
        if let Some((head, body)) = record.http() {
            assert_eq!(head.len() + body.len(), record.block.len());
        }
    }
    assert!(records.windows(2).all(|pair| pair[0].offset <= pair[1].offset));
    assert_eq!(records, read(bytes, 8), "in small pieces");
});
