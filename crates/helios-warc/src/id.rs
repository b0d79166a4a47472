//! Names of records, made from what they hold: a batch that is written again after a crash has the same names.

use sha1::{Digest as _, Sha1};

use crate::Kind;

/// A UUID of version 5 (RFC 9562 §5.5) over a page, a fetch and a kind of record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RecordId([u8; 16]);

/// The name space of our records; drawn once.
const SPACE: [u8; 16] =
    [0x3c, 0x0f, 0x7a, 0x51, 0x9d, 0x42, 0x4e, 0x6b, 0x8f, 0x11, 0x5a, 0xd3, 0x60, 0x2e, 0xb7, 0xc8];

impl RecordId {
    /// `page`: the fingerprint of its URL. `moment`: when it was fetched, for what is asked for without a number, such as robots.txt.
    pub fn of(page: u128, fetch_number: u32, moment: u64, kind: Kind) -> Self {
        Self::named(&[
            &page.to_be_bytes(),
            &fetch_number.to_be_bytes(),
            &moment.to_be_bytes(),
            kind.name().as_bytes(),
        ])
    }

    /// Of a record that belongs to no page.
    pub fn of_text(text: &str) -> Self {
        Self::named(&[text.as_bytes()])
    }

    fn named(parts: &[&[u8]]) -> Self {
        let mut hash = Sha1::new();
        hash.update(SPACE);
        for part in parts {
            hash.update(part);
        }
        let hashed: [u8; 20] = hash.finalize().into();
        let mut bytes = [0; 16];
        bytes.iter_mut().zip(hashed).for_each(|(byte, hashed)| *byte = hashed);
        let [_, _, _, _, _, _, version, _, variant, ..] = &mut bytes;
        *version = *version & 0x0f | 0x50;
        *variant = *variant & 0x3f | 0x80;
        Self(bytes)
    }
}

impl std::fmt::Display for RecordId {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("<urn:uuid:")?;
        for (at, byte) in self.0.iter().enumerate() {
            let dash = if matches!(at, 4 | 6 | 8 | 10) { "-" } else { "" };
            write!(out, "{dash}{byte:02x}")?;
        }
        out.write_str(">")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_follows_from_what_it_names() {
        let id = RecordId::of(7, 0, 1, Kind::Response);
        assert_eq!(id, RecordId::of(7, 0, 1, Kind::Response));
        for other in [
            RecordId::of(8, 0, 1, Kind::Response),
            RecordId::of(7, 1, 1, Kind::Response),
            RecordId::of(7, 0, 2, Kind::Response),
            RecordId::of(7, 0, 1, Kind::Request),
        ] {
            assert_ne!(id, other);
        }
        let text = id.to_string();
        assert_eq!(text.len(), "<urn:uuid:00000000-0000-0000-0000-000000000000>".len());
        assert_eq!(&text[24..25], "5", "{text}");
    }
}
