//! extract: a batch of finished fetches in, Arrow columns out by the C stream interface, no copy.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError, RwLock};

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use helios_core::error::settings_from_json;
use helios_core::extract::{self, ExtractSettings, Given, View, with_fields};
use helios_core::fetch::{Outcome, Purpose};
use helios_core::frontier::Found;
use helios_core::robots::RobotsSettings;
use helios_core::url::Normalise;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use serde::Deserialize;

use crate::enter::enter;
use crate::errors::raise;
use crate::fetch::Done;
use crate::page::Page;
use crate::url::Canonicaliser;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    extract: ExtractSettings,
    robots: RobotsSettings,
    urls: Normalise,
}

/// Pages as Arrow columns, and their links.
#[pyclass(frozen, module = "helios._core")]
pub(crate) struct Pages {
    /// Replaced by `put_fields`.
    rows: RwLock<RecordBatch>,
    /// Which finished fetch brought each row.
    places: Vec<usize>,
    /// Taken out by `Frontier.settle`.
    found: Mutex<Vec<Found>>,
    links_found: usize,
    /// What the pages were made of, and of which of it a copy may be kept: for an archive.
    pub(crate) done: Py<Done>,
    pub(crate) archive: Vec<bool>,
}

impl Pages {
    fn rows(&self) -> RecordBatch {
        self.rows.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn page(&self, done: &Done, place: usize, row: Option<usize>) -> Option<Page> {
        let done = done.finished();
        let finished = done.get(place)?;
        let (Outcome::Fetched(response), Purpose::Page) = (&finished.outcome, finished.task.purpose) else {
            return None;
        };
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let links = found.get(place).map(|found| found.links.clone()).unwrap_or_default();
        let view = View::new(finished.task.permit.url().clone(), response);
        Some(Page::new(view, self.rows(), row, finished.task.depth, links))
    }

    pub(crate) fn take_found(&self) -> Vec<Found> {
        std::mem::take(&mut *self.found.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[pymethods]
impl Pages {
    fn __len__(&self) -> usize {
        self.places.len()
    }

    /// Its rows for a hook, in their order; `done` is what they were made from.
    fn each(&self, done: &Done) -> Vec<Page> {
        let rows = self.places.iter().enumerate();
        rows.filter_map(|(row, &place)| self.page(done, place, Some(row))).collect()
    }

    /// All pages, those that are not kept included, lists of links apart: their places in the batch, and they.
    fn leading(&self, done: &Done) -> Vec<(usize, Page)> {
        let rows: HashMap<usize, usize> =
            self.places.iter().enumerate().map(|(row, &place)| (place, row)).collect();
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let places: Vec<usize> = found
            .iter()
            .enumerate()
            .filter(|(_, found)| found.listing.is_none())
            .map(|(place, _)| place)
            .collect();
        drop(found);
        let page = |place| Some((place, self.page(done, place, rows.get(&place).copied())?));
        places.into_iter().filter_map(page).collect()
    }

    /// What goes into the column `fields`, one for each row.
    fn put_fields(&self, fields: Vec<Option<String>>) -> PyResult<()> {
        let changed = with_fields(&self.rows(), fields).map_err(raise)?;
        *self.rows.write().unwrap_or_else(PoisonError::into_inner) = changed;
        Ok(())
    }

    /// Where pages lead instead, by their places in the batch. Returns what is no URL to crawl, with the reason.
    fn put_links(
        &self,
        links: HashMap<usize, Vec<String>>,
        spelling: &Canonicaliser,
    ) -> Vec<(String, String)> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let mut refused = Vec::new();
        for (place, texts) in links {
            let Some(found) = found.get_mut(place) else { continue };
            found.links.clear();
            for text in texts {
                match spelling.inner.parse(&text) {
                    Ok(url) => found.links.push(url),
                    Err(error) => refused.push((text, error.reason)),
                }
            }
        }
        refused
    }

    #[getter]
    fn links(&self) -> usize {
        self.links_found
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The protocol allows a producer to ignore the wish; consumers cast.
        drop(requested_schema);
        let rows = self.rows();
        let schema = rows.schema();
        let batches = RecordBatchIterator::new([Ok(rows)], schema);
        let reader: Box<dyn RecordBatchReader + Send> = Box::new(batches);
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), c"arrow_array_stream")
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.rows().schema().as_ref())
            .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }
}

/// Reads pages, and remembers their fingerprints.
#[pyclass(frozen, module = "helios._core")]
pub(crate) struct Extractor {
    inner: helios_core::extract::Extractor,
}

#[pymethods]
impl Extractor {
    #[new]
    #[pyo3(signature = (settings, fingerprints=None))]
    #[allow(clippy::needless_pass_by_value, reason = "what Python hands over")]
    fn new(py: Python<'_>, settings: &str, fingerprints: Option<PathBuf>) -> PyResult<Self> {
        let tables: Tables = settings_from_json(settings).map_err(raise)?;
        let open = || {
            helios_core::extract::Extractor::open(
                tables.extract,
                &tables.robots.token,
                tables.urls,
                fingerprints.as_deref(),
            )
        };
        Ok(Self { inner: enter(py, open)? })
    }

    #[pyo3(signature = (done, given=None, let_go=false))]
    #[allow(clippy::needless_pass_by_value, reason = "it is kept")]
    fn extract(
        &self,
        py: Python<'_>,
        done: Py<Done>,
        given: Option<HashMap<usize, String>>,
        let_go: bool,
    ) -> PyResult<Pages> {
        let threads = std::thread::available_parallelism().map_or(2, usize::from);
        let given = given.unwrap_or_default().into_iter().map(|(place, json)| {
            serde_json::from_str(&json).map(|given| (place, given)).map_err(|error| {
                PyRuntimeError::new_err(format!("what was read of page {place} is not understood: {error}"))
            })
        });
        let given: HashMap<usize, Given> = given.collect::<PyResult<_>>()?;
        let pages =
            enter(py, || self.inner.extract_with(&mut done.get().finished_mut(), &given, threads, let_go))?;
        let links_found = pages.links_found();
        let seen = pages.contents.into_iter().zip(pages.duplicates).zip(pages.listings).zip(pages.unkept);
        let found = pages.links.into_iter().zip(seen);
        let found = found.map(|(links, (((content, duplicate), listing), unkept))| Found {
            links,
            content,
            duplicate,
            listing,
            unkept,
        });
        let found = found.collect();
        Ok(Pages {
            links_found,
            rows: RwLock::new(pages.rows),
            places: pages.places,
            found: Mutex::new(found),
            done,
            archive: pages.archive,
        })
    }

    fn commit(&self, py: Python<'_>) -> PyResult<()> {
        enter(py, || self.inner.commit())
    }
}

/// What a reader sees of a page, as a number that tells whether it has changed.
#[pyfunction]
pub(crate) fn seen_hash(title: &str, text: &str) -> u64 {
    extract::seen(title, text)
}
