//! A run file, front to back:
//!
//! | part | bytes | |
//! |---|---|---|
//! | entries | 12 × count | sorted; none in a generation |
//! | zeros | up to 63 | so that a line of the filter is a line of the cache |
//! | filter | 64 × lines | see `filter` |
//! | directory | 4 × (lines + 1) | how many entries come before each line of the filter; none in a generation |
//! | footer | 64 | what is needed to read the rest, and the checksum of all of it; little-endian |

use std::ops::Range;

use super::entry::ENTRY_BYTES;
use super::filter::LINE_BYTES;

const MAGIC: [u8; 8] = *b"HeliosSv";
const VERSION: u32 = 1;
pub(super) const FOOTER_BYTES: usize = 64;
pub(super) const START_BYTES: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Footer {
    /// False: a generation of lossy mode, a filter and nothing else.
    pub(super) keeps_entries: bool,
    pub(super) count: u64,
    pub(super) lines: u64,
    /// Of the filter, from its fill.
    pub(super) false_positive_rate: f64,
}

impl Footer {
    /// All but the checksum, which comes last and covers this, too.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(FOOTER_BYTES);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(u32::from(self.keeps_entries).to_le_bytes());
        bytes.extend(self.count.to_le_bytes());
        bytes.extend(self.lines.to_le_bytes());
        bytes.extend(self.false_positive_rate.to_le_bytes());
        bytes.resize(FOOTER_BYTES - 8, 0);
        bytes
    }

    /// The footer and the checksum, or what is wrong with the file.
    pub(super) fn decode(file: &[u8]) -> Result<(Self, u64), String> {
        let footer = file.last_chunk::<FOOTER_BYTES>().ok_or("it is too short for a run")?;
        let word = |at: usize| -> u64 {
            let bytes = footer.get(at..).and_then(|rest| rest.first_chunk::<8>());
            bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
        };
        if !footer.starts_with(&MAGIC) {
            return Err("it does not end like a run file of a sieve".to_owned());
        }
        let version = word(8) as u32;
        if version != VERSION {
            return Err(format!("its format is {version}, and this version of Helios reads {VERSION}"));
        }
        let decoded = Self {
            keeps_entries: word(8) >> 32 != 0,
            count: word(16),
            lines: word(24),
            false_positive_rate: f64::from_bits(word(32)),
        };
        Ok((decoded, word(56)))
    }

    /// None: the numbers are too large for any file.
    pub(super) fn layout(&self) -> Option<Layout> {
        let (count, lines) = (usize::try_from(self.count).ok()?, usize::try_from(self.lines).ok()?);
        let (kept, starts) = if self.keeps_entries { (count, lines.checked_add(1)?) } else { (0, 0) };
        let entries = kept.checked_mul(ENTRY_BYTES)?;
        let filter = entries.checked_next_multiple_of(LINE_BYTES)?;
        let directory = filter.checked_add(lines.checked_mul(LINE_BYTES)?)?;
        let footer = directory.checked_add(starts.checked_mul(START_BYTES)?)?;
        let end = footer.checked_add(FOOTER_BYTES)?;
        (lines > 0).then_some(Layout {
            entries: 0..entries,
            filter: filter..directory,
            directory: directory..footer,
            end,
        })
    }
}

/// Which bytes of a file are what.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    pub(super) entries: Range<usize>,
    pub(super) filter: Range<usize>,
    pub(super) directory: Range<usize>,
    pub(super) end: usize,
}
