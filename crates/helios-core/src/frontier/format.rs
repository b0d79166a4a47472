//! What kind of records a folder holds, written with the first of them: another version, or settings that the keys depend
//! on, must not be taken for damage, nor go unnoticed.

use super::{FrontierSettings, key};
use crate::codec::{Reader, Writer};
use crate::error::{Error, Result};
use crate::kv::{Batch, Kv};

/// Raise it when a record of the frontier changes its form or its meaning.
const FORMAT: u64 = 2;

/// Refuses a folder whose records mean something else. A new one has none.
pub(super) fn check(kv: &dyn Kv, settings: &FrontierSettings) -> Result<()> {
    let Some(bytes) = kv.get(key::FORMAT)? else {
        return if kv.get(key::COUNTERS)?.is_some() { Err(foreign("an older")) } else { Ok(()) };
    };
    let mut from = Reader::new(&bytes);
    match from.number()? {
        FORMAT => {}
        lower if lower < FORMAT => return Err(foreign("an older")),
        _ => return Err(foreign("a newer")),
    }
    let (then, now) = (from.text()?, split(settings));
    if then != now {
        return Err(Error::Settings(format!(
            "[frontier] split_sites was [{then}] when this crawl began and is [{now}] now: the URLs that wait are kept by \
             the sites of then; set it back, or begin a crawl in another folder"
        )));
    }
    Ok(())
}

pub(super) fn write(batch: &mut Batch, settings: &FrontierSettings) {
    let mut to = Writer::new();
    to.number(FORMAT).text(&split(settings));
    batch.put(key::FORMAT, to.done());
}

/// The same for the same domains, however they are listed.
fn split(settings: &FrontierSettings) -> String {
    let mut domains: Vec<String> =
        settings.split_sites.iter().map(|domain| domain.to_ascii_lowercase()).collect();
    domains.sort();
    domains.dedup();
    domains.join(", ")
}

fn foreign(which: &str) -> Error {
    Error::Storage(format!(
        "this crawl was made by {which} version of Helios, whose records this one cannot read; nothing was changed: go on \
         with that version, or begin a crawl in another folder"
    ))
}
