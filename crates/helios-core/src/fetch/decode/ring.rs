//! The ring that a thread decodes Brotli with, again and again: memory that is new to the process costs about as much as filling it.
//!
//! What is left in it of another body is never seen: no distance of Brotli reaches behind what its ring was filled with (RFC 7932 §4).

use std::cell::Cell;
use std::ops::{Index, IndexMut};

use brotli::{Allocator, SliceWrapper, SliceWrapperMut};

/// More than this goes back to the allocator: no thread keeps what one large body needed.
const MOST_BYTES: usize = 2 << 20;
/// Less than this is for small tables, which want zeros.
const LEAST_RING: usize = 32 * 1024;

thread_local! {
    static RING: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Gives Brotli the bytes that it asks for.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Rings;

/// The first `length` bytes of what may be more.
#[derive(Debug, Default)]
pub(super) struct Ring {
    bytes: Vec<u8>,
    length: usize,
}

impl Allocator<u8> for Rings {
    type AllocatedMemory = Ring;

    fn alloc_cell(&mut self, length: usize) -> Ring {
        if length < LEAST_RING {
            return Ring { bytes: vec![0; length], length };
        }
        let mut bytes = RING.take();
        if bytes.len() < length {
            bytes = vec![0; length];
        }
        Ring { bytes, length }
    }

    fn free_cell(&mut self, ring: Ring) {
        if (LEAST_RING..=MOST_BYTES).contains(&ring.bytes.len()) {
            RING.set(ring.bytes);
        }
    }
}

impl SliceWrapper<u8> for Ring {
    fn slice(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
}

impl SliceWrapperMut<u8> for Ring {
    fn slice_mut(&mut self) -> &mut [u8] {
        self.bytes.get_mut(..self.length).unwrap_or_default()
    }
}

impl Index<usize> for Ring {
    type Output = u8;

    #[allow(clippy::indexing_slicing, reason = "it is what indexing means")]
    fn index(&self, index: usize) -> &u8 {
        &self.bytes[index]
    }
}

impl IndexMut<usize> for Ring {
    #[allow(clippy::indexing_slicing, reason = "it is what indexing means")]
    fn index_mut(&mut self, index: usize) -> &mut u8 {
        &mut self.bytes[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_is_used_again_unless_it_is_large() {
        let mut rings = Rings;
        let ring = rings.alloc_cell(MOST_BYTES);
        let place = ring.slice().as_ptr();
        rings.free_cell(ring);
        let again = rings.alloc_cell(LEAST_RING);
        assert_eq!((again.slice().as_ptr(), again.slice().len()), (place, LEAST_RING));
        rings.free_cell(again);
        let large = rings.alloc_cell(MOST_BYTES + 1);
        rings.free_cell(large);
        assert!(RING.take().is_empty(), "the one that was kept was too small, and gave way");
    }
}
