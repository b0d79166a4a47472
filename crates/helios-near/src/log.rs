//! The file behind the index: a header, then one record for each page, in the order in which they came.
//!
//! Only ever appended to, or cut at a record. Every record carries a checksum that knows its number, so what a killed process
//! or a lost sector left at the end is recognised and cut off. What was committed is known from the mark that the crawl
//! keeps with its own commit; a record before the mark that cannot be read is an error.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use crate::error::{Error, Result};
use crate::record::{RECORD, Record};

const MAGIC: &[u8; 8] = b"helinear";
const VERSION: u64 = 1;
const HEADER: usize = 32;
/// Bytes that wait to be written together.
const WAITING: usize = 64 << 10;
/// Records read together at the beginning.
const READ_TOGETHER: usize = 4096;

pub(crate) struct Log {
    /// None: everything stays in `waiting` (tests, simulation).
    file: Option<File>,
    path: PathBuf,
    seed: u64,
    /// Records in the file.
    written: u64,
    /// Records that are not in it yet.
    waiting: Vec<u8>,
}

fn header(seed: u64) -> [u8; HEADER] {
    let mut bytes = Vec::with_capacity(HEADER);
    bytes.extend(MAGIC);
    bytes.extend((VERSION << 32 | RECORD as u64).to_le_bytes());
    bytes.extend(seed.to_le_bytes());
    bytes.extend(xxh3_64(&bytes).to_le_bytes());
    bytes.first_chunk().copied().unwrap_or([0; HEADER])
}

fn position(record: u64) -> u64 {
    HEADER as u64 + record * RECORD as u64
}

impl Log {
    pub(crate) fn in_memory(seed: u64) -> Self {
        Self { file: None, path: PathBuf::new(), seed, written: 0, waiting: Vec::new() }
    }

    /// Reads the header; `replay` must follow.
    pub(crate) fn open(path: &Path, seed: u64) -> Result<Self> {
        let mut log = Self { file: None, path: path.to_path_buf(), seed, written: 0, waiting: Vec::new() };
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path);
        let file = log.told("open", file)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Error::InUse { path: log.path }),
            Err(TryLockError::Error(error)) => return log.told("lock", Err(error)),
        }
        log.begin(&file)?;
        log.file = Some(file);
        Ok(log)
    }

    /// Calls `each` with every record, in order, and cuts off what comes after `committed`.
    pub(crate) fn replay(&mut self, committed: Option<u64>, each: impl FnMut(Record)) -> Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        self.written = self.read_all(file, committed, each)?;
        self.told("cut", file.set_len(position(self.written)))
    }

    fn told<T>(&self, deed: &'static str, result: io::Result<T>) -> Result<T> {
        result.map_err(|error| Error::Disk { deed, path: self.path.clone(), error })
    }

    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }

    pub(crate) fn len(&self) -> u64 {
        self.written + (self.waiting.len() / RECORD) as u64
    }

    /// Reads the header, or writes it if the file was not begun or its begin was cut short.
    fn begin(&mut self, file: &File) -> Result<()> {
        let mut found = Vec::with_capacity(HEADER);
        self.told("read", file.take(HEADER as u64).read_to_end(&mut found))?;
        let fresh = header(self.seed);
        let known = MAGIC.len() + 8;
        if fresh.iter().zip(&found).take(known).any(|(ours, theirs)| ours != theirs) {
            return Err(Error::Foreign { path: self.path.clone() });
        }
        match found.get(known..known + 8).and_then(<[u8]>::first_chunk) {
            Some(seed) if found == header(u64::from_le_bytes(*seed)) => self.seed = u64::from_le_bytes(*seed),
            _ if found.len() < HEADER => self.write_header(file, &fresh)?,
            _ => return Err(Error::Foreign { path: self.path.clone() }),
        }
        Ok(())
    }

    /// The name of the file is made durable with it.
    fn write_header(&self, file: &File, header: &[u8]) -> Result<()> {
        self.told("write", file.write_all_at(header, 0))?;
        self.told("sync", file.sync_all())?;
        let folder =
            self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        self.told("sync the folder of", File::open(folder).and_then(|folder| folder.sync_all()))
    }

    /// The number of records to keep.
    fn read_all(&self, mut file: &File, committed: Option<u64>, mut each: impl FnMut(Record)) -> Result<u64> {
        let length = self.told("look at", file.metadata())?.len();
        let whole = length.saturating_sub(HEADER as u64) / RECORD as u64;
        let wanted = committed.unwrap_or(whole);
        if wanted > whole {
            return Err(Error::Short { path: self.path.clone(), found: whole, committed: wanted });
        }
        self.told("read", file.seek(SeekFrom::Start(HEADER as u64)))?;
        let (mut read, mut bytes) = (0, Vec::new());
        while read < wanted {
            bytes.clear();
            let together = (wanted - read).min(READ_TOGETHER as u64);
            self.told("read", file.take(together * RECORD as u64).read_to_end(&mut bytes))?;
            for record in bytes.as_chunks::<RECORD>().0 {
                let Some(record) = Record::decoded(record, self.seed, read) else {
                    return self.torn(file, read, whole, committed);
                };
                each(record);
                read += 1;
            }
            if bytes.is_empty() {
                return Err(Error::Damaged { path: self.path.clone(), record: read }); // it became shorter meanwhile
            }
        }
        Ok(read)
    }

    /// A record that cannot be read is the torn end, unless it was committed or a good one follows.
    fn torn(&self, file: &File, record: u64, whole: u64, committed: Option<u64>) -> Result<u64> {
        let mut bytes = [0; RECORD];
        for after in record + 1..whole {
            self.told("read", file.read_exact_at(&mut bytes, position(after)))?;
            if committed.is_some() || Record::decoded(&bytes, self.seed, after).is_some() {
                return Err(Error::Damaged { path: self.path.clone(), record });
            }
        }
        if committed.is_some() {
            return Err(Error::Damaged { path: self.path.clone(), record });
        }
        Ok(record)
    }

    /// If it fails, all stays as it was.
    pub(crate) fn append(&mut self, record: &Record) -> Result<()> {
        if self.waiting.len() >= WAITING {
            self.flush()?;
        }
        self.waiting.extend(record.encoded(self.seed, self.len()));
        Ok(())
    }

    /// If it fails, the next flush writes the same bytes to the same place.
    fn flush(&mut self) -> Result<()> {
        if let Some(file) = &self.file {
            self.told("write", file.write_all_at(&self.waiting, position(self.written)))?;
            self.written = self.len();
            self.waiting.clear();
        }
        Ok(())
    }

    pub(crate) fn sync(&mut self) -> Result<()> {
        self.flush()?;
        self.file.as_ref().map_or(Ok(()), |file| self.told("sync", file.sync_data()))
    }

    pub(crate) fn read(&self, number: u64) -> Result<Record> {
        let mut bytes = [0; RECORD];
        match (&self.file, number.checked_sub(self.written)) {
            (Some(file), None) => self.told("read", file.read_exact_at(&mut bytes, position(number)))?,
            (_, after) => {
                let at = after.unwrap_or(number) as usize * RECORD;
                bytes = self.waiting.get(at..).and_then(<[u8]>::first_chunk).copied().unwrap_or(bytes);
            }
        }
        let record = Record::decoded(&bytes, self.seed, number);
        record.ok_or_else(|| Error::Damaged { path: self.path.clone(), record: number })
    }

    /// Forgets all records from this number on.
    pub(crate) fn truncate(&mut self, length: u64) -> Result<()> {
        self.waiting.truncate(length.saturating_sub(self.written) as usize * RECORD);
        if length < self.written {
            if let Some(file) = &self.file {
                self.told("cut", file.set_len(position(length)))?;
            }
            self.written = length;
        }
        Ok(())
    }
}
