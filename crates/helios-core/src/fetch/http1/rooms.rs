//! Room for the first read of an answer, used again and again: memory that is new to the process costs more than reading into it.
//!
//! Reads take room here and give it back; so does a body that was handed over where it lies, when it is dropped, on whatever
//! thread. One stock for the process, as the allocator is; it keeps 5 MB at most, which no credit covers.

use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

/// Half of all pages fit, with their heads.
pub(crate) const ROOM: usize = 40 * 1024;
const MOST_KEPT: usize = 128;

pub(super) static ROOMS: Rooms = Rooms::new();

pub(super) struct Rooms {
    /// The one that was used last, and is warm, on top.
    free: Mutex<Vec<Vec<u8>>>,
}

impl Rooms {
    const fn new() -> Self {
        Self { free: Mutex::new(Vec::new()) }
    }

    /// An empty room.
    pub(super) fn take(&self) -> Vec<u8> {
        let used = self.free().pop();
        used.unwrap_or_else(|| Vec::with_capacity(ROOM))
    }

    /// Takes a room back; memory of any other size goes to the allocator.
    pub(super) fn give(&self, mut bytes: Vec<u8>) {
        if bytes.capacity() == ROOM {
            bytes.clear();
            let mut free = self.free();
            if free.len() < MOST_KEPT {
                free.push(bytes);
            }
        }
    }

    /// The bytes from `start` on, where they lie; it comes back when they are dropped.
    pub(super) fn lend(&'static self, bytes: Vec<u8>, start: usize) -> Bytes {
        Bytes::from_owner(Lent { rooms: self, bytes, start })
    }

    fn free(&self) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Lent {
    rooms: &'static Rooms,
    bytes: Vec<u8>,
    start: usize,
}

impl AsRef<[u8]> for Lent {
    fn as_ref(&self) -> &[u8] {
        self.bytes.get(self.start..).unwrap_or_default()
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        self.rooms.give(std::mem::take(&mut self.bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_comes_back_empty_when_its_last_bytes_are_dropped() {
        static MINE: Rooms = Rooms::new();
        let mut room = MINE.take();
        let place = room.as_ptr();
        room.extend_from_slice(b"0123456789");
        let body = MINE.lend(room, 4);
        let part = body.slice(1..);
        drop(body);
        assert_eq!((part.as_ref(), MINE.free().len()), (b"56789".as_slice(), 0));
        drop(part);
        let room = MINE.take();
        assert_eq!((room.as_ptr(), room.len()), (place, 0));
    }

    #[test]
    fn the_stock_is_bounded_and_takes_rooms_only() {
        static MINE: Rooms = Rooms::new();
        MINE.give(Vec::with_capacity(ROOM + 1));
        assert_eq!(MINE.free().len(), 0);
        let rooms: Vec<_> = (0..2 * MOST_KEPT).map(|_| MINE.take()).collect();
        for room in rooms {
            MINE.give(room);
        }
        assert_eq!(MINE.free().len(), MOST_KEPT);
    }
}
