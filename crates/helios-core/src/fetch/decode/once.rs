//! gzip in one call, where its whole wire is here: libdeflate needs three quarters of the time of a decoder that can stop anywhere.
//!
//! It either gives exactly what [`super::gzip`] would, or nothing, and then that one decides: what is broken, cut, of several members, followed by
//! garbage or untrue about its size is read twice. Both check every sum. One difference is known: of the symbols that deflate reserves (RFC
//! 1951 §3.2.6) libdeflate makes something where the other refuses them; no encoder writes them, and damage to a body does not get past its sum.

use libdeflater::Decompressor;
use memchr::memmem;

/// A body that says it grows by more than this has to prove it step by step: nothing is made ready on its word.
const MOST_GROWTH: usize = 24;
/// Header and trailer.
const LEAST_BYTES: usize = 18;

/// What the last bytes say of the size (RFC 1952 §2.3.1), if they can be believed so far as to make room for it.
pub(super) fn promised(wire: &[u8]) -> Option<usize> {
    let size = u32::from_le_bytes(*wire.last_chunk()?) as usize;
    (wire.len() >= LEAST_BYTES && size > 0 && size / MOST_GROWTH <= wire.len()).then_some(size)
}

/// Fills the room with the body, if it is one member of this size.
pub(super) fn gunzipped(wire: &[u8], body: &mut [u8]) -> bool {
    let Ok(size) = u32::try_from(body.len()) else { return false };
    let made = Decompressor::new().gzip_decompress(wire, body);
    // What follows the member is not said. Another one would begin right behind its trailer, which ends with this size.
    let [a, b, c, d] = size.to_le_bytes();
    made == Ok(body.len()) && memmem::find(wire, &[a, b, c, d, 0x1F, 0x8B]).is_none()
}
