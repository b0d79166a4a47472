//! Compression: one member or frame per record, so that a record can be read from its offset alone.

use std::io::{self, Write};

use libdeflater::{CompressionLvl, Compressor};

use crate::stored;

/// A level of zstd that looks for next to nothing: for what is packed already.
const HARDLY: i32 = -100;
/// Shorter records are stored by gzip: it would take long to get ready, and save 250 bytes of each (docs/decisions/0017-warc.md).
const SHORT: usize = 1_024;

/// How records are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    Plain,
    /// 1 (fast) to 12 (small).
    Gzip(u8),
    /// 1 (fast) to 19 (small); frames without a dictionary, as `.warc.zst` has them.
    Zstd(u8),
}

impl Packing {
    /// What files packed like this are called.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Plain => ".warc",
            Self::Gzip(_) => ".warc.gz",
            Self::Zstd(_) => ".warc.zst",
        }
    }
}

/// Compressors and the room that they write into, used again and again. Whole records at once: that is what libdeflate is fast at.
pub(crate) enum Packer {
    Plain,
    Gzip {
        compressor: Box<Compressor>,
        room: Vec<u8>,
    },
    Zstd {
        usual: Box<zstd::bulk::Compressor<'static>>,
        quick: Box<zstd::bulk::Compressor<'static>>,
        room: Vec<u8>,
    },
}

impl Packer {
    pub(crate) fn new(packing: Packing) -> io::Result<Self> {
        Ok(match packing {
            Packing::Plain => Self::Plain,
            Packing::Gzip(level) => {
                let level = CompressionLvl::new(i32::from(level))
                    .map_err(|_| wrong(format!("there is no gzip level {level}")))?;
                Self::Gzip { compressor: Box::new(Compressor::new(level)), room: Vec::new() }
            }
            Packing::Zstd(level) => {
                let of = |level| {
                    let mut compressor = zstd::bulk::Compressor::new(level)?;
                    compressor.include_checksum(true)?;
                    Ok::<_, io::Error>(Box::new(compressor))
                };
                Self::Zstd { usual: of(i32::from(level))?, quick: of(HARDLY)?, room: Vec::new() }
            }
        })
    }

    /// Writes a record, of which `head` is the beginning and `rest` what follows; its length. `is_packed`: its block is compressed already, so little
    /// can be won.
    pub(crate) fn write(
        &mut self,
        head: &mut Vec<u8>,
        rest: &[&[u8]],
        is_packed: bool,
        out: &mut impl Write,
    ) -> io::Result<u64> {
        let length = head.len() + rest.iter().map(|part| part.len()).sum::<usize>();
        if matches!(self, Self::Gzip { .. }) && (is_packed || length < SHORT) {
            let parts: Vec<&[u8]> = std::iter::once(head.as_slice()).chain(rest.iter().copied()).collect();
            return stored::store(&parts, out);
        }
        head.reserve(length - head.len());
        for part in rest {
            head.extend_from_slice(part);
        }
        let packed = self.pack(head, is_packed)?;
        out.write_all(packed)?;
        Ok(packed.len() as u64)
    }

    fn pack<'p>(&'p mut self, record: &'p [u8], is_packed: bool) -> io::Result<&'p [u8]> {
        let (room, length) = match self {
            Self::Plain => return Ok(record),
            Self::Gzip { compressor, room } => {
                grow(room, compressor.gzip_compress_bound(record.len()));
                let length = compressor
                    .gzip_compress(record, room)
                    .map_err(|error| io::Error::other(format!("gzip: {error}")))?;
                (room, length)
            }
            Self::Zstd { usual, quick, room } => {
                let with = if is_packed { quick } else { usual };
                grow(room, zstd::zstd_safe::compress_bound(record.len()));
                let length = with.compress_to_buffer(record, room.as_mut_slice())?;
                (room, length)
            }
        };
        Ok(room.get(..length).unwrap_or_default())
    }
}

/// Room for so many bytes. What is there is not cleared again for each record: that would be a pass over all of it.
fn grow(room: &mut Vec<u8>, length: usize) {
    if room.len() < length {
        room.resize(length, 0);
    }
}

fn wrong(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why)
}
