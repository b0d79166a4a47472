//! Bodies in one call, where their whole wire is here.
//!
//! A call either gives exactly what [`super::stage`] would, or nothing, and then that one decides: what is broken, cut, or odd is read twice.
//!
//! gzip: libdeflate needs three quarters of the time of a decoder that can stop anywhere. Not for it: several members, garbage behind them, untrue sizes. Both check every
//! sum. One difference is known: of the symbols that deflate reserves (RFC 1951 §3.2.6) libdeflate makes something where the other refuses them; no encoder writes
//! them, and damage to a body does not get past its sum.
//!
//! Brotli: ours (`crates/helios-brotli`), straight into the room, without a ring between. It knows no sizes before: the room grows as it is filled.

use helios_brotli::{Place, SPARE_BYTES};
use libdeflater::Decompressor;
use memchr::memmem;

use crate::fetch::rooms::Room;

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

/// Adds a Brotli body to a room, if it is good and no longer than `most`.
pub(super) fn unbrotlied(wire: &[u8], room: &mut Room, most: usize) -> bool {
    let begin = room.len();
    let size = helios_brotli::decode(wire, &mut Growing { room: &mut *room, begin, most });
    room.truncate(begin);
    match size.filter(|size| *size <= most) {
        Some(size) => room.add(size),
        None => return false,
    }
    true
}

/// A room that grows up to a limit, and some bytes to spare.
struct Growing<'a> {
    room: &'a mut Room,
    begin: usize,
    most: usize,
}

impl Place for Growing<'_> {
    fn bytes(&mut self) -> &mut [u8] {
        self.room.bytes_from(self.begin)
    }

    fn grow(&mut self, made: usize, least: usize) -> bool {
        if least > self.most.saturating_add(SPARE_BYTES) {
            return false;
        }
        self.room.truncate(self.begin);
        self.room.add(made);
        self.room.reserve(least - made);
        true
    }
}
