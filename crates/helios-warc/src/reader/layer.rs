//! What is between the file and its records: nothing, or members of gzip, or frames of zstd.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::GzDecoder;
use zstd::stream::read::Decoder as ZstdDecoder;

/// zstd: memory that a frame may ask for, as a power of two.
const WINDOW_LOG: u32 = 25;
/// One read of what a decoder gives.
const ROOM: usize = 32 * 1024;

/// Counts what was taken of the file.
pub(super) struct Counted<R> {
    inner: R,
    taken: u64,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(into)?;
        self.taken += count as u64;
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.inner.consume(count);
        self.taken += count as u64;
    }
}

/// What a member begins with. A buffer may end after any byte; the first one tells, for no plain file begins so.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Coding {
    End,
    Plain,
    Gzip,
    Zstd,
}

impl Coding {
    fn of(head: &[u8]) -> Self {
        match head {
            [] => Self::End,
            [0x1f, ..] => Self::Gzip,
            // A frame, or one to be skipped; a W (0x57) begins a plain record.
            [0x28 | 0x50..=0x56 | 0x58..=0x5f, ..] => Self::Zstd,
            _ => Self::Plain,
        }
    }
}

enum State<R> {
    /// Between members; nothing is known of what comes.
    Between(Counted<R>),
    Plain(Counted<R>),
    Gzip(Box<BufReader<GzDecoder<Counted<R>>>>),
    Zstd(Box<BufReader<ZstdDecoder<'static, Counted<R>>>>),
    /// Only while one becomes another.
    Gone,
}

pub(super) struct Layer<R> {
    state: State<R>,
    /// Where the present member begins; of a plain file, where the present line does.
    start: u64,
}

impl<R: BufRead> Layer<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { state: State::Between(Counted { inner, taken: 0 }), start: 0 }
    }

    pub(super) fn offset(&self) -> u64 {
        self.start
    }

    /// Makes ready for a line: opens the next member if none is open. False at the end of the file.
    pub(super) fn begin(&mut self) -> io::Result<bool> {
        match &mut self.state {
            State::Plain(file) => {
                self.start = file.taken;
                file.fill_buf().map(|rest| !rest.is_empty())
            }
            State::Gzip(_) | State::Zstd(_) => Ok(true),
            State::Gone => Ok(false),
            State::Between(file) => {
                self.start = file.taken;
                let coding = Coding::of(file.fill_buf()?);
                let State::Between(file) = std::mem::replace(&mut self.state, State::Gone) else {
                    return Ok(false);
                };
                self.open(file, coding)
            }
        }
    }

    fn open(&mut self, file: Counted<R>, coding: Coding) -> io::Result<bool> {
        self.state = match coding {
            Coding::End => State::Between(file),
            Coding::Plain => State::Plain(file),
            Coding::Gzip => State::Gzip(Box::new(BufReader::with_capacity(ROOM, GzDecoder::new(file)))),
            Coding::Zstd => {
                let mut decoder = ZstdDecoder::with_buffer(file)?.single_frame();
                decoder.window_log_max(WINDOW_LOG)?;
                State::Zstd(Box::new(BufReader::with_capacity(ROOM, decoder)))
            }
        };
        Ok(coding != Coding::End)
    }

    /// After the end of a member: the next one goes on where it ended, and does not begin a record.
    pub(super) fn continues(&mut self) -> io::Result<bool> {
        if !matches!(self.state, State::Gzip(_) | State::Zstd(_)) {
            return Ok(false);
        }
        self.end();
        Ok(self.begin()? && !self.fill_buf()?.starts_with(b"WARC/"))
    }

    /// The present member gave all it had.
    pub(super) fn end(&mut self) {
        self.state = match std::mem::replace(&mut self.state, State::Gone) {
            State::Gzip(decoder) => State::Between(decoder.into_inner().into_inner()),
            State::Zstd(decoder) => State::Between(decoder.into_inner().finish()),
            same @ (State::Between(_) | State::Plain(_) | State::Gone) => same,
        };
    }
}

impl<R: BufRead> Read for Layer<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match &mut self.state {
            State::Plain(file) => file.read(into),
            State::Gzip(decoder) => decoder.read(into),
            State::Zstd(decoder) => decoder.read(into),
            State::Between(_) | State::Gone => Ok(0),
        }
    }
}

impl<R: BufRead> BufRead for Layer<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match &mut self.state {
            State::Plain(file) => file.fill_buf(),
            State::Gzip(decoder) => decoder.fill_buf(),
            State::Zstd(decoder) => decoder.fill_buf(),
            State::Between(_) | State::Gone => Ok(&[]),
        }
    }

    fn consume(&mut self, count: usize) {
        match &mut self.state {
            State::Plain(file) => file.consume(count),
            State::Gzip(decoder) => decoder.consume(count),
            State::Zstd(decoder) => decoder.consume(count),
            State::Between(_) | State::Gone => {}
        }
    }
}
