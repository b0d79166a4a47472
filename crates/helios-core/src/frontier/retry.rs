//! Outcome → again, later or never. A table; pure.

use super::FrontierSettings;
use crate::fetch::OutcomeKind;

/// What becomes of a URL after an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is settled.
    Done,
    /// Ask again, counting the attempt.
    Again,
    /// Ask again; nothing was asked this time.
    Return,
    /// Not worth another attempt.
    Dead,
}

pub(super) fn verdict(kind: OutcomeKind) -> Verdict {
    match kind {
        OutcomeKind::Fetched
        | OutcomeKind::NotModified
        | OutcomeKind::Redirected
        | OutcomeKind::Missing
        | OutcomeKind::Denied
        | OutcomeKind::TooLarge
        | OutcomeKind::Bomb
        | OutcomeKind::UnwantedType => Verdict::Done,
        OutcomeKind::Busy
        | OutcomeKind::Unresolved
        | OutcomeKind::Unreachable
        | OutcomeKind::TimedOut
        | OutcomeKind::Broken => Verdict::Again,
        OutcomeKind::Abandoned => Verdict::Return,
        OutcomeKind::ForbiddenAddress | OutcomeKind::Untrusted => Verdict::Dead,
    }
}

/// The site itself is in trouble, not only the page.
pub(super) fn burdens_site(kind: OutcomeKind) -> bool {
    matches!(
        kind,
        OutcomeKind::Busy | OutcomeKind::Unresolved | OutcomeKind::Unreachable | OutcomeKind::TimedOut
    )
}

/// Doubles with each failure up to the ceiling, and a quarter more or less by `salt`, so that what failed together does
/// not come back together.
pub(super) fn backoff_ms(failures: u32, salt: u64, settings: &FrontierSettings) -> u64 {
    let doubled = settings.backoff_ms.saturating_mul(1 << failures.saturating_sub(1).min(20));
    let base = doubled.min(settings.backoff_ceiling_ms);
    let spread = base / 2;
    base - base / 4 + if spread == 0 { 0 } else { salt % spread }
}
