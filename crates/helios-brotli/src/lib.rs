//! Brotli (RFC 7932) of which the whole wire is here: one pass, straight into the place where the body shall be.
//!
//! [`decode`] gives exactly what a decoder that can stop anywhere would give, or nothing: whatever is damaged, cut short, too long, or of a kind that no encoder writes
//! is for that other decoder to judge, from the beginning. So is what is much work for little wire (`trees`). So this one has no words for what is wrong, and nothing but room is kept between calls.
//!
//! `stream` reads heads of metablocks, `trees` what such a head says, `body` the commands behind it, which is where the time goes. `bits` is the wire, `table`
//! the prefix codes made ready for looking up, `code` how they are written, `copy` what is taken from the body itself, `blocks`, `context`, `symbols` and `words` what symbols mean.
#![allow(
    clippy::inline_always,
    reason = "measured: one loop is all of it, and what it holds stays in registers"
)]

mod bits;
mod blocks;
mod body;
mod code;
mod context;
mod copy;
mod stream;
mod symbols;
mod table;
mod trees;
mod words;

/// Bytes behind the end of what is made that may be written to, and are worth nothing: what is copied is copied up to 32 bytes at a time, and words of the dictionary grow.
pub const SPARE_BYTES: usize = 128;

/// Where a body shall be.
pub trait Place {
    /// All of its bytes; the body begins with the first.
    fn bytes(&mut self) -> &mut [u8];

    /// Makes it `least` bytes large, or larger. The first `made` bytes stay. Or it says no, since a body must not be that large.
    fn grow(&mut self, made: usize, least: usize) -> bool;
}

/// The length of the body that is now in its place. Bytes of the wire behind its end are not looked at.
///
/// It may be more than [`Place::grow`] would allow: a place may be larger than that, and a last word of the dictionary goes into what is to spare. So whoever has a limit looks at it.
pub fn decode(wire: &[u8], place: &mut dyn Place) -> Option<usize> {
    stream::decode(wire, place)
}
