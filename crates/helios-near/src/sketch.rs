//! 128 bytes that tell how alike two texts are: an odd sketch (Mitzenmacher, Pagh and Pham, 2014) of what was drawn.
//!
//! Each draw (bin, smallest hash) flips one of 1,024 bits. What two texts share cancels out, so the bits in which they
//! differ count what they do not share. At a similarity of 0.8 the error is about 0.012 for texts of 1,000 words and 0.02
//! for long ones; one bit of each of 1,024 minima would take as many bytes for 0.019, and need texts that fill them.

use crate::mix::mix;
use crate::shingles::{BINS, Shingles};

const BITS: u32 = 1024;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sketch {
    pub(crate) bits: [u64; BITS as usize / 64],
    /// Bins that are not empty.
    pub(crate) filled: u16,
}

impl Sketch {
    pub(crate) fn of(shingles: &Shingles) -> Self {
        let mut sketch = Self::default();
        for (bin, drawn) in shingles.drawn().enumerate() {
            // An empty bin flips nothing; about half are, in no order, so there is no branch.
            let at = mix(u64::from(drawn.unwrap_or(0)), bin as u64) >> 40;
            if let Some(bits) = sketch.bits.get_mut((at / 64) as usize % (BITS as usize / 64)) {
                *bits ^= u64::from(drawn.is_some()) << (at % 64);
            }
            sketch.filled = sketch.filled.wrapping_add(u16::from(drawn.is_some()));
        }
        sketch
    }

    fn distance(&self, other: &Self) -> u32 {
        self.bits.iter().zip(&other.bits).map(|(one, two)| (one ^ two).count_ones()).sum()
    }

    /// How many shingles fill as many bins as this.
    fn shingles(&self) -> f64 {
        let empty = (BINS as f64 - f64::from(self.filled)).max(0.2);
        BINS as f64 * (BINS as f64 / empty).ln()
    }

    /// The estimated Jaccard similarity of the shingles, 0 to 1; too low where it is below a half.
    pub(crate) fn similarity(&self, other: &Self) -> f32 {
        let (filled, bits) = (f64::from(self.filled) + f64::from(other.filled), f64::from(BITS));
        let differing = 2.0 * f64::from(self.distance(other)) / bits;
        if differing >= 1.0 || filled == 0.0 {
            return 0.0;
        }
        // n flips of random bits leave (1 - (1 - 2 / bits)ⁿ) / 2 of them odd.
        let unshared = (1.0 - differing).ln() / (1.0 - 2.0 / bits).ln();
        let shared = (filled - unshared) / 2.0;
        // Of the bins that either text fills, the part that is their similarity agrees; and how many those are depends
        // on how alike the texts are.
        let (both, mut similarity) = (self.shingles() + other.shingles(), 0.8);
        for _ in 0..6 {
            let either = BINS as f64 * (1.0 - (-both / (1.0 + similarity) / BINS as f64).exp());
            similarity = (shared / either).clamp(0.0, 1.0);
        }
        similarity as f32
    }
}
