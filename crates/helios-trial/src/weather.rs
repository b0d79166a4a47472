//! Bad weather between the web and the fetcher: storms of 429, hosts that are dead for a while, DNS outages, slowness.

use crate::clock::Micros;
use helios_sim::reply::HostId;

/// What one host suffers for a while.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spell {
    pub(crate) host: HostId,
    pub(crate) from: Micros,
    pub(crate) to: Micros,
    pub(crate) trouble: Trouble,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// Everything is answered like this; 0 seconds: without Retry-After.
    Storm { status: u16, retry_after_s: u64, as_date: bool },
    /// Connections are refused.
    Dead,
    /// The name has no address.
    NoDns,
    /// Every answer takes so much longer.
    Slow(Micros),
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Weather(Vec<Spell>);

impl Weather {
    pub(crate) fn new(spells: Vec<Spell>) -> Self {
        Self(spells)
    }

    /// There never is any.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first trouble of a host at a moment.
    pub(crate) fn at(&self, host: HostId, now: Micros) -> Option<Trouble> {
        let spell = self.0.iter().find(|spell| spell.host == host && (spell.from..spell.to).contains(&now));
        spell.map(|spell| spell.trouble)
    }
}
