//! What the index refuses to do, and why.

use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot {deed} {}: {error}", path.display())]
    Disk { deed: &'static str, path: PathBuf, error: std::io::Error },
    #[error("{} is in use by another process", path.display())]
    InUse { path: PathBuf },
    #[error("{} is no index of near-duplicates of this version", path.display())]
    Foreign { path: PathBuf },
    #[error("{} is damaged at record {record}: remove it, and duplicates of earlier pages will be stored again", path.display())]
    Damaged { path: PathBuf, record: u64 },
    #[error("{} holds {found} records, but {committed} were committed: it is not the file of this crawl, or lost its end", path.display())]
    Short { path: PathBuf, found: u64, committed: u64 },
    #[error("the index of near-duplicates is full: it holds {0} pages")]
    Full(u32),
}

pub type Result<T> = std::result::Result<T, Error>;
