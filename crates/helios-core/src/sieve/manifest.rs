//! Which runs there are. The caller keeps it where a write is atomic; run files alone mean nothing.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

const FORMAT: u32 = 1;

/// One run, and how to recognise its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Named {
    /// Higher is later. Never used twice, but for a file that no manifest named.
    pub(super) number: u64,
    pub(super) level: u8,
    pub(super) bytes: u64,
    pub(super) checksum: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    pub(super) format: u32,
    /// The number of the next file.
    pub(super) next: u64,
    pub(super) runs: Vec<Named>,
    /// New URLs that lossy mode may have dropped so far.
    pub(super) dropped: f64,
}

impl Manifest {
    pub(super) fn new(next: u64, runs: Vec<Named>, dropped: f64) -> Self {
        Self { format: FORMAT, next, runs, dropped }
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Self> {
        let manifest: Self = serde_json::from_slice(bytes).map_err(|error| {
            Error::Storage(format!(
                "the manifest of the sieve is damaged ({error}); restore the crawl's state"
            ))
        })?;
        if manifest.format != FORMAT {
            return Err(Error::Storage(format!(
                "the manifest of the sieve has format {}, and this version of Helios reads {FORMAT}",
                manifest.format
            )));
        }
        Ok(manifest)
    }

    pub(super) fn encode(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(self).map_err(|error| Error::Storage(format!("manifest of the sieve: {error}")))
    }
}

const PREFIX: &str = "run-";
const SUFFIX: &str = ".sieve";

pub(super) fn file_name(number: u64) -> String {
    format!("{PREFIX}{number:010}{SUFFIX}")
}

/// Would a sieve give a file this name? What others put on the shelf is not ours to remove.
pub(super) fn is_ours(name: &str) -> bool {
    let number = name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX));
    number.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
}
