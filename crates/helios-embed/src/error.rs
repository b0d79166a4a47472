//! Why there is no model.

use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot read the embedding model {}: {error}", path.display())]
    Disk { path: PathBuf, error: std::io::Error },
    #[error("{} is no embedding model of this version: make it with helios model build", path.display())]
    Foreign { path: PathBuf },
    #[error("the embedding model {} is damaged: {reason}", path.display())]
    Damaged { path: PathBuf, reason: &'static str },
}

pub type Result<T> = std::result::Result<T, Error>;
