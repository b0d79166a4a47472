//! What is asked of every server, whoever wrote it: its files, byte for byte.

use helios_core::fetch::{Finished, Outcome};
use serde_json::json;

use crate::asking::{ask_for, patient, with};
use crate::running::{PAGES, Site};

fn body(finished: &Finished) -> &[u8] {
    let Outcome::Fetched(response) = &finished.outcome else {
        panic!("{}: {:?}", finished.task.permit.url(), finished.outcome)
    };
    &response.body
}

fn ask(site: &Site, at: &str, names: &[String]) -> Vec<Finished> {
    let urls: Vec<_> = names.iter().map(|name| format!("{at}/{name}")).collect();
    let settings = with(site.authority.trusted(patient()), "fetch", json!({"max_body_bytes": 20_000_000}));
    ask_for(&urls, &settings).0
}

/// Every file is what it is on disk. Returns how much came over the wire, and how much that is unpacked.
pub(crate) fn serves_its_files(site: &Site, at: &str) -> (u64, u64) {
    let mut names: Vec<String> = (0..PAGES).map(|page| format!("{page}.html")).collect();
    names.insert(PAGES / 2, "big.html".to_owned());
    names.push("empty.html".to_owned());
    let all = ask(site, at, &names);
    for (finished, name) in all.iter().zip(&names) {
        // Not assert_eq: nobody wants to read ten million bytes.
        assert!(body(finished) == site.file(name), "{at}/{name} is not what it is on disk");
    }
    (
        all.iter().map(|finished| finished.wire_bytes).sum(),
        all.iter().map(|finished| body(finished).len() as u64).sum(),
    )
}

/// What is not there is missing, and the connection goes on.
pub(crate) fn misses_what_is_not_there(site: &Site, at: &str) {
    let names = ["0.html", "nowhere.html", "1.html"].map(str::to_owned);
    let all = ask(site, at, &names);
    assert!(matches!(all[1].outcome, Outcome::Missing { status: 404 }), "{:?}", all[1].outcome);
    assert!(body(&all[2]) == site.file("1.html"));
}

/// Some of it came packed.
pub(crate) fn packed((wire, unpacked): (u64, u64)) {
    assert!(wire < unpacked * 3 / 4, "{wire} of {unpacked} bytes on the wire");
}

pub(crate) fn as_it_is((wire, unpacked): (u64, u64)) {
    assert_eq!(wire, unpacked);
}
