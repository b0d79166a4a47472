//! Shingles: runs of five words. Their hashes are thrown into bins, and each bin keeps its smallest.
//!
//! The smallest of a bin is a fair draw: two texts have the same with a chance that is their similarity (one-permutation
//! MinHash). A text with few shingles leaves bins empty, and then the bins hold nearly all of it.

use crate::mix::mix;

pub(crate) const BINS: usize = 2048;
/// No shingle has this hash (or one in four billion, which is lost).
const EMPTY: u32 = u32::MAX;

pub(crate) struct Shingles {
    smallest: [u32; BINS],
    /// The last four words, the youngest last.
    before: [u64; 4],
    /// A hash of all words, in order.
    content: u64,
    words: u32,
}

impl Shingles {
    pub(crate) fn new() -> Self {
        Self { smallest: [EMPTY; BINS], before: [0; 4], content: 0, words: 0 }
    }

    pub(crate) fn words(&mut self, hashes: &[u64]) {
        let ([mut first, mut second, mut third, mut fourth], mut content) = (self.before, self.content);
        // The first four words of a text end no shingle.
        let mut early = 4_usize.saturating_sub(self.words as usize);
        for &hash in hashes {
            content = mix(content.rotate_left(1), hash);
            let turned = first.rotate_left(52)
                ^ second.rotate_left(39)
                ^ third.rotate_left(26)
                ^ fourth.rotate_left(13);
            (first, second, third, fourth) = (second, third, fourth, hash);
            if early > 0 {
                early -= 1;
                continue;
            }
            let shingle = mix(turned ^ hash, 0x9216_d5d9_8979_fb1b);
            if let Some(smallest) = self.smallest.get_mut((shingle >> 32) as usize % BINS) {
                *smallest = (*smallest).min(shingle as u32);
            }
        }
        (self.before, self.content) = ([first, second, third, fourth], content);
        self.words = self.words.saturating_add(hashes.len() as u32);
    }

    pub(crate) fn content(&self) -> u64 {
        mix(self.content, u64::from(self.words))
    }

    pub(crate) fn count(&self) -> u32 {
        self.words
    }

    /// What each bin drew; none if it is empty.
    pub(crate) fn drawn(&self) -> impl Iterator<Item = Option<u32>> + '_ {
        self.smallest.iter().map(|smallest| Some(*smallest).filter(|smallest| *smallest != EMPTY))
    }

    /// Fewer, larger bins. One that is still empty takes what the next has, so that short texts can be compared, too.
    pub(crate) fn coarse<const COUNT: usize>(&self) -> [u32; COUNT] {
        let mut smallest = [EMPTY; COUNT];
        for (large, small) in smallest.iter_mut().zip(self.smallest.chunks(BINS / COUNT)) {
            *large = small.iter().copied().min().unwrap_or(EMPTY);
        }
        // Twice around, backwards, so that each sees what comes after it.
        let mut next = EMPTY;
        for _ in 0..2 {
            for own in smallest.iter_mut().rev() {
                if *own == EMPTY {
                    *own = next;
                }
                next = *own;
            }
        }
        smallest
    }
}
