//! The form of a record: a version line, named fields, an empty line, the block, two line ends.

use std::io;

use crate::id::RecordId;

/// The kinds of records that we write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Warcinfo,
    Request,
    Response,
    Metadata,
    Revisit,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Warcinfo => "warcinfo",
            Self::Request => "request",
            Self::Response => "response",
            Self::Metadata => "metadata",
            Self::Revisit => "revisit",
        }
    }
}

/// What ends a record.
pub(crate) const END: &[u8] = b"\r\n\r\n";

/// The fields of a record, put together in one buffer, which is used again and again.
pub(crate) struct Draft<'b> {
    bytes: &'b mut Vec<u8>,
    /// A value that would end its line was given.
    spoiled: bool,
}

impl<'b> Draft<'b> {
    pub(crate) fn begin(bytes: &'b mut Vec<u8>, kind: Kind, id: RecordId, date: &str) -> Self {
        bytes.clear();
        bytes.extend_from_slice(b"WARC/1.1\r\n");
        Self { bytes, spoiled: false }
            .field("WARC-Type", kind.name())
            .field("WARC-Record-ID", &id.to_string())
            .field("WARC-Date", date)
    }

    pub(crate) fn field(mut self, name: &str, value: &str) -> Self {
        self.spoiled |= value.bytes().any(|byte| matches!(byte, b'\r' | b'\n' | 0));
        for part in [name.as_bytes(), b": ", value.as_bytes(), b"\r\n"] {
            self.bytes.extend_from_slice(part);
        }
        self
    }

    pub(crate) fn maybe(self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.field(name, value),
            None => self,
        }
    }

    /// The last fields, behind which a block of this length belongs, and then [`END`].
    pub(crate) fn block(self, content_type: &str, length: usize) -> io::Result<()> {
        let done = self.field("Content-Type", content_type).field("Content-Length", &length.to_string());
        if done.spoiled {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "a field of a WARC record has a line break",
            ));
        }
        done.bytes.extend_from_slice(b"\r\n");
        Ok(())
    }
}
