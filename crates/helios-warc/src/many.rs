//! SHA-1 of many at once. Of each answer two digests are told, over nearly the same bytes, and where bodies come packed they are most of
//! the work. One after the other is all that the SHA instructions can; a processor with AVX-512 takes sixteen side by side, three times
//! as fast.
//!
//! Always: what comes out does not depend on the processor.

#[cfg(target_arch = "x86_64")]
mod avx512;

use sha1::block_api::compress;

type State = [u32; 5];
type Block = [u8; 64];

/// Before the first block (FIPS 180-4 §5.3.1).
const BEGINNING: State = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];

/// One digest being made.
struct Job<'a> {
    state: State,
    /// Blocks yet to be taken in.
    blocks: &'a [Block],
    /// What follows them, less than a block.
    rest: Vec<u8>,
    /// Bytes in all.
    length: usize,
}

/// The SHA-1 of each, which is in two parts.
pub(crate) fn sha1_of_all(all: &[[&[u8]; 2]]) -> Vec<[u8; 20]> {
    let mut jobs: Vec<Job<'_>> = all.iter().map(|parts| Job::begin(*parts)).collect();
    #[cfg(target_arch = "x86_64")]
    if let Some(lanes) = avx512::Lanes::new() {
        side_by_side(lanes, &mut jobs);
    }
    jobs.into_iter().map(Job::end).collect()
}

/// Takes in blocks of many jobs at a time, as long as there are many. The longest begin: no long one is left over alone at the end.
#[cfg(target_arch = "x86_64")]
fn side_by_side(lanes: avx512::Lanes, jobs: &mut [Job<'_>]) {
    let mut waiting: Vec<_> = jobs.iter_mut().filter(|job| !job.blocks.is_empty()).collect();
    waiting.sort_by_key(|job| job.blocks.len());
    let mut running: Vec<&mut Job<'_>> = Vec::with_capacity(avx512::LANES);
    loop {
        running.retain(|job| !job.blocks.is_empty());
        let free = avx512::LANES - running.len();
        running.extend(waiting.drain(waiting.len().saturating_sub(free)..));
        if running.len() < avx512::WORTH {
            return;
        }
        lanes.take_in(&mut running);
    }
}

impl<'a> Job<'a> {
    /// The first part and the block in which the second begins are taken in at once: behind them blocks are read where they lie.
    fn begin([first, second]: [&'a [u8]; 2]) -> Self {
        let missing = first.len().next_multiple_of(size_of::<Block>()) - first.len();
        let (joined, second) = second.split_at(missing.min(second.len()));
        let front = [first, joined].concat();
        let (whole, over) = front.as_chunks();
        let mut state = BEGINNING;
        compress(&mut state, whole);
        let (blocks, rest) = second.as_chunks();
        Self { state, blocks, rest: [over, rest].concat(), length: front.len() + second.len() }
    }

    /// What is left, a bit, zeros, and the length in bits (FIPS 180-4 §5.1.1).
    fn end(mut self) -> [u8; 20] {
        compress(&mut self.state, self.blocks);
        self.rest.push(0x80);
        let zeros =
            (self.rest.len() + size_of::<u64>()).next_multiple_of(size_of::<Block>()) - size_of::<u64>();
        self.rest.resize(zeros, 0);
        self.rest.extend_from_slice(&(self.length as u64 * 8).to_be_bytes());
        compress(&mut self.state, self.rest.as_chunks().0);
        let mut digest = [0; 20];
        for (out, word) in digest.as_chunks_mut().0.iter_mut().zip(self.state) {
            *out = word.to_be_bytes();
        }
        digest
    }
}

#[cfg(test)]
mod tests {
    use sha1::Digest as _;

    use super::*;

    fn check(lengths: impl Iterator<Item = (usize, usize)>) {
        let bytes: Vec<u8> = (0_u32..40_000).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let all: Vec<[&[u8]; 2]> = lengths
            .enumerate()
            .map(|(at, (first, second))| [&bytes[at..at + first], &bytes[3 * at..3 * at + second]])
            .collect();
        for (at, (parts, digest)) in all.iter().zip(sha1_of_all(&all)).enumerate() {
            let lengths = parts.map(<[u8]>::len);
            assert_eq!(digest, *sha1::Sha1::digest(parts.concat()), "number {at}: {lengths:?} bytes");
        }
    }

    #[test]
    fn each_of_many_has_the_digest_that_it_has_alone() {
        check(std::iter::empty());
        // Every way in which two parts can fill blocks and end in them.
        check((0..130).flat_map(|first| [0, 1, 55, 56, 63, 64, 65, 200].map(|second| (first, second))));
        // Fewer than there are lanes, as many, more; of one length, and of all lengths.
        for count in [1, 4, 5, 15, 16, 17, 40, 500] {
            check((0..count).map(|_| (300, 5_000)));
            check((0..count).map(|at| (at % 70, at * 7_919 % 20_000)));
        }
    }
}
