//! [`Quota`]: which tier is served next, so that each gets its share (stride scheduling).

use super::tier::Tier;

/// Shares of the tiers among the URLs that are served.
///
/// Each tier has a pass that grows by `urls / share` when it is served; the ready tier with the lowest pass is next. While
/// all tiers are ready and a visit has at most `n` URLs, a tier is never more than `n` URLs ahead of its share of what was
/// served, and never more than twice its share of `n` behind: with 40/40/20 within one visit, for ever, either way.
#[derive(Debug, Clone)]
pub struct Quota {
    shares: [u32; 3],
    /// In units in which every stride is a whole number: nothing is rounded, so nothing drifts.
    passes: [u128; 3],
    /// The pass at which the last one was served. Nobody who waits is behind it.
    virtual_time: u128,
    idle: [bool; 3],
}

impl Quota {
    /// A tier of share 0 is served when no other is ready.
    pub fn new(shares: [u32; 3]) -> Self {
        Self { shares, passes: [0; 3], virtual_time: 0, idle: [false; 3] }
    }

    /// The tier to serve next of those that are ready; [`Quota::charge`] tells what it got. A tier that was not ready comes
    /// back as if it had just been served its share: no credit for the time that it had nothing to ask.
    pub fn pick(&mut self, ready: [bool; 3]) -> Option<Tier> {
        let now = self.virtual_time;
        for ((pass, idle), ready) in self.passes.iter_mut().zip(&mut self.idle).zip(ready) {
            if ready && *idle {
                *pass = now.max(*pass);
            }
            *idle = !ready;
        }
        let candidates = Tier::ALL.into_iter().filter(|tier| ready.get(tier.index()) == Some(&true));
        candidates.min_by_key(|&tier| (self.share(tier) == 0, self.pass(tier), u32::MAX - self.share(tier)))
    }

    /// The tier was served so many URLs.
    pub fn charge(&mut self, tier: Tier, urls: u64) {
        if self.share(tier) == 0 {
            return;
        }
        self.virtual_time = self.virtual_time.max(self.pass(tier));
        let cost = u128::from(urls).saturating_mul(self.stride(tier));
        if let Some(pass) = self.passes.get_mut(tier.index()) {
            *pass = pass.saturating_add(cost);
        }
    }

    fn share(&self, tier: Tier) -> u32 {
        self.shares.get(tier.index()).copied().unwrap_or(0)
    }

    fn pass(&self, tier: Tier) -> u128 {
        self.passes.get(tier.index()).copied().unwrap_or(0)
    }

    /// The product of the other shares: in proportion to 1 / share.
    fn stride(&self, tier: Tier) -> u128 {
        let others = Tier::ALL.into_iter().filter(|&other| other != tier);
        others.map(|other| u128::from(self.share(other).max(1))).product()
    }
}
