//! What kind of records a folder holds, written with the first of them: another version, or settings that the keys depend
//! on, must not be taken for damage, nor go unnoticed.

use serde_json::Value;

use super::{FrontierSettings, FrontierTables, key};
use crate::codec::{Reader, Writer};
use crate::error::{Error, Result};
use crate::kv::{Batch, Kv};
use crate::url::Normalise;

/// Raise it when a record of the frontier changes its form or its meaning.
const FORMAT: u64 = 3;

/// Refuses a folder whose records mean something else. A new one has none.
pub(super) fn check(kv: &dyn Kv, tables: &FrontierTables) -> Result<()> {
    let Some(bytes) = kv.get(key::FORMAT)? else {
        return if kv.get(key::COUNTERS)?.is_some() { Err(foreign("an older")) } else { Ok(()) };
    };
    let mut from = Reader::new(&bytes);
    match from.number()? {
        FORMAT => {}
        lower if lower < FORMAT => return Err(foreign("an older")),
        _ => return Err(foreign("a newer")),
    }
    let (then, now) = (from.text()?, split(&tables.frontier));
    if then != now {
        return Err(Error::Settings(format!(
            "[frontier] split_sites was [{then}] when this crawl began and is [{now}] now: the URLs that wait are kept by \
             the sites of then; set it back, or begin a crawl in another folder"
        )));
    }
    let (then, now) = (from.text()?, spelling(&tables.urls));
    if then == now { Ok(()) } else { Err(respelled(then, &now)) }
}

pub(super) fn write(batch: &mut Batch, tables: &FrontierTables) {
    let mut to = Writer::new();
    to.number(FORMAT).text(&split(&tables.frontier)).text(&spelling(&tables.urls));
    batch.put(key::FORMAT, to.done());
}

/// The same for the same domains, however they are listed.
fn split(settings: &FrontierSettings) -> String {
    in_order(&settings.split_sites).join(", ")
}

/// The rules as JSON, the same for the same names, however they are listed.
fn spelling(rules: &Normalise) -> String {
    let listed = Normalise {
        tracking: in_order(&rules.tracking),
        sessions: in_order(&rules.sessions),
        doubtful_sessions: in_order(&rules.doubtful_sessions),
        ..rules.clone()
    };
    serde_json::to_string(&listed).unwrap_or_default()
}

fn in_order(names: &[String]) -> Vec<String> {
    let mut names: Vec<String> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
    names.sort();
    names.dedup();
    names
}

fn respelled(then: &str, now: &str) -> Error {
    let read = |text| serde_json::from_str(text).unwrap_or(Value::Null);
    let (then, now): (Value, Value) = (read(then), read(now));
    let names = now.as_object().into_iter().flat_map(|rules| rules.keys());
    let changed: Vec<&str> =
        names.filter(|name| then.get(name) != now.get(name)).map(String::as_str).collect();
    Error::Settings(format!(
        "[urls] {} changed since this crawl began: pages that are known under one spelling would be fetched again under \
         another; set it back, or begin a crawl in another folder",
        changed.join(", ")
    ))
}

fn foreign(which: &str) -> Error {
    Error::Storage(format!(
        "this crawl was made by {which} version of Helios, whose records this one cannot read; nothing was changed: go on \
         with that version, or begin a crawl in another folder"
    ))
}
