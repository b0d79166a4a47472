//! What goes wrong in the first phase: crashes, results that are lost, late or doubled, clocks that jump, bad weather.

use super::Shape;
use crate::chance::Chance;
use crate::clock::{MINUTE, Micros, SECOND};
use crate::weather::{Spell, Trouble, Weather};

/// Chances of faults.
#[derive(Debug, Clone)]
pub(crate) struct Faults {
    /// When the process is killed, whatever it is doing.
    pub(crate) crashes: Vec<Micros>,
    /// Between two steps of a commit.
    pub(crate) crash_in_commit: f64,
    /// A process is set up so that one of its writes fails.
    pub(crate) failing_write: f64,
    /// A crash takes writes that were not durable, too.
    pub(crate) power_loss: f64,
    /// The clock is set when a process starts.
    pub(crate) clock_jump: f64,
    /// Results of a visit never arrive, arrive after it was given up, arrive twice.
    pub(crate) lost: f64,
    pub(crate) late: f64,
    pub(crate) doubled: f64,
    pub(crate) weather: Weather,
}

pub(super) fn draw(chance: &mut Chance, shape: &Shape, hosts: u32, until: Micros) -> Faults {
    let crashes = chance.choose(&[0, 0, 1, 2, 4, 8]);
    let mut crashes: Vec<Micros> = (0..crashes).map(|_| chance.between(0, until)).collect();
    crashes.sort_unstable();
    Faults {
        crashes,
        crash_in_commit: chance.choose(&[0.0, 0.0, 0.01, 0.05]),
        failing_write: chance.choose(&[0.0, 0.3, 0.8]),
        power_loss: chance.choose(&[0.0, 0.5, 1.0]),
        clock_jump: chance.choose(&[0.0, 0.0, 0.5]),
        lost: chance.choose(&[0.0, 0.0, 0.03]),
        late: chance.choose(&[0.0, 0.0, 0.05]),
        doubled: chance.choose(&[0.0, 0.0, 0.1]),
        weather: weather(chance, shape, hosts, until),
    }
}

fn weather(chance: &mut Chance, shape: &Shape, hosts: u32, until: Micros) -> Weather {
    let mut spells = Vec::new();
    if shape.weather {
        for _ in 0..chance.between(1, u64::from(hosts).min(8)) {
            let from = chance.between(0, until);
            let length = chance.scaled(2 * SECOND, 20 * MINUTE);
            spells.push(Spell {
                host: chance.between(0, u64::from(hosts) - 1) as u32,
                from,
                to: (from + length).min(until),
                trouble: trouble(chance, shape),
            });
        }
    }
    Weather::new(spells)
}

fn trouble(chance: &mut Chance, shape: &Shape) -> Trouble {
    match chance.between(0, 4) {
        0 | 1 => {
            // After robots.txt was read once a server error on it is no reason to stop, but the judge would say so.
            let status = if shape.recrawl { 429 } else { chance.choose(&[429, 429, 503]) };
            let retry_after_s = chance.scaled(1, 120);
            match (shape.wide, chance.between(0, 2)) {
                (false, 0) => Trouble::Storm { status, retry_after_s, as_date: false },
                (false, 1) => Trouble::Storm { status, retry_after_s, as_date: true },
                _ => Trouble::Storm { status, retry_after_s: 0, as_date: false },
            }
        }
        2 => Trouble::Dead,
        3 => Trouble::NoDns,
        _ => Trouble::Slow(chance.scaled(SECOND, 20 * SECOND)),
    }
}
