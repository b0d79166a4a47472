//! [`Chance`]: the only source of chance in a trial (splitmix64). The same seed gives the same trial.

/// A stream of numbers.
#[derive(Debug, Clone)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed ^ 0x6a09_e667_f3bc_c909)
    }

    /// A stream of its own: drawing from it does not move this one.
    pub(crate) fn fork(&mut self) -> Self {
        Self(self.bits())
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// In 0..1, never 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn happens(&mut self, rate: f64) -> bool {
        self.unit() < rate
    }

    /// Evenly in `low..=high`.
    pub(crate) fn between(&mut self, low: u64, high: u64) -> u64 {
        let span = high.saturating_sub(low) as f64 + 1.0;
        low + (self.unit() * span) as u64
    }

    /// Evenly on a logarithmic scale: small ones are as frequent as large ones.
    pub(crate) fn scaled(&mut self, low: u64, high: u64) -> u64 {
        let (low, high) = (low.max(1) as f64, high.max(1) as f64);
        (low * (high / low).powf(self.unit())).round() as u64
    }

    /// One of a list that is not empty.
    #[allow(
        clippy::indexing_slicing,
        reason = "between() stays below the length; an empty list is a bug here"
    )]
    pub(crate) fn choose<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.between(0, list.len() as u64 - 1) as usize]
    }
}
