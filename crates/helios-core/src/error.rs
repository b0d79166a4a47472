//! One error enum. What happens to a page is not an error: that is an [`crate::fetch::Outcome`].

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

pub type Result<T> = std::result::Result<T, Error>;

/// Settings cross the border as JSON; what the Python side let through and we cannot use is said here.
pub fn settings_from_json<T: serde::de::DeserializeOwned>(json: &str) -> Result<T> {
    serde_json::from_str(json).map_err(|error| Error::Settings(format!("settings for the core: {error}")))
}
