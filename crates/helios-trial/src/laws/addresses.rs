//! Law P for addresses. The frontier learns the address of a site from its first answer; what it leased before that, it
//! could not know better.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use crate::clock::Micros;
use crate::verdict::Offence;
use crate::world::World;

/// As the auditor: for the granularity of clocks alone.
const TOLERANCE: Micros = 1_000;

/// One request, as the log has it.
struct Asked {
    address: Ipv4Addr,
    visit: u64,
    start: Micros,
    end: Micros,
}

pub(super) fn judge(world: &World) -> Option<Offence> {
    let settings = &world.scenario.tables.frontier;
    if settings.address_connections == 0 {
        return None;
    }
    let mut addresses: BTreeMap<Ipv4Addr, Vec<Asked>> = BTreeMap::new();
    for leased in world.leases.iter().filter(|leased| leased.informed) {
        let Some(record) = world.server.log.records().get(leased.receipt.number as usize) else { continue };
        let (address, visit) = (leased.receipt.address, leased.visit);
        let asked = Asked { address, visit, start: record.start_us, end: record.end_us() };
        addresses.entry(address).or_default().push(asked);
    }
    let delay = settings.address_delay_ms * 1_000;
    addresses
        .values()
        .find_map(|all| crowded(all, settings.address_connections as usize).or_else(|| hasty(all, delay)))
}

/// Requests come in the order of their start.
fn crowded(all: &[Asked], most: usize) -> Option<Offence> {
    let mut under_way: Vec<Micros> = Vec::new();
    for asked in all {
        under_way.retain(|end| *end > asked.start + TOLERANCE);
        under_way.push(asked.end);
        if under_way.len() > most {
            let (address, count) = (asked.address, under_way.len());
            let at = asked.start as f64 / 1e6;
            let sentence =
                format!("at {at:.3} s {count} requests to {address} at once; {most} were promised");
            return Some(Offence::new("P", sentence));
        }
    }
    None
}

fn hasty(all: &[Asked], delay: Micros) -> Option<Offence> {
    all.windows(2).find_map(|pair| {
        let [before, after] = pair else { return None };
        let gap = after.start.saturating_sub(before.end);
        (delay > 0 && gap + TOLERANCE < delay).then(|| {
            let (address, at) = (after.address, after.start as f64 / 1e6);
            let (gap, delay, visits) = (gap / 1_000, delay / 1_000, (before.visit, after.visit));
            let sentence = format!(
                "at {at:.3} s {address} was asked after {gap} ms; {delay} were promised (visits {visits:?})"
            );
            Offence::new("P", sentence)
        })
    })
}
