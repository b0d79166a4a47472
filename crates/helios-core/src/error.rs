//! One error enum. What happens to a page is not an error: that is an [`crate::fetch::Outcome`].

use std::io::{self, ErrorKind};
use std::path::Path;

/// Everything the core refuses to do, with what was wrong and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{0}")]
    Settings(String),
    #[error("{text:?} is no URL to crawl: {reason}")]
    Url { text: String, reason: String },
    #[error("frontier: {0}")]
    Frontier(String),
    /// The disk, or what is on it.
    #[error("{0}")]
    Storage(String),
    #[error("fetch: {0}")]
    Fetch(String),
}

impl From<helios_url::Error> for Error {
    fn from(error: helios_url::Error) -> Self {
        Self::Url { text: error.text, reason: error.reason }
    }
}

impl Error {
    /// What the disk says of a deed, in words that say what to do: it is full more often than anything else.
    pub(crate) fn of_disk(deed: &str, path: &Path, error: &io::Error) -> Self {
        let path = path.display();
        let is_full = matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded);
        Self::Storage(if is_full {
            format!(
                "the disk is full (cannot {deed} {path}): free some space and resume; what was settled is safe"
            )
        } else {
            format!("cannot {deed} {path}: {error}")
        })
    }
}

pub type Result<T> = std::result::Result<T, Error>;

/// Settings cross the border as JSON; what the Python side let through and we cannot use is said here.
pub fn settings_from_json<T: serde::de::DeserializeOwned>(json: &str) -> Result<T> {
    serde_json::from_str(json).map_err(|error| Error::Settings(format!("settings for the core: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_from_other_trouble() {
        let said = |kind: ErrorKind| {
            Error::of_disk("write", Path::new("out/fingerprints"), &kind.into()).to_string()
        };
        assert_eq!(
            said(ErrorKind::StorageFull),
            "the disk is full (cannot write out/fingerprints): free some space and resume; what was settled is safe"
        );
        assert!(said(ErrorKind::PermissionDenied).starts_with("cannot write out/fingerprints: "));
    }
}
