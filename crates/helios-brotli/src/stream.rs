//! A stream: the size of its window, then metablocks until the last (RFC 7932 §9.1 and §9.2).

use std::cell::Cell;

use crate::Place;
use crate::bits::Bits;
use crate::body::Body;
use crate::trees::{Effort, Trees};

/// The most room for codes that a thread keeps from one stream for the next.
const KEPT_BYTES: usize = 1 << 19;

thread_local! {
    /// Room for the codes of the next stream; nothing that is in it is read again.
    static ROOM: Cell<Option<Box<Trees>>> = const { Cell::new(None) };
}

pub(crate) fn decode(wire: &[u8], place: &mut dyn Place) -> Option<usize> {
    let mut trees = ROOM.take().unwrap_or_default();
    let length = decode_by(&mut trees, wire, place);
    if trees.bytes() <= KEPT_BYTES {
        ROOM.set(Some(trees));
    }
    length
}

fn decode_by(trees: &mut Trees, wire: &[u8], place: &mut dyn Place) -> Option<usize> {
    let mut bits = Bits::new(wire);
    let mut body = Body::new(place, (1 << read_window(&mut bits)?) - 16);
    let mut effort = Effort::new(wire.len());
    loop {
        let head = Head::read(&mut bits)?;
        match head.kind {
            Kind::Empty => {}
            Kind::Metadata => bits = bits.aligned()?.bytes(head.length)?.1,
            Kind::Plain => {
                let (bytes, rest) = bits.aligned()?.bytes(head.length)?;
                body.append(bytes)?;
                bits = rest;
            }
            Kind::Coded => {
                bits = trees.read(bits, &mut effort)?;
                bits = body.extend(bits, trees, head.length, &mut effort)?;
            }
        }
        if head.is_last {
            bits.aligned()?;
            return Some(body.length());
        }
    }
}

/// How many bits the size of the window has, which is 16 less than that. Windows above 16 MB are none of the standard.
fn read_window(bits: &mut Bits<'_>) -> Option<u32> {
    if bits.read(1)? == 0 {
        return Some(16);
    }
    match (bits.read(3)? as u32, bits) {
        (0, bits) => match bits.read(3)? as u32 {
            0 => Some(17),
            1 => None,
            small => Some(8 + small),
        },
        (large, _) => Some(17 + large),
    }
}

enum Kind {
    Empty,
    Metadata,
    Plain,
    Coded,
}

/// The beginning of a metablock.
struct Head {
    kind: Kind,
    is_last: bool,
    length: usize,
}

impl Head {
    fn read(bits: &mut Bits<'_>) -> Option<Self> {
        let is_last = bits.read(1)? == 1;
        if is_last && bits.read(1)? == 1 {
            return Some(Self { kind: Kind::Empty, is_last, length: 0 });
        }
        let nibbles = match bits.read(2)? as u32 {
            3 if is_last => return None,
            3 => return Self::read_metadata(bits),
            more => 4 + more,
        };
        let length = bits.read(4 * nibbles)? as usize;
        if nibbles > 4 && length >> (4 * nibbles - 4) == 0 {
            return None;
        }
        let kind = if !is_last && bits.read(1)? == 1 { Kind::Plain } else { Kind::Coded };
        Some(Self { kind, is_last, length: length + 1 })
    }

    fn read_metadata(bits: &mut Bits<'_>) -> Option<Self> {
        if bits.read(1)? == 1 {
            return None;
        }
        let bytes = bits.read(2)? as u32;
        let length = bits.read(8 * bytes)? as usize;
        if bytes > 1 && length >> (8 * bytes - 8) == 0 {
            return None;
        }
        Some(Self { kind: Kind::Metadata, is_last: false, length: if bytes == 0 { 0 } else { length + 1 } })
    }
}
