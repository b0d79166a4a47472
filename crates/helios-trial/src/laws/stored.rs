//! Law O: the rows of the store are exactly the pages that were settled, each once.

use std::collections::BTreeMap;

use crate::store::Row;
use crate::verdict::Offence;
use crate::world::World;

pub(super) fn judge(world: &World) -> Option<Offence> {
    let mut count: BTreeMap<&Row, (u32, u32)> = BTreeMap::new();
    for row in &world.store.rows {
        count.entry(row).or_default().0 += 1;
    }
    let settled: Vec<Row> =
        world.ledger.fetched().map(|fact| (fact.url.to_string(), fact.fetch_number)).collect();
    for row in &settled {
        count.entry(row).or_default().1 += 1;
    }
    let (row, (stored, settled)) = count.into_iter().find(|(_, counts)| *counts != (1, 1))?;
    Some(Offence::new(
        "O",
        format!("{} (fetch {}) is stored {stored} times and was settled {settled} times", row.0, row.1),
    ))
}
