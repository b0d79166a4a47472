//! Writes a run file from entries that come in order, in as many steps as the caller likes.

use xxhash_rust::xxh3::Xxh3;

use super::entry::{ENTRY_BYTES, Entry};
use super::filter::{self, LINE_BYTES, Place};
use super::layout::{Footer, START_BYTES};
use super::manifest::{Named, file_name};
use super::shelf::{Shelf, Volume};
use crate::error::Result;

/// Bytes collected before they are handed to the volume.
const CHUNK_BYTES: usize = 256 << 10;

pub(super) struct RunWriter {
    volume: Box<dyn Volume>,
    number: u64,
    level: u8,
    footer: Footer,
    chunk: Vec<u8>,
    last: Option<Entry>,
    /// Filter and directory, in memory until the entries are written: 1.6 bytes per entry (3 in a generation).
    tail: Vec<u8>,
    /// Bytes of the tail that are written.
    tail_written: usize,
    /// The line of `last`.
    line: usize,
    /// The sum over the lines so far.
    false_positive_rates: f64,
    bytes: u64,
    checksum: Xxh3,
}

/// What a run is to become.
pub(super) struct Plan {
    pub(super) number: u64,
    pub(super) level: u8,
    pub(super) keeps_entries: bool,
    pub(super) lines: u64,
}

impl RunWriter {
    pub(super) fn new(shelf: &dyn Shelf, plan: &Plan) -> Result<Self> {
        let lines = plan.lines as usize;
        let directory = if plan.keeps_entries { (lines + 1) * START_BYTES } else { 0 };
        Ok(Self {
            volume: shelf.create(&file_name(plan.number))?,
            number: plan.number,
            level: plan.level,
            footer: Footer {
                keeps_entries: plan.keeps_entries,
                count: 0,
                lines: plan.lines,
                false_positive_rate: 0.0,
            },
            chunk: Vec::new(),
            last: None,
            tail: vec![0; lines * LINE_BYTES + directory],
            tail_written: 0,
            line: 0,
            false_positive_rates: 0.0,
            bytes: 0,
            checksum: Xxh3::new(),
        })
    }

    pub(super) fn name(&self) -> String {
        file_name(self.number)
    }

    pub(super) fn level(&self) -> u8 {
        self.level
    }

    /// Entries come in ascending order; one that repeats the last is left out.
    pub(super) fn push(&mut self, entry: Entry) -> Result<()> {
        if self.last == Some(entry) {
            return Ok(());
        }
        self.last = Some(entry);
        self.reach(Place::of(entry, self.footer.lines as usize).line);
        if let Some(line) = self.tail.as_chunks_mut::<LINE_BYTES>().0.get_mut(self.line) {
            filter::add(line, entry);
        }
        self.footer.count += 1;
        if self.footer.keeps_entries {
            self.chunk.extend(entry.to_disk());
            if self.chunk.len() >= CHUNK_BYTES {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Closes the lines before this one: their fill is final, and so is where the entries of the next ones begin.
    fn reach(&mut self, line: usize) {
        let (lines, count) = (self.footer.lines as usize, self.footer.count as u32);
        while self.line < line {
            if let Some(closed) = self.tail.as_chunks::<LINE_BYTES>().0.get(self.line) {
                self.false_positive_rates += filter::false_positive_rate(closed);
            }
            self.line += 1;
            let directory = self.tail.get_mut(lines * LINE_BYTES..).unwrap_or_default();
            if let Some(start) = directory.as_chunks_mut::<START_BYTES>().0.get_mut(self.line) {
                *start = count.to_le_bytes();
            }
        }
    }

    fn flush(&mut self) -> Result<()> {
        self.checksum.update(&self.chunk);
        self.bytes += self.chunk.len() as u64;
        self.volume.append(&self.chunk)?;
        self.chunk.clear();
        Ok(())
    }

    /// After the last entry: writes the next part of what follows them. True: only [`Self::close`] is left.
    pub(super) fn conclude(&mut self, most_bytes: usize) -> Result<bool> {
        if self.tail_written == 0 {
            self.reach(self.footer.lines as usize);
            let entries = self.bytes as usize + self.chunk.len();
            self.chunk.resize(self.chunk.len() + entries.next_multiple_of(LINE_BYTES) - entries, 0);
            self.flush()?;
        }
        let rest = self.tail.get(self.tail_written..).unwrap_or_default();
        let part = rest.get(..most_bytes.max(1)).unwrap_or(rest);
        self.checksum.update(part);
        self.volume.append(part)?;
        self.bytes += part.len() as u64;
        self.tail_written += part.len();
        Ok(self.tail_written == self.tail.len())
    }

    /// Makes the file durable; what the manifest says about it.
    pub(super) fn close(mut self) -> Result<Named> {
        self.footer.false_positive_rate = self.false_positive_rates / self.footer.lines as f64;
        let mut footer = self.footer.encode();
        self.checksum.update(&footer);
        let checksum = self.checksum.digest();
        footer.extend(checksum.to_le_bytes());
        self.volume.append(&footer)?;
        let bytes = self.bytes + footer.len() as u64;
        self.volume.finish()?;
        Ok(Named { number: self.number, level: self.level, bytes, checksum })
    }
}

/// Entries per byte budget: one step of a merge writes as much of the tail as it would of the entries, or a chunk.
pub(super) fn tail_bytes(entries: usize) -> usize {
    entries.saturating_mul(ENTRY_BYTES).max(CHUNK_BYTES)
}
