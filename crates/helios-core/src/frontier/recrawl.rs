//! When a page is fetched again: sooner if it changes, later if it does not, within the bounds of its tier.

use serde::{Deserialize, Serialize};

use super::tier::Tier;
use crate::clock::Millis;

/// Longer pauses are taken as this: 136 years, what the interval has room for.
const LONGEST_S: u64 = u32::MAX as u64;
const DAY_S: f32 = 86_400.0;
/// Looks that are remembered, about: beyond, old ones count half.
const REMEMBERED: u16 = 32;
/// The change rate of a page that was looked at once or never.
const PRIOR: f32 = 0.3;
/// So many looks weigh as much as the prior.
const PRIOR_LOOKS: f32 = 3.0;

/// The `[recrawl]` table; three values are those of the three tiers, in seconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RecrawlSettings {
    pub enabled: bool,
    /// The pause after the first fetch.
    pub start_s: [u64; 3],
    /// Pages that change with every look are not asked more often.
    pub floor_s: [u64; 3],
    /// Pages that never change are not asked less often.
    pub ceiling_s: [u64; 3],
}

impl Default for RecrawlSettings {
    /// Around hourly, daily and weekly.
    fn default() -> Self {
        Self {
            enabled: false,
            start_s: [3_600, 86_400, 604_800],
            floor_s: [900, 21_600, 86_400],
            ceiling_s: [86_400, 604_800, 5_184_000],
        }
    }
}

impl RecrawlSettings {
    /// The same with another first pause, if there is one; the bounds of the tiers hold all the same.
    #[must_use]
    pub fn starting(&self, first_s: Option<u64>) -> Self {
        Self { start_s: first_s.map_or(self.start_s, |first| [first.max(1); 3]), ..self.clone() }
    }
}

/// How often a page is looked at, and how often it had changed. As made by default: it was never fetched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rhythm {
    pub interval_s: u32,
    pub changes: u16,
    pub looks: u16,
}

impl Rhythm {
    /// After a fetch: the pause until the next one. The first fetch has nothing to compare with, so that it only starts the
    /// rhythm. `salt` (of the URL) moves the pause by up to a tenth, so that what was found together does not come back
    /// together; the tier's bounds hold all the same.
    pub fn next(&mut self, changed: bool, tier: Tier, settings: &RecrawlSettings, salt: u64) -> Millis {
        let of_tier = |table: &[u64; 3]| table.get(tier.index()).copied().unwrap_or(1).clamp(1, LONGEST_S);
        let floor = of_tier(&settings.floor_s);
        let ceiling = of_tier(&settings.ceiling_s).max(floor);
        let interval = match u64::from(self.interval_s) {
            0 => of_tier(&settings.start_s),
            interval => {
                self.count(changed);
                if changed { interval / 2 } else { interval + interval / 2 + 1 }
            }
        };
        let interval = interval.clamp(floor, ceiling);
        self.interval_s = interval as u32;
        spread(interval * 1_000, salt, floor * 1_000, ceiling * 1_000)
    }

    fn count(&mut self, changed: bool) {
        if self.looks >= REMEMBERED {
            self.looks /= 2;
            self.changes /= 2;
        }
        self.looks += 1;
        self.changes += u16::from(changed);
    }

    /// Between 0 and 1: how likely it changes within a day. Changes per look would say nothing, because the interval follows
    /// them: every page within its bounds ends near one change in three looks.
    pub fn change_rate(&self) -> f32 {
        if self.looks == 0 {
            return PRIOR;
        }
        let looks = f32::from(self.looks);
        let unchanged = 1.0 - (f32::from(self.changes) / looks).min(1.0);
        let looks_a_day = DAY_S / (self.interval_s.max(1) as f32);
        let seen = 1.0 - unchanged.powf(looks_a_day);
        (looks * seen + PRIOR_LOOKS * PRIOR) / (looks + PRIOR_LOOKS)
    }

    pub fn encode(&self) -> [u8; 8] {
        let fields = u64::from(self.interval_s) << 32 | u64::from(self.changes) << 16 | u64::from(self.looks);
        fields.to_be_bytes()
    }

    pub fn decode(bytes: [u8; 8]) -> Self {
        let fields = u64::from_be_bytes(bytes);
        Self { interval_s: (fields >> 32) as u32, changes: (fields >> 16) as u16, looks: fields as u16 }
    }
}

/// A tenth more or less; what would leave the bounds is thrown back inside, so that it stays spread at the bounds, too.
fn spread(pause: Millis, salt: u64, floor: Millis, ceiling: Millis) -> Millis {
    // Mixed, because salts of neighbours may differ in a few bits only.
    let unit = u128::from(salt.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let moved = pause - pause / 10 + ((u128::from(pause / 5) * unit) >> 64) as Millis;
    let inside = if moved < floor { floor + (floor - moved) } else { moved };
    inside.min(ceiling.saturating_sub(inside.saturating_sub(ceiling))).clamp(floor, ceiling)
}
