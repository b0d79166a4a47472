//! The chunked transfer coding (RFC 9112 §7.1), unwrapped as it comes: sizes, extensions and trailers are read, bounded and dropped.

/// Of one line: a size and its extensions.
const LINE_BYTES: usize = 4 * 1024;
/// Of all extensions of a body, and of its trailers.
const EXTRA_BYTES: usize = 64 * 1024;

#[derive(Debug, Default)]
pub(super) struct Chunked {
    at: At,
    /// The size being read, then what is left of the chunk.
    left: u64,
    /// Bytes of the present line.
    line: usize,
    /// Bytes that were neither data nor sizes.
    extra: usize,
    /// A line ended without its CR.
    sloppy: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum At {
    #[default]
    SizeStart,
    Size,
    /// After the digits, before an extension or the end of the line.
    Blank,
    Extension,
    SizeLf,
    Data,
    DataCr,
    DataLf,
    TrailerStart,
    Trailer,
    TrailerLf,
    EndLf,
    End,
}

/// What the bytes at hand begin with.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Front {
    /// Framing, to be dropped.
    pub(super) skip: usize,
    /// Data right after it; none: either the end or more bytes are needed.
    pub(super) data: usize,
}

impl Chunked {
    /// Reads framing up to the next data. The caller drops `skip` bytes and tells with `took` how much of the data it used.
    pub(super) fn front(&mut self, bytes: &[u8]) -> Result<Front, String> {
        let mut skip = 0;
        for &byte in bytes {
            if matches!(self.at, At::Data | At::End) {
                break;
            }
            self.advance(byte)?;
            skip += 1;
        }
        let data = if self.at == At::Data { self.left.min((bytes.len() - skip) as u64) as usize } else { 0 };
        Ok(Front { skip, data })
    }

    pub(super) fn took(&mut self, count: u64) {
        self.left = self.left.saturating_sub(count);
        if self.left == 0 {
            self.at = At::DataCr;
        }
    }

    /// Data that is left in the present chunk.
    pub(super) fn left(&self) -> u64 {
        if self.at == At::Data { self.left } else { 0 }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == At::End
    }

    /// All data came; only trailers may be missing.
    pub(super) fn has_all(&self) -> bool {
        matches!(self.at, At::TrailerStart | At::Trailer | At::TrailerLf | At::EndLf | At::End)
    }

    pub(super) fn is_sloppy(&self) -> bool {
        self.sloppy
    }

    fn advance(&mut self, byte: u8) -> Result<(), String> {
        self.at = match (self.at, byte) {
            (At::SizeStart | At::Size, b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F') => self.digit(byte)?,
            (At::Size | At::Blank | At::Extension, b'\r') => At::SizeLf,
            (At::Size | At::Blank | At::Extension, b'\n') => self.bare(Self::size_read),
            (At::Size | At::Blank, b' ' | b'\t') => self.extend(byte).map(|_| At::Blank)?,
            (At::Size | At::Blank, b';') | (At::Extension, _) => self.extend(byte)?,
            (At::SizeLf, b'\n') => self.size_read(),
            (At::DataCr, b'\r') => At::DataLf,
            (At::DataCr, b'\n') => self.bare(Self::data_read),
            (At::DataLf, b'\n') => self.data_read(),
            (At::TrailerStart, b'\r') => At::EndLf,
            (At::TrailerStart, b'\n') => self.bare(|_| At::End),
            (At::EndLf, b'\n') => At::End,
            (At::Trailer, b'\r') => At::TrailerLf,
            (At::Trailer, b'\n') => self.bare(|_| At::TrailerStart),
            (At::TrailerLf, b'\n') => At::TrailerStart,
            (At::TrailerStart | At::Trailer, _) => self.trail(byte)?,
            (At::DataCr | At::DataLf, _) => return Err("chunk longer than its size".to_owned()),
            (at, byte) => return Err(format!("byte {byte:#04x} in chunk framing ({at:?})")),
        };
        Ok(())
    }

    fn digit(&mut self, byte: u8) -> Result<At, String> {
        let digit = char::from(byte).to_digit(16).unwrap_or_default();
        let shifted = self.left.checked_mul(16).ok_or("chunk size overflows")?;
        self.left = shifted + u64::from(digit);
        self.line += 1;
        if self.line > LINE_BYTES {
            return Err("endless chunk size".to_owned());
        }
        Ok(At::Size)
    }

    fn extend(&mut self, byte: u8) -> Result<At, String> {
        self.line += 1;
        self.extra += 1;
        if self.line > LINE_BYTES || self.extra > EXTRA_BYTES {
            return Err("endless chunk extensions".to_owned());
        }
        if byte == 0 {
            return Err("NUL in a chunk extension".to_owned());
        }
        Ok(At::Extension)
    }

    fn trail(&mut self, byte: u8) -> Result<At, String> {
        self.extra += 1;
        if self.extra > EXTRA_BYTES {
            return Err("endless trailers".to_owned());
        }
        if byte == 0 {
            return Err("NUL in a trailer".to_owned());
        }
        Ok(At::Trailer)
    }

    fn bare(&mut self, next: impl Fn(&mut Self) -> At) -> At {
        self.sloppy = true;
        next(self)
    }

    fn size_read(&mut self) -> At {
        self.line = 0;
        if self.left == 0 { At::TrailerStart } else { At::Data }
    }

    fn data_read(&mut self) -> At {
        self.left = 0;
        At::SizeStart
    }
}
