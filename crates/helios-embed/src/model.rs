//! The model file. Numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `heliembd` |
//! | 3 × 8 | version (1), length of the rest, checksum of the rest (FNV-1a over words of eight bytes, the last filled with zeros) |
//! | 4 × 4 | dimensions, tokens, letters, the unknown token |
//! | for each letter | code (4), kind (1: 0 letter, 1 dropped, 2 space, 3 alone), length (1) and UTF-8 of what takes its place |
//! | for each token | length (1) and UTF-8; `##` begins one that continues a word |
//! | for each token | 4: scale of its vector |
//! | for each token | dimensions × 1: its vector, weighted, in units of the scale, signed |

use std::path::Path;

use crate::error::{Error, Result};
use crate::letters::{Kind, Letters};
use crate::vocabulary::Vocabulary;

const MAGIC: &[u8; 8] = b"heliembd";
const VERSION: u64 = 1;

pub(crate) struct Model {
    pub(crate) dims: usize,
    pub(crate) unknown: u32,
    pub(crate) letters: Letters,
    pub(crate) vocabulary: Vocabulary,
    scales: Vec<f32>,
    rows: Vec<i8>,
}

/// Reads bytes from their beginning; none where they end too early.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(head)
    }

    fn number(&mut self) -> Option<u32> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*head))
    }

    fn byte(&mut self) -> Option<u8> {
        let (head, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*head)
    }

    /// A length and as many bytes of UTF-8.
    fn text(&mut self) -> Option<&'a str> {
        let length = self.byte()?;
        std::str::from_utf8(self.take(usize::from(length))?).ok()
    }
}

fn checksum(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(0xcbf2_9ce4_8422_2325, |sum: u64, eight| {
        let mut word = [0; 8];
        word.iter_mut().zip(eight).for_each(|(to, from)| *to = *from);
        (sum ^ u64::from_le_bytes(word)).wrapping_mul(0x0100_0000_01b3)
    })
}

impl Model {
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(|error| Error::Disk { path: path.to_path_buf(), error })?;
        let foreign = || Error::Foreign { path: path.to_path_buf() };
        let damaged = |reason| Error::Damaged { path: path.to_path_buf(), reason };
        let (head, body) = bytes.split_first_chunk::<32>().ok_or_else(foreign)?;
        let number =
            |at: usize| head.get(at..).and_then(<[u8]>::first_chunk).map(|bytes| u64::from_le_bytes(*bytes));
        if !head.starts_with(MAGIC) || number(8) != Some(VERSION) {
            return Err(foreign());
        }
        if number(16) != Some(body.len() as u64) {
            return Err(damaged("it is not as long as it says"));
        }
        if number(24) != Some(checksum(body)) {
            return Err(damaged("its checksum is wrong"));
        }
        Self::read(&mut Reader(body)).ok_or_else(|| damaged("its tables do not fit"))
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let [dims, tokens, letters, unknown] =
            [reader.number()?, reader.number()?, reader.number()?, reader.number()?];
        let mut table = Letters::new();
        for _ in 0..letters {
            let (code, kind) = (reader.number()?, Kind::from_byte(reader.byte()?)?);
            table.add(code, kind, reader.text()?)?;
        }
        let mut vocabulary = Vocabulary::default();
        for _ in 0..tokens {
            vocabulary.add(reader.text()?);
        }
        vocabulary.finish();
        let (dims, tokens) = (dims as usize, tokens as usize);
        let scales = reader.take(tokens.checked_mul(4)?)?;
        let scales: Vec<f32> = scales.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let rows = reader.take(tokens.checked_mul(dims)?)?.iter().map(|byte| byte.cast_signed()).collect();
        let whole = reader.0.is_empty() && dims > 0 && scales.iter().all(|scale| scale.is_finite());
        whole.then_some(Self { dims, unknown, letters: table, vocabulary, scales, rows })
    }

    /// Adds the vector of a token to a sum.
    #[inline]
    pub(crate) fn add(&self, token: u32, sum: &mut [f32]) {
        let at = token as usize * self.dims;
        let (Some(row), Some(scale)) = (self.rows.get(at..at + self.dims), self.scales.get(token as usize))
        else {
            return;
        };
        for (sum, value) in sum.iter_mut().zip(row) {
            *sum += f32::from(*value) * scale;
        }
    }
}
