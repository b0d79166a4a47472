//! Rooms that bodies are decoded into, used again and again: memory that is new to the process costs about as much as filling it.
//!
//! All bytes of a room have been written once, so none need be made ready for the next body; what is left of another one is never seen, for only
//! what was filled in is given out. A room that is let go of waits for the next body, as far as there is place.

use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

/// Smaller ones come from the allocator: they are cheap.
const LEAST_BYTES: usize = 16 * 1024;
/// Larger ones go back to it: few bodies need them.
const MOST_BYTES: usize = 2 << 20;
/// What may wait in all, unless bodies have little memory.
const WAITING_BYTES: usize = 128 << 20;
/// Sizes between one power of two and the next: a quarter of a new room is empty, at most.
const STEPS: usize = 4;

static WAITING: Mutex<Waiting> = Mutex::new(Waiting { rooms: Vec::new(), bytes: 0, most: WAITING_BYTES });

/// Rooms may wait in half of what all bodies may occupy.
pub(super) fn let_wait(bodies: u64) {
    let most = usize::try_from(bodies / 2).unwrap_or(usize::MAX).min(WAITING_BYTES);
    let mut waiting = Waiting::lock();
    waiting.most = most;
    while waiting.bytes > most
        && let Some(room) = waiting.rooms.pop()
    {
        waiting.bytes -= room.len();
    }
}

/// Rooms that nobody uses, the smallest first, and of one size the latest last, for it is warm.
struct Waiting {
    rooms: Vec<Vec<u8>>,
    bytes: usize,
    most: usize,
}

impl Waiting {
    fn lock() -> MutexGuard<'static, Self> {
        WAITING.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The smallest that is of this size, or up to twice as large.
    fn take(&mut self, size: usize) -> Option<Vec<u8>> {
        let start = self.rooms.partition_point(|room| room.len() < size);
        let found = self.rooms.get(start)?.len();
        if found > 2 * size {
            return None;
        }
        let end = start + self.rooms.get(start..)?.partition_point(|room| room.len() == found);
        self.bytes -= found;
        Some(self.rooms.remove(end - 1))
    }

    /// Takes it in, if there is place.
    fn give(&mut self, room: Vec<u8>) -> Option<Vec<u8>> {
        if self.bytes + room.len() > self.most {
            return Some(room);
        }
        self.bytes += room.len();
        let at = self.rooms.partition_point(|other| other.len() <= room.len());
        self.rooms.insert(at, room);
        None
    }
}

/// Bytes that grow at their end, in a room.
#[derive(Debug, Default)]
pub(super) struct Room {
    bytes: Vec<u8>,
    used: usize,
}

impl Room {
    /// Room for so many bytes, or more.
    pub(super) fn of(size: usize) -> Self {
        let size = rounded(size);
        let waiting = if is_kept(size) { Waiting::lock().take(size) } else { None };
        Self { bytes: waiting.unwrap_or_else(|| vec![0; size]), used: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.used
    }

    pub(super) fn capacity(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn filled(&self) -> &[u8] {
        self.bytes.get(..self.used).unwrap_or_default()
    }

    /// Makes place for so many more.
    pub(super) fn reserve(&mut self, more: usize) {
        if self.capacity() - self.used >= more {
            return;
        }
        let mut larger = Self::of((self.used + more).max(2 * self.capacity()));
        larger.extend(self.filled());
        *self = larger;
    }

    /// The place behind what is filled, up to so many bytes. Whatever is written there counts when it is `add`ed.
    pub(super) fn spare(&mut self, most: usize) -> &mut [u8] {
        let end = self.capacity().min(self.used.saturating_add(most));
        self.bytes.get_mut(self.used..end).unwrap_or_default()
    }

    /// All bytes from there on, filled or not.
    pub(super) fn bytes_from(&mut self, begin: usize) -> &mut [u8] {
        self.bytes.get_mut(begin..).unwrap_or_default()
    }

    pub(super) fn add(&mut self, bytes: usize) {
        self.used = self.capacity().min(self.used + bytes);
    }

    pub(super) fn extend(&mut self, bytes: &[u8]) {
        self.reserve(bytes.len());
        self.spare(bytes.len()).copy_from_slice(bytes);
        self.add(bytes.len());
    }

    pub(super) fn truncate(&mut self, length: usize) {
        self.used = self.used.min(length);
    }

    /// What is filled, in a room that is twice as large at most.
    pub(super) fn fitted(self) -> Self {
        if rounded(self.used) * 2 >= self.capacity() {
            return self;
        }
        let mut smaller = Self::of(self.used);
        smaller.extend(self.filled());
        smaller
    }

    pub(super) fn into_bytes(self) -> Bytes {
        if self.used == 0 { Bytes::new() } else { Bytes::from_owner(self) }
    }
}

impl AsRef<[u8]> for Room {
    fn as_ref(&self) -> &[u8] {
        self.filled()
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let bytes = std::mem::take(&mut self.bytes);
        if is_kept(bytes.len()) {
            // What finds no place is freed behind the lock.
            let _left = Waiting::lock().give(bytes);
        }
    }
}

fn is_kept(size: usize) -> bool {
    (LEAST_BYTES..=MOST_BYTES).contains(&size)
}

/// The size of room for so many bytes.
fn rounded(bytes: usize) -> usize {
    if !is_kept(bytes) {
        return bytes;
    }
    let step = bytes.next_power_of_two() / (2 * STEPS);
    bytes.next_multiple_of(step.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_is_a_quarter_larger_at_most() {
        for bytes in (0..5_000_000).step_by(777) {
            let size = rounded(bytes);
            assert!(size >= bytes && size <= bytes + bytes / 4 + 1, "{bytes}: {size}");
            assert_eq!(rounded(size), size, "of {bytes}");
        }
    }

    #[test]
    fn a_room_grows_and_shrinks_and_keeps_what_is_in_it() {
        let mut room = Room::of(10);
        for byte in 0..=255 {
            room.extend(&[byte; 1_000]);
        }
        let all: Vec<u8> = (0..=255).flat_map(|byte| [byte; 1_000]).collect();
        assert_eq!((room.len(), room.filled()), (256_000, &*all));
        room.truncate(20_000);
        let fitted = room.fitted();
        assert!(fitted.capacity() <= 2 * rounded(20_000), "{}", fitted.capacity());
        assert_eq!(fitted.into_bytes(), all[..20_000]);
    }

    #[test]
    fn what_waits_is_bounded_and_the_one_that_fits_is_taken() {
        let mut waiting = Waiting { rooms: Vec::new(), bytes: 0, most: WAITING_BYTES };
        let sizes = [MOST_BYTES, 20_480, 16_384, 40_960, 16_384];
        let rooms = sizes.map(|size| vec![0; size]);
        let places = rooms.each_ref().map(Vec::as_ptr);
        for room in rooms {
            assert_eq!(waiting.give(room), None);
        }
        assert_eq!(
            waiting.take(16_384).map(|room| room.as_ptr()),
            places.last().copied(),
            "the latest is warm"
        );
        assert_eq!(waiting.take(16_384).map(|room| room.len()), Some(16_384));
        assert_eq!(waiting.take(16_384).map(|room| room.len()), Some(20_480), "a larger one will do");
        assert_eq!(waiting.take(16_384), None, "the others are too large");
        assert_eq!(waiting.take(65_536), None);
        while waiting.give(vec![0; MOST_BYTES]).is_none() {}
        assert!(waiting.bytes <= WAITING_BYTES);
        assert_eq!(waiting.bytes, waiting.rooms.iter().map(Vec::len).sum::<usize>());
    }

    #[test]
    fn the_next_body_sees_nothing_of_the_last() {
        for _ in 0..3 {
            let mut room = Room::of(100_000);
            assert!(room.filled().is_empty() && room.spare(usize::MAX).len() >= 100_000);
            room.extend(&vec![7; 100_000]);
            drop(room.into_bytes());
        }
    }
}
