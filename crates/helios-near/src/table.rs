//! From keys to the numbers of the records that have them: linear hashing over chunks of one cache line.
//!
//! A partition is a chain of chunks, the youngest first; all but the youngest are full. When partitions hold more than
//! `CROWDED` entries on average, the next in turn is split by one more bit of its entries, so the table grows by one
//! partition at a time and its load stays the same. An entry is 6 bytes: a number, and 16 bits to tell keys apart.

use crate::segments::Segments;

/// Entries in a chunk, which then fills the 64 bytes of a cache line.
const ENTRIES: usize = 10;
/// Partitions at the beginning (2 to this power).
const FIRST_BITS: u32 = 12;
/// Entries per partition on average: longer chains save memory (half a chunk is empty), shorter ones time.
const CROWDED: usize = 80;
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Chunk {
    numbers: [u32; ENTRIES],
    rests: [u16; ENTRIES],
    older: u32,
}

impl Default for Chunk {
    fn default() -> Self {
        Self { numbers: [0; ENTRIES], rests: [0; ENTRIES], older: NONE }
    }
}

impl Chunk {
    /// One bit for each entry: is it of this key?
    #[inline]
    fn sharing(&self, rest: u16) -> u32 {
        self.rests.iter().enumerate().fold(0, |bits, (at, own)| bits | u32::from(*own == rest) << at)
    }
}

#[derive(Clone, Copy)]
struct Partition {
    youngest: u32,
    entries: u32,
}

impl Default for Partition {
    fn default() -> Self {
        Self { youngest: NONE, entries: 0 }
    }
}

impl Partition {
    /// Entries in the youngest chunk.
    fn top(self) -> usize {
        match self.entries as usize % ENTRIES {
            0 if self.entries > 0 => ENTRIES,
            top => top,
        }
    }
}

pub(crate) struct Table {
    partitions: Segments<Partition>,
    chunks: Segments<Chunk>,
    /// Chunks that nobody uses, linked by `older`.
    free: u32,
    entries: usize,
}

/// The part of a hash that an entry keeps: the bits above those that chose one of the first partitions.
fn rest(hash: u64) -> u16 {
    (hash >> FIRST_BITS) as u16
}

impl Table {
    pub(crate) fn new() -> Self {
        let mut partitions = Segments::new();
        (0..1 << FIRST_BITS).for_each(|_| partitions.push(Partition::default()));
        Self { partitions, chunks: Segments::new(), free: NONE, entries: 0 }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.chunks.bytes() + self.partitions.bytes()
    }

    /// Partitions before `split` have been split in this round and use one bit more.
    fn place(&self, hash: u64) -> usize {
        let round = 1 << self.partitions.len().ilog2();
        let split = self.partitions.len() - round;
        let place = hash as usize & (round - 1);
        if place < split { hash as usize & (2 * round - 1) } else { place }
    }

    /// Calls `found` with the place of a hash among `hashes` and the number of each entry that (as far as 28 bits tell) has
    /// it. The chains are walked side by side, so that the processor waits for several chunks at once.
    pub(crate) fn find<const N: usize>(&self, hashes: &[Option<u64>; N], mut found: impl FnMut(usize, u32)) {
        let mut walks: [(u32, usize, u16); N] = std::array::from_fn(|at| {
            let walk = hashes.get(at).copied().flatten().and_then(|hash| {
                let partition = self.partitions.get(self.place(hash))?;
                Some((partition.youngest, partition.top(), rest(hash)))
            });
            walk.unwrap_or((NONE, 0, 0))
        });
        let mut walking = true;
        while walking {
            walking = false;
            for (at, walk) in walks.iter_mut().enumerate() {
                let (chunk, count, rest) = *walk;
                let Some(chunk) = self.chunks.get(chunk as usize) else { continue };
                let mut same = chunk.sharing(rest) & ((1 << count) - 1);
                while same != 0 {
                    if let Some(number) = chunk.numbers.get(same.trailing_zeros() as usize) {
                        found(at, *number);
                    }
                    same &= same - 1;
                }
                *walk = (chunk.older, ENTRIES, rest);
                walking = true;
            }
        }
    }

    pub(crate) fn insert(&mut self, hash: u64, number: u32) {
        self.push(self.place(hash), rest(hash), number);
        self.entries += 1;
        if self.entries > self.partitions.len() * CROWDED {
            self.split();
        }
    }

    fn push(&mut self, place: usize, rest: u16, number: u32) {
        let Some(mut partition) = self.partitions.get(place).copied() else { return };
        let top = partition.entries as usize % ENTRIES;
        if top == 0 {
            partition.youngest = self.new_chunk(partition.youngest);
        }
        partition.entries += 1;
        if let Some(chunk) = self.chunks.get_mut(partition.youngest as usize)
            && let (Some(own), Some(place)) = (chunk.rests.get_mut(top), chunk.numbers.get_mut(top))
        {
            (*own, *place) = (rest, number);
        }
        if let Some(place) = self.partitions.get_mut(place) {
            *place = partition;
        }
    }

    fn new_chunk(&mut self, older: u32) -> u32 {
        let chunk = Chunk { older, ..Chunk::default() };
        let number = self.free;
        if let Some(place) = self.chunks.get_mut(number as usize) {
            self.free = place.older;
            *place = chunk;
            return number;
        }
        self.chunks.push(chunk);
        self.chunks.len() as u32 - 1
    }

    fn split(&mut self) {
        let round = 1 << self.partitions.len().ilog2();
        let split = self.partitions.len() - round;
        let bit = 1 << (round.ilog2() - FIRST_BITS);
        self.partitions.push(Partition::default());
        for (rest, number) in self.emptied(split).into_iter().rev() {
            self.push(if rest & bit == 0 { split } else { round + split }, rest, number);
        }
    }

    /// Takes all entries out of a partition, the youngest first.
    fn emptied(&mut self, place: usize) -> Vec<(u16, u32)> {
        let Some(partition) = self.partitions.get_mut(place) else { return Vec::new() };
        let (mut chunk, mut top) = (partition.youngest, partition.top());
        let mut entries = Vec::with_capacity(partition.entries as usize);
        *partition = Partition::default();
        while let Some(place) = self.chunks.get_mut(chunk as usize) {
            entries.extend(place.rests.iter().copied().zip(place.numbers).take(top).rev());
            let older = std::mem::replace(&mut place.older, self.free);
            self.free = chunk;
            (chunk, top) = (older, ENTRIES);
        }
        entries
    }

    /// Removes the youngest entry of the hash's partition, which must be this one.
    pub(crate) fn remove_youngest(&mut self, hash: u64, number: u32) {
        let place = self.place(hash);
        let Some(partition) = self.partitions.get_mut(place) else { return };
        let top = partition.top();
        let Some(chunk) = self.chunks.get_mut(partition.youngest as usize) else { return };
        if top == 0 || chunk.numbers.get(top - 1) != Some(&number) {
            return;
        }
        partition.entries -= 1;
        self.entries -= 1;
        if top == 1 {
            let older = std::mem::replace(&mut chunk.older, self.free);
            self.free = std::mem::replace(&mut partition.youngest, older);
        }
    }
}
