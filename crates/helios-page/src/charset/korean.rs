//! ISO-2022-KR: EUC-KR in seven bits, shifted in and out. Browsers refuse it, for scripts could be hidden in it; we run none.

use std::borrow::Cow;

use encoding_rs::EUC_KR;

use super::{Decoded, Found};

/// What it begins with.
const DESIGNATOR: &[u8] = b"\x1B$)C";

pub(super) fn decode(bytes: &[u8]) -> Option<Decoded<'static>> {
    let rest = bytes.strip_prefix(DESIGNATOR)?;
    let mut shifted = false;
    let mut plain = Vec::with_capacity(rest.len());
    for &byte in rest {
        match byte {
            0x0E => shifted = true,
            0x0F => shifted = false,
            // A line begins unshifted, whatever was before.
            b'\n' => {
                shifted = false;
                plain.push(byte);
            }
            0x21..=0x7E if shifted => plain.push(byte | 0x80),
            _ => plain.push(byte),
        }
    }
    let text = EUC_KR.decode_without_bom_handling(&plain).0.into_owned();
    Some(Decoded { text: Cow::Owned(text), encoding: "ISO-2022-KR", found: Found::Detected })
}
