//! Chance without a generator: every fact of the web is a hash of (seed, host, page, purpose).
//!
//! In: a seed and a path of keys and purposes. Out: numbers of a wanted distribution.
//! Always: the same path gives the same number, and asking for one fact never changes another.

/// What a number is drawn for: keeps facts of one page independent of each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum For {
    Host = 1,
    Page,
    Site,
    HostSize,
    Trunk,
    Address,
    Https,
    Dead,
    Robots,
    RobotsStyle,
    CrawlDelay,
    Sitemap,
    Trap,
    Changing,
    Coding,
    Language,
    Latency,
    Stall,
    Kind,
    Path,
    Links,
    Redirect,
    Fault,
    RetryAfter,
    Duplicate,
    Text,
    Change,
    Size,
    Filler,
    Charset,
    Head,
    Validator,
    Bait,
    Session,
    NoFollow,
    Resolve,
    Corpus,
}

/// The finaliser of splitmix64: every input bit moves every output bit.
pub(crate) const fn mix(value: u64) -> u64 {
    let mut x = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A place in the tree of chance; cheap to copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(mix(seed))
    }

    /// The branch for one purpose.
    pub(crate) const fn of(self, purpose: For) -> Self {
        Self(mix(self.0 ^ ((purpose as u64) << 56)))
    }

    /// The branch for one number: a host, a page, the i-th link.
    pub(crate) const fn at(self, index: u64) -> Self {
        Self(mix(self.0 ^ index.wrapping_mul(0xd6e8_feb8_6659_fd93)))
    }

    /// All 64 bits.
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    /// In 0..1, never 1.
    pub(crate) fn unit(self) -> f64 {
        (self.0 >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// In 0..n; 0 where n is 0.
    pub(crate) const fn below(self, n: u32) -> u32 {
        (((self.0 >> 32) * n as u64) >> 32) as u32
    }

    pub(crate) fn happens(self, rate: f64) -> bool {
        self.unit() < rate
    }

    /// Evenly in `low..=high`.
    pub(crate) fn between(self, low: u64, high: u64) -> u64 {
        let span = high.saturating_sub(low) as f64 + 1.0;
        low + positive(self.unit() * span)
    }

    /// A draw from the normal distribution with mean 0 and deviation 1 (Box and Muller).
    pub(crate) fn normal(self) -> f64 {
        let first = 1.0 - self.unit();
        let second = Self(mix(self.0)).unit();
        (-2.0 * first.ln()).sqrt() * (std::f64::consts::TAU * second).cos()
    }

    pub(crate) fn log_normal(self, median: f64, sigma: f64) -> f64 {
        if sigma == 0.0 { median } else { median * (sigma * self.normal()).exp() }
    }

    /// The first index whose running sum of shares exceeds the draw; `shares.len()` when none does.
    pub(crate) fn pick(self, shares: &[f64]) -> usize {
        pick_at(self.unit(), shares)
    }

    /// One of a list that is not empty.
    #[allow(clippy::indexing_slicing, reason = "below() stays under the length; an empty list is a bug here")]
    pub(crate) fn choose<T>(self, list: &[T]) -> &T {
        &list[self.below(list.len() as u32) as usize]
    }
}

/// As [`Chance::pick`], for a draw that was made elsewhere.
pub(crate) fn pick_at(draw: f64, shares: &[f64]) -> usize {
    let mut sum = 0.0;
    for (index, share) in shares.iter().enumerate() {
        sum += share;
        if draw < sum {
            return index;
        }
    }
    shares.len()
}

/// A float that is known to be positive and small as an integer.
#[allow(clippy::cast_sign_loss, reason = "negative floats saturate at 0, which is what is wanted")]
pub(crate) const fn positive(value: f64) -> u64 {
    value as u64
}

/// A shuffle of `0..n` that needs no table: spreads a rate evenly, so that 2 % of 200 hosts are 4 hosts with every seed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spread {
    count: u64,
    step: u64,
    shift: u64,
}

impl Spread {
    pub(crate) fn new(chance: Chance, count: u32) -> Self {
        let count = u64::from(count.max(1));
        // Near the golden section of the count: neighbours land far apart.
        let mut step = positive(count as f64 * (0.55 + 0.15 * chance.unit())).max(1);
        while gcd(step, count) != 1 {
            step += 1;
        }
        Self { count, step, shift: mix(chance.bits()) % count }
    }

    /// Where an index stands in 0..1; each of the `count` indices has its own slot.
    pub(crate) fn unit(&self, index: u32) -> f64 {
        let slot = (u64::from(index) * self.step + self.shift) % self.count;
        (slot as f64 + 0.5) / self.count as f64
    }
}

const fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_visits_every_slot_once() {
        for count in [1, 2, 7, 200, 1024] {
            let spread = Spread::new(Chance::new(9), count);
            let mut slots: Vec<f64> = (0..count).map(|index| spread.unit(index)).collect();
            slots.sort_by(f64::total_cmp);
            slots.dedup();
            assert_eq!(slots.len(), count as usize);
        }
    }

    #[test]
    fn a_log_normal_has_its_median() {
        let root = Chance::new(3);
        let mut draws: Vec<f64> = (0..4001).map(|i| root.at(i).log_normal(139.0, 1.05)).collect();
        draws.sort_by(f64::total_cmp);
        assert!((draws[2000] / 139.0 - 1.0).abs() < 0.1, "{}", draws[2000]);
    }
}
