//! Looks at the engine's files before the engine does.
//!
//! fjall 3 takes absence for novelty: without its `version` it makes a new database, without a keyspace's `current` or the
//! keyspace's entry in keyspace 0 it deletes that keyspace, and it deletes tables that the version file does not list,
//! without looking at that file's checksum. So what it trusts is checked here first, and nothing is changed.

use std::path::Path;

use xxhash_rust::xxh3::xxh3_128;

use super::journal::number_of;

/// Keyspace 0 is fjall's list of keyspaces, 1 is ours.
const KEYSPACES: [&str; 2] = ["0", "1"];

/// What is wrong with the database, if it is.
pub(super) fn inspect(database: &Path) -> Result<(), String> {
    if read(database, "version")?.is_empty() {
        return Err("its file version is empty".into());
    }
    let mut entries = database.read_dir().map_err(|error| format!("it cannot be listed: {error}"))?;
    if !entries.any(|entry| entry.is_ok_and(|entry| number_of(&entry.path()).is_some())) {
        return Err("its journal is gone".into());
    }
    for keyspace in KEYSPACES {
        check_version(&database.join("keyspaces").join(keyspace))
            .map_err(|what| format!("in its keyspace {keyspace}, {what}"))?;
    }
    Ok(())
}

/// `current` names the version file and its checksum: the list of the tables that are part of the database.
fn check_version(keyspace: &Path) -> Result<(), String> {
    let current = read(keyspace, "current")?;
    let cut = || "the file current is cut off".to_owned();
    let (number, rest) = current.split_first_chunk::<8>().ok_or_else(cut)?;
    let (checksum, _) = rest.split_first_chunk::<16>().ok_or_else(cut)?;
    let name = format!("v{}", u64::from_le_bytes(*number));
    if xxh3_128(&read(keyspace, &name)?) != u128::from_le_bytes(*checksum) {
        return Err(format!("the file {name} is not as it was written"));
    }
    Ok(())
}

fn read(folder: &Path, name: &str) -> Result<Vec<u8>, String> {
    std::fs::read(folder.join(name)).map_err(|error| format!("the file {name} cannot be read ({error})"))
}
