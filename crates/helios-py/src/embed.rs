//! embed: texts in, the numbers of their vectors out, row by row.

use std::path::PathBuf;

use helios_core::error::Error;
use helios_embed::Embedder;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::enter::enter;

/// A static embedding model.
#[pyclass(frozen, module = "helios._core")]
pub(crate) struct StaticModel {
    inner: Embedder,
}

#[pymethods]
#[allow(clippy::needless_pass_by_value, reason = "what Python hands over")]
impl StaticModel {
    #[new]
    fn new(py: Python<'_>, file: PathBuf) -> PyResult<Self> {
        let inner = enter(py, || Embedder::open(&file).map_err(|error| Error::Settings(error.to_string())))?;
        Ok(Self { inner })
    }

    #[getter]
    fn dimensions(&self) -> usize {
        self.inner.dims()
    }

    /// As `f32` of this machine, one row after the other.
    fn embed<'py>(&self, py: Python<'py>, texts: Vec<String>) -> PyResult<Bound<'py, PyBytes>> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let rows = enter(py, || Ok(self.rows(&texts, threads)))?;
        Ok(PyBytes::new(py, &rows))
    }

    fn tokens(&self, py: Python<'_>, texts: Vec<String>) -> PyResult<Vec<Vec<u32>>> {
        enter(py, || Ok(texts.iter().map(|text| self.inner.tokens(text)).collect()))
    }
}

impl StaticModel {
    fn rows(&self, texts: &[String], threads: usize) -> Vec<u8> {
        let share = texts.len().div_ceil(threads).max(1);
        let embed = |texts: &[String]| {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            self.inner.embed(&texts).into_iter().flat_map(f32::to_ne_bytes).collect::<Vec<u8>>()
        };
        std::thread::scope(|scope| {
            let shares: Vec<_> = texts.chunks(share).map(|texts| scope.spawn(move || embed(texts))).collect();
            shares.into_iter().flat_map(|share| share.join().unwrap_or_default()).collect()
        })
    }
}
