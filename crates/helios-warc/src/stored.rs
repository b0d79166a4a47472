//! gzip that holds its bytes as they are (RFC 1951 §3.2.4): for what is packed already, which is not copied together for it.

use std::io::{self, Write};

use libdeflater::Crc;

/// Deflate, no name, no time, of no particular system (RFC 1952 §2.3).
const HEADER: [u8; 10] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255];
/// A last block, which is empty.
const END: [u8; 5] = [1, 0, 0, 0xFF, 0xFF];
const TRAILER: u64 = 8;
/// What one block can hold.
const MOST: usize = u16::MAX as usize;

/// Writes the parts as one member; its length.
pub(crate) fn store(parts: &[&[u8]], out: &mut impl Write) -> io::Result<u64> {
    let (mut check, mut size) = (Crc::new(), 0);
    let mut length = HEADER.len() as u64 + END.len() as u64 + TRAILER;
    out.write_all(&HEADER)?;
    for block in parts.iter().flat_map(|part| part.chunks(MOST)) {
        check.update(block);
        size += block.len();
        let [low, high, ..] = block.len().to_le_bytes();
        let head = [0, low, high, !low, !high];
        out.write_all(&head)?;
        out.write_all(block)?;
        length += (head.len() + block.len()) as u64;
    }
    out.write_all(&END)?;
    out.write_all(&check.sum().to_le_bytes())?;
    out.write_all(&(size as u32).to_le_bytes())?; // modulo 2^32, as the format has it
    Ok(length)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn others_read_what_is_stored() -> io::Result<()> {
        let long: Vec<u8> = (0..200_000_u32).map(|number| (number % 251) as u8).collect();
        let cases: [&[&[u8]]; 5] =
            [&[], &[b""], &[b"a", b"", b"bc"], &[&long], &[b"head", &long, b"\r\n\r\n"]];
        for parts in cases {
            let mut member = Vec::new();
            assert_eq!(store(parts, &mut member)?, member.len() as u64);
            let mut read = Vec::new();
            flate2::read::GzDecoder::new(&*member).read_to_end(&mut read)?;
            assert_eq!(read, parts.concat());
        }
        Ok(())
    }
}
