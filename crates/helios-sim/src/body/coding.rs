//! Content-coded bodies joined from pieces: static segments compressed once, fresh bytes stored as they are.
//!
//! In: segments and fresh text in order. Out: one valid gzip, brotli or zstd stream in shared pieces.
//! * gzip: each segment is a raw deflate stream ended by a full flush; fresh bytes are stored blocks; the checksum is combined.
//! * brotli: each segment is a catable bare stream; fresh bytes are uncompressed meta-blocks (RFC 7932, 9.2).
//! * zstd: each segment and each fresh run is a frame; frames may follow each other (RFC 8878, 3.1).

use std::io::Write;
use std::ops::Range;
use std::sync::OnceLock;

use bytes::Bytes;

use crate::reply::Encodings;

/// How a host codes its bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    Identity,
    Gzip,
    Brotli,
    Zstd,
}

impl Coding {
    /// The host's coding if the client takes it, else none.
    pub(crate) const fn accepted(self, accept: Encodings) -> Self {
        match self {
            Self::Gzip if accept.gzip => Self::Gzip,
            Self::Brotli if accept.brotli => Self::Brotli,
            Self::Zstd if accept.zstd => Self::Zstd,
            Self::Identity | Self::Gzip | Self::Brotli | Self::Zstd => Self::Identity,
        }
    }

    /// Value of `content-encoding`.
    pub(crate) const fn token(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            Self::Gzip => Some("gzip"),
            Self::Brotli => Some("br"),
            Self::Zstd => Some("zstd"),
        }
    }
}

/// Bytes that never change, in every coding.
/// A coding is made when it is first asked for, once.
#[derive(Debug)]
pub(crate) struct Segment {
    raw: Bytes,
    deflate: OnceLock<Bytes>,
    brotli: OnceLock<Bytes>,
    zstd: OnceLock<Bytes>,
    crc: u32,
    /// x^(8 len) modulo the CRC polynomial: moves the checksum of what came before past this segment.
    shift: u32,
}

impl Segment {
    pub(crate) fn new(raw: Vec<u8>) -> Self {
        Self {
            deflate: OnceLock::new(),
            brotli: OnceLock::new(),
            zstd: OnceLock::new(),
            crc: crc32fast::hash(&raw),
            shift: crc_shift(raw.len() as u64),
            raw: raw.into(),
        }
    }

    pub(crate) const fn len(&self) -> usize {
        self.raw.len()
    }

    fn deflate(&self) -> Bytes {
        self.deflate.get_or_init(|| deflate(&self.raw)).clone()
    }

    fn brotli(&self) -> Bytes {
        self.brotli.get_or_init(|| brotli_bare(&self.raw)).clone()
    }

    fn zstd(&self) -> Bytes {
        self.zstd.get_or_init(|| zstd::bulk::compress(&self.raw, 3).unwrap_or_default().into()).clone()
    }
}

#[derive(Debug)]
enum Part<'w> {
    Fixed(&'w Segment),
    /// Coded bytes that are shared with other bodies.
    Shared(Bytes),
    Fresh(Range<usize>),
}

/// Room before each fresh run, where the head of its block is written: no fresh byte is ever copied.
const GAP: usize = 16;
/// Longest fresh run: what one stored block of deflate can carry.
const LONGEST_RUN: usize = 0xffff;

/// A body in the making: fresh bytes go to the buffer, segments are cut in between.
#[derive(Debug)]
pub(crate) struct Draft<'w> {
    pub(crate) fresh: Vec<u8>,
    parts: Vec<Part<'w>>,
    cut: usize,
}

impl<'w> Draft<'w> {
    pub(crate) fn new(capacity: usize) -> Self {
        let mut fresh = Vec::with_capacity(capacity + 8 * GAP);
        fresh.extend_from_slice(&[0; GAP]);
        Self { fresh, parts: Vec::with_capacity(24), cut: GAP }
    }

    /// A body of fresh bytes alone.
    pub(crate) fn whole(bytes: &[u8]) -> Self {
        let mut draft = Self::new(bytes.len());
        draft.fresh.extend_from_slice(bytes);
        draft
    }

    /// Puts a segment after all that was written so far.
    pub(crate) fn place(&mut self, segment: &'w Segment) {
        self.close();
        self.parts.push(Part::Fixed(segment));
    }

    fn close(&mut self) {
        if self.cut < self.fresh.len() {
            self.parts.push(Part::Fresh(self.cut..self.fresh.len()));
            self.fresh.extend_from_slice(&[0; GAP]);
            self.cut = self.fresh.len();
        }
    }

    /// Rewrites all fresh bytes (another charset); segments are ASCII and stay.
    pub(crate) fn recode(mut self, change: impl Fn(&[u8]) -> Vec<u8>) -> Self {
        self.close();
        let mut next = Self::new(self.fresh.len());
        for part in self.parts {
            match part {
                Part::Fresh(range) => next.fresh.extend(change(self.fresh.get(range).unwrap_or_default())),
                part @ (Part::Fixed(_) | Part::Shared(_)) => {
                    next.close();
                    next.parts.push(part);
                }
            }
        }
        next
    }

    /// Runs that are too long for one block become several.
    fn shorten(self) -> Self {
        let long = |part: &Part<'_>| matches!(part, Part::Fresh(range) if range.len() > LONGEST_RUN);
        if !self.parts.iter().any(long) {
            return self;
        }
        let mut next = Self::new(self.fresh.len());
        for part in self.parts {
            match part {
                Part::Fresh(range) => {
                    for run in self.fresh.get(range).unwrap_or_default().chunks(LONGEST_RUN) {
                        next.fresh.extend_from_slice(run);
                        next.close();
                    }
                }
                part @ (Part::Fixed(_) | Part::Shared(_)) => next.parts.push(part),
            }
        }
        next
    }

    /// The body in a coding.
    pub(crate) fn finish(mut self, coding: Coding) -> Vec<Bytes> {
        self.close();
        match coding {
            Coding::Identity => self.pieces(&[]),
            Coding::Gzip => self.shorten().gzip(),
            Coding::Brotli => self.shorten().brotli(),
            Coding::Zstd => self.shorten().zstd(),
        }
    }

    /// Everything in order, after the head of the stream.
    fn pieces(self, head: &'static [u8]) -> Vec<Bytes> {
        let fresh = Bytes::from(self.fresh);
        let mut pieces = Vec::with_capacity(self.parts.len() + 1);
        if !head.is_empty() {
            pieces.push(Bytes::from_static(head));
        }
        pieces.extend(self.parts.into_iter().map(|part| match part {
            Part::Fixed(segment) => segment.raw.clone(),
            Part::Shared(bytes) => bytes,
            Part::Fresh(range) => fresh.slice(range),
        }));
        pieces
    }

    /// Writes the head of a block into the gap before a run, and the run begins there.
    fn stamp(fresh: &mut [u8], range: &mut Range<usize>, head: &[u8]) {
        let begin = range.start - head.len();
        if let Some(gap) = fresh.get_mut(begin..range.start) {
            gap.copy_from_slice(head);
        }
        range.start = begin;
    }

    fn end(&mut self, tail: &[&[u8]]) {
        let begin = self.fresh.len();
        for part in tail {
            self.fresh.extend_from_slice(part);
        }
        self.parts.push(Part::Fresh(begin..self.fresh.len()));
    }

    fn gzip(mut self) -> Vec<Bytes> {
        let (mut crc, mut size) = (0, 0);
        for part in &mut self.parts {
            match part {
                Part::Fixed(segment) => {
                    crc = multiply(segment.shift, crc) ^ segment.crc;
                    size += segment.len();
                    *part = Part::Shared(segment.deflate());
                }
                Part::Fresh(range) => {
                    let mut hasher = crc32fast::Hasher::new_with_initial(crc);
                    hasher.update(self.fresh.get(range.clone()).unwrap_or_default());
                    crc = hasher.finalize();
                    size += range.len();
                    let [low, high] = (range.len() as u16).to_le_bytes();
                    Self::stamp(&mut self.fresh, range, &[0, low, high, !low, !high]);
                }
                Part::Shared(_) => {}
            }
        }
        self.end(&[&[1, 0, 0, 0xff, 0xff], &crc.to_le_bytes()[..], &(size as u32).to_le_bytes()[..]]);
        self.pieces(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
    }

    fn brotli(mut self) -> Vec<Bytes> {
        for part in &mut self.parts {
            match part {
                Part::Fixed(segment) => *part = Part::Shared(segment.brotli()),
                Part::Fresh(range) => {
                    // Not the last, 4 nibbles of length, uncompressed, padded to the byte.
                    let [low, middle, high, _] = (((range.len() as u32 - 1) << 3) | (1 << 19)).to_le_bytes();
                    Self::stamp(&mut self.fresh, range, &[low, middle, high]);
                }
                Part::Shared(_) => {}
            }
        }
        self.end(&[&[0x03]]);
        // Window of 22 bits, then an empty metadata block that pads to the byte.
        self.pieces(&[0x6b, 0x00])
    }

    fn zstd(mut self) -> Vec<Bytes> {
        for part in &mut self.parts {
            match part {
                Part::Fixed(segment) => *part = Part::Shared(segment.zstd()),
                Part::Fresh(range) => {
                    // A frame of a single segment, content size in four bytes, no checksum; one last raw block.
                    let size = range.len() as u32;
                    let [low, middle, high, _] = ((size << 3) | 1).to_le_bytes();
                    Self::stamp(&mut self.fresh, range, &[low, middle, high]);
                    Self::stamp(&mut self.fresh, range, &size.to_le_bytes());
                    Self::stamp(&mut self.fresh, range, &[0x28, 0xb5, 0x2f, 0xfd, 0xa0]);
                }
                Part::Shared(_) => {}
            }
        }
        self.pieces(&[])
    }
}

/// A deflate stream without an end, byte-aligned: others can follow.
fn deflate(raw: &[u8]) -> Bytes {
    let mut coder = flate2::Compress::new(flate2::Compression::new(6), false);
    let mut out = Vec::with_capacity(raw.len() + raw.len() / 64 + 64);
    let flushed = coder.compress_vec(raw, &mut out, flate2::FlushCompress::Full);
    assert!(flushed.is_ok() && coder.total_in() == raw.len() as u64, "deflate of a segment needs more room");
    out.into()
}

/// Brotli meta-blocks without stream header and end that do not look back past their own begin.
fn brotli_bare(raw: &[u8]) -> Bytes {
    let params = brotli::enc::BrotliEncoderParams {
        quality: 5,
        lgwin: 22,
        catable: true,
        appendable: true,
        bare_stream: true,
        byte_align: true,
        use_dictionary: false,
        ..Default::default()
    };
    let mut coder = brotli::CompressorWriter::with_params(Vec::new(), 4096, &params);
    let written = coder.write_all(raw);
    assert!(written.is_ok(), "writing to memory fails only without memory");
    coder.into_inner().into()
}

const POLYNOMIAL: u32 = 0xedb8_8320;

/// a(x) b(x) modulo the CRC polynomial, bit-reversed, as zlib's `crc32_combine_op`.
const fn multiply(a: u32, mut b: u32) -> u32 {
    let mut product = 0;
    let mut bit = 31;
    loop {
        // Branch-free: this runs 32 times per segment.
        product ^= b & (((a >> bit) & 1).wrapping_neg());
        if bit == 0 {
            return product;
        }
        bit -= 1;
        b = (b >> 1) ^ (POLYNOMIAL & (b & 1).wrapping_neg());
    }
}

/// x^(8 length) modulo the CRC polynomial.
fn crc_shift(mut length: u64) -> u32 {
    let mut power = 1 << 23; // x^8
    let mut product = 1 << 31; // x^0
    while length > 0 {
        if length & 1 == 1 {
            product = multiply(power, product);
        }
        power = multiply(power, power);
        length >>= 1;
    }
    product
}

/// One body in one piece as gzip data (for `.gz` files).
pub(crate) fn gzip_whole(raw: &[u8]) -> Vec<Bytes> {
    Draft::whole(raw).finish(Coding::Gzip)
}

/// gzip data as it was before, for corpus files.
pub(crate) fn gunzip(coded: &[u8]) -> Option<Vec<u8>> {
    let mut raw = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(coded), &mut raw).ok()?;
    Some(raw)
}
