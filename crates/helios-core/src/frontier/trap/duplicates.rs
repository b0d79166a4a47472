//! [`Duplicates`]: how much of what a site answers we have already.

/// Pages before a site is judged.
const FEW: u32 = 16;
/// Pages that are remembered, about: beyond, old ones count half.
const REMEMBERED: u32 = 256;
/// A site is never asked less than this seldom for its duplicates.
const SLOWEST: u32 = 16;

/// The near-duplicates among the last pages of a site.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Duplicates {
    pub pages: u32,
    pub duplicates: u32,
}

impl Duplicates {
    /// A page was fetched; was it much like one that we have?
    pub fn count(&mut self, duplicate: bool) {
        if self.pages >= REMEMBERED {
            self.pages /= 2;
            self.duplicates /= 2;
        }
        self.pages += 1;
        self.duplicates += u32::from(duplicate);
    }

    /// By what factor its delay grows, 1 to 16: the pages that it takes to get a new one, rounded down. Less than
    /// one half of duplicates costs nothing.
    pub fn slow_down(&self) -> u32 {
        if self.pages < FEW {
            return 1;
        }
        let new = self.pages.saturating_sub(self.duplicates).max(1);
        (self.pages / new).clamp(1, SLOWEST)
    }

    pub fn encode(&self) -> [u8; 8] {
        (u64::from(self.pages) << 32 | u64::from(self.duplicates)).to_be_bytes()
    }

    pub fn decode(bytes: [u8; 8]) -> Self {
        let both = u64::from_be_bytes(bytes);
        Self { pages: (both >> 32) as u32, duplicates: both as u32 }
    }
}
