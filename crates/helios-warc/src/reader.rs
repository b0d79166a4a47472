//! Records of any WARC file: plain, gzip or zstd, one record per member or all in one. Hostile input costs bounded memory: lengths are
//! claims until the bytes came.

mod layer;

use std::io::{self, BufRead, Read};

use layer::Layer;

/// What one record may cost.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Of all header lines together.
    pub head: usize,
    /// Of a block; the rest is passed over.
    pub block: u64,
    /// Of a whole file, unpacked: bombs end here.
    pub file: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { head: 256 * 1024, block: 64 << 20, file: u64::MAX }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("at byte {offset}: {why}")]
    Broken { offset: u64, why: String },
    #[error("at byte {offset}: {error}")]
    Io { offset: u64, error: io::Error },
}

/// A record as it is in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Where it begins; where its member or frame begins, if it is packed.
    pub offset: u64,
    /// `1.0`, `1.1`.
    pub version: String,
    pub fields: Vec<(String, String)>,
    /// What `Content-Length` says that the block has.
    pub length: u64,
    /// The block, or its beginning if it is longer than the limit.
    pub block: Vec<u8>,
}

impl Record {
    /// The first field of this name, in any case.
    pub fn field(&self, name: &str) -> Option<&str> {
        let own = self.fields.iter().find(|(field, _)| field.eq_ignore_ascii_case(name));
        own.map(|(_, value)| value.as_str())
    }

    pub fn kind(&self) -> &str {
        self.field("WARC-Type").unwrap_or_default()
    }

    /// Of a block that is HTTP: its head, empty line included, and what comes after.
    pub fn http(&self) -> Option<(&[u8], &[u8])> {
        if !self.block.starts_with(b"HTTP/") && !self.field("Content-Type")?.starts_with("application/http") {
            return None;
        }
        let ends = memchr::memchr_iter(b'\n', &self.block);
        let end = ends.map(|at| at + 1).find_map(|at| match self.block.get(at..)? {
            [b'\n', ..] => Some(at + 1),
            [b'\r', b'\n', ..] => Some(at + 2),
            _ => None,
        });
        self.block.split_at_checked(end.unwrap_or(self.block.len()))
    }
}

/// Reads one record after the other. After an error there are no more.
pub struct Reader<R> {
    layer: Layer<R>,
    limits: Limits,
    line: Vec<u8>,
    unpacked: u64,
    over: bool,
}

impl<R: BufRead> Reader<R> {
    pub fn new(input: R, limits: Limits) -> Self {
        Self { layer: Layer::new(input), limits, line: Vec::new(), unpacked: 0, over: false }
    }

    /// The next record; none at the end of the file.
    #[allow(clippy::should_implement_trait, reason = "it is one, below; this one needs no import")]
    pub fn next(&mut self) -> Option<Result<Record, ReadError>> {
        if self.over {
            return None;
        }
        let read = self.record().transpose();
        self.over = !matches!(read, Some(Ok(_)));
        read
    }

    fn record(&mut self) -> Result<Option<Record>, ReadError> {
        loop {
            if !self.layer.begin().map_err(|error| self.io(error))? {
                return Ok(None);
            }
            // Empty lines between records, also more than there should be.
            if self.line()? == 0 {
                self.layer.end();
            } else if !self.line.is_empty() {
                return self.rest().map(Some);
            }
        }
    }

    /// What follows a version line.
    fn rest(&mut self) -> Result<Record, ReadError> {
        let offset = self.layer.offset();
        let first = String::from_utf8_lossy(&self.line);
        let Some(version) = first.strip_prefix("WARC/").map(|version| version.trim().to_owned()) else {
            let shown: String = first.chars().take(40).collect();
            return Err(self.broken(format!("no WARC record: it begins with {shown:?}")));
        };
        let fields = self.fields()?;
        let mut record = Record { offset, version, fields, length: 0, block: Vec::new() };
        let length = record.field("Content-Length").and_then(|text| text.trim().parse().ok());
        record.length = length.ok_or_else(|| self.broken("a record without a Content-Length".to_owned()))?;
        self.count(record.length)?;
        let mut missing = record.length;
        while missing > 0 {
            let came = self.more(&mut record.block, missing).map_err(|error| self.io(error))?;
            missing -= came;
            // Some tools end a member inside a record.
            if missing > 0 && !self.layer.continues().map_err(|error| self.io(error))? {
                return Err(self.broken(format!("a block that ends {missing} bytes early")));
            }
        }
        record.offset = offset;
        Ok(record)
    }

    /// What the present member has of a block; what is over the limit is passed over. How many bytes.
    fn more(&mut self, block: &mut Vec<u8>, missing: u64) -> io::Result<u64> {
        let kept = missing.min(self.limits.block.saturating_sub(block.len() as u64));
        let came = (&mut self.layer).take(kept).read_to_end(block)? as u64;
        if came < kept || kept == missing {
            return Ok(came);
        }
        Ok(came + io::copy(&mut (&mut self.layer).take(missing - kept), &mut io::sink())?)
    }

    fn fields(&mut self) -> Result<Vec<(String, String)>, ReadError> {
        let (mut fields, mut size) = (Vec::<(String, String)>::new(), 0);
        loop {
            if self.line()? == 0 {
                return Err(self.broken("ends inside a record's header".to_owned()));
            }
            size += self.line.len() + 2;
            if size > self.limits.head {
                return Err(self.broken(format!("a record's header of more than {} bytes", self.limits.head)));
            }
            let text = String::from_utf8_lossy(&self.line);
            match (text.split_once(':'), fields.last_mut()) {
                _ if text.is_empty() => return Ok(fields),
                (_, Some((_, value))) if text.starts_with([' ', '\t']) => {
                    value.push(' ');
                    value.push_str(text.trim());
                }
                (Some((name, value)), _) => fields.push((name.trim().to_owned(), value.trim().to_owned())),
                // Others write such lines, too; nothing is lost by passing them over.
                (None, _) => {}
            }
        }
    }

    /// One line without its end, into `line`; how many bytes came.
    fn line(&mut self) -> Result<usize, ReadError> {
        self.line.clear();
        let most = self.limits.head as u64 + 1;
        let came = (&mut self.layer).take(most).read_until(b'\n', &mut self.line);
        let came = came.map_err(|error| self.io(error))?;
        self.count(came as u64)?;
        if came as u64 == most && !self.line.ends_with(b"\n") {
            return Err(self.broken(format!("a line of more than {} bytes", self.limits.head)));
        }
        while let [.., b'\n' | b'\r'] = self.line.as_slice() {
            self.line.pop();
        }
        Ok(came)
    }

    fn count(&mut self, bytes: u64) -> Result<(), ReadError> {
        self.unpacked = self.unpacked.saturating_add(bytes);
        if self.unpacked > self.limits.file {
            return Err(self.broken(format!("more than {} bytes, unpacked", self.limits.file)));
        }
        Ok(())
    }

    fn broken(&self, why: String) -> ReadError {
        ReadError::Broken { offset: self.layer.offset(), why }
    }

    fn io(&self, error: io::Error) -> ReadError {
        let offset = self.layer.offset();
        let is_theirs = matches!(
            error.kind(),
            io::ErrorKind::InvalidData
                | io::ErrorKind::InvalidInput
                | io::ErrorKind::UnexpectedEof
                | io::ErrorKind::Other
        );
        // A disk that fails has a number; what decoders find wrong with the bytes has none.
        if is_theirs && error.raw_os_error().is_none() {
            ReadError::Broken { offset, why: error.to_string() }
        } else {
            ReadError::Io { offset, error }
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        Reader::next(self)
    }
}
