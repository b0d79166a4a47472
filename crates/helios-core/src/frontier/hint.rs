//! [`Hint`]: what a sitemap or a feed says of a URL that it names. A word of the site's own, so it moves a URL among its
//! neighbours and never further: tiers, delays, budgets and traps are not its to change.

use crate::clock::Millis;
use crate::codec::{Reader, Writer};
use crate::error::Result;

/// Parts of a day and of the age of a page, in milliseconds.
const DAY_MS: f32 = 86_400_000.0;
/// A page that did not change for so long will not change for a tenth of that (RFC 9111 §4.2.2).
const PART_OF_AGE: u64 = 10;
const ALL: f32 = 100.0;

/// As made by default: nothing is said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hint {
    /// When it last changed.
    pub modified: Option<Millis>,
    /// How it compares with others of its site, in hundredths.
    pub priority: Option<u8>,
    /// How likely it changes within a day, in hundredths, as claimed.
    pub change: Option<u8>,
}

impl Hint {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Between 0 and 1.
    pub(super) fn priority(&self) -> Option<f32> {
        self.priority.map(|part| f32::from(part.min(100)) / ALL)
    }

    /// How likely it changes within a day, by what is known at `now`: what changed lately changes often, and a date says more than
    /// a claim. A date that is yet to come says nothing.
    pub(super) fn change_rate(&self, now: Millis) -> Option<f32> {
        let age = self.modified.and_then(|modified| now.checked_sub(modified));
        let seen = age.map(|age| 1.0 / (1.0 + age as f32 / DAY_MS));
        seen.or_else(|| self.change.map(|part| f32::from(part.min(100)) / ALL))
    }

    /// The first pause before it is fetched again, in seconds.
    pub(super) fn first_pause_s(&self, now: Millis) -> Option<u64> {
        let age = now.checked_sub(self.modified?)?;
        Some(age / PART_OF_AGE / 1_000)
    }

    pub(super) fn write(&self, to: &mut Writer) {
        let part = |part: Option<u8>| part.map_or(0, |part| part.min(100) + 1);
        to.number(self.modified.map_or(0, |modified| modified.saturating_add(1)));
        to.byte(part(self.priority)).byte(part(self.change));
    }

    pub(super) fn read(from: &mut Reader<'_>) -> Result<Self> {
        let modified = from.number()?.checked_sub(1);
        let (priority, change) = (from.byte()?.checked_sub(1), from.byte()?.checked_sub(1));
        Ok(Self { modified, priority, change })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Millis = 86_400_000;

    #[test]
    fn what_changed_lately_changes_often_and_a_date_says_more_than_a_claim() {
        let of = |modified, change| Hint { modified, change, priority: None }.change_rate(100 * DAY);
        assert_eq!(of(Some(100 * DAY), Some(0)), Some(1.0));
        assert_eq!(of(Some(99 * DAY), None), Some(0.5));
        assert!(of(Some(0), Some(100)).is_some_and(|rate| rate < 0.01));
        assert_eq!(of(Some(101 * DAY), Some(63)), Some(0.63), "a date to come says nothing");
        assert_eq!(of(None, None), None);
    }

    #[test]
    fn the_first_pause_is_a_tenth_of_the_age() {
        let of = |modified| Hint { modified, ..Hint::default() }.first_pause_s(100 * DAY);
        assert_eq!(of(Some(90 * DAY)), Some(86_400));
        assert_eq!((of(None), of(Some(200 * DAY))), (None, None));
    }

    #[test]
    fn a_hint_is_read_as_it_was_written() {
        for hint in [
            Hint { modified: Some(0), priority: Some(0), change: Some(0) },
            Hint { modified: Some(7), priority: Some(100), change: None },
            Hint { modified: None, priority: None, change: Some(3) },
        ] {
            let mut to = Writer::new();
            hint.write(&mut to);
            assert_eq!(Hint::read(&mut Reader::new(&to.done())).ok(), Some(hint));
        }
    }
}
