//! Duplicates: pages whose text is like that of another page.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use helios_near::{NearIndex, NearSettings};

use super::page::Page;
use super::{Duplicates, ExtractSettings};
use crate::error::{Error, Result};
use crate::fetch::Finished;

/// The fingerprints of a crawl; none if nobody looks.
pub(super) struct Near(Option<Mutex<NearIndex>>);

impl Near {
    pub(super) fn open(settings: &ExtractSettings, path: Option<&Path>) -> Result<Self> {
        if settings.duplicates == Duplicates::Ignore {
            return Ok(Self(None));
        }
        let near = NearSettings { similarity: settings.similarity, seed: rand::random() };
        let index = match path {
            Some(path) => NearIndex::open(path, near, None).map_err(failed)?,
            None => NearIndex::in_memory(near),
        };
        Ok(Self(Some(Mutex::new(index))))
    }

    /// Finds which pages are duplicates of earlier ones, and does with them what the settings say. One after the other, in the
    /// order of the batch: of two that are alike, the first is the original.
    pub(super) fn judge(
        &self,
        done: &[Finished],
        pages: &mut [Option<Page>],
        settings: &ExtractSettings,
    ) -> Result<()> {
        let Some(index) = &self.0 else { return Ok(()) };
        let mut index = index.lock().unwrap_or_else(PoisonError::into_inner);
        for (finished, page) in done.iter().zip(pages) {
            let Some(page) = page.as_mut().filter(|page| page.index) else { continue };
            let Some(print) = page.print else { continue };
            let id = u128::from_be_bytes(finished.task.permit.url().fingerprint().to_be_bytes());
            if let Some(original) = index.observe(id, &print).map_err(failed)? {
                page.duplicate_of = Some(original.page);
                treat(page, settings);
            }
        }
        Ok(())
    }

    pub(super) fn commit(&self) -> Result<()> {
        let Some(index) = &self.0 else { return Ok(()) };
        index.lock().unwrap_or_else(PoisonError::into_inner).sync().map(|_| ()).map_err(failed)
    }
}

fn treat(page: &mut Page, settings: &ExtractSettings) {
    match settings.duplicates {
        Duplicates::Store | Duplicates::Ignore => {}
        Duplicates::Facts => {
            page.text.clear();
            page.markdown.clear();
        }
        Duplicates::Skip => page.index = false,
    }
    if !settings.follow_duplicates {
        page.links.clear();
    }
}

#[allow(clippy::needless_pass_by_value, reason = "reads best as map_err(failed)")]
fn failed(error: helios_near::Error) -> Error {
    if let helios_near::Error::Disk { deed, path, error } = &error {
        return Error::of_disk(deed, path, error);
    }
    Error::Storage(error.to_string())
}
