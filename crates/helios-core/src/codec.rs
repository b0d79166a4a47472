//! Values in our database as bytes: numbers as LEB128, texts and lists with their length before them.

use crate::error::{Error, Result};

/// Appends values to a buffer.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    pub(crate) fn new() -> Self {
        // Most records fit: growing step by step costs more than the writing.
        Self { bytes: Vec::with_capacity(256) }
    }

    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self { bytes: Vec::with_capacity(bytes) }
    }

    pub(crate) fn byte(&mut self, value: u8) -> &mut Self {
        self.bytes.push(value);
        self
    }

    pub(crate) fn number(&mut self, mut value: u64) -> &mut Self {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
        self
    }

    pub(crate) fn fixed(&mut self, value: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(value);
        self
    }

    pub(crate) fn text(&mut self, value: &str) -> &mut Self {
        self.block(value.as_bytes())
    }

    pub(crate) fn block(&mut self, value: &[u8]) -> &mut Self {
        self.number(value.len() as u64);
        self.fixed(value)
    }

    pub(crate) fn done(self) -> Vec<u8> {
        self.bytes
    }
}

/// Takes values from the front of a buffer. What does not fit is an error: the database is damaged, or not ours.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) fn byte(&mut self) -> Result<u8> {
        let (first, rest) = self.rest.split_first().ok_or_else(damaged)?;
        self.rest = rest;
        Ok(*first)
    }

    pub(crate) fn number(&mut self) -> Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(damaged())
    }

    /// A number that must fit in 32 bits.
    pub(crate) fn small(&mut self) -> Result<u32> {
        u32::try_from(self.number()?).map_err(|_| damaged())
    }

    pub(crate) fn fixed<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.slice(N)?.try_into().map_err(|_| damaged())
    }

    pub(crate) fn block(&mut self) -> Result<&'a [u8]> {
        let length = usize::try_from(self.number()?).map_err(|_| damaged())?;
        self.slice(length)
    }

    pub(crate) fn text(&mut self) -> Result<&'a str> {
        std::str::from_utf8(self.block()?).map_err(|_| damaged())
    }

    fn slice(&mut self, length: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or_else(damaged)?;
        self.rest = rest;
        Ok(taken)
    }
}

pub(crate) fn damaged() -> Error {
    Error::Storage(
        "a record of the frontier cannot be read: its files were damaged or changed; restore them from a copy, or crawl \
         into a new folder"
            .to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut writer = Writer::new();
        writer.number(0).number(127).number(128).number(u64::MAX).text("é").byte(7).fixed(&[1, 2]);
        let bytes = writer.done();
        let mut reader = Reader::new(&bytes);
        let numbers: Vec<u64> = (0..4).map(|_| reader.number().unwrap()).collect();
        assert_eq!(numbers, [0, 127, 128, u64::MAX]);
        assert_eq!(reader.text().unwrap(), "é");
        assert_eq!(reader.byte().unwrap(), 7);
        assert_eq!(reader.fixed::<2>().unwrap(), [1, 2]);
        assert!(reader.is_empty());
    }

    #[test]
    fn a_cut_value_is_an_error() {
        let mut writer = Writer::new();
        writer.text("hello").number(1 << 40);
        let bytes = writer.done();
        for end in 0..bytes.len() {
            let mut reader = Reader::new(&bytes[..end]);
            assert!(reader.text().and_then(|_| reader.number()).is_err(), "cut at {end}");
        }
        assert!(Reader::new(&[0xff; 11]).number().is_err());
    }
}
