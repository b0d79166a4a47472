//! What a URL is worth: its score, the order that follows from it, and a sketch of who links to a site.

use serde::{Deserialize, Serialize};

use crate::clock::Millis;

/// Waiting this long is worth the whole weight of age: one day.
const AGE_SCALE_MS: f64 = 86_400_000.0;

/// `rank·R + change·C + age·A + shallowness·S`; the sum of the weights need not be 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Weights {
    /// Of links from other sites.
    pub rank: f32,
    /// Of how often it changes.
    pub change: f32,
    /// Of each day that it has waited. With 0, low scores can wait for ever.
    pub age: f32,
    /// Of being few links away from a seed.
    pub shallowness: f32,
}

impl Default for Weights {
    fn default() -> Self {
        Self { rank: 0.4, change: 0.3, age: 0.2, shallowness: 0.1 }
    }
}

/// What is known of a URL that waits. `rank` and `change` are between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Signals {
    pub rank: f32,
    pub change: f32,
    /// Links from a seed.
    pub depth: u32,
    /// Between 0 and 1, as the site itself says.
    pub priority: Option<f32>,
    /// Since when it waits.
    pub queued: Millis,
}

/// Between 0 and 1, without age and whatever the weights sum to: what tiers are cut by. A URL's tier does not rise with
/// waiting, or every tier would end in the first.
pub fn base(weights: &Weights, signals: &Signals) -> f32 {
    let most = weights.rank + weights.change + weights.shallowness;
    if most > 0.0 { (merit(weights, signals) / most).clamp(0.0, 1.0) } else { 0.0 }
}

/// The higher, the sooner; never changes while the URL waits.
///
/// The score at a moment is `merit + age · days waited`. Age grows by the same amount for everybody, so that the moment can
/// be left out: `merit − age · day of queueing` orders just as well, and a queue need not be sorted again. Nothing starves:
/// whoever has waited `Δmerit / age` days longer (4 with the default weights) goes before anything newer.
pub fn order(weights: &Weights, signals: &Signals) -> f64 {
    let day = signals.queued as f64 / AGE_SCALE_MS;
    f64::from(merit(weights, signals)) - f64::from(weights.age) * day
}

fn merit(weights: &Weights, signals: &Signals) -> f32 {
    // Depth is a guess at how near to the heart of its site a page is; a sitemap's priority is the site's own word on that.
    let shallowness = signals.priority.map_or_else(|| 1.0 / (1.0 + signals.depth as f32), share);
    weights.rank * share(signals.rank)
        + weights.change * share(signals.change)
        + weights.shallowness * shallowness
}

/// What is no number counts as nothing: one bad signal must not unsort a queue.
fn share(value: f32) -> f32 {
    if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) }
}

/// About how many different sites link here: linear counting in 128 bits (Whang et al. 1990), standard
/// error below 10 % up to some 200.
/// Idempotent: a link that is taken in again after a crash counts nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InLinks(u128);

impl InLinks {
    const BITS: f32 = 128.0;
    /// The estimate of a sketch with one bit left: more cannot be told apart from it.
    const MOST: f32 = 621.06;

    /// False: nothing new, and nothing to write.
    pub fn insert(&mut self, site_hash: u64) -> bool {
        // Mixed again: hashes of sites that share a partition are alike in their high bits.
        let bit = 1 << (site_hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 57);
        let new = self.0 & bit == 0;
        self.0 |= bit;
        new
    }

    pub fn estimate(&self) -> f32 {
        match self.0.count_zeros() {
            0 => Self::MOST,
            zeros => -Self::BITS * (zeros as f32 / Self::BITS).ln(),
        }
    }

    /// Between 0 (nobody) and 1 (some 600 sites or more), by the logarithm: the tenth link says more than the hundredth.
    pub fn rank(&self) -> f32 {
        (self.estimate().ln_1p() / Self::MOST.ln_1p()).min(1.0)
    }

    pub const fn to_bytes(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }

    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(u128::from_be_bytes(bytes))
    }
}
