//! extract: a batch of finished fetches in, Arrow columns out by the C stream interface, no copy.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatchIterator, RecordBatchReader};
use helios_core::error::settings_from_json;
use helios_core::extract::ExtractSettings;
use helios_core::frontier::Found;
use helios_core::robots::RobotsSettings;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use serde::Deserialize;

use crate::enter::enter;
use crate::errors::raise;
use crate::fetch::Done;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    extract: ExtractSettings,
    robots: RobotsSettings,
}

/// Pages as Arrow columns, and their links.
#[pyclass(frozen, module = "helios._core")]
pub(crate) struct Pages {
    rows: arrow_array::RecordBatch,
    /// Taken out by `Frontier.settle`.
    found: Mutex<Vec<Found>>,
    links_found: usize,
}

impl Pages {
    pub(crate) fn take_found(&self) -> Vec<Found> {
        std::mem::take(&mut *self.found.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[pymethods]
impl Pages {
    fn __len__(&self) -> usize {
        self.rows.num_rows()
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
        let batches = RecordBatchIterator::new([Ok(self.rows.clone())], self.rows.schema());
        let reader: Box<dyn RecordBatchReader + Send> = Box::new(batches);
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), c"arrow_array_stream")
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.rows.schema().as_ref())
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
                fingerprints.as_deref(),
            )
        };
        Ok(Self { inner: enter(py, open)? })
    }

    fn extract(&self, py: Python<'_>, done: &Done) -> PyResult<Pages> {
        let threads = std::thread::available_parallelism().map_or(2, usize::from);
        let pages = enter(py, || self.inner.extract(&done.finished(), threads))?;
        let links_found = pages.links_found();
        let found = pages.links.into_iter().zip(pages.contents).zip(pages.duplicates);
        let found = found.map(|((links, content), duplicate)| Found { links, content, duplicate }).collect();
        Ok(Pages { links_found, rows: pages.rows, found: Mutex::new(found) })
    }

    fn commit(&self, py: Python<'_>) -> PyResult<()> {
        enter(py, || self.inner.commit())
    }
}
