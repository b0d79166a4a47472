//! A [`RobotsState`] as bytes. The text is kept as it was received, so that a crawl with another token reads it anew.

use bytes::Bytes;

use super::RobotsSettings;
use super::state::{Known, Moved, RobotsBasis, RobotsState, Trouble};
use crate::codec::{Reader, Writer, damaged};
use crate::error::Result;
use crate::url::CanonicalUrl;

/// Which parts follow, in this order.
const KNOWN: u8 = 1;
const MOVED: u8 = 2;
const TROUBLE: u8 = 4;
const ALL: u8 = KNOWN | MOVED | TROUBLE;

impl RobotsState {
    pub fn encode(&self) -> Vec<u8> {
        let mut to = Writer::new();
        let part = |present: bool, flag: u8| if present { flag } else { 0 };
        to.byte(
            part(self.known.is_some(), KNOWN)
                | part(self.moved.is_some(), MOVED)
                | part(self.trouble.is_some(), TROUBLE),
        );
        if let Some(known) = &self.known {
            to.byte(code(known.basis)).number(known.fetched).number(known.expires).block(&known.text);
        }
        if let Some(moved) = &self.moved {
            to.text(moved.to.as_str()).number(u64::from(moved.hops));
        }
        if let Some(trouble) = &self.trouble {
            to.number(trouble.since).number(u64::from(trouble.failures)).number(trouble.ask_again);
            to.byte(u8::from(trouble.hopeless)).text(&trouble.why);
        }
        to.done()
    }

    pub fn decode(bytes: &[u8], settings: &RobotsSettings) -> Result<Self> {
        let mut from = Reader::new(bytes);
        let parts = from.byte()?;
        let mut state = Self::default();
        if parts & KNOWN != 0 {
            let basis = basis(from.byte()?).ok_or_else(damaged)?;
            let times = (from.number()?, from.number()?);
            state.known = Some(Known::new(basis, &Bytes::copy_from_slice(from.block()?), settings, times));
        }
        if parts & MOVED != 0 {
            let to = CanonicalUrl::from_canonical(from.text()?);
            state.moved = Some(Moved { to, hops: from.small()? });
        }
        if parts & TROUBLE != 0 {
            let (since, failures, ask_again) = (from.number()?, from.small()?, from.number()?);
            let (hopeless, why) = (from.byte()? != 0, from.text()?.to_owned());
            state.trouble = Some(Trouble { since, failures, ask_again, hopeless, why });
        }
        if parts & !ALL != 0 || !from.is_empty() {
            return Err(damaged());
        }
        Ok(state)
    }
}

const fn code(basis: RobotsBasis) -> u8 {
    match basis {
        RobotsBasis::Text => 0,
        RobotsBasis::Absent => 1,
        RobotsBasis::MovedTooOften => 2,
    }
}

const fn basis(code: u8) -> Option<RobotsBasis> {
    match code {
        0 => Some(RobotsBasis::Text),
        1 => Some(RobotsBasis::Absent),
        2 => Some(RobotsBasis::MovedTooOften),
        _ => None,
    }
}
